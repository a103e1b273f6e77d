package baton_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/baton/project"
	"github.com/changeover/changeover/domain/baton/wall"
)

// readers are those of baton's own files. What one takes is written so that it is
// read the same.
var readers = []func(t *testing.T, data []byte){
	func(t *testing.T, data []byte) {
		m, err := baton.ReadSession(data)
		if err != nil {
			if !errors.Is(err, baton.ErrBadSession) {
				t.Fatalf("%v is no fault of the file", err)
			}
			return
		}
		now := time.Date(2026, 5, 28, 10, 0, 0, 0, time.UTC)
		written := m.Bytes(now)
		again, err := baton.ReadSession(written)
		if err != nil || !bytes.Equal(again.Bytes(now), written) || again.Status() != m.Status() || again.ID != m.ID {
			t.Fatalf("%s is written as %s: %v", data, written, err)
		}
	},
	func(t *testing.T, data []byte) {
		h, err := baton.ReadHolder(data)
		if err != nil || h == nil {
			return
		}
		again, err := baton.ReadHolder(h.Bytes())
		if diff := cmp.Diff(h, again); diff != "" || err != nil {
			t.Fatalf("%s: %v %s", data, err, diff)
		}
	},
	func(t *testing.T, data []byte) {
		r, err := project.Read(data)
		if err != nil {
			if !errors.Is(err, project.ErrDamaged) {
				t.Fatalf("%v is no fault of the file", err)
			}
			return
		}
		again, err := project.Read(r.Bytes())
		if err != nil || !bytes.Equal(again.Bytes(), r.Bytes()) {
			t.Fatalf("%s is written as %s: %v", data, r.Bytes(), err)
		}
	},
	func(t *testing.T, data []byte) {
		r := wall.ReadRuns(data)
		filled := 0
		for line := range bytes.Lines(data) {
			if len(bytes.TrimSpace(line)) > 0 {
				filled++
			}
		}
		if len(r.Records)+len(r.Unread) != filled || len(r.Lost()) > len(r.Unread) {
			t.Fatalf("%d records and %d lines unread, of %q", len(r.Records), len(r.Unread), data)
		}
		if whole := wall.ReadRuns(append(bytes.Clone(data), '\n')); len(whole.Records) != len(r.Records) {
			t.Fatalf("the end of the last line of %q makes a record", data)
		}
	},
	func(t *testing.T, data []byte) {
		r, err := compact.ReadLossReport(data)
		if err != nil {
			return
		}
		again, err := compact.ReadLossReport(r.Document())
		if diff := cmp.Diff(r, again); diff != "" || err != nil {
			t.Fatalf("%s: %v %s", data, err, diff)
		}
	},
	func(t *testing.T, data []byte) {
		if b, ok, err := handoff.ReadBudget(data); (!ok || err != nil) && b != (handoff.Budget{}) {
			t.Fatalf("%s gives %+v, %v", data, b, err)
		}
	},
}

func FuzzReadFile(f *testing.F) {
	for kind, pattern := range []string{"testdata/meta/*.json", "", "", "", "logs/testdata/expected/log/*.loss.json", ""} {
		names, err := filepath.Glob(pattern)
		if err != nil || pattern != "" && len(names) == 0 {
			f.Fatalf("no fixture is called %s: %v", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(kind), data)
		}
	}
	for kind, seed := range map[uint8]string{
		0: `{"id":"a","status":"running","later":{"b":[1]},"durationMs":1e3,"limits":{"codex":{"class":"usage-limit","resetAt":"2026-05-28T09:00:00.000Z"}}}`,
		1: `{"pid":1,"processStart":"2","command":"run","startedAt":"2026-05-28T09:00:00.000Z","agent":{"id":"codex","pid":3,"processStart":null}}`,
		2: `{"projects":[{"id":"a","name":"n","path":"/p","fallbackPatterns":["x"],"later":1}],"activeProjectId":"a","other":true}`,
		3: `{"at":"2026-05-28T09:00:00.000Z","agent":"codex","class":"ok"}` + "\n{\n\n{}",
		4: `{"schemaVersion":1,"at":"2026-05-28T09:00:00.000Z","trigger":"manual","profile":"ultra","threshold":0.8,"before":1,"after":0,"files":[{"file":"state.md"}]}`,
		5: `{"profile":"ultra","truncated":true,"maxHandoffChars":1,"used":{"handoff":2},"generatedAt":"2026-05-28T09:00:00.000Z"}`,
	} {
		f.Add(kind, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) { readers[int(kind)%len(readers)](t, data) })
}
