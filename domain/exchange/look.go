package exchange

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// settling is how much older than a look a change must be for the look to have
// seen it for sure: two changes within the grain of a file system's clock look like
// one.
const settling = 2 * time.Second

// prompt is how long a look may take to be worth remembering. A change in the midst
// of a longer one, on a file system that counts whole seconds, could look older than
// settling by the time the look is written down.
const prompt = time.Second

// Sight is when the parts of a store that matter to a running session were last
// changed. A part that is missing is the zero time.
type Sight struct{ Handoffs, Sessions time.Time }

// look is what a session's last look for news went by.
type look struct {
	Sight
	// cwd is where the session worked, as the client said: its repo gets mail.
	cwd string
	// claimed is where its claim says that it works, branch on which branch.
	claimed, branch string
	// said is the digest of the problems that were told of.
	said string
	// more: something new was left for the next look.
	more bool
	// began is when it began.
	began time.Time
}

// remember keeps what the look went by, for a next one that need not look. One that
// cannot be remembered is only repeated.
func (l look) remember(store Lookout, sessionID string, now time.Time) {
	l.more = l.more || now.Sub(l.began) > prompt
	_ = store.PutLook(sessionID, l.encode())
}

// sighted is a look that begins now.
func sighted(store Lookout, cwd string, now time.Time) look {
	sight, err := store.Sight()
	return look{Sight: sight, cwd: cwd, more: err != nil, began: now}
}

// facts are the lines that must be the same for nothing to be new.
func (l look) facts() []byte {
	return fmt.Appendf(nil, "handoffs %d\nsessions %d\ncwd %q\n", instant(l.Handoffs), instant(l.Sessions), l.cwd)
}

func instant(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// The keys of what a look leaves beside its facts.
const (
	saidKey    = "said "
	claimedKey = "claimed "
	branchKey  = "branch "
)

// encode returns what is remembered of the look.
func (l look) encode() []byte {
	data := l.facts()
	if l.more {
		data = []byte("more\n")
	}
	return fmt.Appendf(data, "%s%q\n%s%q\n%s%q\n", saidKey, l.said, claimedKey, l.claimed, branchKey, l.branch)
}

// covers reports that a look at the store as it is now could find nothing that the
// remembered one, written at a time, has not seen.
func (l look) covers(remembered []byte, written time.Time) bool {
	return bytes.HasPrefix(remembered, l.facts()) &&
		written.Sub(l.Handoffs) >= settling && written.Sub(l.Sessions) >= settling
}

// kept returns what a look left under a key; empty where it left nothing.
func kept(remembered []byte, key string) string {
	for line := range strings.Lines(string(remembered)) {
		if quoted, ok := strings.CutPrefix(line, key); ok {
			value, _ := strconv.Unquote(strings.TrimSuffix(quoted, "\n")) // what is no longer whole says nothing
			return value
		}
	}
	return ""
}

// digest names a set of problems; none has no name.
func digest(problems []string) string {
	if len(problems) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(problems, "\n")))
	return hex.EncodeToString(sum[:4])
}

// cwdIn returns the directory of what is remembered; empty where it does not say.
func cwdIn(remembered []byte) string {
	for line := range strings.Lines(string(remembered)) {
		if quoted, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "cwd "); ok {
			if cwd, err := strconv.Unquote(quoted); err == nil {
				return cwd
			}
		}
	}
	return ""
}
