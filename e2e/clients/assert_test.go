//go:build clients

package clients_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/changeover/changeover/e2e/modelserver"
)

// wantText fails the test when text lacks want.
func wantText(t *testing.T, whose, text, want string) {
	t.Helper()
	if !strings.Contains(text, want) {
		t.Fatalf("%s lacks %q:\n%s", whose, want, text)
	}
}

// wantLine fails the test when no line of text is want.
func wantLine(t *testing.T, whose, text, want string) {
	t.Helper()
	if !slices.Contains(strings.Split(text, "\n"), want) {
		t.Fatalf("%s lacks the line %q:\n%s", whose, want, text)
	}
}

// wantNoText fails the test when text holds unwanted.
func wantNoText(t *testing.T, whose, text, unwanted string) {
	t.Helper()
	if strings.Contains(text, unwanted) {
		t.Fatalf("%s holds %q:\n%s", whose, unwanted, text)
	}
}

// wantSilence fails the test when the exchange said anything to the model.
func wantSilence(t *testing.T, whose string, server *modelserver.Server) {
	t.Helper()
	requests := server.Requests()
	if len(requests) == 0 {
		t.Fatalf("%s has sent no request, so its silence shows nothing", whose)
	}
	for _, r := range requests {
		wantNoText(t, whose, string(r.Body), mark)
	}
}

// posted returns the id that `exchange handoff post` has printed.
func posted(t *testing.T, output, scope string) string {
	t.Helper()
	match := regexp.MustCompile(`(?m)^posted (\S+) to ` + regexp.QuoteMeta(scope) + `$`).FindStringSubmatch(output)
	if match == nil {
		t.Fatalf("no handoff was posted to %s:\n%s", scope, output)
	}
	return match[1]
}
