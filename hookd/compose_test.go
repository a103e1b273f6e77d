package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
)

// saying is an exchange that says what the func returns.
type saying func() []string

func (s saying) Answer(session.Event, string, bool, int) exchange.Reply {
	return exchange.Reply{Lines: s()}
}

func (saying) HandedOver(exchange.Reply, bool) error { return nil }

// replying is a relay that answers what the func returns.
type replying func() (relay.Reply, bool, error)

func (r replying) Answer(session.Event, string) (relay.Reply, bool, error) { return r() }

func (replying) Woken(relay.Reply, bool) error { return nil }

func silent() (relay.Reply, bool, error) { return relay.Reply{}, false, nil }

func composed(t *testing.T, name string, s saying) map[string]any {
	t.Helper()
	return together(t, name, silent, s)
}

func together(t *testing.T, name string, r replying, s saying) map[string]any {
	t.Helper()
	data := parts{Relay: r, Exchange: s}.answered(session.Event{Name: name}, "", "/").document()
	if len(data) == 0 {
		return nil
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatalf("not one JSON document: %q: %v", data, err)
	}
	return doc
}

func TestDocument_GivesContextOnlyWhereTheClientTakesIt(t *testing.T) {
	for _, name := range []string{"SessionStart", "UserPromptSubmit"} {
		is := is.New(t)
		doc := composed(t, name, func() []string { return []string{"one", "two"} })
		inner, _ := doc["hookSpecificOutput"].(map[string]any)
		is.Equal(inner["hookEventName"], name)
		is.Equal(inner["additionalContext"], "one\ntwo")
		is.Equal(len(doc), 1)
	}
	for _, name := range []string{"SessionEnd", "Stop", "Notification", ""} {
		is := is.New(t)
		doc := composed(t, name, func() []string { return []string{"one"} })
		is.Equal(doc, map[string]any{"systemMessage": "one"})
	}
}

func TestDocument_IsEmptyWithNothingToSay(t *testing.T) {
	is := is.New(t)
	is.Equal(composed(t, "SessionStart", func() []string { return nil }), nil)
	is.Equal(composed(t, "SessionStart", func() []string { return []string{"", ""} }), nil)
}

func TestGuarded_TurnsAPanicIntoOneLine(t *testing.T) {
	for _, fault := range []any{"broken\nover two lines", errors.New("broken")} {
		is := is.New(t)
		doc := composed(t, "SessionStart", func() []string { panic(fault) })
		inner, _ := doc["hookSpecificOutput"].(map[string]any)
		line, _ := inner["additionalContext"].(string)
		is.True(!strings.Contains(line, "\n"))
		for _, token := range []string{"[session-exchange]", "broken", "SessionStart", "the session is unaffected"} {
			is.True(strings.Contains(line, token)) // token
		}
	}
}

func TestDocument_PutsRelayFirst(t *testing.T) {
	is := is.New(t)
	both := func() (relay.Reply, bool, error) {
		return relay.Reply{Lines: []string{"for you"}, Context: "# relay: builder", Watch: []string{"/state/bell"}}, true, nil
	}
	hello := func() []string { return []string{"hello"} }
	doc := together(t, "SessionStart", both, hello)
	inner, _ := doc["hookSpecificOutput"].(map[string]any)
	is.Equal(doc["systemMessage"], "for you")
	is.Equal(inner["additionalContext"], "# relay: builder\n\nhello")
	is.Equal(inner["watchPaths"], []any{"/state/bell"})

	doc = together(t, "UserPromptSubmit", both, hello)
	inner, _ = doc["hookSpecificOutput"].(map[string]any)
	is.Equal(inner["watchPaths"], nil) // only when a session starts

	doc = together(t, "Stop", both, hello)
	is.Equal(doc, map[string]any{"systemMessage": "for you\nhello"}) // either of the others would start a turn
}

func TestDocument_IsSilentAboutTheExchangeWhereRelayBlocks(t *testing.T) {
	is := is.New(t)
	blocked := func() (relay.Reply, bool, error) { return relay.Reply{Block: true, Reason: "a look-alike"}, true, nil }
	doc := together(t, "UserPromptSubmit", blocked, func() []string { t.Error("the exchange ran"); return []string{"x"} })
	is.Equal(doc["decision"], "block")
	is.Equal(doc["reason"], "a look-alike")
	inner, _ := doc["hookSpecificOutput"].(map[string]any)
	is.Equal(inner, map[string]any{"hookEventName": "UserPromptSubmit", "suppressOriginalPrompt": true})
}

func TestDocument_AnswersTheExchangeWhereRelayBreaks(t *testing.T) {
	is := is.New(t)
	doc := together(t, "SessionStart", func() (relay.Reply, bool, error) { panic("broken") }, func() []string { return []string{"hello"} })
	inner, _ := doc["hookSpecificOutput"].(map[string]any)
	is.Equal(inner["additionalContext"], "hello")
	fault, _ := doc["systemMessage"].(string)
	is.True(strings.Contains(fault, "[relay]"))

	doc = together(t, "Stop", func() (relay.Reply, bool, error) { return relay.Reply{}, true, errors.New("no state") }, func() []string { return nil })
	is.Equal(doc, map[string]any{"systemMessage": "[relay] no state"})
}
