package wall

import (
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/text"
)

// longestLimitText is how many characters a limit text may have: a longer one
// is something that only begins like one.
const longestLimitText = 400

// IsLimitText says whether a text is what a client prints, and nothing else,
// when a usage limit stops it.
func IsLimitText(s string) bool {
	s = plain(s)
	return utf8.RuneCountInString(s) <= longestLimitText && limitStart().MatchString(s)
}

// limitStart is how limit texts begin.
var limitStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:` + strings.Join([]string{
		`Claude usage limit reached`,
		`Claude AI usage limit reached`,
		`5-hour limit reached`,
		`Session limit reached`,
		`Weekly limit reached`,
		`You've hit your .{0,40}?limit`,
		`You hit your spend cap`,
		`You're out of extra usage`,
		`You're out of usage credits`,
		`Your workspace is out of credits`,
		`Quota exceeded\. Check your plan`,
		`Credit balance is too low`,
		`To use Codex with your ChatGPT plan`,
	}, `|`) + `)`)
})

// ReadLimit reads the kind of a limit and its reset from a text that was seen
// at the given instant. What begins as a warning is no limit.
func ReadLimit(s string, seen time.Time, zones Zones) Limit {
	s = plain(s)
	kind := kindOf(s)
	if kind == NoKind {
		return Limit{}
	}
	at, exact := readInstant(s, seen, zones)
	return NewLimit(kind, at, exact, seen)
}

// NewLimit returns a limit of a known kind. Credits have no reset, and a reset
// before 2020 or more than 400 days after the limit was seen is none.
func NewLimit(kind Kind, resetAt time.Time, exact bool, seen time.Time) Limit {
	if kind == Credits || !plausible(resetAt, seen) {
		return Limit{Kind: kind}
	}
	return Limit{Kind: kind, ResetAt: resetAt.UTC(), Exact: exact}
}

// KindOfWindow reads the rateLimitType that Claude gives with a limit.
func KindOfWindow(rateLimitType string) Kind {
	switch {
	case rateLimitType == "five_hour":
		return Session
	case strings.HasPrefix(rateLimitType, "seven_day"):
		return Weekly
	case rateLimitType == "overage":
		return Credits
	}
	return Unknown
}

// kindPhrase is a kind and what a text of that kind says.
type kindPhrase struct {
	kind   Kind
	phrase *regexp.Regexp
}

// kindPhrases are looked for in this order.
var kindPhrases = sync.OnceValue(func() []kindPhrase {
	return []kindPhrase{
		{NoKind, regexp.MustCompile(`(?i)^approaching your`)},
		{Weekly, regexp.MustCompile(`(?i)weekly limit|opus limit|sonnet limit`)},
		{Session, regexp.MustCompile(`(?i)5-hour|session limit`)},
		{Credits, regexp.MustCompile(`(?i)` + strings.Join([]string{
			`Quota exceeded\. Check your plan`,
			`out of credits`,
			`spend cap`,
			`spend limit`,
			`out of usage credits`,
			`out of extra usage`,
			`Credit balance is too low`,
			`To use Codex with your ChatGPT plan`,
			`specified API usage limits`,
			// The number alone may be anything: a status is what stands like one.
			`\b(?:status|code|error|http):? \(?402\b`,
			`\(402\)`,
			`\b402 payment required`,
		}, `|`))},
	}
})

func kindOf(s string) Kind {
	for _, k := range kindPhrases() {
		if k.phrase.MatchString(s) {
			return k.kind
		}
	}
	return Unknown
}

// plain gives a text the one form that all rules are written for: no terminal
// sequences, one space for every run of white space, plain apostrophes, and one
// kind of middle dot.
func plain(s string) string {
	s = strings.NewReplacer("’", "'", "∙", "·", "•", "·").Replace(text.WithoutSequences(s))
	return strings.Join(strings.Fields(s), " ")
}
