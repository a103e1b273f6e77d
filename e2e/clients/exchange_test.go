//go:build clients

package clients_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/changeover/changeover/e2e/clients/claude"
)

const claimCommand = `exchange claim --focus "` + focus + `" --path src/tide`

func TestSession_IsToldWhoIsHereAndWhatIsWaiting(t *testing.T) {
	w := newWorldWithPlugin(t)
	a := w.start("A", w.repo("a"))
	echo := a.Bash(claimCommand)
	wantLine(t, "the claim's echo", echo, "claimed as "+a.Name())
	wantLine(t, "the claim's echo", echo, "  paths: src/tide")
	id := posted(t, a.Bash(`exchange handoff post --repo b --body "`+prose+`"`), "b")

	b := w.start("B", w.repo("b"))
	first := b.Ask("good morning").Text()
	wantText(t, "B's first request", first, mark+" 1 other session(s) under harbour:\n- "+a.Name()+": "+focus)
	wantLine(t, "B's first request", first, "  paths: src/tide")
	wantText(t, "B's first request", first, mark+" 1 handoff(s) for this session, newest first")
	wantLine(t, "B's first request", first, "- "+id+" (open) from "+a.Name()+", to b: "+prose)
}

func TestSession_AcceptsAHandoffInItsOwnName(t *testing.T) {
	w := newWorldWithPlugin(t)
	a := w.start("A", w.repo("a"))
	id := posted(t, a.Bash(`exchange handoff post --repo b --body "`+prose+`"`), "b")
	b := w.start("B", w.repo("b"))
	wantText(t, "the answer to accept", b.Bash("exchange handoff accept "+id), id+" is now accepted")
	shown := w.run(w.root, w.exchange(), "handoff", "show", id)
	wantLine(t, "the handoff", shown, id+"  accepted")
	move := regexp.MustCompile(`(?m)^    0  \S+  accepted  by ` + regexp.QuoteMeta(b.Name()) + `\b`)
	if !move.MatchString(shown) {
		t.Fatalf("no move by %s:\n%s", b.Name(), shown)
	}
}

func TestSession_OutsideTheRootGetsNothing(t *testing.T) {
	w := newWorldWithPlugin(t)
	a := w.start("A", w.repo("a"))
	a.Bash(claimCommand)
	a.Bash(`exchange handoff post --repo b --body "` + prose + `"`)
	outside := w.start("outside", w.outside)
	outside.Ask("good morning")
	wantSilence(t, "the session outside", outside.Server())
	if _, seeded := w.claims("sessions")[outside.ID()]; seeded {
		t.Fatal("a session outside the root has a claim in it")
	}
}

func TestSession_KilledIsCountedAndNotPresent(t *testing.T) {
	w := newWorldWithPlugin(t)
	a := w.start("A", w.repo("a"))
	a.Bash(claimCommand)
	a.Kill9()
	b := w.start("B", w.repo("b"))
	first := b.Ask("good morning").Text()
	wantText(t, "B's first request", first, mark+" 1 claim(s) left by sessions no longer running")
	wantNoText(t, "B's first request", first, "other session(s) under")
	wantNoText(t, "B's first request", first, focus)
}

func TestSession_KeepsClaimAndMailThroughClear(t *testing.T) {
	w := newWorldWithPlugin(t)
	a := w.start("A", w.repo("a"))
	a.Bash(claimCommand)
	first := a.ID()
	b := w.start("B", w.repo("b"))
	before := posted(t, b.Bash(`exchange handoff post --session `+first+` --body "sent before"`), "session "+first)

	second := a.Clear()
	w.wantCarriedOver(a, []string{first})
	wantText(t, "A's request after /clear", a.Ask("good morning").Text(), "- "+before+" (open) from "+b.Name()+", to session "+first+": sent before")

	answer := b.Bash(`exchange handoff post --session ` + first + ` --body "sent after"`)
	after := posted(t, answer, "session "+first)
	wantNoText(t, "the answer to the post", answer, "no live session is registered as")
	a.Clear()
	w.wantCarriedOver(a, []string{first, second})
	wantText(t, "A's request after the second /clear", a.Ask("good morning").Text(), "- "+after+" (open) from "+b.Name()+", to session "+first+": sent after")

	c := w.start("C", w.repo("b"))
	presence := c.Ask("good morning").Text()
	wantText(t, "C's first request", presence, mark+" 2 other session(s) under harbour:\n")
	if rows := strings.Count(presence, "\n- "+a.Name()+": "); rows != 1 {
		t.Fatalf("C was shown %d rows of A, want 1:\n%s", rows, presence)
	}
	wantLine(t, "C's first request", presence, "- "+a.Name()+": "+focus)
}

func TestSession_ClaimIsSetAsideAtExitAndBackAfterResume(t *testing.T) {
	w := newWorldWithPlugin(t)
	a := w.start("A", w.repo("a"))
	a.Bash(claimCommand)
	id := a.ID()
	a.Exit()
	ended := w.waitClaims("the claim that was set aside", "ended", has(id))
	wantClaim(t, ended[id], nil)
	if has(id)(w.claims("sessions")) {
		t.Fatal("the claim of the ended session is still in sessions")
	}

	resumed := w.start("A again", w.repo("a"), "--resume", id)
	if resumed.ID() != id {
		t.Fatalf("the resumed session is %s, want %s", resumed.ID(), id)
	}
	back := w.waitClaims("the claim that was taken back", "sessions", has(id))
	wantClaim(t, back[id], nil)
	if has(id)(w.claims("ended")) {
		t.Fatal("the claim that was taken back is still in ended")
	}
}

func TestScriptedRun_GetsNothingAndIsCounted(t *testing.T) {
	w := newWorldWithPlugin(t)
	run := w.home.StartScripted(t, "run", w.repo("a"), "count the boats")
	wantLine(t, "the report", w.run(w.root, w.exchange(), "show"), "runs      0 background, 1 scripted")
	b := w.start("B", w.repo("b"))
	b.Ask("good morning")
	wantSilence(t, "a session beside the run", b.Server())
	wantText(t, "the run's output", run.Finish(), "This is the late answer.")
	wantSilence(t, "the run", run.Server())
	for id := range w.claims("sessions") {
		if id != b.ID() {
			t.Fatalf("the run has left the claim %s", id)
		}
	}
	wantNoText(t, "the report after the run", w.run(w.root, w.exchange(), "show"), "scripted")
}

// wantCarriedOver fails the test unless the session's claim stands under its
// present id alone, with all that it held and its earlier ids.
func (w *world) wantCarriedOver(s *claude.Session, earlier []string) {
	w.t.Helper()
	claims := w.waitClaims("the claim under the new id "+s.ID(), "sessions", func(claims map[string]claim) bool {
		_, old := claims[earlier[len(earlier)-1]]
		return has(s.ID())(claims) && !old
	})
	wantClaim(w.t, claims[s.ID()], earlier)
}

func wantClaim(t *testing.T, got claim, was []string) {
	t.Helper()
	if got.Focus != focus || !slices.Equal(got.Paths, []string{"src/tide"}) || !slices.Equal(got.Was, was) {
		t.Fatalf("the claim is %+v, want focus %q, paths [src/tide], was %v", got, focus, was)
	}
}
