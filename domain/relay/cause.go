package relay

import "strings"

// Cause is the rule that kept something from a session, or let it through.
type Cause string

// The causes.
const (
	SilentApart     Cause = "state-apart"
	SilentHooksOff  Cause = "hooks-off"
	SilentUnseen    Cause = "plugin-not-seen"
	SilentModsOff   Cause = "mods-off"
	SilentDetached  Cause = "attach-ended"
	SilentUnloaded  Cause = "mod-not-loaded"
	ByAttach        Cause = "attached"
	LookFailed      Cause = "not-looked"
	NotKnown        Cause = "not-known"
	NoLink          Cause = "no-link"
	AskedOfUs       Cause = "asked"
	AskingThem      Cause = "asking"
	WasDeclined     Cause = "declined"
	WasUnlinked     Cause = "unlinked"
	NoGoal          Cause = "no-goal"
	WorkDone        Cause = "done"
	PausedByPerson  Cause = "paused-person"
	PausedAtLimit   Cause = "paused-limit"
	PausedUnasked   Cause = "paused-not-accepted"
	PausedEcho      Cause = "paused-echo"
	PausedTooLarge  Cause = "paused-too-large"
	PausedNotRead   Cause = "paused-not-read"
	PausedPeerGone  Cause = "paused-peer-gone"
	PausedTurnDied  Cause = "paused-turn-died"
	PausedNotTaken  Cause = "paused-not-delivered"
	PeerLeft        Cause = "peer-gone"
	SelfLeft        Cause = "session-gone"
	TurnInterrupted Cause = "interrupted"
	TurnFailed      Cause = "turn-lost"
	TurnRuns        Cause = "turn-runs"
	TurnWithout     Cause = "no-block"
	TurnUnclosed    Cause = "unclosed"
	TurnWaits       Cause = "subagents-run"
	TurnAside       Cause = "set-aside"
	TurnEcho        Cause = "turn-held"
	TurnUnsent      Cause = "turn-unsent"
	TurnSent        Cause = "turn-sent"
	IsQueued        Cause = "queued"
	IsTaken         Cause = "taken"
	IsUnknown       Cause = "delivery-unknown"
	IsRefused       Cause = "delivery-refused"
	IsWithdrawn     Cause = "withdrawn"
	IsShown         Cause = "shown"
	IsAnswered      Cause = "answered"
	KeptOut         Cause = "kept-out"
	KeptDouble      Cause = "double"
	KeptLookAlike   Cause = "look-alike"
)

// pauseCauses are the causes of the reasons that a link pauses for.
var pauseCauses = [...]struct {
	reason Reason
	cause  Cause
}{
	{ByPerson, PausedByPerson},
	{AtLimit, PausedAtLimit},
	{NotAccepted, PausedUnasked},
	{Echo, PausedEcho},
	{TooLarge, PausedTooLarge},
	{NotRead, PausedNotRead},
	{PeerGone, PausedPeerGone},
	{TurnDied, PausedTurnDied},
	{NotTaken, PausedNotTaken},
}

// Reading is how a cause is put to a person. Pieces in braces stand for values.
type Reading struct {
	Cause Cause
	// Says is the rule in words, Do what to do or to type; empty where there is
	// nothing to do.
	Says, Do string
}

