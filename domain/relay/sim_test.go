package relay_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/relay"
)

// sim plays two sessions, their clients and their persons, at random: processes
// of both sides interleave step by step, hooks run twice, and any of it may die
// between two steps.
type sim struct {
	pair
	t     *rapid.T
	check *testing.T
	sides map[relay.Role]*sideSim
	marks int
	// calm: nothing dies any more.
	calm    bool
	theLink string
}

// sideSim is one session in a sim.
type sideSim struct {
	*client
	role relay.Role
	// alive: it has a process; left: that shows another conversation.
	alive, left bool
	// registered: its SessionStart ran to its end.
	registered bool
	attached   bool
	ringing    bool
	// queue holds the prompts that wait in the client.
	queue  []string
	inTurn bool
	// entered are the texts of deliveries that the model was shown, and unnoted
	// those of which no hook could take note.
	entered, unnoted []string
	// knows: the model has been told its role since its context was new.
	knows bool
}

func newSim(check *testing.T, t *rapid.T) *sim {
	s := &sim{pair: strangers(), t: t, check: check}
	s.sides = map[relay.Role]*sideSim{
		relay.Planner: {client: s.planner, role: relay.Planner, alive: true, registered: true},
		relay.Builder: {client: s.builder, role: relay.Builder, alive: true, registered: true},
	}
	limit := relay.Terms{MaxRounds: rapid.IntRange(1, 4).Draw(t, "limit")}
	must(s.operator(nil).Pair(s.planner.speaker(), relay.Planner, builderID, limit))(check)
	must(s.operator(nil).Accept(s.builder.speaker(), "", relay.Terms{Lang: "es"}))(check)
	must(s.operator(nil).Goal(s.planner.speaker(), "Goal 0", false))(check)
	s.theLink = s.store.members[plannerID].Link
	for _, d := range s.both() {
		d.written = &transcript{}
	}
	s.hearRings()
	return s
}

// job is one process: what it does, and what its client makes of its end.
type job struct {
	name  string
	does  func(relay.Operator)
	after func(finished bool)
}

// run lets jobs interleave to their ends, or to the death of one of them.
func (s *sim) run(jobs ...job) {
	type started struct {
		job
		*running
		died bool
	}
	s.passed += time.Millisecond
	for _, d := range s.both() {
		d.register()
	}
	all := make([]*started, len(jobs))
	processes := make([]*running, len(jobs))
	for i, j := range jobs {
		all[i] = &started{job: j}
		all[i].running = s.begin(func(o relay.Operator) {
			store, _ := o.Store.(process)
			store.wrote = func(role relay.Role, e relay.Event) { s.wrote(j.name, role, e) }
			o.Store = store
			j.does(o)
		})
		processes[i] = all[i].running
	}
	order := rand.New(rand.NewPCG(rapid.Uint64().Draw(s.t, "order"), 0))
	if !s.calm && order.IntN(6) == 0 {
		victim := all[order.IntN(len(all))]
		for range order.IntN(25) {
			if !victim.over {
				victim.step()
			}
		}
		victim.died = !victim.over
		victim.kill()
	}
	finish(order.IntN, processes...)
	for _, j := range all {
		s.t.Logf("%s, died %v", j.name, j.died)
	}
	for _, j := range all {
		if j.after != nil {
			j.after(!j.died)
		}
	}
	s.hearRings()
	s.checkStep()
}

func (s *sim) hearRings() {
	for _, id := range s.store.takeRings() {
		for _, side := range s.both() {
			side.ringing = side.ringing || side.id == id
		}
	}
}

// register has the client tell whether it works.
func (d *sideSim) register() {
	row, there := d.w.rows[d.id]
	status := "idle"
	if d.inTurn {
		status = "busy"
	}
	if there && row.Status != status {
		row.Status, row.StatusAt = status, began.Add(d.w.passed)
		d.w.rows[d.id] = row
	}
}

// both are the two sessions, the planner first.
func (s *sim) both() []*sideSim {
	return []*sideSim{s.sides[relay.Planner], s.sides[relay.Builder]}
}

// die ends a session's process with all that it was about.
func (d *sideSim) die() {
	d.kill()
	d.alive, d.registered, d.inTurn, d.queue, d.ringing = false, false, false, nil, false
	d.detach()
}

func (d *sideSim) attachMod() {
	d.attached = true
	d.attach()
}

func (d *sideSim) detach() {
	d.attached = false
	delete(d.w.store.attachments, d.id)
}

func (d *sideSim) member() relay.Member { return d.w.store.members[d.id] }

// present: the session runs, and shows the conversation that is linked.
func (d *sideSim) present() bool { return d.alive && !d.left && d.registered }

// twice returns how often a hook runs: it may be wired twice.
func (s *sim) twice() int {
	if rapid.IntRange(0, 3).Draw(s.t, "wired twice") == 0 {
		return 2
	}
	return 1
}

// mark makes a text that no other one holds.
func (s *sim) mark() string {
	s.marks++
	letters := []byte("T00000")
	for n, i := s.marks, len(letters)-1; n > 0; n, i = n/10, i-1 {
		letters[i] = byte('0' + n%10)
	}
	return string(letters)
}

// begun is a fresh state of the link.
func (s *sim) fold() relay.State {
	log, err := s.operator(nil).Store.Log(s.theLink)
	if err != nil {
		s.fatalf("%v", err)
	}
	return relay.Fold(log)
}

func (s *sim) events(role relay.Role) []relay.Event {
	return slices.Clone(s.store.events[sideKey{s.theLink, role}])
}

func TestRelay_NothingIsLostShownTwiceOrSentByItself(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newSim(t, rt)
		for range rapid.IntRange(5, 60).Draw(rt, "actions") {
			s.act()
		}
		s.settle()
		s.checkEnd()
	})
}
