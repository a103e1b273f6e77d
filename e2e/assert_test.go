package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

var (
	variable    = regexp.MustCompile(`\$\{(\w+)\}|\$(\w+)`)
	placeholder = regexp.MustCompile(`@\{(\w+):([^}]*)\}`)
)

// expand replaces $VAR and ${VAR} where the variable is set, and @{…}.
func expand(ts *testscript.TestScript, text string) string {
	text = variable.ReplaceAllStringFunc(text, func(m string) string {
		if v := ts.Getenv(strings.Trim(m, "${}")); v != "" {
			return v
		}
		return m
	})
	return facts(ts, text)
}

// facts replaces @{days:N}, a timestamp N days and an hour ago, @{year:N}, the
// year of that, and @{pid:ID} and @{start:ID} of a session.
func facts(ts *testscript.TestScript, text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(m string) string {
		sub := placeholder.FindStringSubmatch(m)
		switch sub[1] {
		case "days":
			return daysAgo(ts, sub[2]).Format("2006-01-02T15:04:05Z")
		case "year":
			return daysAgo(ts, sub[2]).Format("2006")
		case "pid":
			return strconv.Itoa(sessionOf(ts, sub[2]).pid)
		case "start":
			return sessionOf(ts, sub[2]).procStart()
		}
		return m
	})
}

func daysAgo(ts *testscript.TestScript, days string) time.Time {
	n, err := strconv.Atoi(days)
	ts.Check(err)
	return time.Now().UTC().AddDate(0, 0, -n).Add(-time.Hour)
}

// readFile reads a file that a script names, also by a pattern that one name
// matches.
func readFile(ts *testscript.TestScript, name string) string {
	if !strings.Contains(name, "*") {
		return ts.ReadFile(name)
	}
	paths, err := filepath.Glob(ts.MkAbs(name))
	ts.Check(err)
	if len(paths) != 1 {
		ts.Fatalf("%s: want one file, have %q", name, paths)
	}
	return ts.ReadFile(paths[0])
}

// cmdFill replaces the placeholders in files: fill FILE...
func cmdFill(ts *testscript.TestScript, _ bool, args []string) {
	for _, a := range args {
		paths, err := filepath.Glob(ts.MkAbs(a))
		ts.Check(err)
		if len(paths) == 0 {
			ts.Fatalf("no file %s", a)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			ts.Check(err)
			ts.Check(os.WriteFile(path, []byte(expand(ts, string(data))), 0o644))
		}
	}
}

// cmdLayout compares stdout with a file in which … stands for any text within
// a line and, alone on a line, for any number of lines: layout [-all] FILE.
// Without -all the lines may stand anywhere, but one below the other.
func cmdLayout(ts *testscript.TestScript, neg bool, args []string) {
	all := len(args) > 1 && args[0] == "-all"
	if all {
		args = args[1:]
	}
	var pattern strings.Builder
	for line := range strings.Lines(expand(ts, ts.ReadFile(args[0]))) {
		line = strings.TrimSuffix(line, "\n")
		if line == "…" {
			pattern.WriteString(`(?:[^\n]*\n)*?`)
			continue
		}
		quoted := strings.ReplaceAll(regexp.QuoteMeta(line), "…", `[^\n]*`)
		pattern.WriteString(quoted + `\n`)
	}
	text := pattern.String()
	if all {
		text = `\A` + text + `\z`
	} else {
		text = `(?m:^)` + text
	}
	got := ts.ReadFile("stdout")
	if regexp.MustCompile(text).MatchString(got) == neg {
		ts.Fatalf("layout does not fit (negated: %v)\n--- want\n%s--- got\n%s", neg, expand(ts, ts.ReadFile(args[0])), got)
	}
}

// cmdInOrder wants each pattern to match stdout after the one before it.
func cmdInOrder(ts *testscript.TestScript, _ bool, args []string) {
	rest := ts.ReadFile("stdout")
	for _, a := range args {
		loc := regexp.MustCompile(`(?m)` + a).FindStringIndex(rest)
		if loc == nil {
			ts.Fatalf("%q not found after the patterns before it\n%s", a, ts.ReadFile("stdout"))
		}
		rest = rest[loc[1]:]
	}
}

