package compact_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/compact"
)

func TestWeigh_SumsFilesAndBudgets(t *testing.T) {
	files := compact.Weights{State: 1000, Log: 9000, Decisions: 300, Errors: 100}
	tests := []struct {
		name       string
		state, log int
		budget     int
	}{
		{"off", 50000, 50000, 250000},
		{"lite", 8000, 8000, 40000},
		{"balanced", 6000, 5000, 26000},
		{"caveman", 3500, 2500, 13500},
		{"ultra", 1800, 1000, 5800},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got := compact.Weigh(files, compact.Profile{MaxStateChars: tt.state, MaxLogTailChars: tt.log})
			is.Equal(got, compact.Weight{Total: 10400, Budget: tt.budget})
		})
	}
}

// Row 59: under the threshold the reason says so.
func TestWeight_IsDueAtTheThreshold(t *testing.T) {
	is := is.New(t)
	due, reason := compact.Weight{Total: 20799, Budget: 26000}.Due(0.8)
	is.True(!due)
	is.Equal(reason, "ratio 0.80 is below the threshold 0.80")
	due, reason = compact.Weight{Total: 20800, Budget: 26000}.Due(0.8)
	is.True(due)
	is.Equal(reason, "ratio 0.80 reaches the threshold 0.80")
	due, _ = compact.Weight{Budget: 26000}.Due(0)
	is.True(due)
}

func TestWeight_ShowsItselfInOneLine(t *testing.T) {
	is := is.New(t)
	is.Equal(compact.Weight{Total: 13000, Budget: 26000}.String(), "context weight: 13000 of 26000 chars, ratio 0.50")
	is.Equal(compact.Weight{Total: 5}.Ratio(), 0.0)
}
