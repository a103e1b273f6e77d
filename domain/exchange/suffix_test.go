package exchange_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

// crowded is a store in which others hold the first names that are drawn.
type crowded struct {
	exchange.Store
	taken int
	ids   *[]string
}

func (c crowded) Post(h exchange.Handoff) error {
	*c.ids = append(*c.ids, h.ID)
	if len(*c.ids) <= c.taken {
		return fmt.Errorf("%s.json already exists: %w", h.ID, fs.ErrExist)
	}
	return c.Store.Post(h)
}

// Of many writers in one second, two will some day draw one suffix: that is no
// reason to refuse.
func TestPost_DrawsAnotherSuffixWhereTheIDIsTaken(t *testing.T) {
	for _, tt := range []struct {
		taken int
		fits  bool
	}{{0, true}, {1, true}, {7, true}, {8, false}} {
		t.Run(fmt.Sprint(tt.taken), func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			world := s.world()
			var ids []string
			open := world.Open
			world.Open = func(root string) (exchange.Store, error) {
				store, err := open(root)
				return crowded{Store: store, taken: tt.taken, ids: &ids}, err
			}
			r, err := exchange.Mail{World: world}.Post(exchange.PostRequest{Cwd: root, Repo: "dock", Body: "b"})
			if !tt.fits {
				is.True(errors.Is(err, fs.ErrExist)) // not for ever
				return
			}
			is.NoErr(err)
			is.Equal(r.Handoff.ID, ids[tt.taken])
		})
	}
}
