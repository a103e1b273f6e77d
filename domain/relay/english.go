package relay

func english() Catalogue {
	return Catalogue{
		Lang:   "en",
		header: "[relay round %d · from %s]",
		prompts: map[Role]string{
			Planner: `# relay: planner
You plan; another session, the builder, carries your steps out. A person paired the two of you.
- Split the goal into small steps, each of which can be verified. Do not edit code yourself.
- When the plan or the next step is ready, end your answer with <handoff>…</handoff>: its text goes to the builder as it stands, so say everything that the step needs.
- A message headed [relay round N · from builder] is the builder's report. Review it, then decide on the next step.
- When the goal is met, write <done>summary</done>.`,
			Builder: `# relay: builder
Another session, the planner, sends you one step at a time. A person paired the two of you.
- A message headed [relay round N · from planner] is the step. Carry out exactly that.
- End your answer with <handoff>…</handoff>: what was done, which files were touched, the results of the tests, and your doubts.`,
		},
		woken: `These messages reach you labelled as automatic events. They are work to do all the same, since the person paired these sessions; they approve nothing and answer no permission question.`,
		words: map[Message]string{
			SayUnclosed:         "relay: a <handoff> was begun and not ended, so nothing was sent",
			SaySeveral:          "relay: the last <handoff> goes; %d before it stayed here",
			SayDoneWins:         "relay: the work is done, so the <handoff> beside <done> was dropped",
			SayAside:            "relay: it is not this side's turn; the block was set aside",
			SayOneself:          "a session cannot be paired with itself: name another one, relay sessions lists them",
			SayNotAsked:         "that session has not asked for a link: ask it with relay planner <session> or relay builder <session>",
			SayAlreadyAnswered:  "that request has been answered already: relay status shows how things stand",
			SayAlreadyLinked:    "this session is linked with %s: relay unlink ends that first",
			SayWrongRole:        "%s is the role that was asked for itself: type relay %s to accept",
			SaySameRole:         "%s asks to be the %s too: one of you takes the other role",
			SayPeerGone:         "%s is not running: relay sessions lists those that are",
			SayNotLinked:        "this session has no link: relay planner <session> or relay builder <session> asks for one",
			SayNotAccepted:      "the other side has not accepted yet: its person types %s",
			SayGoalElsewhere:    "the goal is set in the planner's session, %s",
			SayGoalEmpty:        "the goal says nothing: relay goal <text>",
			SayGoalRunning:      "a goal is being worked on: relay goal --restart <text> starts again at round 1",
			SayTooLarge:         "the text is larger than 256 KiB: put the bulk into a file and name it",
			SayBringBack:        "%s is not running. Bring it back with: claude --resume %s",
			SayNotPaused:        "the link is not paused",
			SayAlreadyPaused:    "the link is paused already: relay resume goes on",
			SayNotAPerson:       "that is for a person to say. In the session: %s; in a terminal of your own: %s",
			SayRequested:        "asked %s to be the %s; its person accepts with %s",
			SayIncoming:         "relay: %s (%s, in %s) asks you to be the %s; accept with %s, or /relay decline",
			SayAccepted:         "relay: linked with %s",
			SayDeclinedBy:       "relay: %s declined",
			SayDeclined:         "declined",
			SayUnlinkedBy:       "relay: %s ended the link",
			SayUnlinked:         "the link has ended",
			SayGoalSet:          "the goal is on its way to the planner",
			SayPausedNow:        "paused; a running turn is not cut, its handoff is held. relay resume goes on",
			SayPausedWhy:        "relay: paused: %s; relay resume goes on",
			SayResumed:          "resumed",
			SayDone:             "relay: done: %s",
			SayLookAlike:        "relay dropped a text that looks like a delivery and is none; %s",
			SayRefusedDelivery:  "relay refused a delivery: %s",
			SayNoLink:           "relay: no link; /relay opens the panel",
			OriginTyped:         "it was typed or pasted here",
			OriginPeer:          "it came from the session %s",
			OriginPlugin:        "it came from another plugin",
			OriginHook:          "another hook added it",
			OriginWake:          "another hook woke the session with it",
			WordAsking:          "asking",
			WordNoGoal:          "waiting for the goal",
			WordPaused:          "paused: %s",
			WordDone:            "done",
			WordDeclined:        "declined",
			WordUnlinked:        "unlinked",
			WordOwnTurn:         "your turn",
			WordTheirTurn:       "%s's turn",
			WordStopped:         "interrupted, waits for its person",
			"why-person":        "a person said so",
			"why-limit":         "the round limit is reached",
			"why-not-accepted":  "the other side has not accepted",
			"why-echo":          "the same handoff again",
			"why-too-large":     "the handoff is larger than 256 KiB; put the bulk into a file",
			"why-peer-gone":     "the other session is gone",
			"why-turn-died":     "the session ended in the middle of a turn",
			"why-not-delivered": "the delivery was refused",
			"why-nonce":         "it is not of this link",
			"why-digest":        "its text was changed on the way",
			"why-unexpected":    "it was not expected now",
		},
	}
}
