package claude

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Row is what the client's registry says of a session.
type Row struct {
	PID        int    `json:"pid"`
	SessionID  string `json:"sessionId"`
	Name       string `json:"name"`
	Entrypoint string `json:"entrypoint"`
	Status     string `json:"status"`
	// StatusUpdatedAt is in milliseconds since the epoch.
	StatusUpdatedAt int64 `json:"statusUpdatedAt"`
}

// idleSince reports whether a turn that was running at that time is over.
func (r Row) idleSince(at time.Time) bool {
	return r.Status == "idle" && r.StatusUpdatedAt >= at.UnixMilli()
}

// ErrNoRow is the answer for a process that the registry does not list, and
// for one whose row is being rewritten at this moment.
var ErrNoRow = errors.New("no row of that process")

// Row reads the row of a process or returns ErrNoRow.
func (h Home) Row(pid int) (Row, error) {
	raw, err := os.ReadFile(filepath.Join(h.ConfigDir(), "sessions", strconv.Itoa(pid)+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return Row{}, ErrNoRow
	}
	if err != nil {
		return Row{}, fmt.Errorf("read the registry: %w", err)
	}
	var row Row
	if err := json.Unmarshal(raw, &row); err != nil {
		return Row{}, ErrNoRow
	}
	return row, nil
}
