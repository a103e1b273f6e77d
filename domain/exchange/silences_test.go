package exchange_test

import (
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

// silence is a way to be told nothing, or not this.
type silence struct {
	name  string
	make  func(a *asks)
	cause exchange.Cause
	// about is the id of what it is about; empty for anything.
	about string
	// says are pieces of the answer's lines.
	says []string
	// faulty: it is a problem.
	faulty bool
}

// silences make every cause happen.
var silences = []silence{
	{"no root", func(a *asks) { a.cwd = "/elsewhere" }, exchange.Unmarked, "", []string{"root ", "/elsewhere lies in no root"}, true},
	{
		"the override names no directory", func(a *asks) { a.env[exchange.RootVariable] = "/nowhere" },
		exchange.OverrideInvalid, "",
		[]string{"CC_EXCHANGE_ROOT names no directory"},
		true,
	},
	{"the directory is none", func(a *asks) { a.cwd = "/gone" }, exchange.NoDirectory, "", []string{"/gone is no directory"}, true},
	{
		"nobody may look for the marker", func(a *asks) { a.files.faults[root+"/.claude"] = fs.ErrPermission },
		exchange.RootUnreadable, "",
		[]string{"nobody could look for a marker"},
		true,
	},
	{
		"the store is another root's", func(a *asks) { a.openFault = fmt.Errorf("/other: %w", exchange.ErrForeignStore) },
		exchange.ForeignRoot, "",
		[]string{"really is that of another root"},
		true,
	},
	{"the store cannot be opened", func(a *asks) { a.openFault = errDisk }, exchange.StoreUnreadable, "", []string{"could not be opened"}, true},
	{"the session works in a nested root", func(a *asks) {
		a.files.file(exchange.MarkerPath(root+"/dock"), `{"name": "dock"}`)
		a.cwd = root
	}, exchange.OtherRoot, "", []string{"whose root is /harbour/dock (nested in this one)"}, false},
	{"the session works in the root around", func(a *asks) {
		a.files.file(exchange.MarkerPath(root+"/cranes"), `{"name": "cranes"}`)
		a.cwd = root + "/cranes"
	}, exchange.OtherRoot, "", []string{"whose root is /harbour (around this one)"}, false},
	{
		"the session works in no root", func(a *asks) { a.rows[0].Cwd = "/elsewhere" },
		exchange.NoRootThere, "",
		[]string{"works in /elsewhere, which lies in no root"},
		false,
	},
	{"the session was started with an override", func(a *asks) {
		a.session = "you"
		a.peer("you", "sam", "cranes")
		a.files.dir("/other")
		a.why.Variables = func(int, ...string) (map[string]string, error) {
			return map[string]string{exchange.RootVariable: "/other"}, nil
		}
	}, exchange.OtherRoot, "", []string{"whose root is /other (apart from this one)"}, false},
	{"what the session was started with is hidden", func(a *asks) {
		a.session = "you"
		a.peer("you", "sam", "cranes")
		a.why.Variables = func(int, ...string) (map[string]string, error) { return nil, fs.ErrPermission }
	}, exchange.VariablesUnread, "", []string{"could not be looked at (permission denied)"}, false},
	{"a background job", func(a *asks) { a.session, a.rows[0].Kind = myID, "bg" }, exchange.JobSession, "", []string{"it is a background job"}, false},
	{"asked inside a job", func(a *asks) {
		a.join(session.Row{SessionID: "job", PID: selfID, Kind: "bg", Name: "night run", Cwd: root})
	}, exchange.InsideRun, "", []string{"belongs to night run, which is told nothing"}, false},
	{"a scripted run", func(a *asks) { a.session, a.rows[0].Entrypoint = myID, "sdk-cli" }, exchange.ScriptedSession, "", []string{"it is a scripted run"}, false},
	{"a scripted run by its environment", func(a *asks) {
		a.rows, a.session = nil, myID
		a.env["CLAUDE_CODE_SESSION_ID"], a.env["CLAUDE_CODE_ENTRYPOINT"] = myID, "sdk-cli"
	}, exchange.ScriptedSession, "", []string{"it is a scripted run"}, false},
	{"every hook is off", func(a *asks) {
		a.wired[userSettings] = exchange.Settings{NoHooks: true, Plugins: []string{"changeover@m"}}
	}, exchange.HooksOff, "", []string{"disableAllHooks is set in " + userSettings}, false},
	{"every hook is off in the project", func(a *asks) {
		a.wired[root+"/dock/.claude/settings.json"] = exchange.Settings{NoHooks: true}
	}, exchange.HooksOff, "", []string{"disableAllHooks is set in /harbour/dock/.claude/settings.json"}, false},
	{"managed hooks alone", func(a *asks) {
		a.wired["/etc/claude-code/managed-settings.json"] = exchange.Settings{ManagedOnly: true}
	}, exchange.ManagedOnly, "", []string{"allows managed hooks alone"}, false},
	{"the plugin is off", func(a *asks) {
		a.wired[userSettings] = exchange.Settings{PluginsOff: []string{"changeover@m"}}
	}, exchange.PluginOff, "", []string{"the plugin is switched off in " + userSettings}, false},
	{"nothing wires the hook", func(a *asks) { a.wired[userSettings] = exchange.Settings{} }, exchange.NotWired, "", []string{
		"no settings file that was looked at wires hookd or enables the plugin (" + userSettings + ", /harbour/dock/.claude/settings.json",
	}, false},
	{"a settings file cannot be read", func(a *asks) { a.unset[userSettings] = fs.ErrPermission }, exchange.SettingsUnread, "", []string{
		userSettings + " could not be read",
	}, true},
	{"its hooks run all the same", func(a *asks) {
		a.wired[userSettings] = exchange.Settings{}
		a.start("startup")
	}, exchange.UnseenWiring, "", []string{"its hooks have run, though"}, false},
	{"the executable is gone", func(a *asks) { delete(a.files.nodes, pluginHook) }, exchange.ExecutableMissing, "", []string{"/plugin/bin/hookd is wired and is not there"}, true},
	{"the executable of a settings file is gone", func(a *asks) {
		a.wired[userSettings] = exchange.Settings{Texts: []string{`"/opt/my tools/hookd" stop`, "/opt/hookd stop"}}
	}, exchange.ExecutableMissing, "", []string{"/opt/hookd is wired and is not there"}, true},
	{"nobody may run it", func(a *asks) { a.files.put(pluginHook, node{mode: 0o644}) }, exchange.ExecutableMode, "", []string{"nobody may run it"}, true},
	{"where it lies is not known", func(a *asks) { delete(a.files.nodes, "/plugin/.claude-plugin/plugin.json") }, exchange.ExecutableUnread, "", []string{
		"where the hookd that " + userSettings + " wires lies",
	}, false},
	{"the project enables the plugin", func(a *asks) {
		a.wired[userSettings] = exchange.Settings{}
		a.wired[root+"/dock/.claude/settings.json"] = exchange.Settings{Plugins: []string{"changeover@m"}}
	}, exchange.WiredBy, "", []string{"hooks     wired by /harbour/dock/.claude/settings.json"}, false},
	{"wired", func(*asks) {}, exchange.WiredBy, "", []string{"hooks     wired by " + userSettings}, false},
	{"no hook ever ran", func(*asks) {}, exchange.NeverRan, "", []string{"no hook has run for this session"}, false},
	{"a hook ran", func(a *asks) {
		a.left("h", exchange.Sender{}, toDock)
		a.start("startup")
	}, exchange.RanLast, "", []string{
		"its claim is of 2026-03-10T12:00:00Z; its last look at what is new was at 2026-03-10T12:00:00Z; 1 handoff(s) were shown to it",
	}, false},
	{"a thread of Codex without hooks", func(a *asks) { a.rows[0].Held = true }, exchange.CodexNotWired, "", []string{"it is a thread of Codex"}, false},
	{"Codex wires some events", func(a *asks) {
		a.rows[0].Held = true
		a.why.Codex = hookReader(func() (exchange.CodexHooks, error) {
			return exchange.CodexHooks{File: "/c/hooks.json", Hooks: []exchange.CodexHook{{Event: "Stop", Command: "/b/hookd stop"}}}, nil
		})
	}, exchange.CodexNotWired, "", []string{"/c/hooks.json does not wire hookd for: SessionStart, UserPromptSubmit, SessionEnd"}, false},
	{"Codex trusts none", func(a *asks) {
		a.rows[0].Held = true
		a.why.Codex = hookReader(func() (exchange.CodexHooks, error) {
			return exchange.CodexHooks{File: "/c/hooks.json", Hooks: []exchange.CodexHook{{Event: "SessionStart", Command: "/b/hookd"}}}, nil
		})
	}, exchange.CodexUntrusted, "", []string{"does not trust the hooks in /c/hooks.json for: SessionStart"}, false},
	{"nobody is above", func(a *asks) { a.rows[0].PID = 500 }, exchange.NoSession, "", []string{"no session can be told above this process"}, true},
	{"the registry cannot be read", func(a *asks) { a.session, a.rowsFault = "you", errDisk }, exchange.RegistryUnreadable, "", []string{"nobody can tell who runs"}, true},
	{"unknown to the registry", func(a *asks) { a.session = "you" }, exchange.UnknownSession, "", []string{"the registry has no session of this id"}, false},
	{"a name in place of an id", func(a *asks) { a.session = "me" }, exchange.UnknownSession, "", []string{"the session of that name has the id me-1"}, false},
	{"its process is gone", func(a *asks) {
		a.session = "you"
		a.rows = append(a.rows, session.Row{SessionID: "you", PID: 999, Cwd: root})
	}, exchange.SessionEnded, "", []string{"it does not run any more"}, false},
	{"it has ended", func(a *asks) {
		a.session = "you"
		a.store.ended["you"] = exchange.Claim{SessionID: "you", Cwd: root, UpdatedAt: noon}
	}, exchange.SessionEnded, "", []string{"it does not run any more"}, false},
	{"it runs elsewhere", func(a *asks) {
		a.domain, a.session = "linux:here", "you"
		a.rows = append(a.rows, session.Row{SessionID: "you", PID: 300, PidDomain: "linux:there", Cwd: root})
	}, exchange.ForeignSession, "", []string{"another host or container"}, false},
	{"its id names another directory", func(a *asks) { a.session = ".." }, exchange.UnusableID, "", []string{"nothing can be kept about it"}, false},
	{"the marker is broken", func(a *asks) { a.mark(`{"name": "harbour", "delivr": "start"}`) }, exchange.BrokenMarker, "", []string{"all defaults are"}, true},
	{"receipts cannot be read", func(a *asks) { a.store.seenFault = errDisk }, exchange.ReceiptsUnread, "", []string{"what it was shown cannot be read"}, true},
	{"deliver is start", func(a *asks) { a.mark(`{"name": "harbour", "deliver": "start"}`) }, exchange.DeliverStart, "", []string{"prompts say nothing"}, false},
	{"relay kept a prompt", func(a *asks) {
		a.start("startup")
		a.why.Blocked = func(string) (time.Time, bool, error) { return noon.Add(time.Hour), true, nil }
	}, exchange.BlockedByRelay, "", []string{"relay kept a prompt from its model at 2026-03-10T13:00:00Z"}, false},
	{"relay cannot be asked", func(a *asks) {
		a.why.Blocked = func(string) (time.Time, bool, error) { return time.Time{}, false, errDisk }
	}, exchange.BlocksUnread, "", []string{"no space left on device"}, false},
	{"nothing changed since the last look", func(a *asks) {
		a.start("startup")
		a.handoff("h", 1, exchange.Address{Repo: "notes"})
		a.files.dir(root + "/notes/.git") // the directory of the session is a repo of its own now
		a.store.sight.Handoffs = noon.Add(-time.Hour)
		a.store.sight.Sessions = noon.Add(-time.Hour)
		a.rows[0].Cwd = root + "/notes"
		a.cwd = root + "/notes"
		delete(a.files.nodes, root+"/notes/.git")
		a.scene.answer(session.Event{Name: session.SessionStart, SessionID: myID, Source: "resume"}, root+"/notes")
		a.files.dir(root + "/notes/.git")
	}, exchange.NothingChanged, "h", []string{"h  it is for this session, but store and directory are as at the last look"}, false},

	{"a record cannot be read", func(a *asks) { a.store.shelfProblems = []string{"h.json is invalid: no id"} }, exchange.UnreadRecord, "", []string{
		"handoff   h.json  the record cannot be used",
	}, true},
	{"moves cannot be read", func(a *asks) {
		a.mark(`{"name": "harbour", "deliver": "start"}`)
		a.left("h", exchange.Sender{}, toDock)
		f := a.store.shelf["h.json"]
		a.store.shelf["h.json"] = exchange.NewFiled(f.File, f.Handoff, nil, []string{"h: 0000-ab.json is invalid"})
	}, exchange.UnreadMoves, "h", []string{"not all of its moves can be read"}, true},
	{"a tie that says closed", func(a *asks) {
		a.left("h", exchange.Sender{}, toDock, at(0, exchange.Accepted), at(0, exchange.Closed))
	}, exchange.TiedHandoff, "h", []string{"its last moves disagree"}, true},
	{"closed", func(a *asks) { a.left("h", exchange.Sender{}, toDock, closed) }, exchange.ClosedHandoff, "h", []string{"handoff   h  it is closed"}, false},
	{"archived", func(a *asks) {
		a.left("h", exchange.Sender{}, toDock, closed)
		a.store.archive["h.json"] = a.store.shelf["h.json"]
		delete(a.store.shelf, "h.json")
	}, exchange.Archived, "h", []string{"handoff   h  it is archived"}, false},
	{"an own post", func(a *asks) { a.left("h", exchange.Sender{SessionID: myID}, toDock) }, exchange.OwnPost, "h", []string{"this session posted it"}, false},
	{"to another session", func(a *asks) { a.left("h", exchange.Sender{}, exchange.Address{SessionID: "you"}) }, exchange.OtherSession, "h", []string{
		"it is for another session (session you)",
	}, false},
	{"to another repo", func(a *asks) { a.left("h", exchange.Sender{}, exchange.Address{Repo: "cranes"}) }, exchange.OtherRepo, "h", []string{
		"it is for cranes, and this session has dock",
	}, false},
	{"to a repo in other case", func(a *asks) { a.left("h", exchange.Sender{}, exchange.Address{Repo: "Dock/"}) }, exchange.OtherCase, "h", []string{
		"it is for Dock/, and this session has dock: case counts",
	}, false},
	{"to other paths", func(a *asks) {
		a.claim(exchange.Claim{SessionID: myID, Cwd: root + "/dock", Paths: []string{"winch"}})
		a.left("h", exchange.Sender{}, exchange.Address{Repo: "dock", Paths: []string{"brakes"}})
	}, exchange.OtherPaths, "h", []string{"it is for other paths (dock: brakes) than this session claims (winch)"}, false},
	{"no repo at all", func(a *asks) {
		a.rows[0].Cwd = root + "/notes"
		a.left("h", exchange.Sender{}, toDock)
	}, exchange.NoRepo, "h", []string{"works in no repo of this root and claims none"}, false},
	{"shown at a start", func(a *asks) {
		a.left("h", exchange.Sender{}, toDock)
		a.start("startup")
	}, exchange.SeenHandoff, "h", []string{"shown at 2026-03-10T12:00:00Z (start); a prompt shows it once, the next start shows it again"}, false},
	{"it came after the last look", func(a *asks) {
		a.start("startup")
		a.arrives("h", toDock)
	}, exchange.NewHandoff, "h", []string{"not shown yet: it came after the last look at 2026-03-10T12:00:00Z; the next prompt shows it"}, false},
	{"it waits for the next start", func(a *asks) {
		a.mark(`{"name": "harbour", "deliver": "start"}`)
		a.left("h", exchange.Sender{}, toDock)
	}, exchange.WaitsForStart, "h", []string{"told at its next start: deliver is start"}, false},
	{"beyond the limit of the list", func(a *asks) {
		a.mark(`{"name": "harbour", "max_handoffs_listed": 1}`)
		a.handoff("h", 1, toDock)
		a.handoff("newer", 2, toDock)
	}, exchange.OverLimit, "h", []string{"more than max_handoffs_listed (1) wait"}, false},
	{"beyond the budget", func(a *asks) {
		a.mark(`{"name": "harbour", "max_handoffs_listed": 99, "max_focus_chars": 900}`)
		a.handoff("h", 1, toDock)
		for i := range 20 {
			id := fmt.Sprintf("m%02d", i)
			a.handoff(id, i+2, toDock)
			f := a.store.shelf[id+".json"]
			f.Body = strings.Repeat("x", 900)
			a.store.shelf[id+".json"] = f
		}
	}, exchange.OverBudget, "h", []string{"one answer holds 8,000 units"}, false},

	{"a claim cannot be read", func(a *asks) { a.store.claimProblems = []string{"you.json is invalid: no cwd"} }, exchange.UnreadClaim, "", []string{
		"claim     you.json  the claim cannot be used",
	}, true},
	{"a stale claim", func(a *asks) { a.claim(exchange.Claim{SessionID: "you"}) }, exchange.StaleClaim, "you", []string{"claim     you  its session does not run any more"}, false},
	{"a claim nobody can judge", func(a *asks) {
		a.session, a.rowsFault, a.rows = myID, errDisk, nil
		a.claim(exchange.Claim{SessionID: "you"})
	}, exchange.UnjudgedClaim, "you", []string{"nobody can tell whether it runs"}, true},
	{"a job's claim", func(a *asks) {
		a.join(session.Row{SessionID: "you", PID: 300, Kind: "bg", Cwd: root})
		a.claim(exchange.Claim{SessionID: "you"})
	}, exchange.RunClaim, "you", []string{"background job or a scripted run"}, false},
	{"a claim of another host", func(a *asks) {
		a.domain = "linux:here"
		a.rows = append(a.rows, session.Row{SessionID: "you", PID: 300, PidDomain: "linux:there", Cwd: root})
		a.claim(exchange.Claim{SessionID: "you"})
	}, exchange.ForeignClaim, "you", []string{"another host or container"}, false},
	{"sessions beyond the budget", func(a *asks) {
		a.mark(`{"name": "harbour", "max_focus_chars": 900}`)
		for i := range 20 {
			id := fmt.Sprintf("p%02d", i)
			a.peer(id, id, "dock")
			a.claim(exchange.Claim{SessionID: id, Focus: strings.Repeat("x", 900)})
		}
	}, exchange.SessionsCut, "p19", []string{"p19  one answer holds 8,000 units"}, false},
	{"a peer without a claim elsewhere", func(a *asks) {
		a.join(session.Row{SessionID: "you", PID: 300, Name: "sam", Cwd: "/elsewhere"})
	}, exchange.Outside, "", []string{"1 live session(s) without a claim here"}, false},
	{"the own claim", func(a *asks) { a.start("startup") }, exchange.OwnClaim, myID, []string{"it is this session's own"}, false},
	{"a peer without a claim", func(a *asks) { a.peer("you", "sam", "cranes") }, exchange.ShownSession, "you", []string{"peer      sam  listed at each start"}, false},
	{"no paths to overlap", func(a *asks) {
		a.peer("you", "sam", "dock")
		a.claim(exchange.Claim{SessionID: "you", Name: "sam", Paths: []string{"winch"}})
	}, exchange.OverlapNoPaths, "you", []string{"overlap   sam  no overlap: this session named no paths"}, false},
	{"no shared repo", func(a *asks) {
		a.peer("you", "sam", "cranes")
		a.claim(exchange.Claim{SessionID: "you", Name: "sam", Cwd: root + "/cranes", Paths: []string{"winch"}})
		a.claim(exchange.Claim{SessionID: myID, Cwd: root + "/dock", Paths: []string{"winch"}})
	}, exchange.OverlapNoRepo, "you", []string{"the two share no repo"}, false},
	{"paths that do not meet", func(a *asks) {
		a.peer("you", "sam", "dock")
		a.claim(exchange.Claim{SessionID: "you", Name: "sam", Cwd: root + "/dock", Paths: []string{"brakes"}})
		a.claim(exchange.Claim{SessionID: myID, Cwd: root + "/dock", Paths: []string{"winch"}})
	}, exchange.OverlapApart, "you", []string{"their paths do not meet"}, false},
	{"an overlap", func(a *asks) {
		a.peer("you", "sam", "dock")
		a.claim(exchange.Claim{SessionID: "you", Name: "sam", Cwd: root + "/dock", Paths: []string{"winch/motor"}})
		a.claim(exchange.Claim{SessionID: myID, Cwd: root + "/dock", Paths: []string{"winch"}})
	}, exchange.ShownOverlap, "you", []string{"overlaps on winch/motor"}, false},
	{"the same branch", func(a *asks) { a.start("startup") }, exchange.SameBranch, "", []string{"the branch is as it was (main)"}, false},
	{"a branch that it changed itself", func(a *asks) {
		a.start("startup")
		a.files.file(root+"/dock/.git/HEAD", "ref: refs/heads/other\n")
	}, exchange.AloneInTree, "", []string{"changed from main to other, and no other live session"}, false},
	{"a branch that another one may have changed", func(a *asks) {
		a.peer("you", "sam", "dock")
		a.start("startup")
		a.files.file(root+"/dock/.git/HEAD", "ref: refs/heads/other\n")
	}, exchange.ShownBranch, "", []string{"told at the next start: branch changed from main to other: sam"}, false},
	{"the root does not wake", func(a *asks) { a.files.file(root+"/.claude/exchange/wake/"+myID, "") }, exchange.WakeOff, "", []string{
		"deliver is prompt", "nobody is woken; a wake-up of before lies there",
	}, false},
	{"a wake-up that nobody took", func(a *asks) {
		a.mark(`{"name": "harbour", "deliver": "wake"}`)
		a.files.file(root+"/.claude/exchange/wake/"+myID, "")
	}, exchange.WakeWaits, "", []string{"a wake-up lies there that nobody took"}, false},
	{"nobody sits at the session", func(a *asks) {
		a.mark(`{"name": "harbour", "deliver": "wake"}`)
		a.rows[0].Entrypoint = "sdk-ts"
	}, exchange.WakeUnattended, "", []string{"not interactive"}, false},
	{"no wake-up", func(a *asks) { a.mark(`{"name": "harbour", "deliver": "wake"}`) }, exchange.NoWake, "", []string{"no wake-up waits"}, false},
}
