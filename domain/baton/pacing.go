package baton

import "time"

const (
	// paceTime is how long after an attempt the next one comes at the earliest,
	// unless the log has grown by paceGrowth budgets since; paceLeast is what lies
	// between two in any case.
	paceTime   = 30 * time.Second
	paceLeast  = time.Second
	paceGrowth = 4
	// paceShare is the part of the budget by which the weight has grown by then.
	paceShare = 4
)

// Pacing says when an attempt to compress the context may follow another. The zero
// value is that of nobody having tried.
type Pacing struct {
	tried bool
	at    time.Time
	total int
	log   int64
}

// Attempted is the pacing after an attempt, successful or not: with the weight after
// it, and how much had been written to the log by then, in characters.
func (p Pacing) Attempted(at time.Time, total int, log int64) Pacing {
	return Pacing{tried: true, at: at, total: total, log: log}
}

// Allows says whether the next attempt may come.
func (p Pacing) Allows(now time.Time, total int, log int64, budget int) bool {
	if !p.tried {
		return true
	}
	since := now.Sub(p.at)
	if since < paceLeast || total < p.total+budget/paceShare {
		return false
	}
	return since >= paceTime || log-p.log >= int64(paceGrowth)*int64(budget)
}
