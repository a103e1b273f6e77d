package baton

import (
	"path"
	"strconv"
	"strings"
)

// clear takes the unfinished files of processes that died out of a directory: those
// of one file, or of any where none is named. Whoever adds a receipt writes without
// the session's lock, and lives. What cannot be taken away hinders nothing: the
// next command tries again.
func (s *shift) clear(dir, file string) {
	entries, err := s.Files.ReadDir(dir)
	if err != nil {
		return // what is needed of the directory is read where it is needed
	}
	for _, e := range entries {
		writer, of, ok := unfinished(e.Name)
		if !ok || file != "" && of != file || !e.Mode.IsRegular() {
			continue
		}
		if writer == s.Self || !s.Processes.Alive(writer) {
			_ = s.Files.Remove(path.Join(dir, e.Name)) // as said above
		}
	}
}

// unfinished reads the name of an unfinished file: the process that writes it, and
// the name that it is to get.
func unfinished(name string) (writer int, file string, ok bool) {
	rest, ok := strings.CutPrefix(name, tempLead)
	parts := strings.SplitN(rest, "-", 3) // the process, a number, the file
	if !ok || len(parts) < 3 {
		return 0, "", false
	}
	writer, err := strconv.Atoi(parts[0])
	return writer, parts[2], err == nil && writer > 0
}
