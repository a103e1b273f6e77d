package baton

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/jsondoc"
)

// sessionSchema is that of the session files which this version writes.
const sessionSchema = 1

// ErrBadSession reports a session.json that is none. It is never replaced: the
// person moves it away.
var ErrBadSession = errors.New("session.json cannot be read: move it away to begin anew")

// ReadSession reads session.json. An error wraps ErrBadSession.
func ReadSession(raw []byte) (SessionMeta, error) {
	body := bytes.TrimPrefix(raw, []byte("\ufeff"))
	f, err := jsondoc.DecodeFields(body)
	if err != nil {
		return SessionMeta{}, fmt.Errorf("%w: %w", ErrBadSession, err)
	}
	m := readMeta(f)
	if v := f.Int("schemaVersion"); f.Has("schemaVersion") && v != sessionSchema {
		f.Fail("schemaVersion", fmt.Sprintf("%d: a later version wrote it", sessionSchema))
	}
	if m.ID == "" {
		f.Fail("id", "the id of a session")
	}
	if !m.status.Valid() {
		f.Fail("status", "the status of a session")
	}
	if err := f.Err(); err != nil {
		return SessionMeta{}, fmt.Errorf("%w: %w", ErrBadSession, err)
	}
	value, err := jsondoc.DecodeOrdered(body)
	if err != nil {
		return SessionMeta{}, fmt.Errorf("%w: %w", ErrBadSession, err)
	}
	m.original, _ = value.(jsondoc.Object)
	m.known = m.Document()
	if !m.before.Valid() || m.status != Compressing {
		m.before = "" // left over, and gone with the next write
	}
	return m, nil
}

func readMeta(f jsondoc.Fields) SessionMeta {
	m := SessionMeta{
		ID:                f.Text("id"),
		CreatedAt:         stamp.Field(f, "createdAt"),
		UpdatedAt:         stamp.Field(f, "updatedAt"),
		RepoRoot:          f.Text("repoRoot"),
		Task:              f.Text("task"),
		status:            Status(f.Text("status")),
		before:            Status(f.Text("statusBeforeCompress")),
		PrimaryAgent:      f.Text("primaryAgent"),
		FallbackAgent:     f.Text("fallbackAgent"),
		ActiveAgent:       orNone(f.Text("activeAgent")),
		LastAgent:         orNone(f.Text("lastAgent")),
		FallbackReason:    f.Text("fallbackReason"),
		LastError:         f.Text("lastError"),
		TokenDietProfile:  f.Text("tokenDietProfile"),
		StartedAt:         stamp.Field(f, "startedAt"),
		EndedAt:           stamp.Field(f, "endedAt"),
		Duration:          time.Duration(fraction(f, "durationMs") * float64(time.Millisecond)),
		HandoffCount:      tally(f, "handoffCount"),
		LastHandoffAt:     stamp.Field(f, "lastHandoffAt"),
		WorkflowMode:      Mode(f.Text("workflowMode")),
		PlanAuthor:        readOptional(f, "planAuthor"),
		PlanFinalizedAt:   stamp.Field(f, "planFinalizedAt"),
		Executor:          readOptional(f, "executor"),
		ExecuteStartedAt:  stamp.Field(f, "executeStartedAt"),
		ExecuteHead:       readOptional(f, "executeHead"),
		SuspectedFallback: f.Text("suspectedFallback"),
		Limits:            readLimits(f.Child("limits")),
		Waiting:           wall.Waiting{Agent: f.Text("waitingFor"), Until: stamp.Field(f, "waitingUntil")},
	}
	if m.WorkflowMode != "" && m.WorkflowMode != FallbackMode && m.WorkflowMode != PlanExecuteMode {
		f.Fail("workflowMode", fmt.Sprintf("%s or %s", FallbackMode, PlanExecuteMode))
	}
	if f.Has("lastCompression") {
		c := f.Child("lastCompression")
		m.LastCompression = &LastCompression{
			At: stamp.Field(c, "at"), Trigger: c.Text("trigger"), Before: tally(c, "before"), After: tally(c, "after"),
			RatioBefore: fraction(c, "ratioBefore"), RatioAfter: fraction(c, "ratioAfter"),
		}
	}
	return m
}

func orNone(agent string) string {
	if agent == "" {
		return NoAgent
	}
	return agent
}

func readOptional(f jsondoc.Fields, key string) Optional {
	return Optional{There: slices.Contains(f.Keys(), key), Text: f.Text(key)}
}

// tally reads how many there were; 0 where that is not said.
func tally(f jsondoc.Fields, key string) int {
	n := f.Int(key)
	if n < 0 {
		f.Fail(key, "an integer from 0 on")
	}
	return n
}

// fraction reads a number of any form; 0 where there is none.
func fraction(f jsondoc.Fields, key string) float64 {
	if !f.Has(key) {
		return 0
	}
	n, err := strconv.ParseFloat(string(f.Number(key)), 64)
	if err != nil && f.Err() == nil {
		f.Fail(key, "a number that can be counted")
	}
	return n
}

func readLimits(f jsondoc.Fields) wall.Limits {
	limits := wall.Limits{}
	for _, agent := range f.Keys() {
		l := f.Child(agent)
		limits[agent] = wall.Noted{
			Class:  wall.Class(l.Text("class")),
			Limit:  wall.Limit{Kind: wall.Kind(l.Text("kind")), ResetAt: stamp.Field(l, "resetAt"), Exact: l.Flag("resetExact")},
			Text:   l.Text("text"),
			SeenAt: stamp.Field(l, "seenAt"),
		}
	}
	return limits
}

