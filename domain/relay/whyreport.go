package relay

import (
	"fmt"

	"github.com/changeover/changeover/domain/jsondoc"
)

// Lines says it to a person: a line for each thing, and a last one with what to type
// next.
func (r WhyReport) Lines() []string {
	row := func(label, says string) string { return fmt.Sprintf("%-10s%s", label, says) }
	lines := []string{row("for", r.Label+"  "+r.Session)}
	for _, f := range r.Findings {
		says := f.Says()
		if f.Name != "" {
			says = f.Name + "  " + says
		}
		lines = append(lines, row(string(f.Thing), says))
	}
	for _, problem := range r.Problems {
		lines = append(lines, row("problem", problem))
	}
	return append(lines, row("next", r.next()))
}

// Document says it to a script.
func (r WhyReport) Document() jsondoc.Object {
	things := []jsondoc.Object{}
	for _, f := range r.Findings {
		thing := jsondoc.Object{{Key: "thing", Value: string(f.Thing)}}
		thing.AddText("name", f.Name)
		thing.Add("cause", string(f.Cause))
		thing.Add("says", f.Says())
		thing.AddText("do", f.Do())
		things = append(things, thing)
	}
	return jsondoc.Object{
		{Key: "session", Value: r.Session},
		{Key: "name", Value: r.Label},
		{Key: "things", Value: things},
		{Key: "next", Value: r.next()},
		{Key: "problems", Value: append([]string{}, r.Problems...)},
	}
}
