package codexhooks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
)

// state is what Codex's configuration keeps of one hook.
type state struct {
	hash string
	off  bool
}

// of judges a hook by what is kept of it.
func (s state) of(h handler) exchange.CodexTrust {
	switch {
	case s.off:
		return exchange.SwitchedOff
	case s.hash == "":
		return exchange.Untrusted
	}
	hashes := h.hashes()
	switch {
	case len(hashes) == 0:
		return exchange.TrustedOnce
	case slices.Contains(hashes, s.hash):
		return exchange.Trusted
	}
	return exchange.Altered
}

// defaultTimeout is what Codex counts on where a hook names no other, in seconds.
func defaultTimeout(event string) string {
	if event == session.SessionEnd {
		return "1"
	}
	return "600"
}

// hashes returns what Codex may keep as the hash of a hook: it is over the hook's
// JSON with sorted keys and the defaults filled in. None where the hook has members
// that nobody here knows.
func (h handler) hashes() []string {
	timeout, status := defaultTimeout(h.event), ""
	for _, m := range h.members {
		text, isText := m.Value.(string)
		number, isNumber := m.Value.(jsondoc.Number)
		switch {
		case m.Key == "type" && text == "command", m.Key == "command" && isText:
		case m.Key == "async" && m.Value == false:
		case m.Key == "timeout" && isNumber:
			timeout = string(number)
		case m.Key == "statusMessage" && isText:
			status = `"statusMessage":` + quoted(text) + ","
		default:
			return nil
		}
	}
	if len(h.other) > 0 {
		return nil
	}
	begin := fmt.Sprintf(`{"event_name":%s,"hooks":[{"async":false,"command":%s,%s"timeout":%s,"type":"command"}]`,
		quoted(session.EventWords(h.event, '_')), quoted(h.command), status, timeout)
	hashes := []string{hashed(begin + "}")}
	if h.matcher != "" { // for some events it does not count
		hashes = append(hashes, hashed(begin+`,"matcher":`+quoted(h.matcher)+"}"))
	}
	return hashes
}

func quoted(s string) string { return string(jsondoc.Line(s)) }

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// trusted reads what the configuration keeps of the hooks in a file, by their places.
// It knows just those tables, in the form in which Codex writes them.
func (r Reader) trusted(file string) (map[string]state, error) {
	data, err := r.files.ReadLinked(filepath.Join(r.dir, "config.toml"), fileLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	spellings := []string{file}
	if real, err := r.files.RealPath(file); err == nil {
		spellings = append(spellings, real)
	}
	states := map[string]state{}
	place := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			place = placeOf(line, spellings)
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || place == "" {
			continue
		}
		s := states[place]
		switch strings.TrimSpace(key) {
		case "trusted_hash":
			s.hash = unquoted(strings.TrimSpace(value))
		case "enabled":
			s.off = strings.HasPrefix(strings.TrimSpace(value), "false")
		}
		states[place] = s
	}
	return states, nil
}

// placeOf returns the place of the hook that a table is about; empty where it is
// about something else.
func placeOf(header string, files []string) string {
	key, ok := strings.CutPrefix(header, "[hooks.state.")
	if !ok {
		return ""
	}
	key = unquoted(strings.TrimSuffix(strings.TrimSpace(key), "]"))
	for _, file := range files {
		if place, ok := strings.CutPrefix(key, file+":"); ok {
			return place
		}
	}
	return ""
}

// unquoted reads a string of TOML, as far as one can be a path or a hash; what it
// cannot read is empty.
func unquoted(s string) string {
	if len(s) < 2 {
		return ""
	}
	end := strings.LastIndexByte(s, s[0])
	switch {
	case end < 1:
		return ""
	case s[0] == '\'':
		return s[1:end]
	case s[0] != '"':
		return ""
	}
	value, err := jsondoc.Decode([]byte(s[:end+1]))
	text, ok := value.(string)
	if err != nil || !ok {
		return ""
	}
	return text
}
