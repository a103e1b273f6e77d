package baton_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton"
)

func dead(baton.Process) bool { return false }

func TestHolder_ReadsWhatItWrote(t *testing.T) {
	is := is.New(t)
	h := baton.Holder{
		Process: baton.Process{PID: 7, Start: "123"}, Command: "run", StartedAt: metaNow,
		Agent: &baton.HeldAgent{ID: "codex", Process: baton.Process{PID: 8}},
	}
	want := `{
  "pid": 7,
  "processStart": "123",
  "command": "run",
  "startedAt": "2026-05-28T09:00:00.000Z",
  "agent": {
    "id": "codex",
    "pid": 8,
    "processStart": null
  }
}
`
	is.Equal(cmp.Diff(string(h.Bytes()), want), "")
	back, err := baton.ReadHolder(h.Bytes())
	is.NoErr(err)
	is.Equal(cmp.Diff(*back, h), "")
	h.Agent = nil
	is.True(strings.Contains(string(h.Bytes()), `"agent": null`))
	back, err = baton.ReadHolder(h.Bytes())
	is.NoErr(err)
	is.Equal(back.Agent, nil)
	back, err = baton.ReadHolder(append(h.Bytes(), "      "...)) // a note that takes the place of a longer one
	is.NoErr(err)
	is.Equal(cmp.Diff(*back, h), "")
}

func TestReadHolder_NobodyAndNonsense(t *testing.T) {
	is := is.New(t)
	for _, empty := range []string{"", " \n"} {
		h, err := baton.ReadHolder([]byte(empty))
		is.NoErr(err)
		is.Equal(h, nil)
	}
	for _, bad := range []string{"{", "[]", "{}", `{"pid":0}`, `{"pid":"7"}`, `{"pid":7,"agent":{}}`, `{"pid":7,"startedAt":"then"}`} {
		h, err := baton.ReadHolder([]byte(bad))
		is.True(err != nil) // says so
		is.Equal(h, nil)
	}
}

func TestBusyError_NamesTheHolder(t *testing.T) {
	is := is.New(t)
	err := &baton.BusyError{Holder: &baton.Holder{Process: baton.Process{PID: 7}, Command: "run", StartedAt: metaNow}}
	is.Equal(err.Error(), "the session is in use by 'baton run', process 7, since 2026-05-28T09:00:00.000Z")
	is.Equal((&baton.BusyError{}).Error(), "the session is in use by another baton process")
}

func TestStale(t *testing.T) {
	is := is.New(t)
	holder := &baton.Holder{Process: baton.Process{PID: 7, Start: "123"}}
	lives := func(p baton.Process) bool { return p == holder.Process }
	for _, status := range statuses[1:] {
		m := metaAt(t, status, "")
		is.True(!m.Stale(holder, lives))                 // the holder works
		is.Equal(m.Stale(holder, dead), status.Active()) // it died
		is.Equal(m.Stale(nil, lives), status.Active())   // there is none
	}
}

func TestRecover_FailsWhatAProcessLeft(t *testing.T) {
	for _, status := range statuses[1:] {
		t.Run(string(status), func(t *testing.T) {
			is := is.New(t)
			m := metaAt(t, status, `,"activeAgent":"codex","startedAt":"2026-05-28T09:00:00Z","waitingFor":"codex","waitingUntil":"2026-05-28T10:00:00Z"`)
			after, r, err := m.Recover(nil, dead, metaLater)
			is.NoErr(err)
			file := string(after.Bytes(metaLater))
			is.True(!strings.Contains(file, "waitingFor") && !strings.Contains(file, "waitingUntil")) // left over
			if !status.Active() {
				is.Equal(r, nil)
				is.Equal(after.Status(), status)
				return
			}
			is.Equal(after.Status(), baton.Failed)
			is.True(strings.HasPrefix(after.LastError, "interrupted: "))
			is.Equal(after.EndedAt, metaLater)
			is.Equal([2]string{after.LastAgent, after.ActiveAgent}, [2]string{"codex", "none"})
			is.Equal(r.Was, status)
			is.Equal(r.Restore, status == baton.Compressing)
			is.True(strings.Contains(r.Warning, "interrupted"))
			is.Equal(r.Agent, nil)
		})
	}
}

func TestRecover_OfACompressionSaysWhatItInterrupted(t *testing.T) {
	is := is.New(t)
	m, r, err := metaAt(t, baton.Compressing, `,"statusBeforeCompress":"executing"`).Recover(nil, dead, metaLater)
	is.NoErr(err)
	is.True(r.Restore)
	is.True(strings.Contains(m.LastError, "executing"))
	is.True(!strings.Contains(string(m.Bytes(metaLater)), "statusBeforeCompress"))
}

func TestRecover_AnAgentThatLivesIsEndedFirst(t *testing.T) {
	is := is.New(t)
	agent := &baton.HeldAgent{ID: "codex", Process: baton.Process{PID: 8, Start: "9"}}
	holder := &baton.Holder{Process: baton.Process{PID: 7}, Agent: agent}
	_, r, err := metaAt(t, baton.Running, "").Recover(holder, func(p baton.Process) bool { return p == agent.Process }, metaLater)
	is.NoErr(err)
	is.Equal(r.Agent, agent)
	is.True(strings.Contains(r.Warning, "codex, process 8, still ran"))
	_, r, err = metaAt(t, baton.Running, "").Recover(holder, dead, metaLater)
	is.NoErr(err)
	is.Equal(r.Agent, nil)
	is.True(!strings.Contains(r.Warning, "codex"))
}
