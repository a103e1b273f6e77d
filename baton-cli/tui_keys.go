package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/domain/baton"
)

// Keys implements board.Source.
func (s *sessionBoard) Keys() []board.Key {
	if s.over != nil {
		return []board.Key{{Names: []string{"esc", "enter"}, Label: "esc", Does: "back"}}
	}
	return []board.Key{
		{Names: []string{"r"}, Does: "refresh", Help: "refresh, and look again whether the agents are there"},
		{Names: []string{"p"}, Does: "project", Help: "show the next project; the active one stays as it is"},
		{Names: []string{"d"}, Does: "diet", Help: "choose the next diet, for h alone"},
		{Names: []string{"h"}, Does: "handoff", Help: "write a handoff without starting an agent"},
		{Names: []string{"b"}, Does: "budgets", Help: "read the budgets again", Hidden: true},
		{Names: []string{"e"}, Does: "dry run", Help: "show what execute would do, without doing it"},
	}
}

// Press implements board.Source.
func (s *sessionBoard) Press(key string) board.Reaction {
	if s.over != nil {
		return s.leave(key)
	}
	switch key {
	case "r":
		s.agents.again()
		return board.Reaction{Handled: true, Refresh: true, Message: "looked again, also for the agents"}
	case "b":
		s.dashboard.Forget()
		return board.Reaction{Handled: true, Refresh: true, Message: "the budgets were read again"}
	case "p":
		return s.nextProject()
	case "d":
		return s.nextDiet()
	case "h":
		place, diet := s.where(), s.diet
		return board.Reaction{Handled: true, Message: "writing a handoff …", Act: func(ctx context.Context) board.Result {
			return s.handOff(ctx, place, diet)
		}}
	case "e":
		place := s.where()
		return board.Reaction{Handled: true, Message: "looking what execute would do …", Act: func(ctx context.Context) board.Result {
			over := forecast(s.dashboard.ForeseeExecute(ctx, place))
			return board.Result{Take: func() { s.over = over }, Top: true}
		}}
	}
	return board.Reaction{}
}

// leave answers a key while something stands over the panels.
func (s *sessionBoard) leave(key string) board.Reaction {
	if key != "esc" && key != "enter" && key != s.over.key {
		return board.Reaction{}
	}
	s.over = nil
	return board.Reaction{Handled: true, Top: true}
}

// nextProject shows the next of the places that there are.
func (s *sessionBoard) nextProject() board.Reaction {
	places, at := s.places()
	if len(places) == 0 || len(places) == 1 && at == 0 {
		return board.Reaction{Handled: true, Style: board.Warn, Message: "there is no other project; 'baton project add PATH' registers one"}
	}
	next := places[(at+1)%len(places)]
	s.mu.Lock()
	s.place = next
	s.mu.Unlock()
	s.diet = ""
	s.agents.again()
	name := next.Project
	if next == s.home {
		name = "where the command was started"
	}
	return board.Reaction{Handled: true, Refresh: true, Top: true, Message: "project: " + name}
}

// places are where p goes to: the registered projects, and where the command was told
// to work if that is none of them. at is the one that is shown, -1 for none of them.
func (s *sessionBoard) places() (places []baton.Place, at int) {
	at = -1
	for _, p := range s.view.Registry.Value.Projects {
		if p.ID == s.shown() {
			at = len(places)
		}
		places = append(places, baton.Place{Project: p.ID})
	}
	if s.roving {
		if s.where() == s.home {
			at = len(places)
		}
		places = append(places, s.home)
	}
	return places, at
}

// nextDiet chooses the next profile for h.
func (s *sessionBoard) nextDiet() board.Reaction {
	names := s.view.Diets
	if len(names) == 0 {
		return board.Reaction{Handled: true, Style: board.Warn, Message: "nothing was read yet"}
	}
	now := s.diet
	if now == "" {
		now = s.view.Profile
	}
	s.diet = names[(slices.Index(names, now)+1)%len(names)]
	return board.Reaction{Handled: true, Message: "diet for the next h: " + s.diet}
}

// handOff writes a handoff and says what came of it.
func (s *sessionBoard) handOff(ctx context.Context, place baton.Place, diet string) board.Result {
	done, err := s.dashboard.HandOff(ctx, place, diet)
	var busy *baton.BusyError
	switch {
	case errors.As(err, &busy):
		return board.Result{Style: board.Warn, Message: "no handoff was written: " + err.Error(), Refresh: true}
	case err == nil && len(done.Notices) == 0:
		return board.Result{Style: board.Good, Message: wrote(done), Refresh: true}
	}
	over := handedOff(done, err)
	return board.Result{Refresh: true, Top: true, Take: func() { s.over = over }}
}

// wrote says where the handoff lies.
func wrote(done baton.HandedOff) string {
	if done.File == "" {
		return "no handoff was written"
	}
	cut := ""
	if done.Cut {
		cut = ", cut to fit"
	}
	return fmt.Sprintf("handoff for %s written: %s, %d of %d chars%s", done.To, done.File, done.Chars, done.Limit, cut)
}
