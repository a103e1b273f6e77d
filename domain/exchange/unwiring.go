package exchange

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
)

// SettingsEditor takes values out of a settings document that people edit.
type SettingsEditor interface {
	// Without returns the document without the values at the places given, and
	// with every other byte as it was: comments, order and spacing. It refuses
	// with an error where a place does not lead to exactly one value. What an
	// error says is never of the document's content.
	Without(document []byte, places []Place) ([]byte, error)
}

// Place is the way to a value in a document: keys of objects, and numbers from
// 0 on in lists.
type Place []string

// unwiring is what taking the legacy hooks out of one settings document means.
type unwiring struct {
	// names are the scripts whose hook entries go.
	names []string
	// places are the values that go, each the outermost of what it empties.
	places []Place
	// compound are the scripts that an entry names beside other commands: it
	// stays.
	compound []string
	// left are the legacy names that still stand anywhere afterwards.
	left []string
	// after is the decoded document as it will be.
	after any
}

// unwire works out what goes of a decoded settings document: every hook entry
// whose command names a legacy script, and whatever that empties. Groups and
// events that were empty before stay.
func unwire(document any) unwiring {
	u := unwiring{after: document}
	top, _ := document.(map[string]any)
	hooks, _ := top["hooks"].(map[string]any)
	kept := maps.Clone(hooks)
	for _, event := range sortedKeys(hooks) {
		groups, _ := hooks[event].([]any)
		rest, places := u.groups(groups, Place{"hooks", event})
		switch {
		case len(places) == 0:
		case len(rest) == 0:
			delete(kept, event)
			u.places = append(u.places, Place{"hooks", event})
		default:
			kept[event] = rest
			u.places = append(u.places, places...)
		}
	}
	if len(u.places) > 0 {
		changed := maps.Clone(top)
		changed["hooks"] = kept
		if len(kept) == 0 {
			delete(changed, "hooks")
			u.places = []Place{{"hooks"}}
		}
		u.after = changed
	}
	u.names, u.compound = distinct(u.names), distinct(u.compound)
	u.left = legacyNames(jsondoc.Texts(u.after)...)
	return u
}

// groups returns what stays of an event's groups, and the places of what goes.
func (u *unwiring) groups(groups []any, at Place) (rest []any, places []Place) {
	for i, value := range groups {
		group, _ := value.(map[string]any)
		entries, _ := group["hooks"].([]any)
		here := at.under(strconv.Itoa(i))
		kept, gone := u.entries(entries, here.under("hooks"))
		switch {
		case len(gone) == 0:
			rest = append(rest, value)
		case len(kept) == 0:
			places = append(places, here)
		default:
			changed := maps.Clone(group)
			changed["hooks"] = kept
			rest = append(rest, changed)
			places = append(places, gone...)
		}
	}
	return rest, places
}

// entries returns what stays of a group's entries, and the places of what goes.
func (u *unwiring) entries(entries []any, at Place) (rest []any, places []Place) {
	for i, value := range entries {
		entry, _ := value.(map[string]any)
		command := jsondoc.Text(entry, "command")
		names := legacyNames(command)
		switch {
		case len(names) == 0:
			rest = append(rest, value)
		case isCompound(command):
			u.compound = append(u.compound, names...)
			rest = append(rest, value)
		default:
			u.names = append(u.names, names...)
			places = append(places, at.under(strconv.Itoa(i)))
		}
	}
	return rest, places
}

// under returns the place one step further down.
func (p Place) under(step string) Place { return append(slices.Clone(p), step) }

// legacyNames returns the legacy scripts that texts name, sorted, each once.
func legacyNames(texts ...string) []string {
	return slices.DeleteFunc(scriptNames(texts), func(name string) bool { return !IsLegacyName(name) })
}

func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// isCompound reports a command line that runs more than one command, as far as
// its characters tell: quotes are not heeded, so in doubt it does.
func isCompound(command string) bool {
	plain := strings.NewReplacer(">&", "", "&>", "").Replace(command)
	return strings.ContainsAny(plain, ";&|\n`") || strings.Contains(plain, "$(")
}

// errOther reports an edit that would change more than it should, or less.
var errOther = errors.New("an edit of it would not change what it should and nothing else")

// without takes the places out of a settings document and makes sure that all
// other values are what they were.
func without(editor SettingsEditor, document []byte, u unwiring) ([]byte, error) {
	edited, err := editor.Without(document, u.places)
	if err != nil {
		return nil, err
	}
	value, err := jsondoc.DecodeRelaxed(edited)
	if err != nil || !jsondoc.Equal(value, u.after) {
		return nil, errOther
	}
	return edited, nil
}
