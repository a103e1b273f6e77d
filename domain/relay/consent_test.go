package relay_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
)

// model is a speaker whose command a session's tools started.
func (c *client) model() relay.Speaker {
	s := c.speaker()
	s.Person = false
	return s
}

func TestModel_MayNotGiveConsent(t *testing.T) {
	tests := []struct {
		name         string
		do           func(p pair, o relay.Operator) error
		slash, plain string
	}{
		{"accept", func(p pair, o relay.Operator) error {
			_, err := o.Accept(p.builder.model(), "", relay.Terms{})
			return err
		}, "relay builder " + plannerID, "relay accept --session " + builderID},
		{"complementary role", func(p pair, o relay.Operator) error {
			_, err := o.Pair(p.builder.model(), relay.Builder, plannerID, relay.Terms{})
			return err
		}, "relay builder " + plannerID, "relay accept --session " + builderID},
		{"goal", func(p pair, o relay.Operator) error {
			_, err := o.Goal(p.planner.model(), "Build it", false)
			return err
		}, "relay goal <text>", "relay goal --session " + plannerID + " <text>"},
		{"restart", func(p pair, o relay.Operator) error {
			if _, err := o.Goal(p.planner.speaker(), "Build it", false); err != nil {
				return err
			}
			_, err := o.Goal(p.planner.model(), "Build it", true)
			return err
		}, "relay goal <text>", "relay goal --session " + plannerID + " <text>"},
		{"resume", func(p pair, o relay.Operator) error {
			if _, err := o.Pause(p.planner.speaker()); err != nil {
				return err
			}
			_, err := o.Resume(p.planner.model())
			return err
		}, "relay resume", "relay resume --session " + plannerID},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			for slash, mods := range map[string]bool{"/": true, "/changeover:": false} {
				p := asked(t)
				if mods {
					p.planner.attach()
					p.builder.attach()
				}
				err := tt.do(p, p.operator(nil))
				is.Equal(refusal(err), relay.SayNotAPerson)                 // refused
				is.True(strings.Contains(inWords(err), " "+slash+tt.slash)) // the slash command of that session
				is.True(strings.Contains(inWords(err), tt.plain))           // the plain-terminal form
				is.True(!p.planner.state(t).Joined(relay.Builder))          // nobody was linked
				is.Equal(p.planner.state(t).Summary(), "")                  // nothing else happened
			}
		})
	}
}

func TestModel_MayAskPauseDeclineAndUnlink(t *testing.T) {
	is := is.New(t)
	p := strangers()
	o := p.operator(nil)
	must(o.Pair(p.planner.model(), relay.Planner, builderID, relay.Terms{}))(t)
	must(o.Decline(p.builder.model(), ""))(t)
	must(o.Pair(p.planner.model(), relay.Planner, builderID, relay.Terms{}))(t)
	must(o.Accept(p.builder.speaker(), "", relay.Terms{}))(t)
	must(o.Pause(p.planner.model()))(t)
	must(o.Unlink(p.planner.model()))(t)
	is.Equal(p.planner.state(t).Phase, relay.IsUnlinked) // all were allowed
}

func TestModel_CrossingAPersonsRequestLinksNobody(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	_, err := p.operator(nil).Pair(p.builder.model(), relay.Builder, "plan", relay.Terms{})
	is.Equal(refusal(err), relay.SayNotAPerson) // it would accept
	is.True(!p.planner.state(t).Accepted())     // nobody is linked
}

func TestSpeak_FindsTheSessionThatACommandSpeaksFor(t *testing.T) {
	tests := []struct {
		name  string
		named string
		env   string
		cwd   string
		want  string
	}{
		{"by id", builderID, "", "/w/plan", builderID},
		{"by name", "build", "", "/w/plan", builderID},
		{"by a prefix", "bbbb", "", "/w/plan", builderID},
		{"the one named before the one of the environment", "build", plannerID, "/w/plan", builderID},
		{"by the environment", "", builderID, "/w/plan", builderID},
		{"by the directory", "", "", "/w/plan", plannerID},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := strangers()
			p.env["CLAUDE_CODE_SESSION_ID"] = tt.env
			self := must(p.operator(nil).Speak(tt.named, tt.cwd))(t)
			is.Equal(self.Session, tt.want) // session
			is.True(self.Person)            // a person's command
			is.True(self.PID != 0)          // with its process
			p.env["CLAUDE_CODE_CHILD_SESSION"] = "1"
			is.True(!must(p.operator(nil).Speak(tt.named, tt.cwd))(t).Person) // a model's command
		})
	}
}

