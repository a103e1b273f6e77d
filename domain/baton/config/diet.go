package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// UnknownDietError reports a profile that the configuration does not have.
type UnknownDietError struct {
	Name  string
	Known []string
}

// Error names the profiles that there are.
func (e *UnknownDietError) Error() string {
	return fmt.Sprintf("no diet is called %q: %s are known", e.Name, strings.Join(e.Known, ", "))
}

// DietNames are the profiles that there are: the built-in ones by their budgets,
// then the others by their names.
func (c Config) DietNames() []string { return c.Diet.names() }

func (d Diet) names() []string {
	var names []string
	for _, p := range builtIns() {
		names = append(names, p.name)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Profiles)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// WantedDiet is where the profile of a command may come from, the first that is
// set before the next. Commands that do not go by the session leave it empty.
type WantedDiet struct{ Flag, Session, Project string }

// ChooseDiet returns the profile of a command. A flag that names none is an
// *UnknownDietError; what was recorded earlier and is gone is a warning.
func (c Config) ChooseDiet(w WantedDiet) (profile string, warnings []string, err error) {
	if w.Flag != "" {
		if _, ok := c.Budgets(w.Flag); !ok {
			return "", nil, &UnknownDietError{Name: w.Flag, Known: c.DietNames()}
		}
	}
	if !c.Diet.Enabled {
		return "off", nil, nil
	}
	for _, from := range []struct{ where, name string }{{"the flag", w.Flag}, {"the session", w.Session}, {"the project", w.Project}} {
		if from.name == "" {
			continue
		}
		if _, ok := c.Budgets(from.name); ok {
			return from.name, warnings, nil
		}
		warnings = append(warnings, fmt.Sprintf("the diet %q of %s is not there any more", from.name, from.where))
	}
	return c.Diet.Profile, warnings, nil
}
