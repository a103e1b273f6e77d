package logs_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/logs"
)

func TestCompress_Samples(t *testing.T) {
	for _, name := range []string{"json-run", "long-run", "no-hits-1000", "retry-storm"} {
		t.Run(name, func(t *testing.T) {
			got, result := compress(t, fixture(t, "log/"+name+".log"), logs.Tail)
			want := fixture(t, "expected/log/"+name+".compressed.log")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
			is := is.New(t)
			is.Equal(result.Tail, 200)
			is.Equal(result.Weight, utf8.RuneCountInString(got))
			is.True(result.Changed)
			again, result := compress(t, got, logs.Tail)
			is.Equal(again, want) // compressing twice
			is.True(!result.Changed)
		})
	}
}

func TestCompress_LossOfSamples(t *testing.T) {
	for _, name := range []string{"json-run", "long-run"} {
		t.Run(name, func(t *testing.T) {
			_, result := compress(t, fixture(t, "log/"+name+".log"), logs.Tail)
			var want compact.LogLoss
			if err := json.Unmarshal([]byte(fixture(t, "expected/log/"+name+".loss.json")), &want); err != nil {
				t.Fatal(err)
			}
			got := result.Loss
			got.Kept = compact.Kept{} // the samples leave it out
			if len(want.Notices) == 0 {
				want.Notices = nil
			}
			if len(want.Shortened) == 0 {
				want.Shortened = nil
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

func TestCompress_CountsWhatStayed(t *testing.T) {
	is := is.New(t)
	log := numbered(1, 20) + "[stderr] Error: quota exceeded\n" + numbered(22, 40) + "[out] build failed\n" +
		numbered(42, 60) + "--- exit 1 ---\n\n--- 2026-05-28T09:00:00.000Z START codex exec <prompt 3 chars> ---\n" + numbered(64, 100)
	_, result := compress(t, log, 10)
	is.Equal(result.Loss.Kept, compact.Kept{Tail: 10, Hits: 5, Exits: 5, Failures: 5})
	log = strings.Replace(log, "\n\n---", "\n\n\n---", 1)
	_, result = compress(t, log, 10)
	is.Equal(result.Loss.Kept, compact.Kept{Tail: 10, Hits: 5, Exits: 5, Failures: 5, Starts: 1})
}

// numbered returns plain lines with their numbers.
func numbered(from, to int) string {
	var log strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&log, "[stdout] this is line %d\n", i)
	}
	return log.String()
}

// Row 60.
func TestCompress_AShortLogStaysAsItIs(t *testing.T) {
	is := is.New(t)
	for _, log := range []string{
		"", "\n", "x", fixture(t, "log/short.log"), numbered(1, 200), strings.TrimSuffix(numbered(1, 200), "\n"),
		numbered(1, 100) + "[3 lines elided]\n[4 lines elided]\n" + numbered(1, 98),
	} {
		got, result := compress(t, log, logs.Tail)
		is.Equal(got, log)
		is.True(!result.Changed)
		is.Equal(result.Loss.ElidedRuns, 0)
	}
	got, _ := compress(t, numbered(1, 203), logs.Tail)
	is.True(strings.HasPrefix(got, "[3 lines elided]\n")) // the 201st line from the end is not in the tail
}

// Row 61.
func TestCompress_KeepsAnEarlyHit(t *testing.T) {
	is := is.New(t)
	log := numbered(1, 10) + "[stderr] Error: quota exceeded\n" + numbered(12, 1000)
	got, result := compress(t, log, 100)
	is.True(len(got) < len(log))
	is.True(strings.HasPrefix(got, "[8 lines elided]\n"+numbered(9, 10)+"[stderr] Error: quota exceeded\n"+numbered(12, 13)+"[887 lines elided]\n"))
	is.True(strings.HasSuffix(got, "\n"+numbered(901, 1000)))
	is.Equal(result.Before.LastHit.Line, 11)
}

// What the predicate for hits takes for one is one here, and so are the lines around it.
func TestCompress_KeepsAVerdictBehindASequence(t *testing.T) {
	is := is.New(t)
	for _, line := range []string{"\x1b[31m[error] done\x1b[0m\n", "\u009b1m[error] \n"} {
		got, _ := compress(t, numbered(1, 10)+line+numbered(12, 30), 5)
		is.Equal(got, "[8 lines elided]\n"+numbered(9, 10)+line+numbered(12, 13)+"[12 lines elided]\n"+numbered(26, 30))
	}
}

func TestCompress_KeepsTheFinalLineEnd(t *testing.T) {
	is := is.New(t)
	log := numbered(1, 300)
	got, _ := compress(t, log, 10)
	is.Equal(got, "[290 lines elided]\n"+numbered(291, 300))
	got, _ = compress(t, strings.TrimSuffix(log, "\n"), 10)
	is.Equal(got, "[290 lines elided]\n"+strings.TrimSuffix(numbered(291, 300), "\n"))
}

func TestCompress_KeepsASingleShortLine(t *testing.T) {
	is := is.New(t)
	const start = "--- 2026-05-28T09:00:00.000Z START x <prompt 1 chars> ---\n"
	for line, stays := range map[string]bool{
		"": true, "[out] 0123456789": true, "[out] 01234567890": false, "[out] ééééé56789": true,
		"[1 lines elided]": true, "[2 lines elided]": true,
	} {
		got, _ := compress(t, start+line+"\n"+start+numbered(1, 1), 1)
		if !stays {
			line = "[1 lines elided]"
		}
		is.Equal(got, start+line+"\n"+start+numbered(1, 1)) // line
	}
}

func TestCompress_MergesEarlierMarkers(t *testing.T) {
	is := is.New(t)
	log := numbered(1, 2) + "[100 lines elided]\n" + numbered(3, 3) + "[relay-baton] context compressed: 9 -> 8 chars\n[7 lines elided]\n" + numbered(4, 9)
	got, result := compress(t, log, 3)
	is.Equal(got, "[113 lines elided]\n"+numbered(7, 9))
	is.Equal(result.Loss.Elided, []compact.Elision{{From: 1, To: 9, Count: 113}})
	is.Equal(result.Loss.Notices, []int{5})
	is.Equal(result.Loss.ElidedLines, 113)
	got, result = compress(t, "[100 lines elided]\n"+numbered(1, 3), 4)
	is.Equal(got, "[100 lines elided]\n"+numbered(1, 3)) // in the tail it is a line
	is.Equal(result.Loss.ElidedRuns, 0)
	got, result = compress(t, "[100 lines elided]\n"+numbered(1, 3), 3)
	is.Equal(got, "[100 lines elided]\n"+numbered(1, 3)) // before it, a run that went
	is.Equal(result.Loss.Elided, []compact.Elision{{From: 1, To: 1, Count: 100}})
	is.True(!result.Changed)
}

// A marker beside a hit stands for lines that are near the hit.
func TestCompress_AMarkerKeepsItsDistance(t *testing.T) {
	is := is.New(t)
	const hit = "[stderr] Error: quota exceeded\n"
	got, _ := compress(t, numbered(1, 1)+"[1 lines elided]\n"+hit+numbered(4, 20), 1)
	is.Equal(got, numbered(1, 1)+"[1 lines elided]\n"+hit+numbered(4, 5)+"[14 lines elided]\n"+numbered(20, 20))
	got, _ = compress(t, numbered(1, 1)+"[2 lines elided]\n"+hit+numbered(4, 20), 1)
	is.Equal(got, "[3 lines elided]\n"+hit+numbered(4, 5)+"[14 lines elided]\n"+numbered(20, 20))
}

func TestCompress_NoticesOfEarlierCyclesCountNowhere(t *testing.T) {
	is := is.New(t)
	const notice = "[relay-baton] context compressed: 99 -> 11 chars\n"
	log := numbered(1, 5) + notice + "[stderr] Error: quota exceeded\n" + notice + numbered(7, 12) + notice + numbered(13, 13)
	got, _ := compress(t, notice, logs.Tail)
	is.Equal(got, "")
	plain := strings.ReplaceAll(log, notice, "")
	for tail := range 15 {
		got, result := compress(t, log, tail)
		want, bare := compress(t, plain, tail)
		is.Equal(got, want)
		is.Equal(result.Loss.Notices, []int{6, 8, 15})
		is.Equal(result.Before.Weight(), bare.Before.Weight())
		is.Equal(result.Weight, bare.Weight)
		is.True(result.Changed)
	}
}

func TestCompress_ManyHits(t *testing.T) {
	log := func(hits int) string {
		var log strings.Builder
		for i := 1; i <= hits; i++ {
			fmt.Fprintf(&log, "[stderr] Error: quota exceeded %d\n", i)
			for j := range 6 {
				fmt.Fprintf(&log, "[stdout] %d then %d\n", i, j)
			}
		}
		return log.String()
	}
	is := is.New(t)
	_, result := compress(t, log(200), 0)
	is.Equal(result.Loss.ElidedRuns, 200) // each hit has its lines, and some are left between
	_, result = compress(t, log(201), 0)
	is.Equal(result.Loss.ElidedRuns, 70)
	is.Equal(result.Loss.Elided[19], compact.Elision{From: 137, To: 1055, Count: 919}) // hits 21 to 151
}

func TestCompress_LongLines(t *testing.T) {
	is := is.New(t)
	fill := strings.Repeat("0123456789", 300)
	line := func(chars int) string { return "[out] " + fill[:chars-6] }
	got, _ := compress(t, line(2000)+"\n", logs.Tail)
	is.Equal(got, line(2000)+"\n")
	wide := "[out] " + strings.Repeat("é", 1994)
	got, _ = compress(t, wide+"\n", logs.Tail)
	is.Equal(got, wide+"\n")
	got, result := compress(t, "\n"+line(2001)+"\n", logs.Tail)
	is.Equal(got, "\n"+line(2001)[:1500]+" [… 201 chars elided …] "+line(2001)[1701:]+"\n")
	is.Equal(result.Loss.Shortened, []compact.Shortening{{Line: 2, Chars: 201}})
	is.True(result.Changed)
}

// A hit stays whole where it is the last one.
func TestCompress_TheLastHitStaysWhole(t *testing.T) {
	is := is.New(t)
	hit := "[stderr] Error: quota exceeded" + strings.Repeat(" x", 1500) + "\n"
	got, result := compress(t, hit+hit+numbered(1, 300), 10)
	is.Equal(got, hit[:1500]+" [… 1230 chars elided …] "+hit[len(hit)-301:]+hit+numbered(1, 2)+"[288 lines elided]\n"+numbered(291, 300))
	is.Equal(result.Before.LastHit.Line, 2)
}

// A line that would be read as something else without its middle stays whole.
func TestCompress_ALineThatItsMiddleMakesStaysWhole(t *testing.T) {
	is := is.New(t)
	const last = "[stderr] Error: quota exceeded\n"
	hit := "[stdout] " + strings.Repeat("a ", 900) + "quota exceeded" + strings.Repeat(" b", 300) + "\n"
	guarded := "[stdout] quota exceeded" + strings.Repeat(" a", 900) + " fallback pattern" + strings.Repeat(" b", 300) + "\n"
	for _, line := range []string{hit, guarded} {
		got, _ := compress(t, line+last, logs.Tail)
		is.Equal(got, line+last)
	}
}

func TestCompress_CutsBetweenClusters(t *testing.T) {
	is := is.New(t)
	const family = "👨\u200d👩\u200d👧"
	line := "[out] a" + strings.Repeat(family, 500) // 1500 ends inside the 299th, the last 300 are 60 of them
	got, _ := compress(t, line+"\n", logs.Tail)
	is.Equal(got, "[out] a"+strings.Repeat(family, 298)+" [… 710 chars elided …] "+strings.Repeat(family, 60)+"\n")
	flags := strings.Repeat("🇩🇪", 5000)
	got, _ = compress(t, "[out] "+flags+"x\n", logs.Tail)
	is.Equal(got, "[out] "+strings.Repeat("🇩🇪", 747)+" [… 8208 chars elided …] "+strings.Repeat("🇩🇪", 149)+"x\n")
	long := strings.Repeat(family+"é", 10_000) // its last bytes that are looked at begin within a character
	got, _ = compress(t, "[out] "+long+"\n", logs.Tail)
	is.Equal(got, "[out] "+strings.Repeat(family+"é", 249)+" [… 58206 chars elided …] "+strings.Repeat(family+"é", 50)+"\n")
}

func TestFit_TakesTheLongestTailThatFits(t *testing.T) {
	is := is.New(t)
	log := numbered(1, 1000)
	for _, tt := range []struct{ most, tail int }{{1 << 20, 200}, {0, 25}} {
		_, result := fit(t, log, tt.most)
		is.Equal(result.Tail, tt.tail)
	}
	for _, tail := range []int{200, 100, 50, 25} {
		want, sized := compress(t, log, tail)
		half := (sized.Weight + 1) / 2
		got, result := fit(t, log, half)
		is.Equal(result.Tail, tail)
		is.Equal(got, want)
		is.Equal(result.Loss, sized.Loss)
		if tail > 25 {
			_, result = fit(t, log, half-1)
			is.True(result.Tail < tail)
		}
	}
}

// Row 104.
func TestCompress_ListsAThousandRuns(t *testing.T) {
	is := is.New(t)
	const start = "--- 2026-05-28T09:00:00.000Z START x <prompt 1 chars> ---\n"
	_, result := compress(t, strings.Repeat(start+numbered(1, 3), 5000)+"\n", 1)
	is.Equal(result.Loss.ElidedRuns, 5000)
	is.Equal(result.Loss.ElidedLines, 15000)
	is.Equal(len(result.Loss.Elided), 1000)
	is.Equal(result.Loss.More, 4000)
}

// More lines of interest than are remembered between the two readings.
func TestCompress_ManyLinesOfInterest(t *testing.T) {
	is := is.New(t)
	const group = "--- exit 0 ---\n[out] 1\n[out] 2\n[out] 3 is too long for it\n[out] 4 is as long as that\n[out] 5\n[out] 6\n"
	got, result := compress(t, strings.Repeat(group, 70000), 0)
	want := strings.Repeat("--- exit 0 ---\n[out] 1\n[out] 2\n[2 lines elided]\n[out] 5\n[out] 6\n", 69999) +
		"--- exit 0 ---\n[out] 1\n[out] 2\n[4 lines elided]\n"
	is.True(got == want)
	is.Equal(result.Loss.Kept.Exits, 70000*5-2)
}

// Rows 63, 103: the last hit stands in the short form byte for byte, and what went
// with what stayed is the log as it was.
func TestCompress_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := randomLog(t)
		tail := rapid.IntRange(0, 30).Draw(t, "tail")
		got, result := compress(t, log, tail)
		if want := naive(log, tail); got != want {
			t.Fatalf("the short form is\n%q\nnot\n%q", got, want)
		}
		if result.Changed != (got != log) {
			t.Fatalf("changed is %v", result.Changed)
		}
		if result.Weight != utf8.RuneCountInString(got) || result.Loss.CharsBefore != utf8.RuneCountInString(log) {
			t.Fatalf("weights %d, %d", result.Weight, result.Loss.CharsBefore)
		}
		if back := rebuild(t, log, got, result.Loss); back != log {
			t.Fatalf("rebuilt as\n%q\nnot\n%q", back, log)
		}
		if again, result := compress(t, got, tail); again != got || result.Changed {
			t.Fatalf("compressed again it is\n%q\nnot\n%q", again, got)
		}
		for _, at := range []logs.Place{result.Before.LastHit, result.Before.LastExit} {
			if at.None() {
				continue
			}
			if !proven(t, got, 7, log, at) {
				t.Fatalf("line %d is gone", at.Line)
			}
		}
	})
}

func TestFit_TwiceChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := strings.Repeat(randomLog(t)+"\n", rapid.IntRange(1, 40).Draw(t, "times"))
		most := rapid.IntRange(0, 15000).Draw(t, "most")
		got, _ := fit(t, log, most)
		if again, result := fit(t, got, most); again != got || result.Changed {
			t.Fatal("the second time is another")
		}
		cycle := got + "[relay-baton] context compressed: 9 -> 8 chars\n"
		if !strings.HasSuffix(got, "\n") {
			cycle = got + "\n[relay-baton] context compressed: 9 -> 8 chars"
		}
		if again, _ := fit(t, cycle, most); again != got {
			t.Fatal("the notice of the cycle makes a difference")
		}
	})
}

func TestCompress_TellsOfTheLogBeforeItWrites(t *testing.T) {
	is := is.New(t)
	var out strings.Builder
	var told []logs.Survey
	c := compressor
	c.Surveyed = func(s logs.Survey) {
		is.Equal(out.Len(), 0)
		told = append(told, s)
	}
	result, err := c.Fit(&out, strings.NewReader(numbered(1, 300)), balanced)
	is.NoErr(err)
	is.Equal(told, []logs.Survey{result.Before})
}
