package wall

import (
	"fmt"
	"time"

	"github.com/changeover/changeover/domain/text"
)

// most is how many waits, and how many handoffs, one command may make.
const most = 5

// Course is the way of one command through its agents: who may go on when one
// meets a wall, and who has already.
type Course struct {
	// First is the agent that the command was given to, Other the one it falls
	// back to; empty where there is none.
	First string
	Other string

	// On are the classes that hand over.
	On []Class

	// Wait: rather wait for the same agent than go on with another, for a
	// reset no further away than MaxWait. Return: go back to the first agent
	// when the other one meets a wall.
	Wait    bool
	MaxWait time.Duration
	Return  bool

	// Began is when the command did.
	Began time.Time

	// Limits are what is known of the agents' limits.
	Limits Limits

	// Waits and Handoffs count what this command has done.
	Waits    int
	Handoffs int

	// Zone is that of the times in notices, Cut cuts the texts in them.
	Zone *time.Location
	Cut  text.Cutter
}

// Opening is how a command begins: with which agent, and whether at once.
type Opening struct {
	Agent string
	// Until is zero where nothing is waited for.
	Until   time.Time
	Notices []string
}

// Open says who begins, and returns the course from there on. The first agent
// is not held up by a noted limit unless a flag asks for it.
func (c Course) Open(now time.Time) (Opening, Course) {
	noted, ok := c.Limits[c.First]
	if !ok || noted.ResetAt.IsZero() || !noted.Holds(now, c.Began) {
		return Opening{Agent: c.First}, c
	}
	limit := noted.Told(c.First, now, c.zone())
	if c.Return && c.free(c.Other, now) {
		return Opening{Agent: c.Other, Notices: []string{fmt.Sprintf("%s: %s begins", limit, c.Other)}}, c
	}
	if !c.Wait {
		return Opening{Agent: c.First, Notices: []string{limit + ": it is started all the same"}}, c
	}
	until, hindered := c.until(noted, now)
	if hindered != "" {
		return Opening{Agent: c.First, Notices: []string{fmt.Sprintf("%s, %s: it is started all the same", limit, hindered)}}, c
	}
	c.Waits++
	return Opening{Agent: c.First, Until: until, Notices: []string{limit + ": baton waits"}}, c
}

// Next says what follows a run, and returns the course from there on.
func (c Course) Next(e Ended, now time.Time) (Decision, Course) {
	c.Limits = c.Limits.After(e, now, c.Cut)
	if !e.walled(c.On) {
		return e.final(), c
	}
	d := Decision{Reason: e.Reason(c.Cut)}
	if c.Handoffs >= most {
		return d.fail("%s met %s after %d handoffs, which is the most that one command makes", e.Agent, e.met(), most), c
	}
	if e.Agent == c.First {
		return c.afterFirst(d, e, now)
	}
	return c.afterOther(d, e, now)
}

// afterFirst goes on with the same agent where the command may wait, else with
// the other one.
func (c Course) afterFirst(d Decision, e Ended, now time.Time) (Decision, Course) {
	d, waits := c.waitSame(d, e, now)
	if waits {
		return d, c.waited()
	}
	next := c.Other
	if next == c.First {
		next = ""
	}
	if next != "" && !c.free(next, now) {
		return c.noneFree(d, e, now), c
	}
	decided := Decide(e, c.On, next, c.Cut)
	decided.Notices = d.Notices
	if next != "" {
		c.Handoffs++
	}
	return decided, c
}

// afterOther goes back to the first agent where the command may, else it waits
// where it may do that.
func (c Course) afterOther(d Decision, e Ended, now time.Time) (Decision, Course) {
	if c.Return && c.free(c.First, now) {
		d.Action, d.Next = Return, c.First
		d.Why = fmt.Sprintf("%s met %s, and no limit of %s holds: %s goes on again.", e.Agent, e.met(), c.First, c.First)
		c.Handoffs++
		return d, c
	}
	if c.Return && c.Wait {
		until, hindered := c.until(c.Limits[c.First], now)
		if hindered == "" {
			d.Action, d.Next, d.Until = Return, c.First, until
			d.Why = fmt.Sprintf("%s met %s: %s goes on again when its limit has reset.", e.Agent, e.met(), c.First)
			return d, c.waited()
		}
		d.Notices = append(d.Notices, fmt.Sprintf("%s is not waited for: %s", c.First, hindered))
	}
	d, waits := c.waitSame(d, e, now)
	switch {
	case waits:
		return d, c.waited()
	case c.Return:
		return c.noneFree(d, e, now), c
	}
	return d.fail("%s met %s, and no other agent is left to go on", e.Agent, e.met()), c
}

// waitSame decides to wait for the agent that met the wall; where the command
// was to wait and cannot, a notice says why.
func (c Course) waitSame(d Decision, e Ended, now time.Time) (Decision, bool) {
	if !c.Wait || e.Class != UsageLimit && e.Class != RateLimit {
		return d, false
	}
	until, hindered := c.until(Noted{Class: e.Class, Limit: e.Limit}, now)
	if hindered != "" {
		d.Notices = append(d.Notices, fmt.Sprintf("%s is not waited for: %s", e.Agent, hindered))
		return d, false
	}
	d.Action, d.Next, d.Until = Wait, e.Agent, until
	d.Why = fmt.Sprintf("%s met %s and goes on when that has reset.", e.Agent, e.met())
	return d, true
}

// waited counts a wait with the handoff that ends it.
func (c Course) waited() Course {
	c.Waits++
	c.Handoffs++
	return c
}

// until returns when a wait for a limit ends, or what hinders it.
func (c Course) until(n Noted, now time.Time) (until time.Time, hindered string) {
	switch {
	case n.ResetAt.IsZero():
		return time.Time{}, "no reset time is known"
	case n.ResetAt.Sub(now) > c.MaxWait:
		return time.Time{}, fmt.Sprintf("its reset at %s is further away than --max-wait %s", When(n.ResetAt, now, c.zone()), c.MaxWait)
	case c.Waits >= most:
		return time.Time{}, fmt.Sprintf("this command has waited %d times, which is the most", most)
	}
	return n.Until(), ""
}

// free says whether an agent may be handed to: there is one, and none of its
// limits is known to hold.
func (c Course) free(agent string, now time.Time) bool {
	noted, ok := c.Limits[agent]
	return agent != "" && (!ok || !noted.Holds(now, c.Began))
}

// noneFree fails and names the earliest reset.
func (c Course) noneFree(d Decision, e Ended, now time.Time) Decision {
	earliest := ""
	for _, agent := range []string{c.First, c.Other} {
		if noted := c.Limits[agent]; noted.Holds(now, c.Began) && !noted.ResetAt.IsZero() &&
			(earliest == "" || noted.ResetAt.Before(c.Limits[earliest].ResetAt)) {
			earliest = agent
		}
	}
	reset := "no reset time is known"
	if earliest != "" {
		reset = fmt.Sprintf("the earliest reset is that of %s at %s", earliest, c.Limits[earliest].ResetAt.In(c.zone()).Format("2006-01-02 15:04"))
	}
	return d.fail("%s met %s, and no agent is free: %s", e.Agent, e.met(), reset)
}

// zone is UTC where none was given.
func (c Course) zone() *time.Location {
	if c.Zone == nil {
		return time.UTC
	}
	return c.Zone
}
