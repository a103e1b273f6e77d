package exchange_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

func (s *scene) news() exchange.News {
	return exchange.Mailbox{World: s.world()}.News(myID, root+"/dock")
}

func TestMailbox_TellsWhatIsNewAndRecordsNothing(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.handoff("old", 1, toDock)
	s.start("startup")
	before := s.news()
	is.Equal(before.Line(), "")
	is.Equal(before.Arrival(before), "")

	s.arrives("one", toDock)
	s.arrives("other", exchange.Address{Repo: "cranes"})
	one := s.news()
	is.Equal(one.Line(), "1 new handoff")
	is.Equal(one.Arrival(before), "new handoff from ferry: body of one")
	is.Equal(one.Arrival(one), "") // told once

	s.arrives("two", toDock)
	s.arrives("three", toDock)
	three := s.news()
	is.Equal(three.Line(), "3 new handoffs")
	is.Equal(three.Arrival(one), "2 new handoffs, the last: handoff from ferry: body of three")

	is.Equal(len(s.store.seen[myID]), 1) // what the start showed
	is.True(has(s.prompt(), "3 new handoff(s)"))
	is.Equal(s.news().Line(), "")
	is.Equal(s.news().Arrival(three), "")
}

func TestMailbox_SaysWhereToLook(t *testing.T) {
	is := is.New(t)
	s := started(t)
	base := root + "/.claude/exchange"
	is.Equal(s.news().Places, []string{base, base + "/sessions", base + "/handoffs", base + "/seen", base + "/seen/" + myID})
}

func TestMailbox_IsSilentWhereAPromptWouldBe(t *testing.T) {
	tests := map[string]func(s *scene){
		"no root":       func(s *scene) { delete(s.files.nodes, exchange.MarkerPath(root)) },
		"deliver start": func(s *scene) { s.mark(`{"name": "harbour", "deliver": "start"}`) },
		"no store":      func(s *scene) { s.openFault = errDisk },
		"no receipts":   func(s *scene) { s.store.seenFault = errDisk },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s := started(t)
			s.arrives("m", toDock)
			change(s)
			is.Equal(s.news().Line(), "")
			is.Equal(s.news().Arrival(exchange.News{}), "")
		})
	}
}

func TestMailbox_ShowsNoControlCharacters(t *testing.T) {
	is := is.New(t)
	s := started(t)
	s.arrives("m", toDock)
	f := s.store.shelf["m.json"]
	f.Body, f.From.Name = "a\x1b[2Jb\nc", "fer\u202ery"
	s.store.shelf["m.json"] = f
	is.Equal(s.news().Arrival(exchange.News{}), "new handoff from ferry: a[2Jb")
}
