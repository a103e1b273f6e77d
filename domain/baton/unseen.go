package baton

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/changeover/changeover/domain/baton/config"
	"github.com/changeover/changeover/domain/baton/wall"
)

// warn adds a warning, where there is one.
func (r *Report) warn(line string) {
	if line != "" {
		r.Warnings = append(r.Warnings, line)
	}
}

// dubious is one line on what of the configuration is allowed and hardly meant;
// empty for nothing.
func (r Repo) dubious() string {
	n := len(r.Config.Warnings)
	if n == 0 {
		return ""
	}
	line := fmt.Sprintf("warning: %s: %s", config.File, r.Config.Warnings[0])
	if n > 1 {
		line += fmt.Sprintf("; 'baton doctor --deep' lists %s more", Counted(n-1, "warning"))
	}
	return line
}

// lostRuns is one line on what of the record of runs nobody can read any more;
// empty for nothing.
func lostRuns(runs wall.Runs) string {
	lost := runs.Lost()
	if len(lost) == 0 {
		return ""
	}
	at := fmt.Sprintf("line %d holds no record", lost[0])
	if len(lost) > 1 {
		at = fmt.Sprintf("%d lines hold no record, the first of them line %d", len(lost), lost[0])
	}
	return fmt.Sprintf("warning: %s: %s and cannot be read; what is told of the runs leaves it out", Artifact(RunsFile), at)
}

// unlocked is one line on a session whose lock file is gone although work goes on or
// went on in it; empty for nothing.
func (d Desk) unlocked(m SessionMeta, runs wall.Runs) (string, error) {
	there, err := d.Has(LockFile)
	if there || err != nil || !m.Status().Active() && len(runs.Records) == 0 {
		return "", err
	}
	return fmt.Sprintf("warning: %s is missing, and baton never removes it: something else did, perhaps an agent. "+
		"Whether a baton works here cannot be told until the next command makes it anew", Artifact(LockFile)), nil
}

// errUnlocked reports that the lock was taken from under a command.
var errUnlocked = errors.New(Artifact(LockFile) + " was removed while baton worked, perhaps by the agent: another baton could have worked on the session meanwhile. " +
	"Look at 'baton status' and 'baton explain' before you go on")

// taken words that the lock's note could not be written since its file is gone.
func taken(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errUnlocked
	}
	return err
}
