package compression_test

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/baton"
)

// hooked is the real system, which does something else before files get their names.
type hooked struct {
	osfs.System
	named func(name string) error
	fail  bool
}

func (h *hooked) Link(from, to string) error {
	if h.fail && strings.Contains(to, ".full.") {
		return syscall.EPERM
	}
	return h.System.Link(from, to)
}

func (h *hooked) Rename(from, to string) error {
	if h.named != nil {
		if err := h.named(to[strings.LastIndex(to, "/")+1:]); err != nil {
			return err
		}
	}
	return h.System.Rename(from, to)
}

// hook has something done once, before a file of that name is written; one that ends
// with a point is the beginning of names.
func (g *ground) hook(lead string, do func()) {
	done := false
	g.sys = &hooked{System: quick{osfs.Kernel()}, named: func(name string) error {
		if !done && (name == lead || strings.HasSuffix(lead, ".") && strings.HasPrefix(name, lead)) {
			done = true
			do()
		}
		return nil
	}}
}

// The raw copy of the log is the old file itself: no bytes are copied.
func TestCycle_LinksTheRawLog(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	was, err := os.Stat(g.path(baton.LogFile))
	is.NoErr(err)
	old, err := os.Stat(g.path(baton.StateFile))
	is.NoErr(err)
	c := g.held(baton.CompressRequest{})
	raw, err := os.Stat(g.path("commands.log.full." + c.ID))
	is.NoErr(err)
	is.True(os.SameFile(was, raw))
	state, err := os.Stat(g.path("state.md.full." + c.ID))
	is.NoErr(err)
	is.Equal(state.Mode().Perm(), os.FileMode(0o600))
	is.True(!os.SameFile(old, state)) // for an agent may still write to the old one
}

// Where the file system has no links, the log is copied.
func TestCycle_CopiesWithoutLinks(t *testing.T) {
	for _, refuse := range []string{"", "told to"} {
		is := is.New(t)
		g := newGround(t, "")
		g.heavy()
		before := g.snapshot()
		g.sys = &hooked{System: quick{osfs.Kernel()}, fail: true}
		c, err := g.compress(baton.CompressRequest{Refuse: refuse})
		if refuse == "" {
			is.NoErr(err)
			is.Equal(g.content("commands.log.full."+c.ID), before[baton.LogFile])
			continue
		}
		is.Equal(g.content(baton.LogFile), before[baton.LogFile])
		is.Equal(g.names(".full."), nil)
	}
}

// The status says what goes on, and where it leads back to.
func TestCycle_Status(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	var during baton.SessionMeta
	g.hook("loss.", func() { during = g.meta() })
	g.held(baton.CompressRequest{})
	is.Equal(during.Status(), baton.Compressing)
	is.Equal(during.BeforeCompression(), baton.Initialized)
	is.Equal(g.meta().Status(), baton.Initialized)
	is.True(!strings.Contains(g.content(baton.MetaFile), "statusBeforeCompress"))
}

// The loss report is there before anything is replaced.
func TestCycle_TellsBeforeItReplaces(t *testing.T) {
	is := is.New(t)
	for _, name := range shrinkable {
		g := newGround(t, "")
		g.heavy()
		reports := 0
		g.sys = &hooked{System: quick{osfs.Kernel()}, named: func(to string) error {
			if to == name {
				reports = len(g.names("loss."))
			}
			return nil
		}}
		g.held(baton.CompressRequest{})
		is.Equal(reports, 1)
	}
}

// A file that changed since it was read is left alone, and the report does not speak
// of it.
func TestCycle_SparesWhatChangedMeanwhile(t *testing.T) {
	for _, name := range shrinkable {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			g := newGround(t, "")
			g.heavy()
			was := g.content(name)
			g.hook("loss.", func() { g.at(name, was+"one more line\n") })
			c := g.held(baton.CompressRequest{})
			is.True(strings.HasPrefix(g.content(name), was+"one more line\n"))
			is.Equal(len(g.names(".full.")), 3)
			is.True(!strings.Contains(g.content("loss."+c.ID+".json"), `"`+name+`"`))
			is.Equal(c.Cut(name), "left alone: it changed meanwhile")
		})
	}
}

