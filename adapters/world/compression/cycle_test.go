package compression_test

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton"
)

// Row 59: under the threshold nothing happens, and the reason says so.
func TestCompressContext_UnderTheThreshold(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	before := g.snapshot()
	c, err := g.compress(baton.CompressRequest{})
	is.NoErr(err)
	is.Equal(c.Outcome, baton.CompressSkipped)
	is.Equal(c.Reason, "ratio 0.00 is below the threshold 0.80")
	is.Equal(cmp.Diff(before, g.snapshot()), "")
}

// Row 60: a log of fewer lines than stay anyway keeps its bytes.
func TestCompressContext_ShortLogStays(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	log := fixture(t, "short.log")
	g.at(baton.LogFile, log)
	g.at(baton.StateFile, fixture(t, "forty-done.md"))
	c := g.held(baton.CompressRequest{Force: true})
	is.True(strings.HasPrefix(g.content(baton.LogFile), log))
	is.Equal(g.content(baton.LogFile)[len(log):], "[relay-baton] context compressed: "+totals(c)+" chars\n")
	is.Equal(c.Loss.Log, nil)
	is.Equal(g.names("commands.log.full"), nil)
}

// Row 61: the marker, the hit and the last line are there.
func TestCompressContext_KeepsHitAndEnd(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.at(baton.LogFile, numbered(1, 10)+"[stderr] Error: quota exceeded\n"+numbered(12, 1000))
	g.held(baton.CompressRequest{})
	log := g.content(baton.LogFile)
	for _, want := range []string{"[8 lines elided]\n", "\n[stderr] Error: quota exceeded\n", " item 1000 of the long job\n"} {
		is.True(strings.Contains(log, want))
	}
}

// Row 62: a dry run tells what would happen, and nothing does.
func TestForeseeCompression_WritesNothing(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	before := g.snapshot()
	c, err := g.world().ForeseeCompression(t.Context(), baton.CompressRequest{})
	is.NoErr(err)
	is.Equal(c.Outcome, baton.CompressPlanned)
	is.True(c.Report.Passed())
	is.True(c.Before().Total > c.After().Total)
	is.Equal(cmp.Diff(before, g.snapshot()), "")
	done := g.held(baton.CompressRequest{})
	is.Equal(cmp.Diff(c.Files, done.Files), "") // what it says is what happens
}

// Rows 63, 67: over budget the context shrinks, the raw files are kept byte for byte,
// the last hit stays, and the plan and the handoff are as they were.
func TestCompressContext_OverBudget(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	before := g.snapshot()
	c := g.held(baton.CompressRequest{})
	after := g.snapshot()
	id := "2026-05-28T10-00-00-000Z"
	is.Equal(c.ID, id)
	for _, name := range []string{baton.LogFile, baton.StateFile, baton.DecisionsFile, baton.ErrorsFile} {
		is.True(len(after[name]) < len(before[name]))   // it shrank
		is.Equal(after[name+".full."+id], before[name]) // and is kept
	}
	for _, name := range []string{baton.PlanFile, baton.HandoffFile, baton.TaskFile, baton.CompactStateFile} {
		is.Equal(after[name], before[name])
	}
	is.Equal(len(c.Rotated), 4)
	is.True(strings.Contains(after[baton.LogFile], "\n[stderr] ERROR: Usage limit reached for this billing period\n"))
	is.True(strings.HasSuffix(after[baton.LogFile], "\n[relay-baton] context compressed: "+totals(c)+" chars\n"))
	is.Equal(g.meta().Status(), baton.Initialized)
	is.Equal(g.meta().BeforeCompression(), baton.Status(""))
	is.Equal(cmp.Diff(g.meta().LastCompression, &baton.LastCompression{
		At: begun, Trigger: "manual", Before: c.Before().Total, After: c.After().Total,
		RatioBefore: round(c.Before().Ratio()), RatioAfter: round(c.After().Ratio()),
	}), "")
}

func totals(c baton.Compressed) string {
	return itoa(c.Before().Total) + " -> " + itoa(c.After().Total)
}

func round(f float64) float64 { return math.Round(f*10000) / 10000 }

