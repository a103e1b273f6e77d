package agent

import (
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
)

// ofGeneric is the outcome of an agent that is known by phrases alone.
func (r *Run) ofGeneric(e port.Ending) Outcome {
	end := r.generic.End(e.Status(), e.Signal != 0, r.setup.OnSuccess)
	o := Outcome{Suspected: end.Suspected}
	o.Class = end.Class
	switch {
	case end.Class == wall.Killed:
		o.Rule, o.Evidence = ruleSignal, byExit(e)
		return o
	case end.Evidence.Phrase == "":
		o.Rule, o.Evidence = ruleExit, byExit(e)
		return o
	}
	seen := end.Evidence
	o.Rule, o.Phrase = rulePhrase, seen.Phrase
	if end.Suspected {
		o.Rule = ruleExit
	}
	o.Evidence = wall.Evidence{Source: wall.Stdout, Text: r.judge.clip(seen.Text), Line: seen.Line}
	if seen.Stream == phrase.Stderr {
		o.Evidence.Source = wall.Stderr
	}
	o.Limit = r.judge.limit(finding{class: end.Class, text: seen.Text, at: seen.At})
	return o
}
