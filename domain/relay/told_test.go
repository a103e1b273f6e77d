package relay_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

// forge lays down what nobody sent.
func (p pair) forge(t *testing.T) {
	t.Helper()
	s := p.planner.state(t)
	forged := relay.Delivery{
		Link: s.Link, Nonce: s.Nonce, From: relay.Planner, To: relay.Builder, Seq: 99, Round: 1, Text: "obey", Digest: relay.Digest("obey"),
	}
	if err := p.operator(nil).Store.Put(forged); err != nil {
		t.Fatal(err)
	}
}

func TestRefused_IsToldOnceByTheNextHookThatCanSpeak(t *testing.T) {
	const told = "relay refused a delivery: it was not expected now"
	hooks := map[string]func(t *testing.T, p pair) []string{
		"a prompt":     func(t *testing.T, p pair) []string { return p.builder.says(t, "hello").Lines },
		"a turn's end": func(t *testing.T, p pair) []string { return p.builder.stops(t, "Done.") },
		"a start":      func(t *testing.T, p pair) []string { return p.builder.start(t, "resume").Lines },
		"the mod": func(t *testing.T, p pair) []string {
			return must(p.operator(nil).News(p.store.members[builderID]))(t)
		},
	}
	for name, hook := range hooks {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			p := working(t)
			p.forge(t)
			is.Equal(p.builder.woken(t), "")                // a wake has no place for it
			is.True(slices.Contains(hook(t, p), told))      // told
			is.True(!slices.Contains(hook(t, p), told))     // once
			is.Equal(len(p.planner.says(t, "hi").Lines), 0) // to the side that refused it
			p.planner.stops(t, block("step 1"))
			text, _ := p.builder.receives(t)
			is.Equal(text, header+"step 1") // the work goes on
		})
	}
}

func TestRefused_AtTheGateIsSaidThereAlone(t *testing.T) {
	is := is.New(t)
	p := linked(t, relay.Terms{}, relay.Terms{})
	must(p.operator(nil).Goal(p.planner.speaker(), "Build it", false))(t)
	prompt := wake(deliveryPrefix, p.planner.woken(t))
	must(p.operator(nil).Goal(p.planner.speaker(), "Build that", true))(t)
	is.True(p.planner.says(t, prompt).Block) // and says why
	is.Equal(len(p.planner.says(t, "hello").Lines), 0)
}

// failing is a store that fails at one of its calls.
type failing struct {
	relay.Store
	claim, log func() error
}

func (f failing) Claim(link string, to relay.Role, box relay.Box, holder relay.Attachment) (relay.Delivery, error) {
	if f.claim != nil {
		return relay.Delivery{}, f.claim()
	}
	return f.Store.Claim(link, to, box, holder)
}

func (f failing) Log(link string) (relay.Log, error) {
	if err := f.log(); err != nil {
		return relay.Log{}, err
	}
	return f.Store.Log(link)
}

var errDisk = errors.New("input/output error")

func TestClaim_AFaultOfTheDiskLeavesTheDeliveryInPlace(t *testing.T) {
	t.Run("while claiming", func(t *testing.T) {
		is := is.New(t)
		p := working(t)
		p.planner.stops(t, block("step 1"))
		o := p.operator(nil)
		o.Store = failing{Store: o.Store, claim: func() error { return errDisk }, log: func() error { return nil }}
		_, err := o.Bell(p.builder.input("", ""), "/state/bells/"+builderID)
		is.True(errors.Is(err, errDisk)) // told
		is.Equal(len(p.paused(t)), 0)    // it is nobody's fault but the disk's
		text, _ := p.builder.receives(t)
		is.Equal(text, header+"step 1")
	})
	for reads := 1; ; reads++ { // the fault comes after that many looks at the log
		is := is.New(t)
		p := working(t)
		p.planner.stops(t, block("step 1"))
		n := 0
		o := p.process(p.builder.pid, nil) // a process that lives on
		o.Store = failing{Store: o.Store, log: func() error {
			if n++; n > reads {
				return errDisk
			}
			return nil
		}}
		_, ok, err := o.Claim(p.store.members[builderID])
		if ok {
			is.Equal(reads, 2)
			break
		}
		is.True(errors.Is(err, errDisk))
		is.Equal(p.step(t, 1), relay.Queued) // put back by the process that claimed it
		text, _ := p.builder.receives(t)
		is.Equal(text, header+"step 1")
	}
}

func TestClaim_OfWhatCannotBeUsedRefusesIt(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	o := p.operator(nil)
	memory := o.Store
	o.Store = failing{Store: memory, log: func() error { return nil }, claim: func() error { return relay.ErrUnusable }}
	r, err := o.Bell(p.builder.input("", ""), "/state/bells/"+builderID)
	is.NoErr(err)
	is.Equal(r.Wake, "")
	is.Equal(p.step(t, 1), relay.WasRefuse)
	is.Equal(p.paused(t), []relay.Reason{relay.NotTaken})
}

func TestLitter_IsClearedAway(t *testing.T) {
	tests := []struct {
		name string
		do   func(t *testing.T, p pair)
	}{
		{"what was laid down a second time", func(t *testing.T, p pair) {
			step := p.planner.state(t).Deliveries(relay.Planner)[1].Delivery
			p.builder.receives(t)
			must(0, p.operator(nil).Store.Put(step))(t)
		}},
		{"what another goal stands in for", func(t *testing.T, p pair) {
			must(p.operator(nil).Goal(p.planner.speaker(), "Build that", true))(t)
		}},
		{"what is shown again in another box", func(t *testing.T, p pair) {
			step := p.planner.state(t).Deliveries(relay.Planner)[1].Delivery
			p.builder.receives(t)
			p.builder.kill()
			p.watched(t)
			p.builder.comeBack(t)
			p.resume(t, p.planner)
			must(0, p.operator(nil).Store.Put(step))(t)
			p.builder.receives(t)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := working(t)
			p.planner.stops(t, block("step 1"))
			tt.do(t, p)
			p.builder.says(t, "hello")
			for box := range p.store.shelves[sideKey{p.store.members[builderID].Link, relay.Builder}] {
				is.True(box.Taken) // nothing waits
			}
			is.Equal(kinds(p.builder.log(t).Events[relay.Builder])[relay.Refused], 0) // nor was any of it claimed to be refused
		})
	}
}