// cmdJSON compares a member of a JSON document: json FILE PATH WANT, with
// PATH like a.b.0, len for a length, . for the whole; "! json FILE PATH" wants
// it absent.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	var doc any
	dec := json.NewDecoder(strings.NewReader(readFile(ts, args[0])))
	ts.Check(dec.Decode(&doc))
	if dec.More() {
		ts.Fatalf("%s holds more than one document", args[0])
	}
	got, ok := at(doc, args[1])
	if neg {
		if ok {
			ts.Fatalf("%s holds %s: %v", args[0], args[1], got)
		}
		return
	}
	if !ok {
		ts.Fatalf("%s has no %s\n%s", args[0], args[1], ts.ReadFile(args[0]))
	}
	var want any
	text := expand(ts, args[2])
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		want = text
	}
	if !reflect.DeepEqual(got, want) {
		ts.Fatalf("%s %s (-want +got):\n%s", args[0], args[1], cmp.Diff(want, got))
	}
}

func at(doc any, path string) (any, bool) {
	if path == "." {
		return doc, true
	}
	for step := range strings.SplitSeq(path, ".") {
		switch v := doc.(type) {
		case map[string]any:
			if step == "len" {
				doc = float64(len(v))
				continue
			}
			next, ok := v[step]
			if !ok {
				return nil, false
			}
			doc = next
		case []any:
			if step == "len" {
				doc = float64(len(v))
				continue
			}
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			doc = v[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// cmdKeys wants exactly these members in this order at the top of a file:
// keys FILE KEY...
func cmdKeys(ts *testscript.TestScript, _ bool, args []string) {
	dec := json.NewDecoder(strings.NewReader(readFile(ts, args[0])))
	_, err := dec.Token()
	ts.Check(err)
	var got []string
	for dec.More() {
		key, err := dec.Token()
		ts.Check(err)
		got = append(got, fmt.Sprint(key))
		var value json.RawMessage
		ts.Check(dec.Decode(&value))
	}
	if !slices.Equal(got, args[1:]) {
		ts.Fatalf("%s (-want +got):\n%s", args[0], cmp.Diff(args[1:], got))
	}
}

// cmdCapture sets a variable to what the first group matches in stdout:
// capture NAME PATTERN.
func cmdCapture(ts *testscript.TestScript, _ bool, args []string) {
	m := regexp.MustCompile(`(?m)` + args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(m) < 2 {
		ts.Fatalf("no match for %s in\n%s", args[1], ts.ReadFile("stdout"))
	}
	ts.Setenv(args[0], m[1])
}

// cmdSnapshot remembers everything below a directory, cmdUnchanged wants it
// byte for byte: snapshot DIR, unchanged DIR.
func cmdSnapshot(ts *testscript.TestScript, _ bool, args []string) {
	for _, a := range args {
		worldOf(ts).snapshots[a] = tree(ts.MkAbs(a))
	}
}

func cmdUnchanged(ts *testscript.TestScript, neg bool, args []string) {
	for _, a := range args {
		want, ok := worldOf(ts).snapshots[a]
		if !ok {
			ts.Fatalf("no snapshot of %s", a)
		}
		diff := cmp.Diff(want, tree(ts.MkAbs(a)))
		if (diff != "") != neg {
			ts.Fatalf("%s (-before +now):\n%s", a, diff)
		}
	}
}

// tree renders a directory: one line per name with its mode and content.
func tree(dir string) string {
	var b bytes.Buffer
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			fmt.Fprintf(&b, "%s %v\n", path, err)
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content := ""
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				content = err.Error()
			} else {
				content = strconv.Quote(string(data))
			}
		case info.Mode()&fs.ModeSymlink != 0:
			content, err = os.Readlink(path)
			if err != nil {
				return err
			}
		}
		fmt.Fprintf(&b, "%s %s %s\n", path, info.Mode(), content)
		return nil
	})
	if err != nil {
		return err.Error()
	}
	return b.String()
}

// cmdMode wants permission bits: mode 600 FILE...
func cmdMode(ts *testscript.TestScript, _ bool, args []string) {
	for _, a := range args[1:] {
		paths, err := filepath.Glob(ts.MkAbs(a))
		ts.Check(err)
		if len(paths) == 0 {
			ts.Fatalf("no file %s", a)
		}
		for _, path := range paths {
			info, err := os.Lstat(path)
			ts.Check(err)
			if got := fmt.Sprintf("%o", info.Mode().Perm()); got != args[0] {
				ts.Fatalf("%s has mode %s, want %s", path, got, args[0])
			}
		}
	}
}

// cmdFiles counts names: files N PATTERN.
func cmdFiles(ts *testscript.TestScript, _ bool, args []string) {
	paths, err := filepath.Glob(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := strconv.Itoa(len(paths)); got != args[0] {
		ts.Fatalf("%s: %s names, want %s: %q", args[1], got, args[0], paths)
	}
}

func cmdMkfifo(ts *testscript.TestScript, _ bool, args []string) {
	for _, a := range args {
		ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(a)), 0o755))
		ts.Check(syscall.Mkfifo(ts.MkAbs(a), 0o644))
	}
}

