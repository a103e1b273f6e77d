package claudereg_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/adapters/claudereg"
	"github.com/changeover/changeover/adapters/osfs/memfs"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/adapters/proc/proctest"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// place is a sessions directory.
type place struct {
	porttest.FSHarness
	dir    string
	paused []time.Duration
	// during runs while the registry waits.
	during func()
}

func newPlace(t *testing.T, h porttest.FSHarness) *place {
	t.Helper()
	p := &place{FSHarness: h, dir: path.Join(h.Dir, "sessions"), during: func() {}}
	h.Mkdir(t, p.dir)
	return p
}

func (p *place) registry() claudereg.Registry {
	return claudereg.New(p.FS, p.dir, func(d time.Duration) {
		p.paused = append(p.paused, d)
		p.during()
	})
}

func (p *place) write(t *testing.T, file, content string) {
	t.Helper()
	p.Put(t, path.Join(p.dir, file), content)
}

func (p *place) read(t *testing.T) session.Listing {
	t.Helper()
	listing, err := p.registry().Sessions()
	if err != nil {
		t.Fatal(err)
	}
	return listing
}

// document is a row as the client writes it, but for what is zero.
func document(t *testing.T, row session.Row) string {
	t.Helper()
	object := map[string]any{"sessionId": row.SessionID, "peerProtocol": 1}
	for key, value := range map[string]string{
		"name": row.Name, "kind": row.Kind, "entrypoint": row.Entrypoint, "cwd": row.Cwd,
		"procStart": row.ProcStart, "pidDomain": row.PidDomain, "status": row.Status,
	} {
		if value != "" {
			object[key] = value
		}
	}
	if row.PID != 0 {
		object["pid"] = row.PID
	}
	if !row.StartedAt.IsZero() {
		object["startedAt"] = row.StartedAt.UnixMilli()
	}
	if !row.StatusAt.IsZero() {
		object["statusUpdatedAt"] = row.StatusAt.UnixMilli()
	}
	data, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRegistry_Contract(t *testing.T) {
	for name, files := range map[string]func(*testing.T) porttest.FSHarness{
		"on disk": porttest.OnDisk, "in memory": porttest.InMemory,
	} {
		t.Run(name, func(t *testing.T) {
			porttest.Sessions(t, func(t *testing.T) porttest.RegistryHarness {
				p := newPlace(t, files(t))
				return porttest.RegistryHarness{
					Registry: p.registry(),
					Put:      func(t *testing.T, row session.Row) { p.write(t, row.File, document(t, row)) },
					Spoil:    func(t *testing.T, file string) { p.write(t, file, "{ cut off") },
					Drop: func(t *testing.T, file string) {
						if err := p.FS.Remove(path.Join(p.dir, file)); err != nil {
							t.Fatal(err)
						}
					},
					Vanish: func(t *testing.T) {
						if err := p.FS.Rename(p.dir, p.dir+"-gone"); err != nil {
							t.Fatal(err)
						}
					},
					Block: func(t *testing.T) {
						if err := p.FS.Rename(p.dir, p.dir+"-gone"); err != nil {
							t.Fatal(err)
						}
						p.Put(t, p.dir, "a file where the directory should be")
					},
				}
			})
		})
	}
}

func TestRegistry_ForbiddenDirectoryIsAnError(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		p.write(t, "1.json", `{"sessionId": "a"}`)
		h.Chmod(t, p.dir, 0)
		var err error
		h.AsStranger(t, func() { _, err = p.registry().Sessions() })
		h.Chmod(t, p.dir, 0o755)
		is.True(err != nil) // nobody could look, which is not "no sessions"
		is.True(strings.Contains(err.Error(), p.dir))
	})
}

func TestRegistry_ForbiddenRowIsUnread(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		p.write(t, "1.json", `{"sessionId": "a"}`)
		p.write(t, "2.json", `{"sessionId": "b"}`)
		h.Chmod(t, path.Join(p.dir, "1.json"), 0)
		h.Chmod(t, path.Join(p.dir, "2.json"), 0o644)
		h.AsStranger(t, func() {
			listing, err := p.registry().Sessions()
			is.NoErr(err)
			is.Equal(listing.Unread, []string{"1.json"})
			is.Equal(len(listing.Rows), 1)
		})
	})
}

