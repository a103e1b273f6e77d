package relay

// What relay says. The values that a message takes stand beside it.
const (
	SayUnclosed        Message = "unclosed" // tag
	SaySeveral         Message = "several"  // how many were left
	SayDoneWins        Message = "done-wins"
	SayAside           Message = "aside"
	SayOneself         Message = "oneself"
	SayNotAsked        Message = "not-asked"
	SayAlreadyAnswered Message = "already-answered"
	SayAlreadyLinked   Message = "already-linked" // with whom
	SayWrongRole       Message = "wrong-role"     // role asked for, role to take
	SaySameRole        Message = "same-role"      // who, role
	SayPeerGone        Message = "peer-is-gone"   // who
	SayNotLinked       Message = "not-linked"
	SayNotAccepted     Message = "not-accepted"   // what to type
	SayGoalElsewhere   Message = "goal-elsewhere" // planner's name
	SayGoalEmpty       Message = "goal-empty"
	SayGoalRunning     Message = "goal-running"
	SayTooLarge        Message = "too-large"
	SayBringBack       Message = "bring-back" // who, session id
	SayNotPaused       Message = "not-paused"
	SayAlreadyPaused   Message = "already-paused" // what to type
	SayNothingToPause  Message = "nothing-to-pause"
	SayNotAPerson      Message = "not-a-person" // slash command, plain form
	SayRequested       Message = "requested"    // who, role, what to type there
	SayIncoming        Message = "incoming"     // who, id, directory, role, what to type
	SayAccepted        Message = "accepted"     // who
	SayDeclinedBy      Message = "declined-by"  // who
	SayDeclined        Message = "declined"
	SayUnlinkedBy      Message = "unlinked-by" // who
	SayUnlinked        Message = "unlinked"
	SayGoalSet         Message = "goal-set"
	SayPausedNow       Message = "paused-now" // what to type
	SayPausedWhy       Message = "paused-why" // why
	SayResumed         Message = "resumed"
	SayDone            Message = "done-now"         // summary
	SayLookAlike       Message = "look-alike"       // origin
	SayRefusedDelivery Message = "refused-delivery" // why
	SayDouble          Message = "double"
	SayNoLink          Message = "no-link"
	SayUnread          Message = "unread"

	// What only the panel says.
	SayChoose Message = "choose"
	SayNobody Message = "nobody"
	SayBefore Message = "before" // how many

	OriginTyped Message = "origin-typed"
	OriginPeer  Message = "origin-peer" // name
	OriginHook  Message = "origin-hook"
	OriginWake  Message = "origin-wake"

	// What a run without two terminals says.
	SayRunRound   Message = "run-round"  // bar, round, allowed, role, agent
	SayRunWaits   Message = "run-waits"  // role
	SayRunPaused  Message = "run-paused" // why
	SayRunStopped Message = "run-stopped"
	SayRunFailed  Message = "run-failed" // role, agent, why
	SayRunBusy    Message = "run-busy"   // process
	SayRunNotOurs Message = "run-not-ours"
	SayRunNoWords Message = "run-no-words"
	SayRunPerson  Message = "run-person"  // what to type
	SayRunSilent  Message = "run-silent"  // role, agent, how long
	SayRunRetried Message = "run-retried" // role, agent, how long, what it said

	// How it is known that a session is gone.
	GoneEnded   Message = "gone-ended"
	GoneProcess Message = "gone-process"
	GoneSilent  Message = "gone-silent"

	WordAsking    Message = "word-asking"
	WordNoGoal    Message = "word-no-goal"
	WordPaused    Message = "word-paused" // why
	WordDone      Message = "word-done"
	WordDeclined  Message = "word-declined"
	WordUnlinked  Message = "word-unlinked"
	WordOwnTurn   Message = "word-own-turn"
	WordTheirTurn Message = "word-their-turn" // role
	WordStopped   Message = "word-interrupted"

	LabelRole    Message = "label-role"
	LabelPeer    Message = "label-peer"
	LabelConnect Message = "label-connect"
	LabelAccept  Message = "label-accept"
	LabelDecline Message = "label-decline"
	LabelGoal    Message = "label-goal"
	LabelPause   Message = "label-pause"
	LabelResume  Message = "label-resume"
	LabelUnlink  Message = "label-unlink"
)
