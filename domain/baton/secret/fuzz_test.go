package secret_test

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/baton/secret"
)

// A token on a line of its own is found whatever stands around it, and no finding
// gives a secret away.
func FuzzScan(f *testing.F) {
	for _, name := range []string{"testdata/bad-secret.md", "testdata/valid-secret-placeholder.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), "after", "")
	}
	f.Add("a\r\nb", "-----BEGIN RSA PRIVATE KEY-----\n", "correct horse")
	f.Add("gh", "p_abcdefghijklmnopqrstuvwxyz0123456789", "sk-ant-\xff")
	token := "gh" + "p_" + "Q7wE4rT9yU2iO6pA1sD5fG8hJ3kL0zX7cV4b" // in pieces, so that no scanner takes this file for a leak
	f.Fuzz(func(t *testing.T, before, after, value string) {
		text := before + "\n" + token + "\n" + after
		body, _ := markdown.Read(text)
		head, _ := markdown.Read(before + "\n")
		line := strings.Count(head, "\n") + 1
		seen := false
		for _, found := range secret.Scan("f.md", text, map[string]string{"SECRET": value}) {
			seen = seen || found.Line == line || strings.Contains(value, token)
			if found.Line < 1 || found.Line > strings.Count(body, "\n")+1 || utf8.RuneCountInString(found.Shown) > 4 {
				t.Fatalf("%+v in %q", found, text)
			}
			if strings.Contains(found.String(), token) || len(strings.TrimSpace(value)) >= 8 && found.Kind == secret.Environment && strings.Contains(found.String(), value) {
				t.Fatalf("%s gives the secret away", found)
			}
		}
		if !seen {
			t.Fatalf("the token on line %d of %q is not found", line, text)
		}
	})
}
