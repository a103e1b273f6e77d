package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/text"
)

// textLines is how many lines of a text the overview shows.
const textLines = 6

// Frame implements board.Source.
func (b *linkBoard) Frame(board.Size) board.Frame {
	line, tone := b.sight.status.Line()
	f := board.Frame{Title: "relay watch", State: board.Styled(toneStyle(tone), cmp.Or(line, "no link"))}
	switch b.page {
	case wholeRound:
		if b.chosen < len(b.sight.passages) {
			f.Panels = []board.Panel{b.round(true)}
			return f
		}
	case wholeTrail:
		f.Panels = []board.Panel{{Title: "relay log", Lines: b.sight.trail, Wrap: true}}
		return f
	}
	f.Panels = []board.Panel{b.link()}
	if b.sight.status.Linked {
		f.Panels = append(f.Panels, b.deliveries(), b.waiting(), b.round(false), b.happened())
	}
	return f
}

func toneStyle(tone relay.Tone) board.Style {
	switch tone {
	case relay.ToneAsking:
		return board.Accent
	case relay.ToneRunning:
		return board.Good
	case relay.ToneWaiting:
		return board.Warn
	case relay.TonePaused:
		return board.Bad
	}
	return board.Dim
}

// link says who is in it and how it stands.
func (b *linkBoard) link() board.Panel {
	status := b.sight.status
	p := board.Panel{Title: "Link", Wrap: true}
	if !status.Linked {
		p.Lines = board.Texts(status.Lines())
		return p
	}
	s := status.State
	for _, role := range []relay.Role{relay.Planner, relay.Builder} {
		line := board.Fact(fmt.Sprintf("%-7s", role), s.Label(role))
		switch {
		case !s.Joined(role):
			line = append(line, board.Span{Text: "  has not joined", Style: board.Warn})
		case role == s.WhoseTurn() && s.Phase == relay.Running:
			line = append(line, board.Span{Text: "  ● to act", Style: board.Good})
		}
		if party := s.Party(role); party.Session != "" && party.Session != s.Label(role) {
			line = append(line, board.Span{Text: "  " + party.Session, Style: board.Dim})
		}
		p.Lines = append(p.Lines, line)
	}
	round := board.Line{{Text: fmt.Sprintf("%-7s  ", "rounds"), Style: board.Dim}, {Text: fmt.Sprintf("%d of %d", s.Round(), s.Allowed())}}
	p.Lines = append(p.Lines, append(round, board.Span{Text: "  " + string(s.Phase), Style: board.Dim}))
	if goal := s.Goal(); goal != "" {
		p.Lines = append(p.Lines, board.Fact(fmt.Sprintf("%-7s", "goal"), cutText(goal)))
	}
	// The band stands in the first line.
	band, _ := status.Line()
	for _, said := range status.Standing() {
		if said != text.Printable(band) && said != band {
			p.Lines = append(p.Lines, board.Styled(board.Warn, said))
		}
	}
	if summary := s.Summary(); summary != "" {
		p.Lines = append(p.Lines, board.FactIn(board.Good, fmt.Sprintf("%-7s", "done"), cutText(summary)))
	}
	return p
}

// cutText is the beginning of a text, in one line.
func cutText(s string) string {
	const points = 200
	line := text.FirstLine(s)
	if runes := []rune(line); len(runes) > points {
		return string(runes[:points]) + "…"
	}
	return line
}

// deliveries lists them, the chosen one marked.
func (b *linkBoard) deliveries() board.Panel {
	p := board.Panel{Title: "Rounds", Flex: true, Focus: b.chosen + 1, Empty: "no delivery yet: the planner has no goal"}
	for i, d := range b.sight.passages {
		mark, style := "  ", board.Plain
		if i == b.chosen {
			mark, style = "› ", board.Highlight
		}
		p.Lines = append(p.Lines, board.Line{
			{Text: mark, Style: style},
			{Text: fmt.Sprintf("%-5s%-18s ", roundName(d), fmt.Sprintf("%s → %s", d.From, d.To)), Style: style},
			{Text: fmt.Sprintf("%-9s ", d.Receipt), Style: cmp.Or(style, receiptStyle(d.Receipt))},
			{Text: clockTime(d.Event.At) + " ", Style: cmp.Or(style, board.Dim)},
			{Text: fmt.Sprintf("%6s %6s  ", lasted(d.Wait()), lasted(d.Turn())), Style: cmp.Or(style, board.Dim)},
			{Text: cutText(d.Text), Style: style},
		})
	}
	return p
}

