package codexreg

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
)

const (
	// metaLimit bounds the first line of a rollout, which holds the agent's
	// instructions too, in bytes.
	metaLimit = 1 << 20
	// metaSize is how much of a rollout is read at once.
	metaSize = 64 << 10
	// dayLimit is how many of the newest days a thread is looked for in whose id
	// does not say when it began.
	dayLimit = 8
)

// meta is what a thread's rollout says of it.
type meta struct {
	cwd string
	// subagent: the thread is one that another one started for itself.
	subagent bool
}

var errNoMeta = errors.New("does not begin with what it is about")

// meta reads the first line of a thread's rollout. There is none before the first
// prompt.
func (r Registry) meta(s *search, thread string) (meta, error) {
	path, err := s.of(thread)
	if err != nil || path == "" {
		return meta{}, err
	}
	line, err := r.firstLine(path)
	if err != nil || line == nil {
		return meta{}, err
	}
	value, err := jsondoc.Decode(line)
	if err != nil {
		return meta{}, err
	}
	object, _ := value.(map[string]any)
	payload, ok := object["payload"].(map[string]any)
	if !ok || jsondoc.Text(object, "type") != "session_meta" {
		return meta{}, errNoMeta
	}
	source, _ := payload["source"].(map[string]any)
	return meta{
		cwd:      jsondoc.Text(payload, "cwd"),
		subagent: source["subagent"] != nil || jsondoc.Text(payload, "thread_source") == "subagent",
	}, nil
}

// firstLine returns the first line of a file; nil while it is being written.
func (r Registry) firstLine(path string) ([]byte, error) {
	source, err := r.files.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = source.Close() }() // nothing was written
	var line []byte
	for len(line) < metaLimit {
		part := make([]byte, metaSize)
		n, err := source.ReadAt(part, int64(len(line)))
		if end := bytes.IndexByte(part[:n], '\n'); end >= 0 {
			return append(line, part[:end]...), nil
		}
		line = append(line, part[:n]...)
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, errNoMeta
}

// search looks for the rollouts of threads.
type search struct {
	files  port.DirReader
	dir    string
	looked map[string]bool
	// missing are the threads that were not found yet.
	missing map[string]bool
	found   map[string]string
	// failed is why there may be more than could be seen.
	failed error
}

// find finds the rollouts of threads.
func (r Registry) find(held []lock) *search {
	s := &search{
		files: r.files, dir: filepath.Join(r.dir, "sessions"),
		looked: map[string]bool{}, missing: map[string]bool{}, found: map[string]string{},
	}
	for _, l := range held {
		s.missing[l.thread()] = true
	}
	for _, l := range held {
		for _, day := range daysOf(l.thread()) {
			if s.missing[l.thread()] {
				s.look(day)
			}
		}
	}
	if len(s.missing) > 0 {
		for _, day := range s.newest() {
			s.look(day)
		}
	}
	return s
}

// of returns the rollout of a thread, empty where it has none. An error means that
// nobody could look.
func (s *search) of(thread string) (string, error) {
	if path, ok := s.found[thread]; ok || s.failed == nil {
		return path, nil
	}
	return "", s.failed
}

func (s *search) look(day string) {
	if s.looked[day] || len(s.missing) == 0 {
		return
	}
	s.looked[day] = true
	for _, name := range s.names(day) {
		for id := range s.missing {
			if strings.HasPrefix(name, "rollout-") && strings.HasSuffix(name, "-"+id+".jsonl") {
				s.found[id] = filepath.Join(s.dir, day, name)
				delete(s.missing, id)
			}
		}
	}
}

// newest returns the newest days that have rollouts.
func (s *search) newest() []string {
	var days []string
	for _, year := range slices.Backward(s.numbers("")) {
		for _, month := range slices.Backward(s.numbers(year)) {
			for _, day := range slices.Backward(s.numbers(filepath.Join(year, month))) {
				if days = append(days, filepath.Join(year, month, day)); len(days) == dayLimit {
					return days
				}
			}
		}
	}
	return days
}

// numbers lists the years, months or days of a directory.
func (s *search) numbers(below string) []string {
	return slices.DeleteFunc(s.names(below), func(name string) bool { return strings.Trim(name, "0123456789") != "" })
}

// names lists a directory below that of the rollouts.
func (s *search) names(below string) []string {
	entries, err := s.files.ReadDir(filepath.Join(s.dir, below))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.failed = err
		}
		return nil
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names
}

// daysOf returns the days on which a thread can have begun, where its id tells: it
// does to the millisecond, and the days are those of some place on earth.
func daysOf(id string) []string {
	digits := strings.ReplaceAll(id, "-", "")
	raw, err := hex.DecodeString(digits)
	if err != nil || len(raw) != 16 || raw[6]>>4 != 7 {
		return nil
	}
	var ms int64
	for _, b := range raw[:6] {
		ms = ms<<8 | int64(b)
	}
	var days []string
	for _, shift := range []int{0, -1, 1} {
		days = append(days, time.UnixMilli(ms).UTC().AddDate(0, 0, shift).Format("2006/01/02"))
	}
	return days
}