// Row 64: forced under the threshold the cycle runs, and the gate decides.
func TestCompressContext_Force(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.at(baton.LogFile, numbered(1, 300))
	c := g.held(baton.CompressRequest{Force: true})
	is.Equal(c.Reason, "ratio 0.52 is below the threshold 0.80, and --force goes on")

	g = newGround(t, "")
	before := g.snapshot()
	c, err := g.compress(baton.CompressRequest{Force: true})
	is.Equal(baton.ExitCode(err), baton.ExitGate)
	is.Equal(c.Outcome, baton.CompressRefused)
	is.Equal(cmp.Diff(before, g.snapshot()), "")
}

// Row 65: when the gate refuses what was written, every file is as before, and
// nothing is left of the cycle.
func TestCompressContext_RollsBack(t *testing.T) {
	for _, rotate := range []string{"true", "false"} {
		t.Run("rotate "+rotate, func(t *testing.T) {
			is := is.New(t)
			g := newGround(t, `{"contextCompression":{"rotateRawArtifacts":`+rotate+`}}`)
			g.heavy()
			before := g.snapshot()
			c, err := g.compress(baton.CompressRequest{Refuse: "told to"})
			is.Equal(baton.ExitCode(err), baton.ExitGate)
			is.Equal(err.Error(), "the compression does not pass its gate:\n  - told to\nEvery file is as it was before.")
			is.Equal(c.Outcome, baton.CompressRefused)
			after := g.snapshot()
			delete(before, baton.MetaFile)
			delete(after, baton.MetaFile)
			is.Equal(cmp.Diff(before, after), "")
			is.Equal(g.meta().Status(), baton.Initialized)
			is.Equal(g.meta().LastCompression, nil)
		})
	}
}

// Row 66: only so many sets stay, the loss reports with them.
func TestCompressContext_KeepsRotations(t *testing.T) {
	for keep := 1; keep <= 3; keep++ {
		t.Run(itoa(keep), func(t *testing.T) {
			is := is.New(t)
			g := newGround(t, `{"contextCompression":{"keepRotations":`+itoa(keep)+`}}`)
			g.at("commands.log.full.backup", "somebody's own")
			for round := range 5 {
				g.at(baton.LogFile, g.content(baton.LogFile)+numbered(1000*round, 1000*round+700))
				g.held(baton.CompressRequest{})
				g.clock.advance(time.Minute)
			}
			is.Equal(len(g.names("commands.log.full.2026")), keep)
			is.Equal(len(g.names("loss.")), keep)
			is.Equal(g.names("2026")[keep-1], "commands.log.full.2026-05-28T10-04-00-000Z")
			is.Equal(g.content("commands.log.full.backup"), "somebody's own")
		})
	}
}

// Two cycles of one instant are two sets, and the clock may go back: the set of the
// cycle that has just held is never the one to go.
func TestCompressContext_SetsWhenTheClockIsOff(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	for _, step := range []time.Duration{0, 0, -time.Hour} {
		g.clock.advance(step)
		g.at(baton.LogFile, numbered(1, 800))
		c := g.held(baton.CompressRequest{})
		is.Equal(g.names("commands.log.full."), []string{"commands.log.full." + c.ID})
	}
	g = newGround(t, `{"contextCompression":{"keepRotations":9}}`)
	for range 3 {
		g.at(baton.LogFile, numbered(1, 800))
		g.held(baton.CompressRequest{})
	}
	const id = "commands.log.full.2026-05-28T10-00-00-000Z"
	is.Equal(g.names("commands.log.full."), []string{id, id + "-2", id + "-3"})
}

// Row 68: a threshold that is no share is wrong usage.
func TestCompressContext_Threshold(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	for _, threshold := range []float64{-0.1, 1.01, math.NaN(), math.Inf(1)} {
		_, err := g.compress(baton.CompressRequest{Threshold: &threshold})
		is.Equal(baton.ExitCode(err), baton.ExitUsage)
	}
	zero := 0.0
	g.at(baton.LogFile, numbered(1, 300))
	c := g.held(baton.CompressRequest{Threshold: &zero})
	is.Equal(c.Loss.Threshold, 0.0)
}