// The same where neither its size nor its time tells.
func TestCycle_SparesWhatChangedInPlace(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	was := g.content(baton.StateFile)
	now := strings.Replace(was, "Goal", "GOAL", 1)
	g.hook("loss.", func() { g.at(baton.StateFile, now) })
	g.held(baton.CompressRequest{})
	is.Equal(g.content(baton.StateFile), now)
}

// A file that is gone meanwhile stays gone.
func TestCycle_SparesWhatIsGoneMeanwhile(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	g.hook("loss.", func() { is.NoErr(os.Remove(g.path(baton.StateFile))) })
	g.held(baton.CompressRequest{})
	is.Equal(g.names(baton.StateFile), []string{baton.CompactStateFile})
}

// A rollback takes nothing back that somebody else has written since.
func TestCycle_RollbackSparesWhatChanged(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	log := g.content(baton.LogFile)
	g.hook(baton.DecisionsFile, func() { g.at(baton.StateFile, "an agent's own\n") })
	_, err := g.compress(baton.CompressRequest{Refuse: "told to"})
	is.Equal(baton.ExitCode(err), baton.ExitGate)
	is.Equal(g.content(baton.StateFile), "an agent's own\n")
	is.Equal(g.content(baton.LogFile), log)
	is.Equal(g.names(".full."), nil)
	is.Equal(g.names("loss."), nil)
}

// Row 67: a plan or a handoff that changes meanwhile makes the gate refuse, but for
// receipts.
func TestCycle_GuardsThePlan(t *testing.T) {
	for name, more := range map[string]string{baton.PlanFile: "- another step\n", baton.HandoffFile: "more\n"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			g := newGround(t, "")
			g.heavy()
			before := g.snapshot()
			g.hook("loss.", func() { g.at(name, before[name]+more) })
			_, err := g.compress(baton.CompressRequest{})
			is.Equal(baton.ExitCode(err), baton.ExitGate)
			is.True(strings.Contains(err.Error(), name+" changed meanwhile"))
			before[name] += more
			after := g.snapshot()
			delete(before, baton.MetaFile)
			delete(after, baton.MetaFile)
			is.Equal(cmp.Diff(before, after), "")
		})
	}
	t.Run("receipts", func(*testing.T) {
		g := newGround(t, "")
		g.heavy()
		plan := g.content(baton.PlanFile)
		g.hook("loss.", func() {
			g.at(baton.PlanFile, plan+"\n## Execution receipts\n- 2026-05-28T09:20:00.000Z [done] 1\n")
		})
		g.held(baton.CompressRequest{})
	})
}

// A raw copy that is not what it is a copy of makes the gate refuse.
func TestCycle_GuardsTheRawCopies(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	state := g.content(baton.StateFile)
	g.hook(baton.ErrorsFile, func() { g.at(g.names("decisions.md.full.")[0], "") })
	_, err := g.compress(baton.CompressRequest{})
	is.Equal(baton.ExitCode(err), baton.ExitGate)
	is.Equal(g.content(baton.StateFile), state)
}

// Without rotation nothing but the report is left of a cycle.
func TestCycle_WithoutRotation(t *testing.T) {
	is := is.New(t)
	g := newGround(t, `{"contextCompression":{"rotateRawArtifacts":false}}`)
	g.heavy()
	c := g.held(baton.CompressRequest{})
	is.Equal(g.names("2026"), []string{"loss." + c.ID + ".json"})
	is.Equal(c.Rotated, nil)
	is.Equal(c.Loss.Log.Raw, "")
	v, err := g.world().ShowLoss(t.Context(), baton.CompressRequest{}, "")
	is.NoErr(err)
	is.Equal(v.Gone, []string{baton.LogFile, baton.StateFile})
}

