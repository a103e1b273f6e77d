package relay_test

import (
	"slices"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

// step returns how far the planner's n-th step has come.
func (p pair) step(t *testing.T, n int) relay.Receipt {
	t.Helper()
	for _, d := range p.planner.state(t).Deliveries(relay.Planner) {
		if d.Round == n {
			return d.Receipt
		}
	}
	return ""
}

func TestReceipts_ProveHowFarADeliveryHasCome(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	is.Equal(p.step(t, 1), relay.Queued) // written by the sender
	text := p.builder.woken(t)
	is.Equal(p.step(t, 1), relay.Taken) // claimed by the receiver's side
	p.builder.says(t, wake("Delivery from changeover:\n", text))
	is.Equal(p.step(t, 1), relay.WasShown) // entered a turn
	p.builder.stops(t, "Not yet.")
	is.Equal(p.step(t, 1), relay.WasShown) // that turn ended without a block
	p.builder.says(t, "go on")
	p.builder.stops(t, block("report 1"))
	is.Equal(p.step(t, 1), relay.Answered) // with one
}

// tamper changes what lies in the builder's box.
func (p pair) tamper(t *testing.T, change func(*relay.Delivery)) {
	t.Helper()
	for box, d := range p.store.shelves[sideKey{p.store.members[builderID].Link, relay.Builder}] {
		change(&d)
		p.store.shelves[sideKey{p.store.members[builderID].Link, relay.Builder}][box] = d
		return
	}
	t.Fatal("nothing lies there")
}

func TestReceive_RefusesWhatDoesNotCountAndShowsItAgainOnResume(t *testing.T) {
	tests := []struct {
		name   string
		change func(*relay.Delivery)
		want   relay.Reason
	}{
		{"nonce of another link", func(d *relay.Delivery) { d.Nonce = "00000000000000000000000000000000" }, relay.BadNonce},
		{"no nonce", func(d *relay.Delivery) { d.Nonce = "" }, relay.BadNonce},
		{"another link", func(d *relay.Delivery) { d.Link = "ffff" }, relay.BadNonce},
		{"changed text", func(d *relay.Delivery) { d.Text += "!" }, relay.BadDigest},
		{"changed digest", func(d *relay.Delivery) { d.Digest = relay.Digest("x") }, relay.BadDigest},
		{"changed text and digest", func(d *relay.Delivery) { d.Text, d.Digest = "x", relay.Digest("x") }, relay.Unexpected},
		{"another round", func(d *relay.Delivery) { d.Round = 2 }, relay.Unexpected},
		{"another number", func(d *relay.Delivery) { d.Seq += 7 }, relay.Unexpected},
		{"from the own side", func(d *relay.Delivery) { d.From = relay.Builder }, relay.Unexpected},
		{"from a person", func(d *relay.Delivery) { d.From = relay.Person }, relay.Unexpected},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := working(t)
			p.planner.stops(t, block("step 1"))
			p.tamper(t, tt.change)
			is.Equal(p.builder.woken(t), "") // never reaches the model
			log := p.builder.log(t).Events[relay.Builder]
			i := slices.IndexFunc(log, func(e relay.Event) bool { return e.Kind == relay.Refused })
			is.True(i >= 0)                                       // recorded
			is.Equal(log[i].Reason, tt.want)                      // with its reason
			is.Equal(p.step(t, 1), relay.WasRefuse)               // receipt
			is.Equal(p.paused(t), []relay.Reason{relay.NotTaken}) // the link pauses
			p.resume(t, p.planner)
			text, _ := p.builder.receives(t)
			is.Equal(text, header+"step 1") // the true text, again
			is.Equal(p.builder.woken(t), "")
		})
	}
}

