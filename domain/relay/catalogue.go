package relay

import (
	"fmt"
	"slices"
)

// Catalogue is everything that relay says in one language.
type Catalogue struct {
	// Lang is the language's two-letter code.
	Lang string

	header  string
	prompts map[Role]string
	// woken is added where deliveries come as automatic events.
	woken string
	words map[Message]string
}

// Message names one thing that relay says.
type Message string

// Say returns a message in the catalogue's language, its values filled in.
func (c Catalogue) Say(m Message, values ...any) string {
	format, ok := c.words[m]
	if !ok {
		panic("relay: the catalogue " + c.Lang + " has no " + string(m))
	}
	return fmt.Sprintf(format, values...)
}

// RolePrompt returns what a model is told of its role, once. woken: deliveries
// reach it by the hook transport.
func (c Catalogue) RolePrompt(r Role, woken bool) string {
	prompt := c.prompts[r]
	if woken {
		prompt += "\n" + c.woken
	}
	return prompt
}

// catalogues are the languages that relay speaks, the default first.
func catalogues() []Catalogue { return []Catalogue{english(), spanish()} }

// CatalogueOf returns the catalogue of a language; the default one where it is
// not spoken.
func CatalogueOf(lang string) Catalogue {
	all := catalogues()
	if i := slices.IndexFunc(all, func(c Catalogue) bool { return c.Lang == lang }); i >= 0 {
		return all[i]
	}
	return all[0]
}

// Speaks reports whether there is a catalogue of a language.
func Speaks(lang string) bool {
	return slices.ContainsFunc(catalogues(), func(c Catalogue) bool { return c.Lang == lang })
}
