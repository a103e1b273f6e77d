package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/text"
)

// Frame implements board.Source.
func (b *rootBoard) Frame(board.Size) board.Frame {
	f := board.Frame{Title: "exchange watch", State: b.state()}
	switch s := b.session(b.chosen); {
	case b.page == oneSession && s != nil:
		f.Panels = []board.Panel{b.details(*s)}
	case b.page == pairingPage:
		f.Panels = []board.Panel{b.pairingPanel()}
	case b.page == printed:
		f.Panels = []board.Panel{{Title: b.outputName, Lines: board.Texts(b.output), Wrap: true, Empty: "it printed nothing"}}
	default:
		f.Panels = b.overview()
	}
	return f
}

// state says which root is shown.
func (b *rootBoard) state() board.Line {
	r := b.sight.report
	shown, known := r.Watched(b.root)
	if !known {
		return board.Styled(board.Warn, "no root")
	}
	line := board.Line{{Text: shown.Name()}}
	if len(r.Roots) > 1 {
		at := slices.IndexFunc(r.Roots, func(w exchange.Watched) bool { return w.Root() == b.root })
		line = append(line, board.Span{Text: fmt.Sprintf("  root %d of %d", at+1, len(r.Roots)), Style: board.Dim})
	}
	return append(line, board.Span{Text: "  " + shown.Root(), Style: board.Dim})
}

func (b *rootBoard) overview() []board.Panel {
	panels := []board.Panel{b.sessions()}
	if problems := b.problems(); len(problems.Lines) > 0 {
		panels = append(panels, problems)
	}
	shown, known := b.sight.report.Watched(b.root)
	if !known {
		return panels
	}
	claims := shown.Claims
	return append(panels, b.claims(claims), b.overlaps(claims), b.handoffs(shown.List))
}

// problems are those of everything that was looked at.
func (b *rootBoard) problems() board.Panel {
	p := board.Panel{Title: "Problems", Style: board.Bad, Flex: true, Wrap: true}
	for _, problem := range b.sight.report.Problems() {
		p.Lines = append(p.Lines, board.Styled(board.Warn, problem))
	}
	return p
}

func (b *rootBoard) claims(claims []exchange.Claimed) board.Panel {
	p := board.Panel{Title: "Claims", Flex: true, Empty: "nobody claims anything"}
	for _, c := range claims {
		style := board.Plain
		if c.Standing == "gone" {
			style = board.Dim
		}
		line := board.Line{
			{Text: board.Pad(c.Label(), nameCells) + "  ", Style: cmp.Or(style, board.Accent)},
			{Text: cmp.Or(c.Focus, "(no focus stated)"), Style: style},
		}
		if c.Standing != "live" {
			line = append(line[:1:1], append(board.Line{{Text: "[" + c.Standing + "] ", Style: board.Warn}}, line[1:]...)...)
		}
		p.Lines = append(p.Lines, line)
		if what := scope(c); what != "" {
			p.Lines = append(p.Lines, board.Styled(board.Dim, strings.Repeat(" ", nameCells+2)+what))
		}
	}
	return p
}

// scope says what a claim is about, in one line.
func scope(c exchange.Claimed) string {
	var parts []string
	for _, field := range []struct {
		name  string
		items []string
	}{{"repos", c.Repos}, {"paths", c.Paths}, {"tickets", c.Tickets}} {
		if len(field.items) > 0 {
			parts = append(parts, field.name+" "+strings.Join(field.items, ", "))
		}
	}
	return strings.Join(parts, " · ")
}

// overlaps lists each meeting once.
func (b *rootBoard) overlaps(claims []exchange.Claimed) board.Panel {
	p := board.Panel{Title: "Overlaps", Flex: true, Right: true, Empty: "nobody works on the paths of another"}
	if b.sight.report.RegistryErr != nil {
		p.Empty = "nobody could look who works"
	}
	seen := map[[2]string]bool{}
	for _, c := range claims {
		for _, met := range c.Overlaps {
			pair := [2]string{min(c.SessionID, met.SessionID), max(c.SessionID, met.SessionID)}
			if seen[pair] {
				continue
			}
			seen[pair] = true
			p.Style = board.Highlight
			p.Lines = append(p.Lines, board.Line{
				{Text: c.Label() + " ⇄ " + met.Label, Style: board.Warn}, {Text: "  " + strings.Join(met.Paths, ", ")},
			})
		}
	}
	return p
}

func (b *rootBoard) handoffs(list exchange.ListReport) board.Panel {
	p := board.Panel{
		Title: fmt.Sprintf("Handoffs: %d not closed, %d stored", len(list.Items), list.Stored),
		Flex:  true, Right: true, Empty: "no handoff waits",
	}
	for _, item := range list.Items {
		style := board.Warn
		if item.Status() == exchange.Accepted {
			style = board.Good
		}
		p.Lines = append(p.Lines, board.Line{
			{Text: board.Pad(string(item.Status()), 9), Style: style},
			{Text: board.Pad(ago(b.now(), item.Created), sinceCells), Style: board.Dim},
			{Text: "for " + b.receiver(list, item), Style: board.Accent},
			{Text: "  from " + b.sender(item) + "  ", Style: board.Dim},
			{Text: text.FirstLine(item.Body)},
		})
	}
	return p
}

// receiver says whom a handoff is for.
func (b *rootBoard) receiver(list exchange.ListReport, item exchange.Filed) string {
	if s := b.session(item.To.SessionID); s != nil {
		return "session " + s.Label()
	}
	return list.Scope(item)
}

// sender says who posted a handoff: a name, else where.
func (b *rootBoard) sender(item exchange.Filed) string {
	if item.From.Name != "" {
		return item.From.Name
	}
	return below(b.root, item.From.Cwd)
}

// below says where a directory lies, from the root that is shown.
func below(root, dir string) string {
	if dir == root {
		return "."
	}
	if rest, ok := strings.CutPrefix(dir, root+"/"); ok && root != "" {
		return "./" + rest
	}
	return dir
}

// pairingPanel shows what pairing does, before it does it.
func (b *rootBoard) pairingPanel() board.Panel {
	label := func(id string) string {
		if s := b.session(id); s != nil {
			return s.Label() + "  " + s.Cwd
		}
		return id + "  (gone)"
	}
	p := board.Panel{Title: "Pair two sessions", Wrap: true, Lines: []board.Line{
		board.FactIn(board.Accent, "planner", label(b.pair.planner)),
		board.FactIn(board.Accent, "builder", label(b.pair.builder)),
		{},
		board.Text("This is run, and nothing else:"),
	}}
	for _, args := range b.pair.commands() {
		// In two lines of a shell, so that a narrow screen breaks no id.
		p.Lines = append(p.Lines, board.Text("  "+typed(args[:2])+" \\"), board.Text("    "+strings.Join(args[2:], " ")))
	}
	p.Lines = append(p.Lines, board.Line{}, board.Line{{Text: "Run it? ", Style: board.Warn}, {Text: "[y/n]", Style: board.Accent}})
	return p
}
