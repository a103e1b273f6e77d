package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/text"
)

// What a rootBoard shows.
type rootPage int

const (
	overview rootPage = iota
	oneSession
	pairingPage
	printed
)

// rootBoard is the dashboard of the roots and their sessions.
type rootBoard struct {
	look  func() rootSight
	now   func() time.Time
	relay relayProgram

	sight rootSight
	page  rootPage
	// chosen is the id of the session under the cursor, marked those that are to be
	// paired, root the one that is shown.
	chosen string
	marked []string
	root   string
	pair   pairing
	// output is what a command printed, under its name.
	output     []string
	outputName string
}

func newRootBoard(look func() rootSight, now func() time.Time, relay relayProgram) *rootBoard {
	return &rootBoard{look: look, now: now, relay: relay}
}

// Read implements board.Source.
func (b *rootBoard) Read(context.Context) (func(), error) {
	sight := b.look()
	return func() { b.take(sight) }, sight.report.RegistryErr
}

// take keeps what is chosen as far as it is still there. Whoever could not be looked
// for has not gone: the sessions of before stay.
func (b *rootBoard) take(sight rootSight) {
	if sight.report.RegistryErr != nil {
		sight.report.Sessions, sight.links = b.sight.report.Sessions, b.sight.links
	}
	b.sight = sight
	sessions := sight.report.Sessions
	if b.at() < 0 {
		b.chosen = ""
		if len(sessions) > 0 {
			b.chosen = sessions[0].SessionID
		}
	}
	b.marked = slices.DeleteFunc(b.marked, func(id string) bool { return b.session(id) == nil })
	if _, known := sight.report.Watched(b.root); !known {
		b.root = ""
		if len(sight.report.Roots) > 0 {
			b.root = sight.report.Roots[0].Root()
		}
	}
}

// at is the place of the chosen session; -1 where it is gone.
func (b *rootBoard) at() int {
	return slices.IndexFunc(b.sight.report.Sessions, func(s exchange.Seen) bool { return s.SessionID == b.chosen })
}

func (b *rootBoard) session(id string) *exchange.Seen {
	for i, s := range b.sight.report.Sessions {
		if s.SessionID == id {
			return &b.sight.report.Sessions[i]
		}
	}
	return nil
}

// Keys implements board.Source.
func (b *rootBoard) Keys() []board.Key {
	switch b.page {
	case pairingPage:
		return []board.Key{
			{Names: []string{"y"}, Does: "run them"},
			{Names: []string{"s"}, Does: "swap the roles"},
			{Names: []string{"n", "esc"}, Does: "leave it"},
		}
	case oneSession, printed:
		return []board.Key{{Names: []string{"esc"}, Does: "back"}, {Names: []string{"l"}, Does: "relay log", Hidden: true}}
	}
	return []board.Key{
		{Names: []string{"up", "down"}, Label: "↑↓", Does: "choose"},
		{Names: []string{"space"}, Does: "mark"},
		{Names: []string{"p"}, Does: "pair two marked"},
		{Names: []string{"l"}, Does: "relay log"},
		{Names: []string{"enter"}, Does: "details", Hidden: true},
		{Names: []string{"tab"}, Does: "next root", Hidden: len(b.sight.report.Roots) < 2},
		{Names: []string{"r"}, Does: "look again", Hidden: true},
	}
}

// Press implements board.Source.
func (b *rootBoard) Press(key string) board.Reaction {
	switch b.page {
	case pairingPage:
		return b.pressPairing(key)
	case oneSession, printed:
		switch key {
		case "esc", "enter":
			return b.turn(overview)
		case "l":
			return b.log()
		}
		return board.Reaction{}
	}
	switch key {
	case "up", "k", "down", "j":
		b.move(key == "down" || key == "j")
	case "space":
		return b.mark()
	case "p":
		return b.openPairing()
	case "l":
		return b.log()
	case "enter":
		if b.chosen != "" {
			return b.turn(oneSession)
		}
	case "tab":
		b.nextRoot()
	case "r":
		return board.Reaction{Handled: true, Refresh: true}
	default:
		return board.Reaction{}
	}
	return board.Reaction{Handled: true}
}

