package secret

import (
	"regexp"
	"strings"
	"sync"
)

// shape is what one kind of secret looks like.
type shape struct {
	kind string
	// prefixes are how it may begin; whole matches it from there on.
	prefixes []string
	whole    *regexp.Regexp
	// inWord: it may begin inside a word.
	inWord bool
	// own are the characters that a longer run of it would be made of.
	own func(byte) bool
}

// shapes are the known kinds. They are compiled when the first text is scanned.
var shapes = sync.OnceValue(func() []shape {
	return []shape{
		{
			kind: "private-key", prefixes: []string{"-----BEGIN "}, inWord: true,
			whole: regexp.MustCompile(`^-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----`), own: dash,
		},
		{kind: "aws-key", prefixes: []string{"AKIA", "ASIA"}, whole: regexp.MustCompile(`^(AKIA|ASIA)[A-Z0-9]{16}\b`), own: alphanumeric},
		{
			kind: "github-token", prefixes: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"},
			whole: regexp.MustCompile(`^gh[pousr]_[A-Za-z0-9]{36,}`), own: alphanumeric,
		},
		{kind: "github-token", prefixes: []string{"github_pat_"}, whole: regexp.MustCompile(`^github_pat_[A-Za-z0-9_]{22,}`), own: word},
		{kind: "gitlab-token", prefixes: []string{"glpat-"}, whole: regexp.MustCompile(`^glpat-[A-Za-z0-9_-]{20,}`), own: wordOrDash},
		{
			kind: "slack-token", prefixes: []string{"xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-"},
			whole: regexp.MustCompile(`^xox[abprs]-[A-Za-z0-9-]{10,}`), own: alphanumericOrDash,
		},
		{kind: "model-key", prefixes: []string{"sk-"}, whole: regexp.MustCompile(`^sk-[A-Za-z0-9_-]{20,}`), own: wordOrDash},
		{kind: "google-key", prefixes: []string{"AIza"}, whole: regexp.MustCompile(`^AIza[A-Za-z0-9_-]{35}`), own: wordOrDash},
		{
			kind: "stripe-key", prefixes: []string{"sk_live_", "rk_live_"},
			whole: regexp.MustCompile(`^[rs]k_live_[A-Za-z0-9]{16,}`), own: alphanumeric,
		},
		{kind: "npm-token", prefixes: []string{"npm_"}, whole: regexp.MustCompile(`^npm_[A-Za-z0-9]{36}\b`), own: alphanumeric},
		{
			kind: "jwt", prefixes: []string{"eyJ"}, own: wordOrDash,
			whole: regexp.MustCompile(`^eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`),
		},
	}
})

// find returns where the text holds this kind. Looking for the prefix first
// keeps a long text cheap.
func (s shape) find(body string) []span {
	var spans []span
	for _, prefix := range s.prefixes {
		for at := 0; ; {
			i := strings.Index(body[at:], prefix)
			if i < 0 {
				break
			}
			begin := at + i
			at = begin + len(prefix)
			if !s.inWord && begin > 0 && word(body[begin-1]) {
				continue
			}
			match := s.whole.FindString(body[begin:])
			end := begin + len(match)
			// A match inside a longer run counts once; and where the run is too
			// short for a match here, it is too short further on.
			for at = max(at, end); at < len(body) && s.own(body[at]); at++ {
				continue
			}
			if match != "" && !placeholder(match, prefix) {
				spans = append(spans, span{kind: s.kind, begin: begin, end: end, until: at})
			}
		}
	}
	return spans
}

func dash(b byte) bool { return b == '-' }

func alphanumeric(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
}

func word(b byte) bool { return b == '_' || alphanumeric(b) }

func wordOrDash(b byte) bool { return b == '-' || word(b) }

func alphanumericOrDash(b byte) bool { return b == '-' || alphanumeric(b) }