func roundName(d relay.Passage) string {
	if d.IsGoal() {
		return "goal"
	}
	return fmt.Sprintf("%3d ", d.Round)
}

func receiptStyle(r relay.Receipt) board.Style {
	switch r {
	case relay.Answered, relay.WasShown:
		return board.Good
	case relay.Queued, relay.Taken:
		return board.Warn
	case relay.WasRefuse, relay.Unknown:
		return board.Bad
	}
	return board.Dim
}

// waiting lists what has not reached its model.
func (b *linkBoard) waiting() board.Panel {
	p := board.Panel{Title: "Waiting", Empty: "nothing waits"}
	for _, d := range b.sight.passages {
		if d.Waits() {
			p.Lines = append(p.Lines, board.Line{
				{Text: string(d.Receipt), Style: board.Warn},
				{Text: fmt.Sprintf("  for the %s since %s  ", d.To, clockTime(d.Event.At))},
				{Text: cutText(d.Text), Style: board.Dim},
			})
		}
	}
	return p
}

// round shows the texts of the chosen delivery's round.
func (b *linkBoard) round(whole bool) board.Panel {
	p := board.Panel{Title: "Texts", Right: true, Wrap: true, Flex: !whole, Empty: "no text yet"}
	if b.chosen >= len(b.sight.passages) {
		return p
	}
	chosen := b.sight.passages[b.chosen]
	p.Title = fmt.Sprintf("Round %d", chosen.Round)
	if chosen.IsGoal() {
		p.Title = "Goal"
	}
	for _, d := range b.sight.passages {
		if d.IsGoal() != chosen.IsGoal() || d.Round != chosen.Round {
			continue
		}
		p.Lines = append(p.Lines, passageHead(d))
		lines := board.Block(board.Plain, d.Text)
		if over := len(lines) - textLines; !whole && over > 1 {
			lines = append(lines[:textLines:textLines], board.Styled(board.Dim, fmt.Sprintf("+%d more lines: enter shows them", over)))
		}
		p.Lines = append(p.Lines, lines...)
	}
	return p
}

func passageHead(d relay.Passage) board.Line {
	line := board.Line{
		{Text: fmt.Sprintf("from %s", d.From), Style: board.Accent},
		{Text: "  "},
		{Text: string(d.Receipt), Style: receiptStyle(d.Receipt)},
		{Text: "  sent " + clockTime(d.Event.At), Style: board.Dim},
	}
	if !d.ShownAt.IsZero() {
		line = append(line, board.Span{Text: ", shown after " + lasted(d.Wait()), Style: board.Dim})
	}
	if !d.AnsweredAt.IsZero() && !d.ShownAt.IsZero() {
		line = append(line, board.Span{Text: ", answered after " + lasted(d.Turn()), Style: board.Dim})
	}
	return line
}

// happened lists the last changes.
func (b *linkBoard) happened() board.Panel {
	const kept = 100
	p := board.Panel{Title: "What happened", Right: true, Tail: true}
	changes := b.sight.changes
	for _, c := range changes[max(0, len(changes)-kept):] {
		p.Lines = append(p.Lines, board.Line{
			{Text: clockTime(c.At) + "  ", Style: board.Dim}, {Text: fmt.Sprintf("%-7s  ", c.Side), Style: board.Accent}, {Text: c.What},
		})
	}
	return p
}

func clockTime(at time.Time) string { return at.UTC().Format("15:04:05Z") }

// lasted says a length of time in few characters.
func lasted(d time.Duration) string {
	switch {
	case d <= 0:
		return "–"
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}