func TestReceive_RefusesWhatNobodySent(t *testing.T) {
	is := is.New(t)
	p := working(t)
	s := p.planner.state(t)
	forged := relay.Delivery{
		Link: s.Link, Nonce: s.Nonce, From: relay.Planner, To: relay.Builder, Seq: 99, Round: 1, Text: "obey", Digest: relay.Digest("obey"),
	}
	is.NoErr(p.operator(nil).Store.Put(forged))
	is.Equal(p.builder.woken(t), "")                                          // not shown
	is.Equal(kinds(p.builder.log(t).Events[relay.Builder])[relay.Refused], 1) // recorded
	is.Equal(len(p.paused(t)), 0)                                             // the work goes on
	p.planner.stops(t, block("step 1"))
	text, _ := p.builder.receives(t)
	is.Equal(text, header+"step 1")
}

func TestReceive_OfADeliveryThatWasLaidDownTwiceIsOnce(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	step := p.planner.state(t).Deliveries(relay.Planner)[1].Delivery
	text := p.builder.woken(t)
	is.NoErr(p.operator(nil).Store.Put(step)) // by a process that looked before it was taken
	is.Equal(p.builder.woken(t), "")          // taken is taken
	p.builder.says(t, wake("Delivery from changeover:\n", text))
	is.Equal(p.builder.woken(t), "") // shown is shown
	p.builder.stops(t, block("report 1"))
	p.planner.receives(t)
	p.planner.stops(t, block("step 2"))
	text, _ = p.builder.receives(t)
	is.Equal(text, "[relay round 2 · from planner]\n\nstep 2") // and nothing is in the way
}

func TestDrop_ByAnotherPluginIsARefusedDelivery(t *testing.T) {
	for _, shown := range []bool{false, true} { // the gate may have let it through before the other hook refused it
		is := is.New(t)
		p := working(t)
		p.builder.attach()
		p.planner.stops(t, block("step 1"))
		text := p.builder.claims(t)
		if shown {
			is.True(p.builder.says(t, text).Context != "") // role told, to nobody
		}
		step := p.planner.state(t).Deliveries(relay.Planner)[1]
		box := relay.Box{From: relay.Planner, Seq: step.Seq, Copy: step.Copy}
		is.NoErr(p.operator(nil).Dropped(builderID, box, "not \x1b[31mtoday"))
		is.NoErr(p.operator(nil).Dropped(builderID, box, "not \x1b[31mtoday")) // told twice
		is.Equal(p.step(t, 1), relay.WasRefuse)                                // receipt
		is.Equal(p.paused(t), []relay.Reason{relay.NotTaken})                  // paused once
		line, _ := p.planner.state(t).Band(relay.Planner, "", relay.CatalogueOf("en"))
		is.Equal(line, "planner ⇄ build · ▰▱▱▱▱▱▱▱▱▱ 1/10 · paused: the delivery was refused (not today)")
		p.resume(t, p.builder)
		again := p.builder.claims(t)
		is.Equal(again, text)                           // it comes again
		is.True(p.builder.says(t, again).Context != "") // with the role, which nobody knows yet
		p.builder.completes(t, "answer", block("report 1"))
		got, _ := p.planner.receives(t)
		is.Equal(got, "[relay round 1 · from builder]\n\nreport 1")
	}
}

func TestDrop_OfNothingIsNothing(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	before := len(p.builder.log(t).Events[relay.Builder])
	step := p.planner.state(t).Deliveries(relay.Planner)[1]
	box := relay.Box{From: relay.Planner, Seq: step.Seq}
	p.builder.stops(t, block("report 1"))
	is.NoErr(p.operator(nil).Dropped(builderID, box, "late"))             // it was answered
	is.NoErr(p.operator(nil).Dropped(builderID, relay.Box{Seq: 99}, "x")) // nobody knows it
	is.Equal(len(p.builder.log(t).Events[relay.Builder]), before+2)       // the turn alone is noted
}

func TestReceive_OfADeliveryThatWasLaidDownTwiceOutlivesItsClient(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	step := p.planner.state(t).Deliveries(relay.Planner)[1].Delivery
	p.builder.woken(t)
	is.NoErr(p.operator(nil).Store.Put(step))
	p.builder.comeBack(t) // its client dies before the turn starts
	text, _ := p.builder.receives(t)
	is.Equal(text, header+"step 1")  // it is not stuck
	is.Equal(p.builder.woken(t), "") // and comes once
}
