package relay_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

// languages are those that relay speaks.
func languages() []string { return []string{"en", "es"} }

// constants returns the values of a file's constants of a type.
func constants(t *testing.T, file, ofType string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if name, ok := spec.Type.(*ast.Ident); !ok || name.Name != ofType {
			return true
		}
		for _, v := range spec.Values {
			if literal, ok := v.(*ast.BasicLit); ok {
				value, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, value)
			}
		}
		return true
	})
	if len(values) == 0 {
		t.Fatalf("%s has no constant of type %s", file, ofType)
	}
	return values
}

// words fills a message's verbs with marks and returns what it says.
func words(c relay.Catalogue, m relay.Message) string {
	return c.Say(m, "①", "②", "③", "④", "⑤")
}

var extra = regexp.MustCompile(`%!\(EXTRA [^)]*\)$`)

// verbs returns how many values a message takes.
func verbs(t *testing.T, c relay.Catalogue, m relay.Message) int {
	t.Helper()
	said := extra.ReplaceAllString(words(c, m), "")
	n := 0
	for _, mark := range []string{"①", "②", "③", "④", "⑤"} {
		if strings.Contains(said, mark) {
			n++
		}
	}
	return n
}

func TestCatalogue_EverySideSaysEveryMessage(t *testing.T) {
	english := relay.CatalogueOf("en")
	for _, lang := range languages() {
		c := relay.CatalogueOf(lang)
		for _, value := range constants(t, "messages.go", "Message") {
			t.Run(lang+" "+value, func(t *testing.T) {
				is := is.New(t)
				m := relay.Message(value)
				is.True(strings.TrimSpace(words(c, m)) != "")        // words
				is.Equal(verbs(t, c, m), verbs(t, english, m))       // values, as in English
				is.True(!strings.ContainsAny(words(c, m), "\n\t\r")) // one line
			})
		}
	}
}

func TestCatalogue_WordsEveryReasonOfAPause(t *testing.T) {
	reasons := []relay.Reason{
		relay.ByPerson, relay.AtLimit, relay.NotAccepted, relay.Echo, relay.TooLarge, relay.PeerGone, relay.TurnDied, relay.NotTaken,
		relay.BadNonce, relay.BadDigest, relay.Unexpected, relay.Dropped,
	}
	for _, lang := range languages() {
		for _, reason := range reasons {
			t.Run(lang+" "+string(reason), func(t *testing.T) {
				is := is.New(t)
				c := relay.CatalogueOf(lang)
				is.True(c.Why(relay.Event{Reason: reason}) != "")                                                        // words
				is.True(strings.HasSuffix(c.Why(relay.Event{Reason: reason, Detail: "as told"}), " (as told)"))          // with a detail
				is.True(!strings.Contains(c.Why(relay.Event{Reason: reason, Detail: "why-digest"}), "why-digest"))       // a detail that has words
				is.True(!strings.Contains(c.Why(relay.Event{Reason: reason, Detail: string(relay.GoneEnded)}), "gone-")) // how it is gone
			})
		}
	}
}

func TestCatalogue_HeaderInEachLanguage(t *testing.T) {
	is := is.New(t)
	is.Equal(relay.CatalogueOf("en").Header(3, relay.Planner), "[relay round 3 · from planner]")   // English
	is.Equal(relay.CatalogueOf("en").Header(12, relay.Builder), "[relay round 12 · from builder]") // two digits
	is.Equal(relay.CatalogueOf("es").Header(3, relay.Planner), "[relevo ronda 3 · de planner]")    // Spanish
}

func TestCatalogue_OfAnUnknownLanguageIsEnglish(t *testing.T) {
	is := is.New(t)
	for _, lang := range []string{"", "fr", "EN", "en-GB"} {
		is.Equal(relay.CatalogueOf(lang).Lang, "en") // default
	}
	is.True(relay.Speaks("en") && relay.Speaks("es")) // spoken
	is.True(!relay.Speaks("fr") && !relay.Speaks("")) // not spoken
}

func TestCatalogue_RolePromptsAreShortAndName(t *testing.T) {
	from := map[string]string{"en": "[relay round N · from ", "es": "[relevo ronda N · de "}
	for _, lang := range languages() {
		for _, role := range []relay.Role{relay.Planner, relay.Builder} {
			for _, woken := range []bool{false, true} {
				is := is.New(t)
				prompt := relay.CatalogueOf(lang).RolePrompt(role, woken)
				is.True(strings.HasPrefix(prompt, "# relay: "+string(role)+"\n"))                   // first line
				is.True(len(utf16.Encode([]rune(prompt))) <= 2000)                                  // length
				is.True(strings.Contains(prompt, "<handoff>"))                                      // how to end
				is.True(strings.Contains(prompt, from[lang]+string(role.Other())+"]"))              // what comes
				is.Equal(strings.Contains(prompt, "<done>"), role == relay.Planner)                 // who ends the work
				is.True(!relay.LooksLikeDelivery(prompt))                                           // no delivery
				is.Equal(len(prompt) > len(relay.CatalogueOf(lang).RolePrompt(role, false)), woken) // more where woken
			}
		}
	}
}

func TestBar_FillsByTheShareOfRounds(t *testing.T) {
	tests := []struct {
		round, allowed int
		want           string
	}{
		{0, 10, "▱▱▱▱▱▱▱▱▱▱"},
		{1, 10, "▰▱▱▱▱▱▱▱▱▱"},
		{3, 10, "▰▰▰▱▱▱▱▱▱▱"},
		{10, 10, "▰▰▰▰▰▰▰▰▰▰"},
		{1, 100, "▰▱▱▱▱▱▱▱▱▱"},
		{19, 100, "▰▱▱▱▱▱▱▱▱▱"},
		{20, 100, "▰▰▱▱▱▱▱▱▱▱"},
		{1, 3, "▰▰▰▱▱▱▱▱▱▱"},
		{2, 3, "▰▰▰▰▰▰▱▱▱▱"},
		{3, 4, "▰▰▰▰▰▰▰▱▱▱"},
		{1, 1, "▰▰▰▰▰▰▰▰▰▰"},
		{11, 20, "▰▰▰▰▰▱▱▱▱▱"},
		{0, 0, "▱▱▱▱▱▱▱▱▱▱"},
		{5, 2, "▰▰▰▰▰▰▰▰▰▰"},
	}
	for _, tt := range tests {
		is := is.New(t)
		is.Equal(relay.Bar(tt.round, tt.allowed), tt.want) // bar
	}
}
