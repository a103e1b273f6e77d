package compression_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/jsondoc"
)

// Row 103: what the report says went, with what stayed, is the raw log; the report
// itself is what the sample says.
func TestLoss_RebuildsTheRawLog(t *testing.T) {
	for _, name := range []string{"long-run.log", "json-run.log"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			g := newGround(t, "")
			g.at(baton.LogFile, fixture(t, name))
			g.held(baton.CompressRequest{Force: true, Diet: "off"}) // of 200 lines at the end, as the samples
			v, err := g.world().ShowLoss(t.Context(), baton.CompressRequest{}, "")
			is.NoErr(err)
			raw := strings.SplitAfter(g.content(v.Report.Log.Raw), "\n")
			kept := strings.SplitAfter(g.content(baton.LogFile), "\n")
			var back []string
			runs, shorts := v.Report.Log.Elided, v.Report.Log.Shortened
			for _, line := range kept {
				at := len(back) + 1
				switch {
				case len(runs) > 0 && runs[0].From == at:
					is.Equal(line, logs.Elided(runs[0].Count)+"\n")
					back = append(back, raw[at-1:runs[0].To]...)
					runs = runs[1:]
				case len(shorts) > 0 && shorts[0].Line == at:
					back = append(back, raw[at-1])
					shorts = shorts[1:]
				case strings.HasPrefix(line, notice):
				default:
					back = append(back, line)
				}
			}
			is.Equal(cmp.Diff(raw, back), "")

			var want, got map[string]any
			sample, err := os.ReadFile("testdata/" + strings.Replace(name, ".log", ".loss.json", 1))
			is.NoErr(err)
			is.NoErr(json.Unmarshal(sample, &want))
			var report struct{ Files []map[string]any }
			is.NoErr(json.Unmarshal([]byte(g.content("loss."+v.ID+".json")), &report))
			got = report.Files[0]
			delete(got, "raw")
			delete(got, "kept")
			is.Equal(cmp.Diff(want, got), "")
		})
	}
}

// The ends of each elided run and the items of state.md come from the raw copies.
func TestShowLoss_QuotesTheRawCopies(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	log, state := strings.Split(g.content(baton.LogFile), "\n"), g.content(baton.StateFile)
	c := g.held(baton.CompressRequest{})
	v, err := g.world().ShowLoss(t.Context(), baton.CompressRequest{}, c.ID)
	is.NoErr(err)
	is.Equal(v.ID, c.ID)
	is.Equal(len(v.Ends), len(v.Report.Log.Elided))
	for i, run := range v.Report.Log.Elided {
		is.Equal(v.Ends[i], logs.Ends{First: log[run.From-1], Last: log[run.To-1]})
	}
	is.Equal(strings.Join(v.State, "\n"), state)
	is.Equal(v.Gone, nil)
	is.Equal(string(jsondoc.Stored(v.Document)), g.content("loss."+c.ID+".json"))

	is.NoErr(os.Remove(g.path("commands.log.full." + c.ID)))
	v, err = g.world().ShowLoss(t.Context(), baton.CompressRequest{}, "")
	is.NoErr(err)
	is.Equal(v.Gone, []string{baton.LogFile})
}

// A report cannot have anything else quoted than a raw copy.
func TestShowLoss_ReadsNothingElse(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	c := g.held(baton.CompressRequest{})
	name := "loss." + c.ID + ".json"
	for _, other := range []string{"../../etc/passwd", "session.json", "state.md.full." + c.ID} {
		g.at(name, strings.Replace(g.content(name), `"commands.log.full.`+c.ID+`"`, `"`+other+`"`, 1))
		v, err := g.world().ShowLoss(t.Context(), baton.CompressRequest{}, "")
		is.NoErr(err)
		is.Equal(v.Gone, []string{baton.LogFile})
		g.at(name, strings.Replace(g.content(name), `"`+other+`"`, `"commands.log.full.`+c.ID+`"`, 1))
	}
}

