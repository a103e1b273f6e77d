package main

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/text"
)

// sessionBoard is the dashboard of a session: what was read of it last, and what the
// person has chosen.
type sessionBoard struct {
	dashboard *baton.Dashboard
	zone      *time.Location
	cut       text.Cutter
	// home is the place that the command was given.
	home   baton.Place
	agents *programs

	// mu guards place, which is read beside the screen.
	mu    sync.Mutex
	place baton.Place

	view baton.View
	// begun: something was read; roving: the command's place is no registered project.
	begun, roving bool
	// diet is the one that was chosen for h; empty for the session's.
	diet string
	// over is what stands over the panels; nil for nothing.
	over *overlay
}

func newSessionBoard(dashboard *baton.Dashboard, place baton.Place, zone *time.Location, cut text.Cutter) *sessionBoard {
	return &sessionBoard{dashboard: dashboard, zone: zone, cut: cut, home: place, place: place, agents: newPrograms(dashboard)}
}

func (s *sessionBoard) where() baton.Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.place
}

// Read implements board.Source.
func (s *sessionBoard) Read(ctx context.Context) (func(), error) {
	place := s.where()
	s.agents.look(ctx, place)
	view := s.dashboard.Look(ctx, place)
	return func() {
		if s.where() != place {
			return // another project has been chosen meanwhile
		}
		s.view = view
		if !s.begun {
			s.begun, s.roving = true, view.Repo.Value.Project == nil
		}
	}, nil
}

// Frame implements board.Source.
func (s *sessionBoard) Frame(size board.Size) board.Frame {
	f := board.Frame{Title: "baton", State: s.state()}
	if s.over != nil {
		f.Panels = []board.Panel{s.over.panel()}
		return f
	}
	p := panels{View: s.view, zone: s.zone, cut: s.cut, size: size}
	f.Panels = p.all()
	f.Sidebar = []board.Panel{s.projects(size), s.diets(), s.present()}
	return f
}

// state is what the first line tells.
func (s *sessionBoard) state() board.Line {
	name := s.view.Repo.Value.Top()
	if p := s.view.Repo.Value.Project; p != nil {
		name = p.Name
	}
	if s.view.Repo.Fault != nil {
		return board.Styled(board.Bad, s.shown())
	}
	line := board.Line{{Text: name}, {Text: "  "}}
	return append(line, panels{View: s.view}.status()...)
}

// projects are those that are registered, the one that is shown marked. Below the
// panels nothing scrolls to it.
func (s *sessionBoard) projects(size board.Size) board.Panel {
	p := board.Panel{Title: "Projects", Flex: size.HasSidebar(), Empty: "none registered"}
	if fault := s.view.Registry.Fault; fault != nil {
		return unreadable(p, fault)
	}
	shown := s.shown()
	if shown == "" {
		p.Lines = append(p.Lines, board.Styled(board.Highlight, "▸ (not registered)"))
		p.Focus = 1
	}
	for _, project := range s.view.Registry.Value.Projects {
		line := board.Text("  " + project.Name)
		if shown == project.ID {
			line = board.Styled(board.Highlight, "▸ "+project.Name)
			p.Focus = len(p.Lines) + 1
		}
		if project.ID == s.view.Registry.Value.ActiveID {
			line = append(line, board.Span{Text: "  active", Style: board.Dim})
		}
		p.Lines = append(p.Lines, line)
	}
	if !size.HasSidebar() {
		p.Focus = 0
	}
	return p
}

// shown is the id of the project that is shown; empty for none.
func (s *sessionBoard) shown() string {
	place, found := s.where(), s.view.Repo.Value.Project
	if found != nil && place == s.home {
		return found.ID
	}
	for _, p := range s.view.Registry.Value.Projects {
		if place.Project != "" && strings.EqualFold(p.ID, place.Project) {
			return p.ID
		}
	}
	return ""
}

// diets is the profile that h would go by.
func (s *sessionBoard) diets() board.Panel {
	name, from := s.diet, "for h"
	if name == "" {
		name, from = s.view.Profile, "the session's"
	}
	if name == "" {
		return board.Panel{Title: "Diet", Empty: "not known"}
	}
	return board.Panel{Title: "Diet", Lines: []board.Line{{{Text: name}, {Text: "  " + from, Style: board.Dim}}}}
}

// present tells which agents are there.
func (s *sessionBoard) present() board.Panel {
	p := board.Panel{Title: "Agents", Empty: "looking …"}
	checks, err := s.agents.found()
	if err != nil {
		return unreadable(p, err)
	}
	for _, check := range checks {
		style, value := board.Good, check.Value
		if check.Mark != baton.MarkOK {
			style, value = board.Warn, "missing"
		}
		p.Lines = append(p.Lines, board.FactIn(style, check.Label, value))
	}
	return p
}

// unreadable is a panel of which something could not be read.
func unreadable(p board.Panel, fault error) board.Panel {
	p.Lines = append(p.Lines, board.Styled(board.Bad, "could not be read: "+fault.Error()))
	p.Wrap = true
	return p
}
