package relay_test

import (
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/relay"
)

const thirdID = "cccc3333-0000-4000-8000-000000000003"

// claimedOnce fails where a session is in two links that are open, or in none.
func (p pair) claimedOnce(t *rapid.T, id string) {
	t.Helper()
	in := 0
	for _, s := range p.openLinks() {
		for _, role := range []relay.Role{relay.Planner, relay.Builder} {
			if !s.Joined(role) || s.Party(role).Session != id {
				continue
			}
			in++
			if m := p.store.members[id]; m.Link != s.Link || m.Role != role {
				t.Fatalf("link %s has it as %s, and it is in %s as %s", s.Link, role, m.Link, m.Role)
			}
		}
	}
	if in != 1 {
		t.Fatalf("it is in %d open links", in)
	}
}

func TestSession_IsNeverInTwoLinks(t *testing.T) {
	pairs := func(id string, role relay.Role, peer string) func(p pair, o relay.Operator) error {
		return func(p pair, o relay.Operator) error {
			_, err := o.Pair(p.of(id).speaker(), role, peer, relay.Terms{})
			return err
		}
	}
	accepts := func(id, peer string) func(p pair, o relay.Operator) error {
		return func(p pair, o relay.Operator) error {
			_, err := o.Accept(p.of(id).speaker(), peer, relay.Terms{})
			return err
		}
	}
	none := func(pair) {}
	tests := []struct {
		name   string
		before func(p pair)
		verbs  [2]func(p pair, o relay.Operator) error
		id     string
	}{
		{"asks two", none, [2]func(p pair, o relay.Operator) error{pairs(plannerID, relay.Planner, builderID), pairs(plannerID, relay.Planner, thirdID)}, plannerID},
		{"asks one twice", none, [2]func(p pair, o relay.Operator) error{pairs(plannerID, relay.Planner, builderID), pairs(plannerID, relay.Planner, builderID)}, plannerID},
		{"accepts two", func(p pair) {
			_ = pairs(plannerID, relay.Planner, builderID)(p, p.operator(nil))
			_ = pairs(thirdID, relay.Planner, builderID)(p, p.operator(nil))
		}, [2]func(p pair, o relay.Operator) error{accepts(builderID, plannerID), accepts(builderID, thirdID)}, builderID},
		{"accepts one and asks another", func(p pair) {
			_ = pairs(plannerID, relay.Planner, builderID)(p, p.operator(nil))
		}, [2]func(p pair, o relay.Operator) error{accepts(builderID, plannerID), pairs(builderID, relay.Planner, thirdID)}, builderID},
		{"goes on after a link that ended", func(p pair) {
			_ = pairs(plannerID, relay.Planner, builderID)(p, p.operator(nil))
			_, _ = p.operator(nil).Unlink(p.planner.speaker())
		}, [2]func(p pair, o relay.Operator) error{pairs(plannerID, relay.Planner, builderID), pairs(plannerID, relay.Builder, thirdID)}, plannerID},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := strangers()
				p.open(thirdID, "third")
				tt.before(p)
				var errs [2]error
				a := p.begin(func(o relay.Operator) { errs[0] = tt.verbs[0](p, o) })
				b := p.begin(func(o relay.Operator) { errs[1] = tt.verbs[1](p, o) })
				finish(choices(t), a, b)
				if errs[0] != nil && errs[1] != nil {
					t.Fatalf("both are refused: %v, %v", errs[0], errs[1])
				}
				p.claimedOnce(t, tt.id)
			})
		})
	}
}

// of is a session of the world as its person has it.
func (p pair) of(id string) *client {
	row := p.rows[id]
	return &client{w: p.world, id: id, name: row.Name, pid: row.PID}
}

// An asker that dies before the other session is asked has a link all the same.
func TestPair_ThatDiedIsMadeGoodByWhateverComesNext(t *testing.T) {
	for name, look := range map[string]func(t *testing.T, p pair){
		"the same again": func(t *testing.T, p pair) {
			must(p.operator(nil).Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{}))(t)
		},
		"status":    func(t *testing.T, p pair) { must(p.operator(nil).Status(plannerID))(t) },
		"its hooks": func(t *testing.T, p pair) { p.planner.says(t, "hello") },
	} {
		t.Run(name, func(t *testing.T) {
			atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
				is := is.New(t)
				p := strangers()
				die(p.world, func(o relay.Operator) {
					_, _ = o.Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{})
				})
				look(t, p)
				if p.store.members[plannerID].Link == "" { // it had not begun
					return
				}
				requests := must(p.operator(nil).Requests(builderID))(t)
				is.Equal(len(requests), 1)
				must(p.operator(nil).Accept(p.builder.speaker(), "", relay.Terms{}))(t)
				is.True(p.planner.state(t).Accepted())
			})
		})
	}
}

func TestPair_TheSameAgainIsAnsweredTheSame(t *testing.T) {
	is := is.New(t)
	p := strangers()
	first := must(p.operator(nil).Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{}))(t)
	again := must(p.operator(nil).Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{}))(t)
	is.Equal(again.Lines(), first.Lines())
	is.Equal(again.Link, first.Link)
	_, err := p.operator(nil).Pair(p.planner.speaker(), relay.Builder, builderID, relay.Terms{})
	is.Equal(refusal(err), relay.SayAlreadyLinked) // in the other role it is another thing
}