// Row 69: switched off, the command refuses without --force; without auto it works.
func TestCompressContext_SwitchedOff(t *testing.T) {
	is := is.New(t)
	g := newGround(t, `{"contextCompression":{"enabled":false}}`)
	g.heavy()
	before := g.snapshot()
	for _, verb := range []func() (baton.Compressed, error){
		func() (baton.Compressed, error) { return g.compress(baton.CompressRequest{}) },
		func() (baton.Compressed, error) {
			return g.world().ForeseeCompression(t.Context(), baton.CompressRequest{})
		},
	} {
		c, err := verb()
		is.NoErr(err)
		is.Equal(c.Outcome, baton.CompressDisabled)
		is.True(strings.Contains(c.Reason, "disabled by configuration"))
	}
	is.Equal(cmp.Diff(before, g.snapshot()), "")
	g.held(baton.CompressRequest{Force: true})

	g = newGround(t, `{"contextCompression":{"auto":false}}`)
	g.heavy()
	g.held(baton.CompressRequest{})
}

// Row 103: a cycle right after a cycle is refused, and leaves every byte.
func TestCompressContext_TwiceChangesNothing(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	g.held(baton.CompressRequest{})
	g.clock.advance(time.Minute)
	before := g.snapshot()
	_, err := g.compress(baton.CompressRequest{Force: true})
	is.Equal(baton.ExitCode(err), baton.ExitGate)
	is.Equal(cmp.Diff(before, g.snapshot()), "")
}

func TestCompressContext_WithoutSession(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	is.NoErr(os.RemoveAll(g.path("")))
	for _, run := range []func() error{
		func() error { _, err := g.compress(baton.CompressRequest{Force: true}); return err },
		func() error { _, err := g.world().ForeseeCompression(t.Context(), baton.CompressRequest{}); return err },
		func() error { _, err := g.world().ShowLoss(t.Context(), baton.CompressRequest{}, ""); return err },
	} {
		is.Equal(baton.ExitCode(run()), baton.ExitUsage)
		_, err := os.Stat(g.path(""))
		is.True(errors.Is(err, os.ErrNotExist)) // the disk is untouched
	}
}

// Only the holder of the lock writes; whoever only looks needs no lock.
func TestCompressContext_Locks(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	lock, err := g.world().Locks.TryLock(g.path(baton.LockFile), 0o600)
	is.NoErr(err)
	before := g.snapshot()
	_, err = g.compress(baton.CompressRequest{})
	is.Equal(baton.ExitCode(err), baton.ExitBusy)
	_, err = g.world().ForeseeCompression(t.Context(), baton.CompressRequest{})
	is.NoErr(err)
	_, err = g.world().ForeseeLoss(t.Context(), baton.CompressRequest{})
	is.NoErr(err)
	_, err = g.world().ShowLoss(t.Context(), baton.CompressRequest{}, "")
	is.NoErr(err)
	is.Equal(cmp.Diff(before, g.snapshot()), "")
	is.NoErr(lock.Release())
}

// The session goes by the profile that is named, or the recorded one; compressing
// does not record it.
func TestCompressContext_Profile(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.at(baton.LogFile, numbered(1, 800))
	c := g.held(baton.CompressRequest{Diet: "ultra"})
	is.Equal(c.Weight.Budget, 5800)
	is.Equal(c.Loss.Profile, "ultra")
	is.Equal(g.meta().TokenDietProfile, "balanced")
	_, err := g.compress(baton.CompressRequest{Diet: "none"})
	is.Equal(baton.ExitCode(err), baton.ExitUsage)
}

// CRLF and a mark in state.md stay the file's own.
func TestCompressContext_KeepsTheForm(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.at(baton.StateFile, "\ufeff"+strings.ReplaceAll(fixture(t, "forty-done.md"), "\n", "\r\n"))
	g.held(baton.CompressRequest{Force: true})
	state := g.content(baton.StateFile)
	is.True(strings.HasPrefix(state, "\ufeff# Current State\r\n"))
	is.Equal(strings.Count(state, "\n"), strings.Count(state, "\r\n"))
}

// A link where an artifact belongs is followed by nobody.
func TestCompressContext_NoFile(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	outside := g.dir + "/outside.md"
	is.NoErr(os.Rename(g.path(baton.StateFile), outside))
	is.NoErr(os.Symlink(outside, g.path(baton.StateFile)))
	before := g.snapshot()
	_, err := g.compress(baton.CompressRequest{Force: true})
	is.Equal(baton.ExitCode(err), baton.ExitFailed)
	is.Equal(cmp.Diff(before, g.snapshot()), "")
}
