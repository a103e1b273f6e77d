// Package casefold folds the case of text as Unicode does in full: a letter may
// become several.
package casefold

import (
	"strings"
	"unicode/utf8"

	"github.com/google/wire"
	"golang.org/x/text/cases"

	"github.com/changeover/changeover/domain/exchange/ledger"
)

// New returns full Unicode case folding.
func New() ledger.Fold { return fold }

// fold makes a caser for each text, since one may be in use once at a time. Of
// ASCII alone it needs none.
func fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(cherokee, cases.Fold().String(s))
		}
	}
	return strings.ToLower(s)
}

// cherokee turns small letters of that script into capitals: Unicode folds it
// that way, the library to and fro.
func cherokee(r rune) rune {
	switch {
	case 0xAB70 <= r && r <= 0xABBF:
		return r - 0xAB70 + 0x13A0
	case 0x13F8 <= r && r <= 0x13FD:
		return r - 8
	}
	return r
}

// Set provides the folding.
var Set = wire.NewSet(New)
