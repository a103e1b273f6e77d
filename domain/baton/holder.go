package baton

import (
	"bytes"
	"fmt"
	"time"

	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
)

// Process is a process for as long as it lives: its number, and how the system
// spells its start. An empty start is not known.
type Process struct {
	PID   int
	Start string
}

// Holder is who holds the lock of a session, as the lock file tells.
type Holder struct {
	Process
	// Command is the command that runs, such as "run".
	Command   string
	StartedAt time.Time
	// Agent is the agent that the holder runs; nil for none.
	Agent *HeldAgent
}

// HeldAgent is an agent that runs under a lock.
type HeldAgent struct {
	ID string
	Process
}

// Bytes is the holder as the lock file holds it.
func (h Holder) Bytes() []byte {
	var agent any
	if a := h.Agent; a != nil {
		agent = jsondoc.Object{
			{Key: "id", Value: a.ID}, {Key: "pid", Value: a.PID}, {Key: "processStart", Value: orNull(a.Start)},
		}
	}
	return jsondoc.Stored(jsondoc.Object{
		{Key: "pid", Value: h.PID},
		{Key: "processStart", Value: orNull(h.Start)},
		{Key: "command", Value: h.Command},
		{Key: "startedAt", Value: stamp.Text(h.StartedAt)},
		{Key: "agent", Value: agent},
	})
}

// ReadHolder reads a lock file. A file without text tells of nobody: its holder
// had not written yet. So does an error, which says what is wrong with the file.
func ReadHolder(raw []byte) (*Holder, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	f, err := jsondoc.DecodeFields(raw)
	if err != nil {
		return nil, fmt.Errorf("read the lock's holder: %w", err)
	}
	h := Holder{Process: readProcess(f), Command: f.Text("command"), StartedAt: stamp.Field(f, "startedAt")}
	if f.Has("agent") {
		a := f.Child("agent")
		h.Agent = &HeldAgent{ID: a.Text("id"), Process: readProcess(a)}
	}
	if err := f.Err(); err != nil {
		return nil, fmt.Errorf("read the lock's holder: %w", err)
	}
	return &h, nil
}

func readProcess(f jsondoc.Fields) Process {
	p := Process{PID: f.Int("pid"), Start: f.Text("processStart")}
	if p.PID < 1 {
		f.Fail("pid", "the number of a process")
	}
	return p
}

// BusyError reports a session that another baton process works on.
type BusyError struct {
	// Holder is nil where the lock file does not tell.
	Holder *Holder
}

// Error names the holder.
func (e *BusyError) Error() string {
	if e.Holder == nil {
		return "the session is in use by another baton process"
	}
	return fmt.Sprintf("the session is in use by 'baton %s', process %d, since %s", e.Holder.Command, e.Holder.PID, stamp.Text(e.Holder.StartedAt))
}

// Stale says whether a session claims work that nobody does: its status is
// active, and its lock's holder does not live. It is how readers judge, which
// never try the lock.
func (m SessionMeta) Stale(holder *Holder, lives func(Process) bool) bool {
	return m.status.Active() && (holder == nil || !lives(holder.Process))
}
