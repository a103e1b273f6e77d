package exchange_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
)

const threadID = "01a22dac-2cc6-7e81-8bd2-ec8efe8bd682"

// thread is a live thread of Codex.
func thread(id, dir string, pid int) session.Row {
	return session.Row{SessionID: id, Name: "codex-" + id[:8], Cwd: root + "/" + dir, PID: pid, Held: true}
}

// insider lists a scene's sessions to a process that runs inside some of them.
type insider struct {
	*scene
	inside []string
}

func (i insider) Sessions() (session.Listing, error) {
	return session.Listing{Rows: i.rows, Inside: i.inside}, i.rowsFault
}

// Row of section 16: a held lock is a peer; what has none is not listed at all.
func TestCodex_AThreadIsAPeerLikeAnother(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	other := "01a22daf-00e0-7231-9042-efab39ad881b"
	s.rows = append(s.rows, thread(threadID, "cranes", 0), thread(other, "dock", 0))
	s.claim(exchange.Claim{SessionID: threadID, Name: "codex-01a22dac", Focus: "oil the crane"})
	s.claim(exchange.Claim{SessionID: "left-over", Name: "codex-01a22d00"})
	lines := s.start("startup")
	is.True(has(lines, "2 other session(s) under harbour"))
	is.True(has(lines, "- codex-01a22dac: oil the crane"))
	is.True(has(lines, "- codex-01a22daf: (no claim)"))
	is.True(has(lines, "1 claim(s) left by sessions no longer running")) // whose lock nobody holds

	report, err := exchange.Viewer{World: s.world()}.Show(root)
	is.NoErr(err)
	is.True(has(report.Lines(), "  codex-01a22dac  oil the crane"))
	is.True(has(report.Lines(), "! codex-01a22d00"))
	is.True(has(report.Lines(), "unclaimed 1"))
}

func TestCodex_ItsShellActsAsTheThread(t *testing.T) {
	is := is.New(t)
	s := alone(t)
	s.rows = []session.Row{thread(threadID, "dock", 0)}
	w := s.world()
	w.Sessions = insider{s, []string{threadID, threadID}}
	focus := "oil the crane"
	report, err := exchange.Claimer{World: w}.Claim(exchange.ClaimRequest{Cwd: root + "/dock", Focus: &focus})
	is.NoErr(err)
	is.Equal(report.Claim.SessionID, threadID)
	is.Equal(report.Claim.Name, "codex-01a22dac")
	is.True(report.Claim.Process == nil) // nobody can tell which it is
	post, err := exchange.Mail{World: w}.Post(exchange.PostRequest{Cwd: root + "/dock", Repo: "cranes", Body: "oiled"})
	is.NoErr(err)
	is.Equal(post.Handoff.From.SessionID, threadID)
}

func TestCodex_TheHookSeedsAClaimWithItsProcess(t *testing.T) {
	is := is.New(t)
	s := alone(t)
	s.rows = []session.Row{thread(threadID, "dock", 300)}
	s.processes[300] = session.Start{Token: "777"}
	s.answer(session.Event{Name: session.SessionStart, SessionID: threadID, Codex: true, Transcript: "/r", Source: "startup"}, root+"/dock")
	claim := s.store.claims[threadID]
	is.Equal(claim.Name, "codex-01a22dac")
	is.Equal(*claim.Process, exchange.Process{PID: 300, Start: "777"})
}

// After /clear a process of Codex holds the old thread too.
func TestCodex_AClearedThreadCarriesItsClaimOver(t *testing.T) {
	is := is.New(t)
	s := alone(t)
	next := "01a22db2-ec3e-7920-a6d7-f768bc86d2b1"
	s.rows = []session.Row{thread(threadID, "dock", 300), thread(next, "dock", 300)}
	s.processes[300] = session.Start{Token: "777"}
	s.claim(exchange.Claim{SessionID: threadID, Focus: "oil the crane", Process: &exchange.Process{PID: 300, Start: "777"}})
	s.answer(session.Event{Name: session.SessionStart, SessionID: next, Codex: true, Transcript: "/r", Source: "clear"}, root+"/dock")
	is.Equal(s.store.claims[next].Focus, "oil the crane")
	is.Equal(s.store.claims[next].Was, []string{threadID})
	_, left := s.store.claims[threadID]
	is.True(!left)
}

// One process serves the threads of several terminals.
func TestCodex_OfSeveralClaimsOfOneProcessNoneIsCarriedOver(t *testing.T) {
	is := is.New(t)
	s := alone(t)
	next := "01a22db2-ec3e-7920-a6d7-f768bc86d2b1"
	process := &exchange.Process{PID: 300, Start: "777"}
	s.rows = []session.Row{thread(threadID, "dock", 300), thread("01a22daf-other", "dock", 300), thread(next, "dock", 300)}
	s.processes[300] = session.Start{Token: "777"}
	s.claim(exchange.Claim{SessionID: threadID, Focus: "oil the crane", Process: process})
	s.claim(exchange.Claim{SessionID: "01a22daf-other", Focus: "mend the quay", Process: process})
	s.answer(session.Event{Name: session.SessionStart, SessionID: next, Codex: true, Transcript: "/r", Source: "clear"}, root+"/dock")
	is.Equal(s.store.claims[next].Focus, "")
	is.Equal(s.store.claims["01a22daf-other"].Focus, "mend the quay")
	is.Equal(s.store.claims[threadID].Focus, "oil the crane")
}

func TestCodex_AThreadThatKeepsNothingIsNobody(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.handoff("h1", 1, toDock)
	lines := s.answer(session.Event{Name: session.SessionStart, SessionID: threadID, Codex: true, Source: "startup"}, root+"/dock")
	is.Equal(len(lines), 0)
	is.Equal(len(s.store.claims), 0)
}

