package board

import (
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
)

// own are the keys that every dashboard has.
var own = []Key{
	{Names: []string{"up", "down", "pgup", "pgdown", "home", "end"}, Label: "↑ ↓ pgup pgdn", Does: "scroll", Hidden: true},
	{Names: []string{"?"}, Does: "help"},
	{Names: []string{"q", "ctrl+c"}, Label: "q", Does: "quit"},
}

// bindings are all keys, those of the dashboard first.
func bindings(keys []Key, all bool) []key.Binding {
	var out []key.Binding
	for _, k := range append(append([]Key{}, keys...), own...) {
		if k.Hidden && !all {
			continue
		}
		label := k.Label
		if label == "" {
			label = strings.Join(k.Names, "/")
		}
		does := k.Does
		if all && k.Help != "" {
			does = k.Help
		}
		out = append(out, key.NewBinding(key.WithKeys(k.Names...), key.WithHelp(clean(label), clean(does))))
	}
	return out
}

const separator = " · "

// helper draws help without styles: those come from the panel that holds it.
func helper() help.Model {
	h := help.New()
	h.Styles = help.Styles{}
	h.ShortSeparator = " · "
	return h
}

// hints is the help at the foot, as many keys as there is room for. The way to the
// whole help and the way out are never left out.
func hints(keys []Key, cells int) Line {
	first, last := bindings(shown(keys), false), helper().ShortHelpView(bindings(nil, false))
	first = first[:len(first)-len(shown(own))]
	for n := len(first); n > 0; n-- {
		line := helper().ShortHelpView(first[:n])
		if n < len(first) {
			line += " " + ellipsis
		}
		if line += separator + last; Width(line) <= cells {
			return Styled(Dim, line)
		}
	}
	return Styled(Dim, last)
}

func shown(keys []Key) []Key {
	var out []Key
	for _, k := range keys {
		if !k.Hidden {
			out = append(out, k)
		}
	}
	return out
}

// helpFrame is the whole help.
func helpFrame(title string, keys []Key) Frame {
	whole := helper().FullHelpView([][]key.Binding{bindings(keys, true)})
	var lines []Line
	for line := range strings.SplitSeq(whole, "\n") {
		lines = append(lines, Text(strings.TrimRight(line, " ")))
	}
	return Frame{Title: title, Panels: []Panel{{Title: "Keys", Lines: lines}}}
}