// Row 103: the report of the cycle that would run is that of the cycle that runs, but
// for the copies; and nothing is written for it.
func TestForeseeLoss_IsWhatHappens(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	g.heavy()
	before := g.snapshot()
	v, err := g.world().ForeseeLoss(t.Context(), baton.CompressRequest{})
	is.NoErr(err)
	is.Equal(cmp.Diff(before, g.snapshot()), "")
	is.Equal(v.ID, "")
	is.Equal(len(v.Ends), len(v.Report.Log.Elided))
	c := g.held(baton.CompressRequest{})
	for _, raw := range []*string{&c.Loss.Log.Raw, &c.Loss.State.Raw, &c.Loss.Decisions.Raw, &c.Loss.Errors.Raw} {
		is.True(*raw != "")
		*raw = ""
	}
	is.Equal(cmp.Diff(v.Report, c.Loss), "")
}

// It needs no threshold, and the configuration need not want compression.
func TestForeseeLoss_WhateverTheWeight(t *testing.T) {
	is := is.New(t)
	g := newGround(t, `{"contextCompression":{"enabled":false}}`)
	v, err := g.world().ForeseeLoss(t.Context(), baton.CompressRequest{})
	is.NoErr(err)
	is.True(v.There)
	is.Equal(v.Report.Log, nil)
}

func TestShowLoss_NoneOrUnknown(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	v, err := g.world().ShowLoss(t.Context(), baton.CompressRequest{}, "")
	is.NoErr(err)
	is.True(!v.There)
	is.Equal(v.Document, nil)
	_, err = g.world().ShowLoss(t.Context(), baton.CompressRequest{}, "2026-05-28T10-00-00-000Z")
	is.Equal(baton.ExitCode(err), baton.ExitUsage)

	g.heavy()
	c := g.held(baton.CompressRequest{})
	_, err = g.world().ShowLoss(t.Context(), baton.CompressRequest{}, "../loss")
	is.Equal(baton.ExitCode(err), baton.ExitUsage)
	is.True(strings.Contains(err.Error(), c.ID)) // names those that there are
}

// The newest report is shown unless another is named.
func TestShowLoss_TheNewest(t *testing.T) {
	is := is.New(t)
	g := newGround(t, `{"contextCompression":{"keepRotations":2}}`)
	var ids []string
	for range 2 {
		g.at(baton.LogFile, g.content(baton.LogFile)+numbered(1, 800))
		ids = append(ids, g.held(baton.CompressRequest{}).ID)
		g.clock.advance(time.Minute)
	}
	for cycle, want := range map[string]string{"": ids[1], ids[0]: ids[0]} {
		v, err := g.world().ShowLoss(t.Context(), baton.CompressRequest{}, cycle)
		is.NoErr(err)
		is.Equal(v.ID, want)
	}
	is.Equal(newest(t, g).Log.Notices, []int{lineOf(g.content(newest(t, g).Log.Raw), notice)}) // that of the first cycle
}

func newest(t *testing.T, g *ground) compact.LossReport {
	t.Helper()
	v, err := g.world().ShowLoss(t.Context(), baton.CompressRequest{}, "")
	g.must(err)
	return v.Report
}

// lineOf is the number of the line that begins so.
func lineOf(content, lead string) int {
	at := 0
	for line := range strings.Lines(content) {
		at++
		if strings.HasPrefix(line, lead) {
			return at
		}
	}
	return 0
}

// Row 104.
func TestLoss_ListsAThousandRuns(t *testing.T) {
	is := is.New(t)
	g := newGround(t, "")
	const start = "--- 2026-05-28T09:00:00.000Z START x <prompt 1 chars> ---\n"
	g.at(baton.LogFile, strings.Repeat(start+numbered(1, 3), 5000)+start+numbered(1, 25))
	c := g.held(baton.CompressRequest{Diet: "off"})
	var report struct {
		Files []struct {
			Elided     []any
			ElidedRuns int
			More       int
		}
	}
	is.NoErr(json.Unmarshal([]byte(g.content("loss."+c.ID+".json")), &report))
	is.Equal(report.Files[0].ElidedRuns, 5000)
	is.Equal(len(report.Files[0].Elided), 1000)
	is.Equal(report.Files[0].More, 4000)
}
