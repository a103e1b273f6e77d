// Package config holds baton's configuration: the defaults, what a file in the
// repository changes of them, and the rules that the result keeps to.
package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/jsondoc"
)

// File is the name of the configuration at the top of the repository.
const File = "relay-baton.config.json"

// SourceDefault is the source of a configuration that no file changed.
const SourceDefault = "default"

// Config is a configuration in which everything has a value that keeps to the
// rules.
type Config struct {
	// Source is SourceDefault, or what the file was called.
	Source string

	PrimaryAgent  string
	FallbackAgent string
	Agents        map[string]Agent

	FallbackPatterns  []string
	FallbackOn        []wall.Class
	FallbackOnSuccess phrase.OnSuccess

	// TestCommand and BuildCommand are empty where prompts name none.
	TestCommand  string
	BuildCommand string

	Auth        Auth
	Diet        Diet
	PlanExecute PlanExecute
	Compression Compression

	// Warnings are what is allowed and hardly meant; Unknown are the keys that
	// nothing reads, from the top on, with points.
	Warnings []string
	Unknown  []string
}

// Agent is how one agent is run.
type Agent struct {
	agent.Launch
	// Env are variables that it gets where the environment has none of that name.
	Env map[string]string
	// Silence is how long it may say nothing; 0 is for ever.
	Silence time.Duration
}

// Auth is what agents get to know of the keys in the environment.
type Auth struct {
	Mode           string
	AllowKeys      bool
	WarnIfDetected bool
	Blocked        []string
}

// Diet is the token diet.
type Diet struct {
	Enabled           bool
	Profile           string
	OutputCompression bool
	Profiles          map[string]compact.Profile
}

// PlanExecute is how plans are made and carried out.
type PlanExecute struct {
	Planner  string
	Executor string
	Receipts bool
	// MaxPlanChars bounds the plan under every profile; 0 where nothing does.
	MaxPlanChars int
}

// Compression is when and how the context is compressed.
type Compression struct {
	Enabled         bool
	Auto            bool
	Threshold       float64
	RotateRaw       bool
	CheckEveryLines int
	KeepRotations   int
}

// InvalidError reports a file that is no configuration, with everything that is
// wrong with it.
type InvalidError struct {
	Source   string
	Problems []error
}

// Error names the file and every problem.
func (e *InvalidError) Error() string {
	var all []string
	for _, p := range e.Problems {
		all = append(all, p.Error())
	}
	return e.Source + ": " + strings.Join(all, "; ")
}

// Unwrap returns the problems.
func (e *InvalidError) Unwrap() []error { return e.Problems }

// Default returns the configuration of a repository without a file.
func Default() Config {
	c, _ := read(defaults(), SourceDefault) // the defaults keep to the rules
	return c
}

// Parse reads a file of that name. With an *InvalidError it returns the
// defaults, for the commands that go on with them.
func Parse(raw []byte, source string) (Config, error) {
	body, _ := markdown.Read(string(raw))
	value, err := jsondoc.Decode([]byte(body))
	if err != nil {
		return Default(), &InvalidError{Source: source, Problems: []error{err}}
	}
	own, ok := value.(map[string]any)
	if !ok {
		return Default(), &InvalidError{Source: source, Problems: []error{&jsondoc.FieldError{Path: "the document", Want: "an object"}}}
	}
	merged, problems := merge(defaults(), own, "")
	c, more := read(merged, source)
	if problems = append(problems, more...); len(problems) > 0 {
		return Default(), &InvalidError{Source: source, Problems: problems}
	}
	c.Unknown = unknown(own, known(), "")
	return c, nil
}

// Refuses says whether a command that reads the configuration refuses to run
// with an invalid one. The others warn and go on with the defaults.
func Refuses(command string) bool {
	return !slices.Contains([]string{"doctor", "init", "status", "budget"}, command)
}

// Budgets returns the budgets of a profile.
func (c Config) Budgets(profile string) (compact.Profile, bool) {
	budgets, ok := c.Diet.Profiles[profile]
	return budgets, ok
}

// PlanBudget is how many characters a plan may have under a profile.
func (c Config) PlanBudget(profile string) int {
	budgets := c.Diet.Profiles[profile]
	most := budgets.MaxPlanChars
	if most == 0 {
		most = budgets.MaxHandoffChars
	}
	if bound := c.PlanExecute.MaxPlanChars; bound > 0 {
		return min(most, bound)
	}
	return most
}

// Phrases are the phrases of the configuration with those of a project behind
// them.
func (c Config) Phrases(project []string) phrase.List {
	return phrase.NewList(c.FallbackPatterns).Overlay(project)
}

// CheckAgent refuses an agent that nobody knows.
func CheckAgent(id string) error {
	if slices.Contains(agent.Names(), id) {
		return nil
	}
	return fmt.Errorf("no agent is called %q: %s are known", id, strings.Join(agents(), " and "))
}

// agents are the known ones, in the order in which people name them.
func agents() []string { return slices.Sorted(slices.Values(agent.Names())) }
