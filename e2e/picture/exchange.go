package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/changeover/changeover/e2e/document"
	"github.com/changeover/changeover/e2e/modelserver"
)

// handoffLine is what the hook says of a handoff beside a prompt.
var handoffLine = regexp.MustCompile(`- (\S+) \(open\) from (\S+), to charts: (.+)`)

// claimed is what the session says once it has said what it works on.
const claimed = "chart.svg is claimed; I start when you say so."

// exchange has a session leave work for another. The pictures are of the session
// that is told of it, and of what a terminal shows.
func (s *stage) exchange(ctx context.Context, tour document.Tour) ([]shot, error) {
	lines := tour.Into("sh")
	sh, err := s.shell(ctx, "exchange", nil)
	if err != nil {
		return nil, err
	}
	claims, posts := tour.Into("charts"), tour.Into("plan")
	if len(lines) < 3 || len(claims) != 2 || len(posts) != 1 {
		return nil, fmt.Errorf("the tour of the exchange is another: charts types %q, plan types %q", claims, posts)
	}
	if s.actor("plan") == nil { // the tour of relay was left out
		if _, err := s.start(ctx, "plan", "harbour/tides", nil); err != nil {
			return nil, err
		}
	}
	if err := sh.orders(ctx, lines[0], "Marked"); err != nil {
		return nil, err
	}
	dir, name, err := started(lines[1])
	if err != nil {
		return nil, err
	}
	asks := claims[1]
	charts, err := s.start(ctx, name, dir, told(asks))
	if err != nil {
		return nil, err
	}
	if err := charts.runs(ctx, claims[0], "claimed as charts"); err != nil {
		return nil, err
	}
	if err := charts.shows(ctx, claimed); err != nil { // a command that a session runs has a turn behind it
		return nil, err
	}
	if err := s.actor("plan").runs(ctx, posts[0], "to charts"); err != nil {
		return nil, err
	}
	if err := charts.shows(ctx, "1 new handoff"); err != nil {
		return nil, err
	}
	if err := charts.types(ctx, asks); err != nil {
		return nil, err
	}
	if err := charts.shows(ctx, "I take it on?"); err != nil {
		return nil, err
	}
	screen, err := charts.rests(ctx)
	if err != nil {
		return nil, err
	}
	if err := sh.clears(ctx); err != nil {
		return nil, err
	}
	for i, line := range lines[2:] {
		if err := sh.orders(ctx, line, []string{"claims", "open"}[min(i, 1)]); err != nil {
			return nil, err
		}
		s.say("%s", line)
	}
	return []shot{{"exchange.svg", "claude -n " + name, screen}, {"show.svg", "~/harbour", sh.terminal.cells()}}, nil
}

// told answers a question with what the hook has put beside it, and says so where
// it has put nothing there.
func told(question string) modelserver.Responder {
	return func(r modelserver.Request) modelserver.Answer {
		if said := r.LastText(); strings.Contains(said, question) {
			found := handoffLine.FindStringSubmatch(said)
			if found == nil {
				return modelserver.Say(modelserver.Text("Nothing is."))
			}
			return modelserver.Say(modelserver.Text(fmt.Sprintf(
				"One handoff, %s, from %s:\n\n> %s\n\nShall I take it on?", found[1], found[2], found[3],
			)))
		}
		return modelserver.Say(modelserver.Text(claimed))
	}
}
