package main

import (
	"errors"
	"os"

	"github.com/changeover/changeover/domain/exchange"
)

// letters is what an attached process knows of the handoffs for its session.
type letters struct {
	news  exchange.News
	begun bool
}

// mail looks for handoffs where something has changed since, and tells at once of
// what has come. What waits already when it begins, the session's start tells.
func (a *attachment) mail() {
	if a.letters.begun && !a.alert.posted {
		return
	}
	a.alert.posted = false
	news := a.Mailbox.News(a.session, cwd())
	a.alert.expect(news.Places)
	if a.letters.begun {
		a.toast(news.Arrival(a.letters.news))
	}
	a.letters = letters{news: news, begun: true}
}

// expect watches the directories in which handoffs come and are shown. One that is
// missing is looked for again with the next look.
func (a *alert) expect(places []string) {
	a.mailbox = map[string]bool{}
	if len(places) == 0 {
		a.posted = true // a tree can be marked at any time
	}
	for _, dir := range places {
		a.mailbox[dir] = true
		if err := a.watch.Add(dir); err != nil {
			a.posted = a.posted || errors.Is(err, os.ErrNotExist)
		}
	}
}