func (b *rootBoard) turn(page rootPage) board.Reaction {
	b.page = page
	return board.Reaction{Handled: true, Top: true}
}

func (b *rootBoard) move(down bool) {
	sessions := b.sight.report.Sessions
	if len(sessions) == 0 {
		return
	}
	to := b.at() - 1
	if down {
		to = b.at() + 1
	}
	b.chosen = sessions[max(0, min(len(sessions)-1, to))].SessionID
}

// mark marks the chosen session, or takes its mark away. Of three the first gives way.
func (b *rootBoard) mark() board.Reaction {
	if b.chosen == "" {
		return board.Reaction{Handled: true}
	}
	if at := slices.Index(b.marked, b.chosen); at >= 0 {
		b.marked = slices.Delete(b.marked, at, at+1)
		return board.Reaction{Handled: true}
	}
	b.marked = append(b.marked, b.chosen)
	if len(b.marked) > 2 {
		b.marked = b.marked[1:]
	}
	return board.Reaction{Handled: true}
}

func (b *rootBoard) nextRoot() {
	roots := b.sight.report.Roots
	if len(roots) == 0 {
		return
	}
	at := slices.IndexFunc(roots, func(w exchange.Watched) bool { return w.Root() == b.root })
	b.root = roots[(at+1)%len(roots)].Root()
}

// openPairing shows what pairing the two marked sessions takes.
func (b *rootBoard) openPairing() board.Reaction {
	if len(b.marked) != 2 {
		return board.Reaction{Handled: true, Style: board.Warn, Message: fmt.Sprintf("mark two sessions with space first: %d of 2", len(b.marked))}
	}
	for _, id := range b.marked {
		if !isArgument(id) {
			return board.Reaction{Handled: true, Style: board.Warn, Message: text.Quote(id) + " is no id that relay takes"}
		}
	}
	b.pair = pairing{planner: b.marked[0], builder: b.marked[1]}
	return b.turn(pairingPage)
}

func (b *rootBoard) pressPairing(key string) board.Reaction {
	switch key {
	case "s":
		b.pair = b.pair.swapped()
		return board.Reaction{Handled: true}
	case "n", "esc":
		b.page = overview
		return board.Reaction{Handled: true, Top: true, Style: board.Dim, Message: "nothing was done"}
	case "y":
		path := b.relay.find()
		if path == "" {
			return board.Reaction{Handled: true, Style: board.Warn, Message: "relay is neither beside exchange nor on PATH: type the commands above where it is"}
		}
		pair := b.pair
		return board.Reaction{Handled: true, Message: "pairing …", Act: func(ctx context.Context) board.Result {
			lines, err := b.relay.link(ctx, path, pair)
			result := board.Result{Message: "they are linked", Style: board.Good, Refresh: true, Top: true}
			if err != nil {
				result.Message, result.Style = "relay refused", board.Bad
			}
			result.Take = func() { b.show("Pairing", lines); b.marked = nil }
			return result
		}}
	}
	return board.Reaction{}
}

func (b *rootBoard) show(name string, lines []string) {
	b.page, b.output, b.outputName = printed, lines, name
}

// log has relay print the log of the chosen session's link.
func (b *rootBoard) log() board.Reaction {
	s := b.session(b.chosen)
	if s == nil {
		return board.Reaction{Handled: true, Message: "there is no session to show the log of"}
	}
	if b.sight.links[s.SessionID] == "" {
		return board.Reaction{Handled: true, Message: s.Label() + " has no link, so there is no log"}
	}
	args := logOf(s.SessionID)
	path := b.relay.find()
	if path == "" {
		return board.Reaction{Handled: true, Style: board.Warn, Message: "relay is neither beside exchange nor on PATH: type " + typed(args) + " where it is"}
	}
	return board.Reaction{Handled: true, Message: typed(args) + " …", Act: func(ctx context.Context) board.Result {
		said, err := b.relay.run(ctx, path, args)
		lines := text.Lines(strings.TrimRight(text.WithoutSequences(said), "\n"))
		result := board.Result{Top: true, Take: func() { b.show(typed(args), lines) }}
		if err != nil {
			result.Message, result.Style = "relay failed: "+cmp.Or(text.Printable(err.Error()), "no word"), board.Bad
		}
		return result
	}}
}
