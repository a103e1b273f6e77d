// Command demo shows the main job of the project end to end, in a temporary
// tree and without any account: two scripted sessions learn of each other, and
// one leaves the other some work; two work as a pair; and an agent that meets a
// limit is followed by another.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if play, ok := clients[filepath.Base(os.Args[0])]; ok {
		play()
	}
	if len(os.Args) == 2 && os.Args[1] == sessionArgument {
		if err := serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "session:", err)
			os.Exit(1)
		}
		return
	}
	if err := demo(); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// demo plays the story. Every command in it must end as the story says.
func demo() (err error) {
	s, err := newStage()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.strike()) }()

	s.say("A tree with two repositories, marked once as a root.")
	if err := s.run(nil, s.root, "exchange", "init", s.root); err != nil {
		return err
	}
	if err := s.play(); err != nil {
		return err
	}
	if err := s.pair(); err != nil {
		return err
	}
	if err := s.handOver(); err != nil {
		return err
	}
	s.say("Done. README.md says how to install it for real sessions.")
	return nil
}

func (s *stage) play() error {
	s.say("Session crane starts in cranes/. Nobody else is here: its hook says nothing.")
	crane, err := s.begin("crane", "cranes")
	if err != nil {
		return err
	}
	if err := s.hook(crane, "startup"); err != nil {
		return err
	}
	s.say("crane says what it is doing, and leaves work for the repository dock.")
	if err := s.run(crane, "cranes", "exchange", "claim", "rewrite the winch driver", "--repo", "cranes", "--path", "winch"); err != nil {
		return err
	}
	if err := s.run(crane, "cranes", "exchange", "handoff", "post", "--repo", "dock",
		"--body", "Please show newtons in load.txt: the winch reports its load so now.\nThe factor was 9.81 before."); err != nil {
		return err
	}
	s.say("Session dock starts in dock/. This is what its hook adds to its first prompt, unasked:")
	dock, err := s.begin("dock", "dock")
	if err != nil {
		return err
	}
	if err := s.hook(dock, "startup"); err != nil {
		return err
	}
	return s.answer(crane, dock)
}

func (s *stage) answer(crane, dock *actor) error {
	id, err := s.onlyHandoff()
	if err != nil {
		return err
	}
	s.say("dock takes the work on, does it, and closes it.")
	for _, args := range [][]string{
		{"exchange", "handoff", "accept", id},
		{"exchange", "handoff", "close", id, "--note", "the display shows newtons"},
	} {
		if err := s.run(dock, "dock", args...); err != nil {
			return err
		}
	}
	s.say("crane looks at the answer, and at who is here.")
	for _, args := range [][]string{{"exchange", "handoff", "show", id}, {"exchange", "show"}} {
		if err := s.run(crane, "cranes", args...); err != nil {
			return err
		}
	}
	s.say("crane ends. Its claim is put aside for the day it is resumed.")
	if err := s.end(crane); err != nil {
		return err
	}
	s.say("The doctor finds no fault.")
	return s.run(dock, "dock", "exchange", "doctor")
}
