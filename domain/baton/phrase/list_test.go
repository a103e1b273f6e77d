package phrase_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
)

// Row 22.
func TestOverlay_AppendsWhatIsNew(t *testing.T) {
	is := is.New(t)
	global := phrase.NewList([]string{"Quota exceeded", "  ", " rate limit ", "QUOTA  EXCEEDED", ""})
	is.Equal(global.Texts(), []string{"Quota exceeded", "rate limit"})
	list := global.Overlay([]string{"\t", "Rate Limit", "no credits left", "No Credits Left", "ÜBER"})
	is.Equal(list.Texts(), []string{"Quota exceeded", "rate limit", "no credits left", "ÜBER"})
	is.Equal(global.Texts(), []string{"Quota exceeded", "rate limit"}) // the global list is as it was
	hit, ok := list.Hit("no  credits LEFT")
	is.True(ok)
	is.Equal(hit.Phrase, "no credits left")
	_, ok = list.Hit("das ist über alles")
	is.True(ok)
}

func TestOverlay_TwoOfOneListStayApart(t *testing.T) {
	is := is.New(t)
	base := phrase.NewList([]string{"one", "two", "three"})
	first, second := base.Overlay([]string{"four"}), base.Overlay([]string{"five"})
	is.Equal(first.Texts(), []string{"one", "two", "three", "four"})
	is.Equal(second.Texts(), []string{"one", "two", "three", "five"})
}

func TestFind_SearchesPlainly(t *testing.T) {
	is := is.New(t)
	list := phrase.Defaults()
	for text, want := range map[string]string{
		"src/a.go:1: the fallback pattern quota exceeded": "quota exceeded",
		"a Maximum\ncontext\tLENGTH was passed":           "maximum context length",
		"[out] weekly limit reached":                      "weekly limit reached",
		"quota limit and context length exceeded":         "context length exceeded",
		"\x1b[1mprompt\x1b[0m is too long: 215032 tokens": "prompt is too long",
	} {
		got, ok := list.Find(text)
		is.True(ok) // text
		is.Equal(got, want)
	}
	_, ok := list.Find("all is well")
	is.True(!ok)
	_, ok = phrase.List{}.Find("quota exceeded")
	is.True(!ok)
}

func TestClassOf(t *testing.T) {
	is := is.New(t)
	for text, want := range map[string]wall.Class{
		"usage limit reached": wall.UsageLimit, "rate limit exceeded": wall.RateLimit,
		"context length exceeded": wall.ContextLimit, "context limit exceeded": wall.ContextLimit,
		"token limit exceeded": wall.ContextLimit, "quota exceeded": wall.UsageLimit, "quota limit": wall.UsageLimit,
		"insufficient quota": wall.UsageLimit, "maximum context length": wall.ContextLimit,
		"too many requests": wall.RateLimit, "hit your usage limit": wall.UsageLimit,
		"5-hour limit reached": wall.UsageLimit, "weekly limit reached": wall.UsageLimit,
		"prompt is too long": wall.ContextLimit, "exceeds the context window": wall.ContextLimit,
		"credit balance is too low": wall.UsageLimit, "My Token  Limit": wall.ContextLimit, "any other": wall.UsageLimit,
	} {
		is.Equal(phrase.ClassOf(text), want) // text
	}
}
