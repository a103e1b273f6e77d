package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/domain/exchange"
)

// The columns of the list of sessions, in cells.
const (
	nameCells   = 18
	statusCells = 8
	sinceCells  = 7
	linkCells   = 8
)

func (b *rootBoard) sessions() board.Panel {
	report := b.sight.report
	p := board.Panel{Title: "Sessions", Flex: true, Focus: b.at() + 1, Empty: "nobody is here: start one with claude or codex"}
	if report.RegistryErr != nil && len(report.Sessions) == 0 {
		p.Empty = "nobody could look who is here"
	}
	if n := len(report.UnreadRows); n > 0 {
		p.Title += fmt.Sprintf(" (%d more could not be read)", n)
		p.Style = board.Warn
	}
	for _, s := range report.Sessions {
		cursor, style := "  ", board.Plain
		if s.SessionID == b.chosen {
			cursor, style = "› ", board.Highlight
		}
		mark := " "
		if at := slices.Index(b.marked, s.SessionID); at >= 0 {
			mark = fmt.Sprint(at + 1)
		}
		where := below(b.root, s.Cwd)
		if s.Own {
			where += "  (this session)"
		}
		p.Lines = append(p.Lines, board.Line{
			{Text: cursor + mark + " ", Style: style},
			{Text: board.Pad(s.Label(), nameCells) + " ", Style: style},
			{Text: board.Pad(cmp.Or(s.Status, "–"), statusCells) + " ", Style: cmp.Or(style, statusStyle(s.Status))},
			{Text: board.Pad(b.since(s), sinceCells), Style: cmp.Or(style, board.Dim)},
			{Text: board.Pad(s.Role, linkCells), Style: cmp.Or(style, board.Accent)},
			{Text: where, Style: cmp.Or(style, b.whereStyle(s))},
		})
	}
	return p
}

func statusStyle(status string) board.Style {
	switch status {
	case "busy":
		return board.Good
	case "waiting":
		return board.Warn
	}
	return board.Plain
}

// whereStyle dims what works in another root than the one shown.
func (b *rootBoard) whereStyle(s exchange.Seen) board.Style {
	if s.Root != b.root || b.root == "" {
		return board.Dim
	}
	return board.Plain
}

// since is how long a session has had its status, else how long it has run.
func (b *rootBoard) since(s exchange.Seen) string {
	at := s.StatusAt
	if at.IsZero() {
		at = s.StartedAt
	}
	return ago(b.now(), at)
}

// ago says how long ago something was in few characters; "–" where that is not
// known.
func ago(now, at time.Time) string {
	d := now.Sub(at)
	switch {
	case at.IsZero():
		return "–"
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd", int(d.Hours())/24)
}

// details is everything about one session.
func (b *rootBoard) details(s exchange.Seen) board.Panel {
	p := board.Panel{Title: "Session", Wrap: true, Lines: []board.Line{
		board.Fact("name     ", s.Label()),
		board.Fact("id       ", s.SessionID),
		board.Fact("directory", s.Cwd),
		board.Fact("root     ", cmp.Or(s.Root, "none")),
		board.FactIn(statusStyle(s.Status), "status   ", cmp.Or(s.Status, "not known")),
		board.Fact("since    ", moment(s.StatusAt)),
		board.Fact("started  ", moment(s.StartedAt)),
		board.Fact("process  ", fmt.Sprint(s.PID)),
	}}
	if link := b.sight.links[s.SessionID]; link != "" {
		p.Lines = append(p.Lines, board.Fact("link     ", fmt.Sprintf("%s, of %s: l shows its log", s.Role, link)))
	}
	place, known := b.sight.report.Watched(s.Root)
	if !known {
		return p
	}
	for _, c := range place.Claims {
		if !c.Holds(s.SessionID) {
			continue
		}
		p.Lines = append(p.Lines, board.Fact("claims   ", cmp.Or(c.Focus, "(no focus stated)")), board.Text("           "+scope(c)))
		for _, met := range c.Overlaps {
			p.Lines = append(p.Lines, board.FactIn(board.Warn, "overlaps ", met.Label+": "+strings.Join(met.Paths, ", ")))
		}
	}
	return p
}

func moment(at time.Time) string {
	if at.IsZero() {
		return "not known"
	}
	return exchange.Timestamp(at)
}
