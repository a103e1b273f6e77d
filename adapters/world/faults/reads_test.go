package faults_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/adapters/toll"
)

// unread are the reasons for which something is not read.
func unread() map[string]error {
	if *torture {
		return map[string]error{"a read fails: EIO": syscall.EIO, "a read fails: EACCES": syscall.EACCES}
	}
	return map[string]error{"a read fails: EIO": syscall.EIO}
}

// TestVerbs_ReadsThatFail has each call by which a verb reads fail. What holds of calls
// that write holds of it too: nothing that could not be read is taken for missing.
func TestVerbs_ReadsThatFail(t *testing.T) {
	for _, v := range verbs() {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			prepared := newGround(t)
			v.prepare(prepared)
			gold := goldenOf(t, v, prepared)
			for name, why := range unread() {
				for at := 1; ; at++ {
					g := prepared.twin()
					w := g.begin(sound, 0)
					files := porttest.NewBlind(osfs.NewOn(g.life), at, why)
					w.Files = files
					err := v.run(g, w)
					failed := files.Failed()
					if failed == "" {
						break
					}
					op, path, _ := strings.Cut(failed, " ")
					f := fault{verb: v, golden: gold, ground: g, how: once, at: at, broke: call{op, filepath.Base(path)}}
					f.counts = &toll.Counts{Tries: 1, Hit: 1}
					f.where = fmt.Sprintf("%s: %s at %s: %v", v.name, name, strings.ReplaceAll(failed, filepath.Dir(g.top), here), err)
					f.looks(err)
					count.Add(toll.Key{Tool: "baton", Verb: v.name, Fault: name}, *f.counts)
				}
			}
		})
	}
}
