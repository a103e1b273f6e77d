package secret_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/secret"
)

// mixed is n different-looking characters of a token.
func mixed(n int) string { return strings.Repeat("q1W2e3R4t5Z6", n/12+1)[:n] }

// upper is n capitals and digits.
func upper(n int) string { return strings.ToUpper(mixed(n)) }

// tokens holds one secret of each shape. They are put together here so that no
// whole one stands in this file.
func tokens() map[string][]string {
	jwt := "eyJ" + mixed(12) + ".eyJ" + mixed(20) + "." + mixed(24)
	return map[string][]string{
		"private-key": {
			"-----BEGIN " + "PRIVATE KEY-----", "-----BEGIN " + "RSA PRIVATE KEY-----", "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----",
		},
		"aws-key":      {"AKIA" + upper(16), "ASIA" + upper(16)},
		"github-token": {"ghp_" + mixed(36), "gho_" + mixed(36), "ghu_" + mixed(40), "ghs_" + mixed(36), "ghr_" + mixed(36), "github_pat_" + mixed(22)},
		"gitlab-token": {"glpat-" + mixed(20)},
		"slack-token":  {"xoxb-" + mixed(10), "xoxp-" + mixed(12), "xoxa-" + mixed(12), "xoxr-" + mixed(12), "xoxs-" + mixed(12)},
		"model-key":    {"sk-" + mixed(20), "sk-ant-" + mixed(24)},
		"google-key":   {"AIza" + mixed(35)},
		"stripe-key":   {"sk_live_" + mixed(16), "rk_live_" + mixed(16)},
		"npm-token":    {"npm_" + mixed(36)},
		"jwt":          {jwt},
	}
}

// Rows 105.
func TestScan_FindsEachKind(t *testing.T) {
	for kind, secrets := range tokens() {
		for _, s := range secrets {
			t.Run(kind+" "+s[:5], func(t *testing.T) {
				is := is.New(t)
				got := secret.Scan("handoff.md", "# T\n\npushed with "+s+", then failed\n", nil)
				want := []secret.Finding{{File: "handoff.md", Line: 3, Kind: kind, Shown: s[:4], Chars: len(s)}}
				is.Equal(cmp.Diff(got, want), "")
			})
		}
	}
}

// Rows 105.
func TestScan_PassesPlaceholders(t *testing.T) {
	for name, in := range map[string]string{
		"few different characters": "sk-" + strings.Repeat("ab", 20),
		"x":                        "sk-" + strings.Repeat("x", 32),
		"example":                  "AKIAIOSFODNN7" + "EXAMPLE",
		"placeholder":              "ghp_" + "PlaceHolder" + mixed(30),
		"redacted":                 "glpat-" + "REDACTED" + mixed(20),
		"your":                     "sk-" + "Your-key-" + mixed(20),
		"xxxx in between":          "npm_" + mixed(16) + "XxxX" + mixed(16),
		"too short":                "ghp_" + mixed(35),
		"inside a word":            "task-" + mixed(40),
		"longer than its kind":     "AKIA" + upper(17),
		"public key":               "-----BEGIN " + "PUBLIC KEY-----",
		"test key":                 "sk_test_" + mixed(16),
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(len(secret.Scan("plan.md", "use "+in+" here", nil)), 0)
		})
	}
}

// Rows 105.
func TestScan_CountsSixDifferentCharactersBehindThePrefix(t *testing.T) {
	is := is.New(t)
	is.Equal(len(secret.Scan("f", "sk-"+strings.Repeat("abcde", 5), nil)), 0)
	is.Equal(len(secret.Scan("f", "sk-"+strings.Repeat("abcdef", 5), nil)), 1)
}

func TestScan_ScansFencesAndDiffs(t *testing.T) {
	is := is.New(t)
	text := "```diff\n+key = \"" + "ghp_" + mixed(36) + "\"\n```\n"
	got := secret.Scan("handoff.md", text, nil)
	is.Equal(len(got), 1)
	is.Equal(got[0].Line, 2)
}

func TestScan_CountsALongerRunOnce(t *testing.T) {
	is := is.New(t)
	google := "AIza" + mixed(35)
	got := secret.Scan("f", google+"-"+google+" "+google, nil)
	is.Equal(len(got), 2)      // one run, and one behind the space
	is.Equal(got[0].Chars, 39) // the match, not its run
	two := "ghp_" + mixed(36)
	is.Equal(len(secret.Scan("f", two+"-"+two, nil)), 2) // a dash is none of its own characters
}