func TestRegistry_Rows(t *testing.T) {
	row := func(change func(*session.Row)) session.Row {
		r := session.Row{File: "1.json", SessionID: "a"}
		change(&r)
		return r
	}
	same := func(*session.Row) {}
	tests := []struct {
		name    string
		content string
		want    session.Row
	}{
		{"nothing but the id", `{"sessionId":"a"}`, row(same)},
		{"pid as a number", `{"sessionId":"a","pid":12}`, row(func(r *session.Row) { r.PID = 12 })},
		{"pid as text", `{"sessionId":"a","pid":"12"}`, row(func(r *session.Row) { r.PID = 12 })},
		{"greatest pid", `{"sessionId":"a","pid":2147483647}`, row(func(r *session.Row) { r.PID = 2147483647 })},
		{"pid too large", `{"sessionId":"a","pid":2147483648}`, row(same)},
		{"huge pid", `{"sessionId":"a","pid":123456789012345678901234567890}`, row(same)},
		{"pid 0", `{"sessionId":"a","pid":0}`, row(same)},
		{"pid -1", `{"sessionId":"a","pid":-1}`, row(same)},
		{"pid -1 as text", `{"sessionId":"a","pid":"-1"}`, row(same)},
		{"pid true", `{"sessionId":"a","pid":true}`, row(same)},
		{"pid null", `{"sessionId":"a","pid":null}`, row(same)},
		{"pid 7.0", `{"sessionId":"a","pid":7.0}`, row(same)},
		{"pid 1e2", `{"sessionId":"a","pid":1e2}`, row(same)},
		{"pid with blanks", `{"sessionId":"a","pid":" 12"}`, row(same)},
		{"procStart as text", `{"sessionId":"a","procStart":"276573"}`, row(func(r *session.Row) { r.ProcStart = "276573" })},
		{"procStart as a number", `{"sessionId":"a","procStart":276573}`, row(func(r *session.Row) { r.ProcStart = "276573" })},
		{"procStart with a fraction", `{"sessionId":"a","procStart":276573.0}`, row(same)},
		{"procStart with an exponent", `{"sessionId":"a","procStart":2E5}`, row(same)},
		{"procStart odd", `{"sessionId":"a","procStart":[1]}`, row(same)},
		{"startedAt", `{"sessionId":"a","startedAt":1796031472165}`, row(func(r *session.Row) {
			r.StartedAt = time.Date(2026, 11, 30, 9, 37, 52, 165_000_000, time.UTC)
		})},
		{"startedAt odd", `{"sessionId":"a","startedAt":"soon"}`, row(same)},
		{"startedAt 0", `{"sessionId":"a","startedAt":0}`, row(same)},
		{"texts of another type", `{"sessionId":"a","name":1,"kind":[],"entrypoint":{},"cwd":false,"pidDomain":null}`, row(same)},
		{"keys in other case", `{"sessionId":"a","Name":"x","PID":4}`, row(same)},
		{"repeated key", `{"sessionId":"b","sessionId":"a"}`, row(same)},
		{"lone surrogate", `{"sessionId":"a","name":"\ud83d"}`, row(func(r *session.Row) { r.Name = "\ufffd" })},
		{"CRLF", "{\r\n\"sessionId\":\"a\"\r\n}\r\n", row(same)},
		{"odd id", `{"sessionId":"../x\n"}`, row(func(r *session.Row) { r.SessionID = "../x\n" })},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t, porttest.InMemory(t))
			p.write(t, "1.json", tt.content)
			if diff := cmp.Diff(session.Listing{Rows: []session.Row{tt.want}}, p.read(t)); diff != "" {
				t.Errorf("listing (-want +got):\n%s", diff)
			}
			if len(p.paused) > 0 {
				t.Errorf("waited %v for a whole row", p.paused)
			}
		})
	}
}

func TestRegistry_MalformedRowsAreCounted(t *testing.T) {
	for name, content := range map[string]string{
		"empty":            "",
		"blank":            " \n",
		"cut off":          `{"sessionId":"a"`,
		"no object":        `["a"]`,
		"no id":            `{"pid":1}`,
		"empty id":         `{"sessionId":""}`,
		"number as id":     `{"sessionId":7}`,
		"object as id":     `{"sessionId":{"sessionId":"a"}}`,
		"id in other case": `{"SessionId":"a"}`,
		"two values":       `{"sessionId":"a"} {}`,
		"invalid UTF-8":    "{\"sessionId\":\"a\xff\"}",
		"too large":        `{"sessionId":"a","x":"` + strings.Repeat("x", 1<<20) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t, porttest.InMemory(t))
			p.write(t, "1.json", content)
			p.write(t, "2.json", `{"sessionId":"b"}`)
			listing := p.read(t)
			is.Equal(listing.Unread, []string{"1.json"})
			is.Equal(len(listing.Rows), 1) // the others are returned
			is.Equal(listing.Rows[0].SessionID, "b")
		})
	}
}

