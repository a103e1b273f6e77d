package relay_test

import (
	"errors"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

// full is a store on a disk that is full.
type full struct{ relay.Store }

// Append implements relay.Links.
func (full) Append(string, relay.Role, relay.Event) error { return errors.New("no space left") }

// The other one of two hooks that are wired twice may have noted that it was shown.
func TestGate_ADeliveryThatCannotBeNotedEntersAllTheSame(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	prompt := wake(deliveryPrefix, p.builder.woken(t))
	o := p.operator(nil)
	o.Store = full{o.Store}
	r, err := o.Prompt(p.builder.input("", ""), prompt, "p1")
	is.True(err != nil && !r.Block)
	r, err = p.operator(nil).Prompt(p.builder.input("", ""), prompt, "p1")
	is.NoErr(err)
	is.True(!r.Block)
	is.Equal(kinds(p.builder.log(t).Events[relay.Builder])[relay.Shown], 1)

	r, err = o.Prompt(p.builder.input("", ""), header+"step 9", "p2") // nobody sent that
	is.True(err != nil || r.Block)
	is.True(r.Block)
}
