package clitest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
)

// ship is a program whose commands teach well, but for what spoil does to it.
func ship(spoil func(pack *cobra.Command)) func() *cobra.Command {
	return func() *cobra.Command {
		root := &cobra.Command{Use: "ship", Short: "Move boxes", Example: "  ship pack 'a box' --label x"}
		pack := &cobra.Command{
			Use: "pack BOX", Short: "Pack it", Example: "  cat list | ship pack - > out   # all of them",
			Args: cobra.ExactArgs(1), RunE: func(*cobra.Command, []string) error { panic("nothing is run") },
		}
		pack.Flags().String("label", "", "what to write on it")
		root.AddCommand(pack)
		cobracli.Steps{"ship": {"ship pack one"}, "ship pack": {"ship --help"}}.Teach(root)
		spoil(pack)
		return root
	}
}

func TestTeaches(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*cobra.Command)
		want  []fault
	}{
		{"all is there", func(*cobra.Command) {}, nil},
		{"no short", func(c *cobra.Command) { c.Short = "" }, []fault{{"ship pack", "has no Short"}}},
		{"no example", func(c *cobra.Command) { c.Example = "" }, []fault{{"ship pack", "has no example of itself"}}},
		{"an example of another command", func(c *cobra.Command) { c.Example = "  ship help" }, []fault{{"ship pack", "has no example of itself"}}},
		{"no next", func(c *cobra.Command) { c.Annotations = nil }, []fault{{"ship pack", "says nothing to type next"}}},
		{"unknown flag", func(c *cobra.Command) { c.Example += "\n  ship pack x --lable y" }, []fault{{"ship pack", "example ship pack x --lable y: unknown flag: --lable"}}},
		{"unknown command", func(c *cobra.Command) { c.Annotations[cobracli.Next] = "ship sail" }, []fault{
			{"ship pack", "next ship sail: unknown command \"sail\" for \"ship\""},
		}},
		{"too many arguments", func(c *cobra.Command) { c.Example += "\n  ship pack two boxes" }, []fault{
			{"ship pack", "example ship pack two boxes: accepts 1 arg(s), received 2"},
		}},
		{"a quote without end", func(c *cobra.Command) { c.Example += "\n  ship pack 'two" }, []fault{
			{"ship pack", "example ship pack 'two: a quote does not end"},
		}},
		{"no command of ours", func(c *cobra.Command) { c.Annotations[cobracli.Next] = "train" }, []fault{
			{"ship pack", "next train: does not call ship"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, faults(ship(tt.spoil)), cmp.AllowUnexported(fault{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRead(t *testing.T) {
	tests := []struct {
		line  string
		words []string
	}{
		{`ship pack "a b" --x='c d'   # and so on`, []string{"pack", "a b", "--x=c d"}},
		{`ship a#b < in > out`, []string{"a#b"}},
		{`echo '{"a":"|"}' | ship pack - | less`, []string{"pack", "-"}},
		{`ship ""`, []string{""}},
		{`other ship`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			is := is.New(t)
			read, ok, err := Read(tt.line, "ship")
			is.NoErr(err)
			is.Equal(ok, tt.words != nil)
			is.Equal(read.Words, tt.words)
		})
	}
}

func TestNamed(t *testing.T) {
	tests := []struct{ text, want string }{
		{"no such box: ship pack makes one", "ship pack"},
		{"type 'ship pack BOX'", "ship pack"},
		{"Run 'ship --help' for usage.", "ship"},
		{"the ship sails", ""},
		{"nothing", ""},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			is := is.New(t)
			got, named := Named(furnished(ship(func(*cobra.Command) {})), tt.text)
			is.Equal(got, tt.want)
			is.Equal(named, tt.want != "")
		})
	}
}