func TestRegistry_OddFilesAreUnreadAndNeverBlock(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		p.write(t, "5.json", `{"sessionId":"a"}`)
		h.Fifo(t, path.Join(p.dir, "1.json"))
		h.Mkdir(t, path.Join(p.dir, "2.json"))
		h.Symlink(t, path.Join(p.dir, "5.json"), path.Join(p.dir, "3.json"))
		h.Symlink(t, h.Device, path.Join(p.dir, "4.json"))
		listing := p.read(t)
		is.Equal(listing.Unread, []string{"1.json", "2.json", "3.json", "4.json"})
		is.Equal(len(listing.Rows), 1)
	})
}

func TestRegistry_OtherNamesAreNoRows(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	for _, file := range []string{"1.abc.key", "json", "notes.txt", "1.json.bak", "1.JSON"} {
		p.write(t, file, `{"sessionId":"a"}`)
	}
	p.Mkdir(t, path.Join(p.dir, "dir"))
	listing := p.read(t)
	is.Equal(len(listing.Rows), 0)
	is.Equal(len(listing.Unread), 0)
	is.Equal(len(p.paused), 0)
}

func TestRegistry_RewrittenRowIsReadOnceMore(t *testing.T) {
	for name, before := range map[string]string{"empty": "", "cut off": `{"sessionId":"a","na`} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t, porttest.InMemory(t))
			p.write(t, "1.json", before)
			p.write(t, "2.json", "{ broken for good")
			p.write(t, "3.json", `{"sessionId":"c"}`)
			reads := map[string]int{}
			p.FS = porttest.Tap(p.FS, func(c porttest.Call) error {
				if c.Op == "ReadFile" {
					reads[path.Base(c.Path)]++
				}
				return nil
			})
			p.during = func() { p.write(t, "1.json", `{"sessionId":"a"}`) }
			listing := p.read(t)
			is.Equal(listing.Unread, []string{"2.json"})
			is.Equal(len(listing.Rows), 2)
			is.Equal(listing.Rows[0].SessionID, "a")
			is.Equal(reads, map[string]int{"1.json": 2, "2.json": 2, "3.json": 1}) // twice at most
			is.Equal(len(p.paused), 1)                                             // one wait, however many rows
			is.True(p.paused[0] > 0 && p.paused[0] <= 20*time.Millisecond)         // a few milliseconds
		})
	}
}

func TestRegistry_RowThatLeavesMeanwhileIsNoFault(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	p.write(t, "1.json", "")
	p.during = func() { is.NoErr(p.FS.Remove(path.Join(p.dir, "1.json"))) }
	listing := p.read(t)
	is.Equal(len(listing.Rows), 0)
	is.Equal(len(listing.Unread), 0)
}

// load copies a directory of fixtures into the registry, with live pids.
func (p *place) load(t *testing.T, dir string, pids *strings.Replacer) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		p.write(t, e.Name(), pids.Replace(string(data)))
	}
}

func TestRegistry_EarlierRows(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		var want struct {
			Rows   [][]string `json:"rows"`
			Unread []string   `json:"could_not_be_read"`
		}
		data, err := os.ReadFile("testdata/rows.expected.json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		machine := proctest.New(100, "")
		for pid := 31001; pid <= 31008; pid++ {
			machine.Run(pid, proctest.Process{Parent: 1})
		}
		p := newPlace(t, h)
		p.load(t, "testdata/rows", strings.NewReplacer(` 100`, ` 3100`, `"100`, `"3100`))

		judged := session.Judge(p.read(t), machine, machine.Self(), machine.PidDomain())
		got := [][]string{}
		for _, row := range judged.Rows() {
			kind, state := "peer", "not live"
			if row.IsJob() {
				kind = "job"
			}
			if row.State == session.Live {
				state = "live"
			}
			got = append(got, []string{row.Label(), row.SessionID, kind, state})
		}
		if diff := cmp.Diff(want.Rows, got); diff != "" {
			t.Errorf("rows (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want.Unread, judged.Unread()); diff != "" {
			t.Errorf("could not be read (-want +got):\n%s", diff)
		}
	})
}

// clientDomain is the pid domain of the client's fixtures.
const clientDomain = "linux:00112233445566778899aabbccddeeff:pid:[4026531836]"

