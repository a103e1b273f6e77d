// Package casefold folds the case of text as Unicode does in full: a letter may
// become several.
package casefold

import (
	"github.com/google/wire"
	"golang.org/x/text/cases"

	"github.com/changeover/changeover/domain/exchange/ledger"
)

// New returns full Unicode case folding.
func New() ledger.Fold { return fold }

// fold makes a caser for each text, since one may be in use once at a time.
func fold(s string) string { return cases.Fold().String(s) }

// Set provides the folding.
var Set = wire.NewSet(New)
