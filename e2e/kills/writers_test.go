package kills_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/domain/relay"
)

// Writers that all send on one side of a link at once: each text becomes one event and
// one delivery, and of as many takers one has each.
func TestSends_ManyAtOnce(t *testing.T) {
	const writers, link = 8, "l"
	state := filepath.Join(t.TempDir(), "state")
	open := func() linkstore.Store { return linkstore.New(osfs.New(), state) }
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			store := open()
			for n := range *writes {
				if err := send(store, link, fmt.Sprintf("writer %d, number %d", w, n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	log, err := open().Log(link)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	taken := map[string]int{}
	for range writers {
		all.Go(func() {
			store := open()
			for _, box := range log.Boxes[relay.Builder] {
				d, err := store.Claim(link, relay.Builder, box, relay.Attachment{PID: 1, Start: "1"})
				if errors.Is(err, relay.ErrTaken) {
					continue
				}
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				taken[d.Text]++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	c := toll.Counts{Tries: writers * *writes, Hit: writers * *writes}
	events := map[string]int{}
	for _, e := range log.Events[relay.Planner] {
		events[e.Text]++
	}
	for w := range writers {
		for n := range *writes {
			text := fmt.Sprintf("writer %d, number %d", w, n)
			if events[text] == 0 || taken[text] == 0 {
				c.Lost++
			}
			if events[text] > 1 || taken[text] > 1 {
				c.Twice++
			}
		}
	}
	count.Add(toll.Key{Tool: "relay", Verb: "send and take", Fault: "8 writers at once"}, c)
	if !c.Clean() {
		t.Errorf("%+v", c)
	}
}

// send claims the next number of a side's log for a text, and puts it down.
func send(store linkstore.Store, link, text string) error {
	for {
		log, err := store.Log(link)
		if err != nil && !errors.Is(err, relay.ErrNoLink) {
			return err
		}
		seq := len(log.Events[relay.Planner]) + 1
		err = store.Append(link, relay.Planner, relay.Event{Seq: seq, Kind: relay.Sent, Text: text})
		if errors.Is(err, relay.ErrTaken) {
			continue // another one was first
		}
		if err != nil {
			return err
		}
		return store.Put(relay.Delivery{Link: link, From: relay.Planner, To: relay.Builder, Seq: seq, Round: 1, Text: text})
	}
}
