package baton

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// memory holds what was worked out of files, for as long as those seem unchanged: a
// dashboard looks every two seconds, and a log may be long.
type memory struct {
	chars recalled[string, int]
	plans recalled[planSeen, PlanState]
}

// planSeen is what the gate's answer depends on.
type planSeen struct {
	files string
	limit int
}

func newMemory() *memory {
	return &memory{chars: recalled[string, int]{}, plans: recalled[planSeen, PlanState]{}}
}

// recalled are answers by what they depend on.
type recalled[K comparable, V any] map[K]V

// mostRecalled bounds how many answers are kept.
const mostRecalled = 64

// recall returns the answer that is known, or works it out. A fault is not kept.
func (r recalled[K, V]) recall(key K, work func() (V, error)) (V, error) {
	if known, ok := r[key]; ok {
		return known, nil
	}
	answer, err := work()
	if err != nil {
		return answer, err
	}
	if len(r) >= mostRecalled {
		clear(r)
	}
	r[key] = answer
	return answer, nil
}

// seen is how artifacts look from outside: where they lie, how long they are and
// when they were changed.
func (l *looking) seen(names ...string) (string, error) {
	var look strings.Builder
	for _, name := range names {
		info, err := l.world.Files.Lstat(l.Path(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		fmt.Fprintf(&look, "%s %d %s\n", l.Path(name), info.Size, info.ModTime)
	}
	return look.String(), nil
}