func TestCodex_ThatNobodyCouldLookKeepsNoOtherSessionFromClaiming(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.claim(exchange.Claim{SessionID: threadID})
	s.rowsFault = errors.New("the threads of Codex: permission denied")
	_, err := exchange.Claimer{World: s.world()}.Claim(exchange.ClaimRequest{Cwd: root + "/dock"})
	is.NoErr(err)
	report, err := exchange.Viewer{World: s.world()}.Show(root)
	is.NoErr(err)
	is.True(has(report.Problems(), "the threads of Codex: permission denied"))
	is.True(!has(report.Lines(), "! "+threadID)) // it may live

	s.rows = nil
	_, err = exchange.Claimer{World: s.world()}.Claim(exchange.ClaimRequest{Cwd: root + "/dock"})
	is.True(err != nil && strings.Contains(err.Error(), "permission denied"))
}

// hookReader reads hooks of Codex.
type hookReader func() (exchange.CodexHooks, error)

func (r hookReader) Hooks() (exchange.CodexHooks, error) { return r() }

func examined(t *testing.T, found exchange.CodexHooks, err error) exchange.DoctorReport {
	t.Helper()
	found.File = "/home/ann/.codex/hooks.json"
	reader := hookReader(func() (exchange.CodexHooks, error) { return found, err })
	return exchange.Doctor{World: newScene(t).world(), Codex: reader}.Examine(root)
}

func TestDoctor_TellsWhichHooksOfCodexAreTrusted(t *testing.T) {
	is := is.New(t)
	const command = "'/opt/my tools/hookd' stop"
	r := examined(t, exchange.CodexHooks{Hooks: []exchange.CodexHook{
		{Event: "SessionStart", Command: command, Trust: exchange.Trusted},
		{Event: "SessionStart", Command: command, Trust: exchange.Untrusted},
		{Event: "Stop", Command: command, Trust: exchange.TrustedOnce},
		{Event: "SessionEnd", Command: command, Trust: exchange.Altered},
		{Event: "UserPromptSubmit", Command: "other-hookd", Trust: exchange.Trusted},
	}}, nil)
	lines := r.Lines()
	at := lineOf(lines, "codex     4 hook(s) of hookd in /home/ann/.codex/hooks.json")
	is.True(at > 0)
	is.True(has(lines[at+1:at+2], "          SessionStart: trusted"))
	is.True(has(lines[at+2:at+3], "          SessionStart: not trusted", "/hooks"))
	is.True(has(lines[at+3:at+4], "          SessionEnd: altered since it was trusted"))
	is.True(has(lines[at+4:at+5], "          Stop: trusted once", "cannot be told"))
	is.True(has(lines[at+5:at+6], "          UserPromptSubmit: not wired", "exchange codex-hooks"))
	is.True(!r.Faulty())
	is.True(!has(lines, "WIRED TWICE")) // D29 is about the other client
	doc := string(jsondoc.Line(r.Document()))
	is.True(strings.Contains(doc, `"codex":{"file":"/home/ann/.codex/hooks.json","trusted":["SessionStart"],"untrusted":["SessionStart"]`))
	is.True(strings.Contains(doc, `"not_wired":["UserPromptSubmit"]`))
}

func TestDoctor_IsSilentWithoutCodex(t *testing.T) {
	is := is.New(t)
	r := examined(t, exchange.CodexHooks{}, fs.ErrNotExist)
	is.True(!has(r.Lines(), "codex"))
	is.True(!r.Faulty())
	is.True(strings.Contains(string(jsondoc.Line(r.Document())), `"codex":null`))
}

func TestDoctor_SaysWhatOfCodexCannotBeRead(t *testing.T) {
	is := is.New(t)
	r := examined(t, exchange.CodexHooks{}, errors.New("hooks.json: no document"))
	is.True(has(r.Lines(), "problem   the hooks of Codex could not be read: hooks.json: no document"))
	is.True(!has(r.Lines(), "not wired"))
	is.True(r.Faulty())
	r = examined(t, exchange.CodexHooks{
		Hooks: []exchange.CodexHook{{Event: "Stop", Command: "hookd stop"}}, TrustFault: "config.toml: permission denied",
	}, nil)
	is.True(has(r.Lines(), "problem   which hooks Codex trusts could not be read: config.toml: permission denied"))
	is.True(!has(r.Lines(), "not trusted"))
	is.True(r.Faulty())
}

func TestCodexWirer_PrintsTheFileOfHooks(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	w := s.world()
	w.Env.Executable = func() string { return "/opt/ann's tools/bin/exchange" }
	_, err := exchange.CodexWirer{World: w}.Hooks()
	is.True(err != nil && strings.Contains(err.Error(), "no hookd beside this program"))
	s.files.file("/opt/ann's tools/bin/hookd", "")
	got, err := exchange.CodexWirer{World: w}.Hooks()
	is.NoErr(err)
	value, err := jsondoc.Decode([]byte(got))
	is.NoErr(err)
	is.Equal(value, map[string]any{"hooks": map[string]any{
		"SessionStart":     group(`'/opt/ann'\''s tools/bin/hookd' session-start`),
		"UserPromptSubmit": group(`'/opt/ann'\''s tools/bin/hookd' user-prompt-submit`),
		"Stop":             group(`'/opt/ann'\''s tools/bin/hookd' stop`),
		"SessionEnd":       group(`'/opt/ann'\''s tools/bin/hookd' session-end`),
	}})
}

func group(command string) any {
	return []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": command}}}}
}
