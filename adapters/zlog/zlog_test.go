package zlog_test

import (
	"bytes"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/zlog"
)

func TestNew_IsSilentUntilSwitchedOn(t *testing.T) {
	is := is.New(t)
	var out bytes.Buffer
	v := zlog.NewVerbosity()
	log := zlog.New(&out, v)

	log.Debug().Msg("before")
	is.Equal(out.String(), "")

	v.On = true
	log.Debug().Str("root", "/srv/a").Msg("after")
	is.Equal(out.String(), "DBG after root=/srv/a\n")
}
