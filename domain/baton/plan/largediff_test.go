package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/plan"
)

// A diff has up to 30 lines and 1500 characters, their line ends among them.
func TestGate_ADiffMayBeAnExcerpt(t *testing.T) {
	long := "+" + strings.Repeat("ü", 92)
	lines := func(n int, last string) string { return strings.Repeat(long+"\n", n) + last }
	tests := []struct {
		name, diff string
		large      bool
	}{
		{"1500 characters", lines(15, "+"+strings.Repeat("x", 89)), false},
		{"one more", lines(15, "+"+strings.Repeat("x", 90)), true},
		{"30 lines", strings.Repeat("+\n", 29) + "+", false},
		{"one more line", strings.Repeat("+\n", 30) + "+", true},
		{"blank lines behind it", "+a" + strings.Repeat("\n", 40), false},
		{"blank lines inside", "+a" + strings.Repeat("\n", 30) + "+b", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			body := strings.Replace(file(t, "plan/valid.md"), "## Risks", "```diff\n"+tt.diff+"\n```\n\n## Risks", 1)
			codes := plan.Gate{Limit: 100000}.Check(body).Codes()
			is.Equal(slices.Contains(codes, "inline:diff"), tt.large)
		})
	}
}