func TestRegistry_RowsOfTheClient(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	p.load(t, "testdata/client", strings.NewReplacer())
	listing := p.read(t)
	is.Equal(len(listing.Unread), 0) // the key file is no row
	is.Equal(len(listing.Rows), 10)
	want := session.Row{
		File:       "28410.json",
		SessionID:  "1f2801e6-b299-4bfb-abbe-ce8b456f2d36",
		PID:        28410,
		Name:       "builder1",
		Kind:       "interactive",
		Entrypoint: "cli",
		Cwd:        "/home/dev/planner",
		StartedAt:  time.UnixMilli(1796031472165).UTC(),
		ProcStart:  "276573",
		PidDomain:  clientDomain,
		Status:     "idle",
		StatusAt:   time.UnixMilli(1796032910694).UTC(),
	}
	if diff := cmp.Diff(want, listing.Rows[0]); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
}

func TestRegistry_RowsOfTheClientAreJudged(t *testing.T) {
	tests := []struct {
		name   string
		domain string
		want   map[string]session.State
	}{
		{"on its own machine", clientDomain, map[string]session.State{
			"28410.json": session.Live, "bg-busy.json": session.Live, "print-busy.json": session.Live,
			"interactive-idle.json": session.Dead, "stale-after-kill9.json": session.Dead,
		}},
		{"in another container", "linux:00112233445566778899aabbccddeeff:pid:[1]", map[string]session.State{
			"28410.json": session.Elsewhere, "bg-busy.json": session.Elsewhere, "print-busy.json": session.Elsewhere,
			"interactive-idle.json": session.Elsewhere, "stale-after-kill9.json": session.Elsewhere,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			machine := proctest.New(100, tt.domain)
			start := func(token string) proctest.Process {
				return proctest.Process{Parent: 1, Start: session.Start{Token: token}}
			}
			machine.Run(28410, start("276573"))
			machine.Run(22532, start("267983"))
			machine.Run(22121, start("265893"))
			machine.Run(10234, start("244956")) // its number was given to another process
			p := newPlace(t, porttest.InMemory(t))
			p.load(t, "testdata/client", strings.NewReplacer())
			judged := session.Judge(p.read(t), machine, machine.Self(), machine.PidDomain())
			got := map[string]session.State{}
			for _, row := range judged.Rows() {
				if _, ok := tt.want[row.File]; ok {
					got[row.File] = row.State
				}
			}
			is.Equal(got, tt.want)
		})
	}
}

func TestOpen_FollowsTheEnvironment(t *testing.T) {
	tests := []struct {
		configDir string
		want      string
	}{
		{"", "home"},
		{"  ", "home"},
		{"/elsewhere", "elsewhere"},
	}
	for _, tt := range tests {
		is := is.New(t)
		files := memfs.New()
		for name, dir := range map[string]string{"home": "/home/dev/.claude/sessions", "elsewhere": "/elsewhere/sessions"} {
			is.NoErr(files.MakeDirs(dir, 0o755))
			is.NoErr(files.Create(dir+"/1.json", fmt.Appendf(nil, `{"sessionId":%q}`, name), 0o600, port.Unsynced))
		}
		env := port.Environment{
			Lookup: func(key string) string {
				is.Equal(key, "CLAUDE_CONFIG_DIR")
				return tt.configDir
			},
			Home: "/home/dev",
		}
		listing, err := claudereg.Open(files, env).Sessions()
		is.NoErr(err)
		is.Equal(listing.Rows[0].SessionID, tt.want)
	}
}

func TestRegistry_EveryFileIsARowOrUnread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files := memfs.New()
		if err := files.MakeDirs("/sessions", 0o755); err != nil {
			t.Fatal(err)
		}
		contents := rapid.SliceOfN(rapid.OneOf(
			rapid.String(),
			rapid.StringMatching(`\{"sessionId":("[a-z]?"|[0-9]|null)(,"pid":[-"0-9.e]{1,12})?\}?`),
		), 0, 8).Draw(t, "contents")
		var want []string
		for i, content := range contents {
			name := fmt.Sprintf("%d.json", i)
			want = append(want, name)
			if err := files.Create("/sessions/"+name, []byte(content), fs.FileMode(0o600), port.Unsynced); err != nil {
				t.Fatal(err)
			}
		}
		listing, err := claudereg.New(files, "/sessions", func(time.Duration) {}).Sessions()
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Clone(listing.Unread)
		for _, row := range listing.Rows {
			got = append(got, row.File)
			if row.SessionID == "" || row.PID < 0 {
				t.Errorf("row %+v", row)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestOpen_WithoutAHomeNobodyCanLook(t *testing.T) {
	is := is.New(t)
	files := memfs.New()
	env := port.Environment{Lookup: func(string) string { return "" }}
	_, err := claudereg.Open(files, env).Sessions()
	is.True(errors.Is(err, port.ErrNoHome))
}
