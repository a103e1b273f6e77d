package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/session"
)

// answer is a part that says what the func returns.
type answer func() []string

func (a answer) Answer(session.Event, string, bool, int) []string { return a() }

func composed(t *testing.T, name string, a answer) map[string]any {
	t.Helper()
	e := session.Event{Name: name}
	data := document(e, said(e, "/", parts{Exchange: a}))
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