// Readings returns how every cause is put, those first that explain most.
func Readings() []Reading {
	const resume = "relay resume --session {id}"
	return []Reading{
		{SilentApart, "it keeps its state in another place ({dir}): it and this program do not see each other", "give both the same RELAY_STATE_DIR and XDG_STATE_HOME, or neither"},
		{SilentHooksOff, "disableAllHooks is set in {file}: no hook of relay runs", "take disableAllHooks out of {file}"},
		{SilentUnseen, "neither a hook of relay nor its mod has run in it: the plugin is not enabled, or the session is older than it", "claude plugin list"},
		{LookFailed, "{why}: it could not be looked at", "relay doctor"},
		{AskedOfUs, "{peer} asks it to be the {role}, and its person has not answered", "{accept}"},
		{NoLink, "it has no link, so nothing comes and nothing goes", "relay planner SESSION --session {id}"},
		{AskingThem, "{peer} was asked and has not accepted: what is ready is held", "{accept} in {peer}"},
		{WasDeclined, "{peer} declined the link", "relay planner SESSION --session {id}"},
		{WasUnlinked, "the link was ended by unlink", "relay planner SESSION --session {id}"},
		{SelfLeft, "it does not run any more", "claude --resume {id}"},
		{PeerLeft, "{peer} is gone: {why}", "claude --resume {peerid}"},
		{PausedByPerson, "paused: a person said so{held}", resume},
		{PausedAtLimit, "paused: the round limit is reached ({round}/{allowed}){held}", resume},
		{PausedUnasked, "paused: the other side had not accepted{held}", resume},
		{PausedEcho, "paused: the same handoff again{held}", resume},
		{PausedTooLarge, "paused: the handoff is larger than 256 KiB{held}", "put the bulk into a file and ask for the handoff again"},
		{PausedNotRead, "paused: what the turn said could not be read", "ask for it again"},
		{PausedPeerGone, "paused: the other session was gone{held}", resume},
		{PausedTurnDied, "paused: the session ended in the middle of a turn that had been shown a delivery", resume},
		{PausedNotTaken, "paused: the delivery was refused{held}", resume},
		{WorkDone, "the work is done: {summary}", "relay goal --session {planner} TEXT"},
		{NoGoal, "linked, and no goal is set", "relay goal --session {planner} TEXT"},
		{TurnInterrupted, "the {role}'s turn was shown a delivery and ended without a word: it was interrupted and waits for its person", "say something in {who}, or ask it for the handoff"},
		{TurnFailed, "the {role}'s last turn was interrupted or ended in an error: nothing of it is sent", "ask {who} for the handoff again"},
		{TurnUnclosed, "the {role}'s last turn began a block and did not close it, so nothing was sent", "ask {who} for the handoff again"},
		{TurnWithout, "the {role}'s last turn had no <handoff> block, so nothing was sent", "ask {who} for the handoff"},
		{TurnWaits, "the {role}'s block waits: a subagent of that turn still works", "relay watch --session {id}"},
		{TurnAside, "the {role}'s block was set aside: it was not its turn", "relay status --session {id}"},
		{TurnEcho, "the {role}'s block is held by a pause", resume},
		{TurnUnsent, "the {role}'s block is recorded and not sent yet: its mod, else its next hook, sends it", "relay watch --session {id}"},
		{IsQueued, "queued at {sent}: {peer} has not taken it{why}", "relay doctor"},
		{IsTaken, "taken, and not shown yet: it is with the client of {peer}", "relay watch --session {id}"},
		{IsUnknown, "taken by a process that is gone, and never shown: {peer}'s next hook offers it again", "relay watch --session {id}"},
		{IsRefused, "refused: {why}", "relay status --session {id}"},
		{KeptOut, "a text that is a delivery was kept out at {time}: {why}", "relay log --session {id}"},
		{KeptLookAlike, "a text that looks like a delivery and is none was dropped at {time}", ""},
		{KeptDouble, "a delivery that came a second time was dropped at {time}", ""},
		{NotKnown, "not known, since it could not be looked at: {why}", ""},
		{SilentModsOff, "the client has mods switched off: deliveries go by hooks alone", ""},
		{SilentDetached, "relay attach has ended: deliveries go by hooks until its mod starts it again", ""},
		{SilentUnloaded, "its client has not loaded the mod: deliveries go by hooks alone", ""},
		{ByAttach, "attached: its mod shows deliveries", ""},
		{TurnRuns, "the {role} was shown a delivery at {time}, and no end of that turn is recorded yet", "relay watch --session {id}"},
		{TurnSent, "the {role}'s last block was sent", ""},
		{IsWithdrawn, "withdrawn: another one stands in for it", ""},
		{IsShown, "sent at {sent}, shown at {time}", "relay watch --session {id}"},
		{IsAnswered, "sent at {sent}, shown at {time}, and answered", "relay log --session {id}"},
	}
}

func readingOf(c Cause) (Reading, int) {
	for i, r := range Readings() {
		if r.Cause == c {
			return r, i
		}
	}
	panic("relay: no words for the cause " + string(c))
}

// filled puts values, which come in pairs of name and value, into a text.
func filled(text string, values []string) string {
	var pairs []string
	for i := 0; i+1 < len(values); i += 2 {
		pairs = append(pairs, "{"+values[i]+"}", values[i+1])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
