package relay

import "strings"

// Delivery is one handoff, or the goal, on its way.
type Delivery struct {
	Link   string
	Nonce  string
	From   Role
	To     Role
	Seq    int
	Copy   int
	Round  int
	Text   string
	Digest string
	// Corrects: it stands in for an earlier one of the same round.
	Corrects bool
}

// MaxText is the largest text that is delivered, in bytes after cleaning.
const MaxText = 256 << 10

// IsGoal reports the delivery that a person's goal makes.
func (d Delivery) IsGoal() bool { return d.From == Person }

// Prompt returns the text that enters the receiver's model.
func (d Delivery) Prompt(c Catalogue) string {
	if !d.IsGoal() {
		return c.Header(d.Round, d.From) + "\n\n" + d.Text
	}
	// A text that begins so is a command to a client, and none that a mod may
	// submit. The client looks past blanks.
	if strings.HasPrefix(d.Text, "/") || strings.HasPrefix(d.Text, "!") {
		return quoteMark + d.Text
	}
	return d.Text
}

// Receipt is how far a delivery has provably come.
type Receipt string

// The receipts.
const (
	Queued    Receipt = "queued"
	Taken     Receipt = "taken"
	WasShown  Receipt = "shown"
	Answered  Receipt = "answered"
	WasBack   Receipt = "withdrawn"
	WasRefuse Receipt = "refused"
	Unknown   Receipt = "unknown"
)

// Enters reports that a prompt is this very delivery, by itself or woken with.
func (d Delivery) Enters(prompt string, c Catalogue) bool {
	text := strings.TrimSpace(d.Prompt(c))
	trimmed := strings.TrimSpace(prompt)
	if strings.HasPrefix(trimmed, wakeEnvelope) {
		return strings.TrimSpace(wakeText(trimmed)) == text
	}
	return trimmed == text
}
