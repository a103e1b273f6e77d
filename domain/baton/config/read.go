package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/jsondoc"
)

// The modes of the key policy.
const (
	modeSession = "cli-session"
	modeKey     = "api-key"
)

// read turns a merged tree into a configuration and lists what breaks a rule.
func read(tree map[string]any, source string) (Config, []error) {
	f := reader{jsondoc.NewFields(tree)}
	c := Config{
		Source:        source,
		PrimaryAgent:  f.agent("primaryAgent"),
		FallbackAgent: f.agent("fallbackAgent"),
		Agents:        map[string]Agent{},

		FallbackPatterns:  f.Texts("fallbackPatterns"),
		FallbackOn:        f.classes("fallbackOn"),
		FallbackOnSuccess: phrase.OnSuccess(f.Text("fallbackOnSuccess")),
	}
	f.natural("configVersion")
	f.must(c.FallbackOnSuccess.Valid(), "fallbackOnSuccess", "one of never, strong, always")
	commands := f.Child("commands")
	c.TestCommand, c.BuildCommand = commands.Text("test"), commands.Text("build")
	c.Auth = f.child("authPolicy").auth()
	for _, id := range agents() {
		c.Agents[id] = f.child("agents").child(id).readAgent(id, c.Auth.Blocked)
	}
	c.Diet = f.child("tokenDiet").diet()
	plan := f.child("planExecute")
	c.PlanExecute = PlanExecute{
		Planner: plan.agent("defaultPlanner"), Executor: plan.agent("defaultExecutor"),
		Receipts: plan.Flag("receipts"), MaxPlanChars: plan.positive(planBudget),
	}
	compression := f.child("contextCompression")
	c.Compression = Compression{
		Enabled: compression.Flag("enabled"), Auto: compression.Flag("auto"), RotateRaw: compression.Flag("rotateRawArtifacts"),
		Threshold:       compression.share("threshold"),
		CheckEveryLines: compression.natural("checkEveryLines"),
		KeepRotations:   compression.natural("keepRotations"),
	}
	c.Warnings = warnings(c)
	var problems []error
	for _, fault := range f.Faults() {
		problems = append(problems, fault)
	}
	return c, problems
}

// warnings are what is allowed and hardly meant.
func warnings(c Config) []string {
	var all []string
	if len(c.Phrases(nil).Texts()) == 0 {
		all = append(all, "fallbackPatterns is empty: the walls of agents without a JSON mode are not noticed")
	}
	for _, name := range keyNames() {
		if !slices.Contains(c.Auth.Blocked, name) {
			all = append(all, fmt.Sprintf("authPolicy.blockedEnvVars does not hold %s: agents get that key", name))
		}
	}
	return all
}

// reader reads values that keep to rules of their own.
type reader struct{ jsondoc.Fields }

func (r reader) child(key string) reader { return reader{r.Child(key)} }

// must notes a member that does not keep to a rule, unless it was noted already
// for what it is.
func (r reader) must(keeps bool, key, want string) {
	noted := func(e *jsondoc.FieldError) bool { return e.Path == r.Path(key) }
	if !keeps && !slices.ContainsFunc(r.Faults(), noted) {
		r.Fail(key, want)
	}
}

// agent reads the id of a known agent.
func (r reader) agent(key string) string {
	id := r.Text(key)
	r.must(CheckAgent(id) == nil, key, "one of "+strings.Join(agents(), ", "))
	return id
}

func (r reader) classes(key string) []wall.Class {
	var classes []wall.Class
	for _, name := range r.Texts(key) {
		class := wall.Class(name)
		r.must(class.Valid() && class != wall.None && class != wall.Killed, key, fmt.Sprintf("a list of classes that can hand over: it holds %q", name))
		if !slices.Contains(classes, class) {
			classes = append(classes, class)
		}
	}
	return classes
}

func (r reader) auth() Auth {
	a := Auth{
		Mode: r.Text("mode"), AllowKeys: r.Flag("allowApiKeyEnv"), WarnIfDetected: r.Flag("warnIfApiKeyEnvDetected"),
		Blocked: r.Texts("blockedEnvVars"),
	}
	r.must(a.Mode == modeSession || a.Mode == modeKey, "mode", "one of "+modeSession+", "+modeKey)
	return a
}

func (r reader) readAgent(id string, blocked []string) Agent {
	a := Agent{Env: map[string]string{}}
	a.Program, a.Args = r.Text("command"), r.Texts("args")
	r.must(strings.TrimSpace(a.Program) != "", "command", "the name of a program")
	word, found := Forbidden(a.Args)
	r.must(!found, "args", "allowed: it holds the forbidden "+word)
	protocol, err := agent.ChooseProtocol(r.Text("protocol"), id, a.Args)
	r.must(err == nil, "protocol", fmt.Sprintf("readable: %v", err))
	a.Protocol = protocol
	a.Silence = r.silence("silence", protocol.Silence(a.Args))
	env := r.Child("env")
	for _, name := range env.Keys() {
		a.Env[name] = env.Text(name)
		r.must(name != "" && !strings.ContainsAny(name, "=\x00"), "env", fmt.Sprintf("a list of variables: %q is no name of one", name))
		r.must(!slices.Contains(blocked, name), "env", "allowed: authPolicy.blockedEnvVars holds "+name)
	}
	return a
}

// silence reads a duration; a bare 0 is one too.
func (r reader) silence(key string, otherwise time.Duration) time.Duration {
	switch {
	case !r.Has(key):
		return otherwise
	case r.Value(key) == jsondoc.Number("0"):
		return 0
	}
	d, err := time.ParseDuration(r.Text(key))
	r.must(err == nil && d >= 0, key, "a duration such as 15m")
	return d
}

func (r reader) diet() Diet {
	d := Diet{
		Enabled: r.Flag("enabled"), Profile: r.Text("profile"), OutputCompression: r.Flag("outputCompression"),
		Profiles: map[string]compact.Profile{},
	}
	profiles := r.child("profiles")
	base := profiles.child(balanced).budgets(compact.Profile{})
	for _, name := range profiles.Keys() {
		if name == balanced {
			d.Profiles[name] = base
			continue
		}
		d.Profiles[name] = profiles.child(name).budgets(base)
	}
	_, there := d.Profiles[d.Profile]
	r.must(there, "profile", "one of "+strings.Join(d.names(), ", "))
	return d
}

// budgets reads a profile; what it leaves out is that of another, but for the
// budget of the plan.
func (r reader) budgets(base compact.Profile) compact.Profile {
	base.MaxPlanChars = 0
	for _, b := range budgets(&base) {
		if r.Has(b.key) {
			*b.chars = r.positive(b.key)
		}
	}
	return base
}

// positive reads a number of characters; an absent one is 0.
func (r reader) positive(key string) int {
	if !r.Has(key) {
		return 0
	}
	return r.natural(key)
}

// mostCounted is what a larger number comes to: more than any file here may hold,
// and little enough to be counted with.
const mostCounted = 100_000_000

// natural reads an integer that counts something.
func (r reader) natural(key string) int {
	n := r.Int(key)
	r.must(n >= 1, key, "an integer from 1 on")
	return min(n, mostCounted)
}

// share reads a number from 0 to 1.
func (r reader) share(key string) float64 {
	n, err := strconv.ParseFloat(string(r.Number(key)), 64)
	r.must(err == nil && n >= 0 && n <= 1, key, "a number from 0 to 1")
	return n
}