func TestSpeak_NoneOrSeveralIsAnError(t *testing.T) {
	p := strangers()
	second := p.open("cccc3333-0000-4000-8000-000000000003", "plan") // same name, same directory
	tests := []struct{ name, named, cwd, says string }{
		{"nobody works here", "", "/w/elsewhere", "--session"},
		{"two work here", "", "/w/plan", "--session"},
		{"a name of two", "plan", "/w/build", second.id},
		{"unknown", "nobody", "/w/plan", "relay sessions"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, err := p.operator(nil).Speak(tt.named, tt.cwd)
			is.True(err != nil)                             // refused
			is.True(strings.Contains(err.Error(), tt.says)) // what to do
		})
	}
	t.Run("an unreadable registry is not an empty one", func(t *testing.T) {
		is := is.New(t)
		o := p.operator(nil)
		o.Sessions = registry{func() (session.Listing, error) { return session.Listing{}, errors.New("disk on fire") }}
		_, err := o.Speak("", "/w/plan")
		is.True(err != nil && strings.Contains(err.Error(), "disk on fire")) // told
	})
}

// Both sides of a pair often work in one directory, and a terminal there asks for
// their link.
func TestLook_ShowsTheOneLinkOfADirectory(t *testing.T) {
	is := is.New(t)
	p := working(t)
	row := p.rows[builderID]
	row.Cwd = "/w/plan"
	p.rows[builderID] = row
	self := must(p.operator(nil).Look("", "/w/plan"))(t)
	is.Equal(self.Session, plannerID) // the planner's view of it
	p.open("cccc3333-0000-4000-8000-000000000003", "plan")
	self = must(p.operator(nil).Look("", "/w/plan"))(t)
	is.Equal(self.Session, plannerID) // a third one without a link is not meant
	self = must(p.operator(nil).Look("build", "/w/plan"))(t)
	is.Equal(self.Session, builderID) // whoever is named
	_, err := p.operator(nil).Speak("", "/w/plan")
	is.True(err != nil) // what changes a link still wants a name
}

func TestLook_OfSeveralLinksOrNoneAsks(t *testing.T) {
	is := is.New(t)
	p := strangers()
	p.open("cccc3333-0000-4000-8000-000000000003", "other")
	row := p.rows["cccc3333-0000-4000-8000-000000000003"]
	row.Cwd = "/w/plan"
	p.rows[row.SessionID] = row
	_, err := p.operator(nil).Look("", "/w/plan")
	is.True(err != nil) // none has a link
	is.NoErr(p.operator(nil).Store.AddMember(relay.Member{Session: plannerID, Link: "l1", Role: relay.Planner}))
	is.NoErr(p.operator(nil).Store.AddMember(relay.Member{Session: row.SessionID, Link: "l2", Role: relay.Planner}))
	_, err = p.operator(nil).Look("", "/w/plan")
	is.True(err != nil) // each has its own
}

func TestLive_ListsPeersOfTheSameDirectoryFirst(t *testing.T) {
	is := is.New(t)
	p := strangers()
	scripted := p.open("eeee5555-0000-4000-8000-000000000005", "a script")
	row := p.rows[scripted.id]
	row.Entrypoint = "sdk-cli"
	p.rows[scripted.id] = row
	var names []string
	for _, row := range must(p.operator(nil).Live("/w/plan"))(t) {
		names = append(names, row.Name)
	}
	is.Equal(names, []string{"plan", "build"}) // the near one first, no scripted one
}
