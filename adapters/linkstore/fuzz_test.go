package linkstore_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/osfs/memfs"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

// FuzzLog reads an event and the name of a box: what is read is written and read
// again the same, and whatever stands there the state follows from it.
func FuzzLog(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"ask","at":"2026-05-28T09:00:00Z","party":{"session":"s","pid":1,"start":"2"},"peer":"b","nonce":"n","max_rounds":3,"lang":"en"}`,
		`{"kind":"ended","at":"x","text":"t","digest":"d","has_done":true,"answered":[{"role":"planner","seq":1},7],"of":1e3}`, `{"kind":7}`, `[]`, "{", `{"party":[],"pid":-1}`,
	} {
		f.Add([]byte(seed), "000001-planner-0.json")
		f.Add([]byte(seed), "000001-planner-0-12-34-1796031472165.json")
	}
	f.Add([]byte(`{}`), "0001-planner-0.json")
	f.Fuzz(func(t *testing.T, event []byte, box string) {
		log, ok := stored(t, event, box)
		if !ok {
			return
		}
		for _, boxes := range log.Boxes {
			if len(boxes) > 1 {
				t.Fatalf("%q is %+v", box, boxes)
			}
		}
		_ = relay.Fold(log) // from whatever stands there
		files := memfs.New()
		again := linkstore.New(files, "/state")
		if err := again.Append("l", relay.Planner, log.Events[relay.Planner][0]); err != nil {
			t.Fatal(err)
		}
		got, err := linkstore.New(files, "/state").Log("l")
		if diff := cmp.Diff(log.Events, got.Events); diff != "" || err != nil {
			t.Fatalf("%s: %v %s", event, err, diff)
		}
	})
}

// stored is a log with one event and one box, as they stand in files.
func stored(t *testing.T, event []byte, box string) (relay.Log, bool) {
	t.Helper()
	files := memfs.New()
	for _, dir := range []string{"/state", "/state/links", "/state/links/l", "/state/links/l/planner", "/state/links/l/planner/events", "/state/links/l/planner/in", "/state/links/l/planner/taken"} {
		if err := files.MakeDir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := files.Create("/state/links/l/planner/events/000001.json", event, 0o600, port.Unsynced); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"in", "taken"} {
		_ = files.Create("/state/links/l/planner/"+dir+"/"+box, []byte("{}"), 0o600, port.Unsynced) // it may be no name
	}
	log, err := linkstore.New(files, "/state").Log("l")
	return log, err == nil
}
