package wall_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/wall"
)

// sample is one row of the samples of limit texts.
type sample struct {
	text        string
	seen        time.Time
	zone        string
	class, kind string
	reset       time.Time
	why         string
}

// samples reads testdata/texts.tsv.
func samples(t *testing.T) []sample {
	t.Helper()
	data, err := os.ReadFile("testdata/texts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows []sample
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		cells := strings.Split(line, "\t")
		row := sample{seen: instant(t, cells[1]), zone: cells[2], class: cells[3], kind: cells[4], why: cells[6]}
		if err := json.Unmarshal([]byte(cells[0]), &row.text); err != nil {
			t.Fatal(err)
		}
		if cells[5] != "-" {
			row.reset = instant(t, cells[5])
		}
		rows = append(rows, row)
	}
	return rows
}

func instant(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	location, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return location
}

func zones(t *testing.T, local string) wall.Zones {
	return wall.Zones{Local: zone(t, local), Load: time.LoadLocation}
}

// Row 88.
func TestReadLimit_Samples(t *testing.T) {
	for i, row := range samples(t) {
		t.Run(fmt.Sprintf("%d %s", i+1, row.why), func(t *testing.T) {
			is := is.New(t)
			is.Equal(wall.IsLimitText(row.text), row.class == string(wall.UsageLimit)) // limit text
			got := wall.ReadLimit(row.text, row.seen, zones(t, row.zone))
			is.Equal(got.ResetAt, row.reset) // reset
			if row.kind != "-" {
				is.Equal(string(got.Kind), row.kind) // kind
			}
			if got.Exact {
				is.True(strings.Contains(row.text, "|")) // no clock time is exact
			}
		})
	}
}

func TestIsLimitText(t *testing.T) {
	tests := []struct {
		name, in string
		want     bool
	}{
		{"any case", "CLAUDE USAGE LIMIT REACHED", true},
		{"space around", "\n  Weekly limit reached\n", true},
		{"session", "Session limit reached", true},
		{"extra usage", "You're out of extra usage · resets 3am", true},
		{"usage credits", "You\u2019re out of usage credits", true},
		{"not included", "To use Codex with your ChatGPT plan, upgrade", true},
		{"monthly spend limit", "You've hit your monthly spend limit.", true},
		{"limit after 40 characters", "You've hit your " + strings.Repeat("x", 40) + "limit", true},
		{"limit after 41 characters", "You've hit your " + strings.Repeat("x", 41) + "limit", false},
		{"400 characters", "Weekly limit reached" + strings.Repeat("ü", 380), true},
		{"401 characters", "Weekly limit reached" + strings.Repeat("ü", 381), false},
		{"in the middle", "It says: Weekly limit reached", false},
		{"quoted", "\"Weekly limit reached\"", false},
		{"warning", "Approaching your 5-hour usage limit", false},
		{"nothing", "", false},
		{"other quota", "Quota exceeded for this project", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(wall.IsLimitText(tt.in), tt.want)
		})
	}
}

func TestReadLimit_Kind(t *testing.T) {
	tests := []struct {
		in   string
		want wall.Kind
	}{
		{"You've hit your Sonnet limit", wall.Weekly},
		{"You've hit your OPUS LIMIT", wall.Weekly},
		{"You've hit your weekly\u00a0limit", wall.Weekly},
		{"Session limit reached", wall.Session},
		{"5-hour limit reached", wall.Session},
		{"You've hit your individual spend limit", wall.Credits},
		{"You're out of extra usage", wall.Credits},
		{"You're out of usage credits", wall.Credits},
		{"To use Codex with your ChatGPT plan, upgrade", wall.Credits},
		{"API Error: 400 You have reached your specified API usage limits.", wall.Credits},
		{"unexpected status 402 Payment Required: pay", wall.Credits},
		{"API Error: 402 pay", wall.Credits},
		{"You've hit your usage limit. Try again in 402 minutes.", wall.Unknown},
		{"You've hit your usage limit, purchase more credits", wall.Unknown},
		{"Approaching your weekly limit", wall.NoKind},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			is := is.New(t)
			got := wall.ReadLimit(tt.in, instant(t, "2026-05-28T09:00:00Z"), wall.Zones{})
			is.Equal(got.Kind, tt.want)
		})
	}
}

func TestKindOfWindow(t *testing.T) {
	is := is.New(t)
	got := map[string]wall.Kind{}
	for _, name := range []string{"five_hour", "seven_day", "seven_day_opus", "seven_day_sonnet", "overage", "", "other"} {
		got[name] = wall.KindOfWindow(name)
	}
	want := map[string]wall.Kind{
		"five_hour": wall.Session, "seven_day": wall.Weekly, "seven_day_opus": wall.Weekly,
		"seven_day_sonnet": wall.Weekly, "overage": wall.Credits, "": wall.Unknown, "other": wall.Unknown,
	}
	is.Equal(cmp.Diff(got, want), "")
}

func TestNewLimit(t *testing.T) {
	seen := instant(t, "2026-05-28T09:00:00Z")
	tests := []struct {
		name string
		kind wall.Kind
		at   time.Time
		want wall.Limit
	}{
		{"kept in UTC", wall.Weekly, seen.In(zone(t, "Asia/Tokyo")), wall.Limit{Kind: wall.Weekly, ResetAt: seen, Exact: true}},
		{"no time", wall.Weekly, time.Time{}, wall.Limit{Kind: wall.Weekly}},
		{"credits never reset", wall.Credits, seen, wall.Limit{Kind: wall.Credits}},
		{"before 2020", wall.Weekly, instant(t, "2019-12-31T23:59:59Z"), wall.Limit{Kind: wall.Weekly}},
		{"400 days", wall.Weekly, seen.Add(400 * 24 * time.Hour), wall.Limit{Kind: wall.Weekly, ResetAt: seen.Add(400 * 24 * time.Hour), Exact: true}},
		{"more than 400 days", wall.Weekly, seen.Add(400*24*time.Hour + time.Second), wall.Limit{Kind: wall.Weekly}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(cmp.Diff(wall.NewLimit(tt.kind, tt.at, true, seen), tt.want), "")
		})
	}
}
