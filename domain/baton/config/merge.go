package config

import (
	"maps"
	"slices"

	"github.com/changeover/changeover/domain/jsondoc"
)

// merge lays one object over another, key by key at every level; anything that
// is no object replaces what was there. A null says nothing, but that a profile
// has no plan budget of its own.
func merge(base, own map[string]any, path string) (map[string]any, []error) {
	merged := map[string]any{}
	maps.Copy(merged, base)
	var problems []error
	for _, key := range slices.Sorted(maps.Keys(own)) {
		at := join(path, key)
		lower, isObject := merged[key].(map[string]any)
		upper, givesObject := own[key].(map[string]any)
		switch {
		case own[key] == nil:
			if key == planBudget {
				delete(merged, key)
			}
		case isObject && !givesObject:
			problems = append(problems, &jsondoc.FieldError{Path: at, Want: "an object"})
		case givesObject:
			var more []error
			merged[key], more = merge(lower, upper, at)
			problems = append(problems, more...)
		default:
			merged[key] = own[key]
		}
	}
	return merged, problems
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// shape is the keys that an object may have, and those of the objects in them.
type shape map[string]shape

// anyKey stands for every name that people choose.
const anyKey = "*"

// known is the shape of a configuration.
func known() shape {
	agent := shape{"command": nil, "args": nil, "protocol": nil, "env": nil, "silence": nil}
	return shape{
		"configVersion": nil, "primaryAgent": nil, "fallbackAgent": nil,
		"agents":           {"codex": agent, "claude": agent},
		"fallbackPatterns": nil, "fallbackOn": nil, "fallbackOnSuccess": nil,
		"commands":   {"test": nil, "build": nil},
		"authPolicy": {"mode": nil, "allowApiKeyEnv": nil, "warnIfApiKeyEnvDetected": nil, "blockedEnvVars": nil},
		"tokenDiet": {
			"enabled": nil, "profile": nil, "outputCompression": nil,
			"profiles": {anyKey: {
				"maxHandoffChars": nil, "maxDiffChars": nil, "maxRepoMapChars": nil, "maxLogTailChars": nil,
				"maxStateChars": nil, "maxErrorChars": nil, planBudget: nil,
			}},
		},
		"planExecute": {"defaultPlanner": nil, "defaultExecutor": nil, "receipts": nil, planBudget: nil},
		"contextCompression": {
			"enabled": nil, "auto": nil, "threshold": nil, "rotateRawArtifacts": nil, "checkEveryLines": nil, "keepRotations": nil,
		},
	}
}

// unknown lists the keys of an object that its shape does not have.
func unknown(own map[string]any, known shape, path string) []string {
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(own)) {
		inner, ok := known[key]
		if !ok {
			inner, ok = known[anyKey]
		}
		if !ok {
			keys = append(keys, join(path, key))
			continue
		}
		if object, isObject := own[key].(map[string]any); isObject && inner != nil {
			keys = append(keys, unknown(object, inner, join(path, key))...)
		}
	}
	return keys
}
