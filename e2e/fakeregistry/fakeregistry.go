// Package fakeregistry writes rows of a session registry as the client writes
// them, for processes that a test controls.
package fakeregistry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Field is one member of a row. Rows keep the order of their members.
type Field struct {
	Name  string
	Value any
}

// Row is one registry entry in the client's order of members.
type Row []Field

// New returns the row that an interactive session of that process has.
// startedAt is in milliseconds since the epoch.
func New(pid int, id, cwd string, startedAt int64) Row {
	row := Row{
		{"pid", pid},
		{"sessionId", id},
		{"cwd", cwd},
		{"startedAt", startedAt},
	}
	if start, err := ProcStart(pid); err == nil {
		row = append(row, Field{"procStart", start})
	}
	row = append(row, Row{
		{"version", "2.1.332"},
		{"peerProtocol", 1},
		{"peerFeatures", []string{"notify_idle", "reply_across_default_dirs", "artifact_yield"}},
		{"kind", "interactive"},
		{"entrypoint", "cli"},
	}...)
	if domain := PidDomain(); domain != "" {
		row = append(row, Field{"pidDomain", domain})
	}
	return append(row, Row{
		{"asksForConvertedSkills", nil},
		{"messagingSocketPath", fmt.Sprintf("/tmp/cc-socks/%d.sock", pid)},
		{"status", "idle"},
		{"updatedAt", startedAt},
		{"statusUpdatedAt", startedAt},
	}...)
}

// With returns the row with one member set, in its old place or at the end.
func (r Row) With(name string, value any) Row {
	out := make(Row, 0, len(r)+1)
	found := false
	for _, f := range r {
		if f.Name == name {
			f.Value, found = value, true
		}
		out = append(out, f)
	}
	if !found {
		out = append(out, Field{name, value})
	}
	return out
}

// Without returns the row with one member left out.
func (r Row) Without(name string) Row {
	out := make(Row, 0, len(r))
	for _, f := range r {
		if f.Name != name {
			out = append(out, f)
		}
	}
	return out
}

// MarshalJSON writes the members in their order.
func (r Row) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range r {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(f.Value)
		if err != nil {
			return nil, fmt.Errorf("row member %s: %w", f.Name, err)
		}
		fmt.Fprintf(&b, "%q:%s", f.Name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Write puts the row into the registry directory under the given file name.
func (r Row) Write(dir, file string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make registry: %w", err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, file), data, 0o644)
}

// ProcStart returns the start of a process in clock ticks, as the client
// writes it. An error means that this system has no such table or process.
func ProcStart(pid int) (string, error) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", err
	}
	rest := string(data[bytes.LastIndexByte(data, ')')+1:])
	fields := strings.Fields(rest)
	const start = 22 - 3 // the text after the name begins with field 3
	if len(fields) <= start {
		return "", fmt.Errorf("process %d: short stat line", pid)
	}
	return fields[start], nil
}

// PidDomain names the space of process numbers of this process; empty where
// the system does not tell.
func PidDomain() string {
	machine, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		return ""
	}
	ns, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return "linux:" + strings.TrimSpace(string(machine)) + ":" + ns
}
