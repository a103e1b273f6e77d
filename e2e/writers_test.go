package e2e_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
)

// Eight writers post 200 handoffs each at once: all 1,600 are there, whole.
func TestPost_ManyWriters(t *testing.T) {
	is := is.New(t)
	const writers, each = 8, 200
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
	p.mkdir("harbour/dock")

	var want []string
	posted := make([][]string, writers)
	var wg sync.WaitGroup
	for w := range writers {
		for n := range each {
			want = append(want, fmt.Sprintf("writer %d, number %d", w, n))
		}
		wg.Go(func() {
			for n := range each {
				out := p.order("harbour", "exchange", "handoff", "post", "--repo", "dock", "--body", fmt.Sprintf("writer %d, number %d", w, n)).run()
				if out.Err != "" || out.Code != 0 {
					t.Errorf("writer %d, number %d: exit code %d %s\n%s%s", w, n, out.Code, out.Err, out.Stdout, out.Stderr)
					continue
				}
				id, _, _ := strings.Cut(strings.TrimPrefix(string(out.Stdout), "posted "), " ")
				posted[w] = append(posted[w], id)
			}
		})
	}
	wg.Wait()

	got := p.exchange("harbour", "handoff", "list", "--json")
	is.Equal(got.Code, 0) // exit code
	var list struct {
		Handoffs []struct {
			ID   string `json:"id"`
			Body string `json:"body"`
		} `json:"handoffs"`
		Problems []string `json:"problems"`
	}
	is.NoErr(json.Unmarshal(got.Stdout, &list))
	is.Equal(len(list.Problems), 0)
	var bodies, ids []string
	for _, h := range list.Handoffs {
		bodies = append(bodies, h.Body)
		ids = append(ids, h.ID)
	}
	slices.Sort(bodies)
	slices.Sort(want)
	is.Equal(len(bodies), writers*each)
	is.True(slices.Equal(bodies, want)) // every body once
	said := slices.Concat(posted...)
	slices.Sort(said)
	slices.Sort(ids)
	is.True(slices.Equal(ids, said)) // each under the id that its writer was told
	names := p.names("harbour/.claude/exchange/handoffs")
	is.Equal(len(names), writers*each) // nothing besides the records
}
