package compact

import "fmt"

// CountedBytes is the size in bytes up to which the characters of a file are
// counted. Above it the size may stand in for them, then before and after alike.
const CountedBytes = 8 << 20

// Weights are the sizes, in characters, of the files that compression watches; 0 for
// one that is missing.
type Weights struct{ State, Log, Decisions, Errors int }

// Weight is how heavy the context of a session is, and how heavy it may be.
type Weight struct{ Total, Budget int }

// Weigh returns the weight of these files under a profile.
func Weigh(w Weights, p Profile) Weight {
	return Weight{
		Total:  w.State + w.Log + w.Decisions + w.Errors,
		Budget: p.MaxStateChars + 4*p.MaxLogTailChars,
	}
}

// Ratio returns how much of the budget is taken up.
func (w Weight) Ratio() float64 {
	if w.Budget <= 0 {
		return 0
	}
	return float64(w.Total) / float64(w.Budget)
}

// Due reports that compression is due at that threshold. reason is one sentence
// for either answer.
func (w Weight) Due(threshold float64) (due bool, reason string) {
	ratio := w.Ratio()
	if ratio >= threshold {
		return true, fmt.Sprintf("ratio %.2f reaches the threshold %.2f", ratio, threshold)
	}
	return false, fmt.Sprintf("ratio %.2f is below the threshold %.2f", ratio, threshold)
}

// String returns the weight in one line.
func (w Weight) String() string {
	return fmt.Sprintf("context weight: %d of %d chars, ratio %.2f", w.Total, w.Budget, w.Ratio())
}