// cmdLarge writes a file of repeated text: large FILE BEFORE N TEXT AFTER.
func cmdLarge(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	text := expand(ts, args[1]) + strings.Repeat(args[3], n) + expand(ts, args[4])
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[0])), 0o755))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// cmdManyClaims writes N claims s00000… with a focus of LENGTH letters:
// manyclaims N LENGTH, below harbour.
func cmdManyClaims(ts *testscript.TestScript, _ bool, args []string) {
	writeNumbered(ts, args, "sessions", func(name, text string) any {
		return map[string]any{"session_id": "s" + name, "name": "peer" + name, "cwd": "/tmp/harbour", "focus": text, "updated_at": "2099-01-01T00:00:00Z"}
	}, "s", "x")
}

// cmdAstral writes N handoffs astral00000… for the dock, each LENGTH
// characters above the basic plane.
func cmdAstral(ts *testscript.TestScript, _ bool, args []string) {
	writeNumbered(ts, args, "handoffs", func(name, text string) any {
		return map[string]any{
			"id": "astral" + name, "from": map[string]any{"cwd": "/tmp/harbour"}, "to": map[string]any{"repo": "dock"},
			"created": "2026-11-01T10:00:00Z", "body": text,
		}
	}, "astral", "🚢")
}

func writeNumbered(ts *testscript.TestScript, args []string, dir string, doc func(name, text string) any, prefix, letter string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	length, err := strconv.Atoi(args[1])
	ts.Check(err)
	dir = ts.MkAbs(filepath.Join("harbour", ".claude", "exchange", dir))
	ts.Check(os.MkdirAll(dir, 0o755))
	for i := range n {
		name := fmt.Sprintf("%05d", i)
		data, err := json.Marshal(doc(name, strings.Repeat(letter, length)))
		ts.Check(err)
		ts.Check(os.WriteFile(filepath.Join(dir, prefix+name+".json"), data, 0o644))
	}
}

// cmdWidest wants no line of stdout to be longer: widest CHARACTERS.
func cmdWidest(ts *testscript.TestScript, _ bool, args []string) {
	limit, err := strconv.Atoi(args[0])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > limit {
			ts.Fatalf("a line of %d characters: %.80s…", n, line)
		}
	}
}

// cmdManyKeys writes a marker with N keys that it must not have.
func cmdManyKeys(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	doc := map[string]any{"name": "harbour"}
	for i := range n {
		doc[fmt.Sprintf("key%05d", i)] = i
	}
	data, err := json.Marshal(doc)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}
