package handoff

import (
	"fmt"
	"time"

	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
)

// BudgetFile is the name of the record of what the last handoff used.
const BudgetFile = "context-budget.json"

// Budget is what the last handoff used of its profile, in characters.
type Budget struct {
	Profile         string
	MaxHandoffChars int
	MaxPlanChars    int
	Used            Used
	// Truncated: something in the handoff was cut to fit.
	Truncated   bool
	GeneratedAt time.Time
}

// Used is how long the artifacts were.
type Used struct{ Handoff, Plan, RepoMap, FullDiff, CommandsLog, CompactState int }

// EmptyBudget is what init writes before there is any handoff.
const EmptyBudget = "{}\n"

// Encode returns the content of the file.
func (b Budget) Encode() []byte {
	return jsondoc.Stored(jsondoc.Object{
		{Key: "profile", Value: b.Profile},
		{Key: "maxHandoffChars", Value: b.MaxHandoffChars},
		{Key: "maxPlanChars", Value: b.MaxPlanChars},
		{Key: "used", Value: jsondoc.Object{
			{Key: "handoff", Value: b.Used.Handoff},
			{Key: "plan", Value: b.Used.Plan},
			{Key: "repoMap", Value: b.Used.RepoMap},
			{Key: "fullDiff", Value: b.Used.FullDiff},
			{Key: "commandsLog", Value: b.Used.CommandsLog},
			{Key: "compactState", Value: b.Used.CompactState},
		}},
		{Key: "truncated", Value: b.Truncated},
		{Key: "generatedAt", Value: stamp.Text(b.GeneratedAt)},
	})
}

// ReadBudget reads such a file. ok is false where no handoff was recorded yet.
func ReadBudget(data []byte) (b Budget, ok bool, err error) {
	value, err := jsondoc.Decode(data)
	if err != nil {
		return b, false, fmt.Errorf("read %s: %w", BudgetFile, err)
	}
	object, isObject := value.(map[string]any)
	if !isObject {
		return b, false, fmt.Errorf("read %s: not a JSON object", BudgetFile)
	}
	if len(object) == 0 {
		return b, false, nil
	}
	b.Profile = jsondoc.Text(object, "profile")
	b.Truncated, _ = object["truncated"].(bool)
	b.MaxHandoffChars = whole(object, "maxHandoffChars")
	b.MaxPlanChars = whole(object, "maxPlanChars")
	used, _ := object["used"].(map[string]any)
	b.Used = Used{
		Handoff: whole(used, "handoff"), Plan: whole(used, "plan"), RepoMap: whole(used, "repoMap"), FullDiff: whole(used, "fullDiff"),
		CommandsLog: whole(used, "commandsLog"), CompactState: whole(used, "compactState"),
	}
	if at := jsondoc.Text(object, "generatedAt"); at != "" {
		if b.GeneratedAt, err = stamp.Parse(at); err != nil {
			return Budget{}, false, fmt.Errorf("read generatedAt of %s: %w", BudgetFile, err)
		}
	}
	return b, true, nil
}

// whole returns a whole number of an object, 0 where there is none.
func whole(object map[string]any, key string) int {
	n, _ := object[key].(jsondoc.Number)
	value, err := n.Int64()
	if err != nil {
		return 0
	}
	return int(value)
}