func TestScan_NamesTheLineOfEach(t *testing.T) {
	is := is.New(t)
	github, slack := "ghp_"+mixed(36), "xoxb-"+mixed(10)
	got := secret.Scan("f", "task-sk-x\n"+github+"\n\na "+slack+"-"+slack+" b "+github+"\n\n"+slack, nil)
	var places []string
	for _, f := range got {
		places = append(places, f.Place())
	}
	is.Equal(cmp.Diff(places, []string{"f:2 github-token", "f:4 slack-token", "f:4 github-token", "f:6 slack-token"}), "")
}

func TestScan_LooksBehindWhatIsNoSecret(t *testing.T) {
	is := is.New(t)
	is.Equal(len(secret.Scan("f", "desk-top sk-short sk-"+mixed(20), nil)), 1)
}

func TestScan_ReportsOnePlaceOnce(t *testing.T) {
	is := is.New(t)
	key := "sk-" + mixed(30)
	got := secret.Scan("f", "a "+key+" b", map[string]string{"OPENAI_API_KEY": key})
	is.Equal(len(got), 1)
	is.Equal(got[0].Chars, len(key))
}

// A value that runs into a token does not hide it, one that holds all of it does.
func TestScan_ReportsWhatGoesOnBehindAFinding(t *testing.T) {
	token := "ghp_" + mixed(36)
	tests := []struct {
		name, text, value string
		want              []string
	}{
		{"value ends in the token", "secret one\n" + token, "secret one\nghp_", []string{"f.md:1 environment", "f.md:2 github-token"}},
		{"value begins in the token", token + "\nsecret", mixed(36)[20:] + "\nsecret", []string{"f.md:1 github-token", "f.md:1 environment"}},
		{"value holds the token", "a " + token + " b", "a " + token + " b", []string{"f.md:1 environment"}},
		{"value is the token's beginning", token, token[:10], []string{"f.md:1 github-token"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, found := range secret.Scan("f.md", tt.text, map[string]string{"SECRET": tt.value}) {
				got = append(got, found.Place())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Rows 107.
func TestScan_FindsTheValueOfABlockedVariable(t *testing.T) {
	tests := []struct {
		name, value, text string
		want              []secret.Finding
	}{
		{"value", "hunter2hunter", "log in\nwith hunter2hunter.\n", []secret.Finding{{File: "plan.md", Line: 2, Kind: "environment", Shown: "hunt", Chars: 13}}},
		{"eight characters", "hunter2!", "hunter2!", []secret.Finding{{File: "plan.md", Line: 1, Kind: "environment", Shown: "hunt", Chars: 8}}},
		{"too short", "hunter2", "hunter2", nil},
		{"unset", "", "anything", nil},
		{"blank", "          ", "a          b", nil},
		{"placeholder", "your-key-goes-here", "your-key-goes-here", nil},
		{"space around it", " hunter2hunter\n", "hunter2hunter", []secret.Finding{{File: "plan.md", Line: 1, Kind: "environment", Shown: "hunt", Chars: 13}}},
		{"lines of CRLF", "hunter2\r\nhunter3", "x hunter2\nhunter3", []secret.Finding{{File: "plan.md", Line: 1, Kind: "environment", Shown: "hunt", Chars: 15}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got := secret.Scan("plan.md", tt.text, map[string]string{"OPENAI_API_KEY": tt.value})
			is.Equal(cmp.Diff(got, tt.want), "")
		})
	}
}

// Rows 108.
func TestScan_CountsLinesOfAnyKind(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		is := is.New(t)
		got := secret.Scan("f", "\uFEFFa"+end+end+"b "+"ghp_"+mixed(36)+end, nil)
		is.Equal(len(got), 1)
		is.Equal(got[0].Line, 3)
	}
}

func TestFinding_ShowsPlaceKindAndBeginning(t *testing.T) {
	is := is.New(t)
	f := secret.Finding{File: "handoff.md", Line: 41, Kind: "github-token", Shown: "ghp_", Chars: 40}
	is.Equal(f.String(), "handoff.md:41 github-token ghp_… (40 chars)")
	is.Equal(f.Place(), "handoff.md:41 github-token")
}

func TestFinding_ShowsNoPartOfACluster(t *testing.T) {
	is := is.New(t)
	got := secret.Scan("f", "abcd\u0301efghijk", map[string]string{"K": "abcd\u0301efghijk"})
	is.Equal(got[0].Shown, "abc")
	got = secret.Scan("f", "äbcdefghijk", map[string]string{"K": "äbcdefghijk"})
	is.Equal(got[0].Shown, "")
	got = secret.Scan("f", "a\x1bbcdefghijk", map[string]string{"K": "a\x1bbcdefghijk"})
	is.Equal(got[0].Shown, "a")
}

// Rows 105.
func TestScan_Fixtures(t *testing.T) {
	is := is.New(t)
	bad, err := os.ReadFile("testdata/bad-secret.md")
	is.NoErr(err)
	got := secret.Scan("handoff.md", string(bad), nil)
	is.Equal(cmp.Diff(got, []secret.Finding{{File: "handoff.md", Line: 25, Kind: "github-token", Shown: "ghp_", Chars: 40}}), "")
	good, err := os.ReadFile("testdata/valid-secret-placeholder.md")
	is.NoErr(err)
	is.Equal(len(secret.Scan("plan.md", string(good), nil)), 0)
}

// The table of the specification, as it stands there.
var shapes = map[string]string{
	"private-key":  `-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----`,
	"aws-key":      `\b(AKIA|ASIA)[A-Z0-9]{16}\b`,
	"github-token": `\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{22,}`,
	"gitlab-token": `\bglpat-[A-Za-z0-9_-]{20,}`,
	"slack-token":  `\bxox[abprs]-[A-Za-z0-9-]{10,}`,
	"model-key":    `\bsk-[A-Za-z0-9_-]{20,}`,
	"google-key":   `\bAIza[A-Za-z0-9_-]{35}`,
	"stripe-key":   `\b[rs]k_live_[A-Za-z0-9]{16,}`,
	"npm-token":    `\bnpm_[A-Za-z0-9]{36}\b`,
	"jwt":          `\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`,
}

// A text has a finding exactly where one of the shapes matches, and no more
// than four characters of it are shown.
func TestScan_AgreesWithTheShapes(t *testing.T) {
	compiled := map[string]*regexp.Regexp{}
	var pieces []string
	for kind, shape := range shapes {
		compiled[kind] = regexp.MustCompile(shape)
		for _, s := range tokens()[kind] {
			pieces = append(pieces, s, s[:len(s)-1], s[:5])
		}
	}
	pieces = append(pieces, " ", "\n", "-", "_", ".", "a", "Z9", "eyJ", "é")
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "pieces"), "")
		matches := 0
		for _, shape := range compiled {
			matches += len(shape.FindAllString(text, -1))
		}
		found := secret.Scan("f", text, nil)
		if (matches > 0) != (len(found) > 0) || len(found) > matches {
			t.Fatalf("%d findings for %d matches in %q", len(found), matches, text)
		}
		lines := strings.Split(text, "\n")
		for _, f := range found {
			if !compiled[f.Kind].MatchString(lines[f.Line-1]) {
				t.Fatalf("%v is not on that line of %q", f, text)
			}
			if utf8.RuneCountInString(f.Shown) > 4 {
				t.Fatalf("%v shows too much", f)
			}
		}
	})
}

// A scan that took another look at the whole rest for each of these pieces would not
// end in time.
func TestScan_TakesOneLookAtALongText(t *testing.T) {
	for name, piece := range map[string]string{
		"prose": "the quick sk- brown eyJ fox ghp_ jumps\n", "halves of tokens": "-eyJ", "dotted": "-eyJaaaaaaaaaaaa.eyJ!", "keys": "-sk-",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			text := strings.Repeat(piece, 1<<20/len(piece))
			is.Equal(len(secret.Scan("f", text, map[string]string{"K": "not in the text"})), 0)
		})
	}
}

// What a finding shows is plain ASCII, the space and the tilde among it.
func TestScan_ShowsPlainCharactersOnly(t *testing.T) {
	for own, want := range map[string]string{"a ~bcdefghijk": "a ~b", "a\x7fbcdefghijk": "a"} {
		is := is.New(t)
		found := secret.Scan("f", own, map[string]string{"K": own})
		is.Equal(len(found), 1)
		is.Equal(found[0].Shown, want)
	}
}