// Bytes is the session as its file holds it, written at an instant. What this
// version does not know stays as it is, in its place.
func (m SessionMeta) Bytes(now time.Time) []byte {
	m.UpdatedAt = now
	return jsondoc.Stored(lay(m.original, m.known, m.Document()))
}

// Document is what is known of the session, in the order of a new file.
func (m SessionMeta) Document() jsondoc.Object {
	var o jsondoc.Object
	if len(m.original) == 0 {
		o.Add("schemaVersion", sessionSchema)
	} else if version, ok := m.original.Find("schemaVersion"); ok {
		o.Add("schemaVersion", version)
	}
	o.Add("id", m.ID)
	addTime(&o, "createdAt", m.CreatedAt)
	addTime(&o, "updatedAt", m.UpdatedAt)
	o.Add("repoRoot", m.RepoRoot)
	o.Add("task", m.Task)
	o.Add("status", string(m.status))
	o.Add("primaryAgent", m.PrimaryAgent)
	o.Add("fallbackAgent", m.FallbackAgent)
	o.Add("activeAgent", m.ActiveAgent)
	o.Add("lastAgent", m.LastAgent)
	o.Add("fallbackReason", orNull(m.FallbackReason))
	o.Add("lastError", orNull(m.LastError))
	o.Add("tokenDietProfile", m.TokenDietProfile)
	addTime(&o, "startedAt", m.StartedAt)
	addTime(&o, "endedAt", m.EndedAt)
	if !m.EndedAt.IsZero() || m.Duration != 0 {
		o.Add("durationMs", m.Duration.Milliseconds())
	}
	if m.HandoffCount > 0 {
		o.Add("handoffCount", m.HandoffCount)
	}
	o.AddText("workflowMode", string(m.WorkflowMode))
	m.PlanAuthor.add(&o, "planAuthor")
	m.Executor.add(&o, "executor")
	addTime(&o, "planFinalizedAt", m.PlanFinalizedAt)
	addTime(&o, "executeStartedAt", m.ExecuteStartedAt)
	m.ExecuteHead.add(&o, "executeHead")
	addTime(&o, "lastHandoffAt", m.LastHandoffAt)
	o.AddText("statusBeforeCompress", string(m.before))
	if c := m.LastCompression; c != nil {
		o.Add("lastCompression", c.document())
	}
	o.AddText("suspectedFallback", m.SuspectedFallback)
	if len(m.Limits) > 0 {
		o.Add("limits", limitsDocument(m.Limits))
	}
	o.AddText("waitingFor", m.Waiting.Agent)
	addTime(&o, "waitingUntil", m.Waiting.Until)
	return o
}

func addTime(o *jsondoc.Object, key string, at time.Time) {
	if !at.IsZero() {
		o.Add(key, stamp.Text(at))
	}
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func (p Optional) add(o *jsondoc.Object, key string) {
	if p.There {
		o.Add(key, orNull(p.Text))
	}
}

func (c LastCompression) document() jsondoc.Object {
	var o jsondoc.Object
	addTime(&o, "at", c.At)
	o.Add("trigger", c.Trigger)
	o.Add("before", c.Before)
	o.Add("after", c.After)
	o.Add("ratioBefore", shownRatio(c.RatioBefore))
	o.Add("ratioAfter", shownRatio(c.RatioAfter))
	return o
}

// ratio writes a share with as many digits as people look at.
func shownRatio(r float64) jsondoc.Number {
	return jsondoc.Number(strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(r, 'f', 4, 64), "0"), "."))
}

func limitsDocument(limits wall.Limits) jsondoc.Object {
	var o jsondoc.Object
	for _, agent := range limits.Agents() {
		n := limits[agent]
		var reset any
		if !n.ResetAt.IsZero() {
			reset = stamp.Text(n.ResetAt)
		}
		entry := jsondoc.Object{
			{Key: "class", Value: string(n.Class)},
			{Key: "kind", Value: orNull(string(n.Kind))},
			{Key: "resetAt", Value: reset},
			{Key: "resetExact", Value: n.Exact},
			{Key: "text", Value: orNull(n.Text)},
		}
		addTime(&entry, "seenAt", n.SeenAt)
		o.Add(agent, entry)
	}
	return o
}

// lay returns an object as it was, with what has changed from before to after:
// everything else, and what neither of the two has, stays untouched in its
// place. New members stand behind the ones that they follow in after.
func lay(original, before, after jsondoc.Object) jsondoc.Object {
	var laid jsondoc.Object
	for _, m := range original {
		_, was := before.Find(m.Key)
		if _, is := after.Find(m.Key); is || !was {
			laid = append(laid, m)
		}
	}
	next := 0
	for _, m := range after {
		at := slices.IndexFunc(laid, func(other jsondoc.Member) bool { return other.Key == m.Key })
		if at < 0 {
			at = next
			laid = slices.Insert(laid, at, m)
		} else {
			old, was := before.Find(m.Key)
			laid[at].Value = layValue(laid[at].Value, old, m.Value, was)
		}
		next = at + 1
	}
	return laid
}

func layValue(original, before, after any, was bool) any {
	if was && bytes.Equal(jsondoc.Line(before), jsondoc.Line(after)) {
		return original
	}
	was1, ok1 := original.(jsondoc.Object)
	was2, ok2 := before.(jsondoc.Object)
	is, ok3 := after.(jsondoc.Object)
	if ok1 && ok2 && ok3 {
		return lay(was1, was2, is)
	}
	return after
}