// A cycle whose process died leaves copies behind that do not pile up, and what is
// missing or empty comes back.
func TestRecovery_AfterDeathWhileCompressing(t *testing.T) {
	const id = "2026-05-28T09-59-00-000Z"
	tests := []struct {
		name        string
		left, found map[string]string
		gone        []string
	}{
		{
			"an empty log and a missing state come back",
			map[string]string{baton.LogFile: "", "commands.log.full." + id: "the log\n", "state.md.full." + id: "the state\n"},
			map[string]string{baton.LogFile: "the log\n", baton.StateFile: "the state\n"},
			nil,
		},
		{
			"also from a copy that was not to stay",
			map[string]string{baton.LogFile: "", ".raw.commands.log.full." + id: "the log\n"},
			map[string]string{baton.LogFile: "the log\n"},
			[]string{".raw.commands.log.full." + id},
		},
		{
			"a copy of what still stands goes, one of what was replaced stays",
			map[string]string{
				baton.StateFile: "short\n", "state.md.full." + id: "long, long\n", baton.ErrorsFile: "same\n", "errors.md.full." + id: "same\n",
			},
			map[string]string{baton.StateFile: "short\n", "state.md.full." + id: "long, long\n", baton.ErrorsFile: "same\n"},
			[]string{"errors.md.full." + id},
		},
		{
			"a copy of the same length is not the same",
			map[string]string{baton.ErrorsFile: "sand\n", "errors.md.full." + id: "same\n"},
			map[string]string{baton.ErrorsFile: "sand\n", "errors.md.full." + id: "same\n"},
			nil,
		},
		{
			"a report of what never came to be goes",
			map[string]string{baton.ErrorsFile: "same\n", "errors.md.full." + id: "same\n", "loss." + id + ".json": "{}"},
			map[string]string{baton.ErrorsFile: "same\n"},
			[]string{"errors.md.full." + id, "loss." + id + ".json"},
		},
		{
			"unfinished files go, but for those of a receipt",
			map[string]string{".tmp-1-ab-commands.log": "x", ".tmp-1-ab-loss." + id + ".json": "x", ".tmp-1-ab-plan.md": "x", ".tmp-x": "x"},
			map[string]string{".tmp-1-ab-plan.md": "x", ".tmp-x": "x"},
			[]string{".tmp-1-ab-commands.log", ".tmp-1-ab-loss." + id + ".json"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			g := newGround(t, "")
			meta, err := g.meta().StartCompression()
			is.NoErr(err)
			g.at(baton.MetaFile, string(meta.Bytes(begun)))
			is.NoErr(os.Remove(g.path(baton.StateFile)))
			for name, content := range tt.left {
				g.at(name, content)
			}
			_, err = g.world().Init(t.Context(), baton.Place{}, false)
			is.NoErr(err)
			is.Equal(g.meta().Status(), baton.Failed)
			files := g.snapshot()
			for name, content := range tt.found {
				is.Equal(files[name], content) // of tt.found
			}
			for _, name := range tt.gone {
				_, there := files[name]
				is.True(!there) // of tt.gone
			}
		})
	}
}

// The copies of a cycle that is known to have held are no litter.
func TestRecovery_LeavesFinishedCyclesAlone(t *testing.T) {
	for _, rotate := range []string{"true", "false"} {
		is := is.New(t)
		g := newGround(t, `{"contextCompression":{"rotateRawArtifacts":`+rotate+`}}`)
		g.heavy()
		g.held(baton.CompressRequest{})
		meta, err := g.meta().StartCompression()
		is.NoErr(err)
		g.at(baton.MetaFile, string(meta.Bytes(begun)))
		before := g.snapshot()
		g.clock.advance(time.Minute)
		_, err = g.world().Init(t.Context(), baton.Place{}, false)
		is.NoErr(err)
		after := g.snapshot()
		delete(before, baton.MetaFile)
		delete(after, baton.MetaFile)
		is.Equal(cmp.Diff(before, after), "")
	}
}

// A report that tells of several files tells of those that were replaced alone.
func TestRecovery_CorrectsTheReport(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	sys := &hooked{System: quick{osfs.Kernel()}}
	sys.named = func(name string) error { // dies when state.md is to be replaced
		if name == baton.StateFile {
			sys.named = func(string) error { return syscall.EIO }
			return syscall.EIO
		}
		return nil
	}
	g.sys = sys
	_, err := g.compress(baton.CompressRequest{})
	is.True(err != nil)
	is.Equal(g.meta().Status(), baton.Compressing)
	is.Equal(len(g.names(".full.")), 1) // the rollback could still remove the others
	g.sys = quick{osfs.Kernel()}
	_, err = g.world().Init(t.Context(), baton.Place{}, false)
	is.NoErr(err)
	is.Equal(len(g.names("loss.")), 1)
	v, err := g.world().ShowLoss(t.Context(), baton.CompressRequest{}, "")
	is.NoErr(err)
	is.True(v.Report.Log != nil)
	is.Equal(v.Report.State, nil)
}
