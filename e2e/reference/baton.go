package reference

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/baton/config"
	"github.com/changeover/changeover/domain/baton/project"
	"github.com/changeover/changeover/domain/jsondoc"
)

// anyName stands for a name that people choose.
const anyName = "*"

// baton is the part about baton's configuration file.
func (p *page) baton() {
	p.text("## baton: `" + config.File + "`, at the top of a repository\n")
	p.text(batonRules())
	var rows [][]string
	for _, key := range config.Keys() {
		rows = append(rows, []string{code(strings.ReplaceAll(key.Path, anyName, "‹profile›")), typeOf(key), standard(key), batonFault(key.Path)})
	}
	p.table([]string{"key", "type", "default", "a wrong value is said not to be"}, rows)
	p.text("The profiles of `tokenDiet` that are there without a file; a profile of your own takes what it leaves out from `balanced`,\n" +
		"but for `maxPlanChars`, which is then its `maxHandoffChars`:\n")
	c := config.Default()
	rows = nil
	for _, name := range c.DietNames() {
		b, _ := c.Budgets(name) // it is one of the names
		row := []string{code(name)}
		for _, n := range []int{b.MaxHandoffChars, b.MaxPlanChars, b.MaxDiffChars, b.MaxRepoMapChars, b.MaxLogTailChars, b.MaxStateChars, b.MaxErrorChars} {
			row = append(row, fmt.Sprint(n))
		}
		rows = append(rows, row)
	}
	p.table([]string{"profile", "handoff", "plan", "diff", "repo map", "log tail", "state", "errors"}, rows)
	p.text("A project of the registry (`baton project add`, kept in `~/.relay-baton/projects.json` or where `" + project.FileVariable + "` says) may have\n" +
		"`defaultDiet`, `primaryAgent`, `fallbackAgent` and `fallbackPatterns` of its own; flags go before them, they before the file.\n")
}

// batonRules say what a faulty file does, by command.
func batonRules() string {
	var lenient []string
	for _, command := range []string{"budget", "doctor", "execute", "handoff", "init", "plan", "run", "status"} {
		if !config.Refuses(command) {
			lenient = append(lenient, code("baton "+command))
		}
	}
	return "What a file does not name keeps its default; objects are merged, lists replaced, and a null says nothing. With any fault in it\n" +
		"commands end with exit code 2 and name every fault; " + strings.Join(lenient, ", ") + " warn and go on with the defaults. A key that\n" +
		"nothing reads is told of and passed over.\n"
}

func typeOf(key config.Key) string {
	switch key.Default.(type) {
	case bool:
		return "true or false"
	case jsondoc.Number:
		return "number"
	case []any:
		return "list of texts"
	case map[string]any:
		return "object of texts"
	case string:
		return "text"
	}
	if strings.HasSuffix(key.Path, "Chars") {
		return "number"
	}
	return "text"
}

// standard is the default of a key, and of one that the table of defaults leaves
// open what it comes to.
func standard(key config.Key) string {
	c := config.Default()
	switch {
	case key.Default != nil:
		return value(key.Default)
	case strings.Contains(key.Path, anyName):
		return "by profile"
	case strings.HasSuffix(key.Path, ".silence"):
		return code(c.Agents[strings.Split(key.Path, ".")[1]].Silence.String())
	}
	return ""
}

// value is a decoded value as JSON has it.
func value(v any) string {
	if object, ok := v.(map[string]any); ok {
		var members jsondoc.Object
		for _, name := range slices.Sorted(maps.Keys(object)) {
			members.Add(name, object[name])
		}
		v = members
	}
	return code(string(jsondoc.Line(v)))
}

// wrongs are values that one key or another does not take.
func wrongs() []any {
	return []any{
		true, jsondoc.Number("-1"), "?",
		[]any{"killed", "--full-auto"},
		jsondoc.Object{{Key: config.Default().Auth.Blocked[0], Value: "x"}},
		" ",
	}
}

// enough is how many demands say it: that of the type, and that of the value.
const enough = 2

// batonFault is what the reader demands of a value, by what it says of wrong ones.
func batonFault(path string) string {
	path = strings.ReplaceAll(path, anyName, "mine")
	var demands []string
	for _, wrong := range wrongs() {
		_, err := config.Parse(jsondoc.Stored(nested(strings.Split(path, "."), wrong)), config.File)
		var invalid *config.InvalidError
		if !errors.As(err, &invalid) {
			continue
		}
		for _, problem := range invalid.Problems {
			var fault *jsondoc.FieldError
			if errors.As(problem, &fault) && fault.Path == path && !slices.Contains(demands, fault.Want) && len(demands) < enough {
				demands = append(demands, fault.Want)
			}
		}
	}
	return strings.Join(demands, "; ")
}
