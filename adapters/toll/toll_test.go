package toll_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/toll"
)

func TestTable_GathersWhatSeveralLeave(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	t.Setenv(toll.Variable, dir)
	post := toll.Key{Tool: "exchange", Verb: "post", Fault: "EIO"}
	var one, other, all toll.Table
	one.Add(post, toll.Counts{Tries: 3, Hit: 2})
	one.Add(post, toll.Counts{Tries: 1})
	other.Add(post, toll.Counts{Tries: 1, Hit: 1, Lost: 1})
	is.True(one.Sum().Clean())
	is.NoErr(one.Leave("one"))
	is.NoErr(other.Leave("other"))
	is.NoErr(all.Gather(dir))
	is.Equal(all.Of(post), toll.Counts{Tries: 5, Hit: 3, Lost: 1})
	is.True(!all.Sum().Clean()) // a loss
	is.True(strings.Contains(all.String(), "exchange  post"))
	is.Equal(strings.Count(all.String(), "\n"), 3) // a heading, a row, the sum
}
