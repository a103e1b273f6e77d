package e2e_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// shells read a script without running it.
var shells = map[string][]string{"bash": {"bash", "-n"}, "zsh": {"zsh", "-n"}, "fish": {"fish", "--no-execute"}}

// Every script is made, and the shells that are there take it.
func TestCompletion_ShellsTakeTheScripts(t *testing.T) {
	p := newPlace(t)
	for _, program := range []string{"relay", "baton", "exchange"} {
		for shell, reader := range shells {
			t.Run(program+" "+shell, func(t *testing.T) {
				is := is.New(t)
				got := p.order(".", program, "completion", shell).run()
				is.Equal(got.Code, 0)
				is.True(len(got.Stdout) > 2000)
				is.True(strings.Contains(string(got.Stdout), "__complete "))
				if _, err := exec.LookPath(reader[0]); err != nil && shell != "bash" {
					return // the shell is not here; its script was made
				}
				file := shell + "-" + program
				p.write(file, string(got.Stdout))
				read := p.order(".", append(slices.Clone(reader), p.path(file))...).run()
				is.Equal(read.Code, 0)
				is.Equal(string(read.Stderr), "")
			})
		}
	}
}

// press presses TAB in bash at the end of a line. The func of the package
// bash-completion that takes a line apart is told what is there.
const press = `
_get_comp_words_by_ref() { words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=${words[cword]}; prev=${words[cword-1]}; }
compopt() { :; }
source "$SCRIPT"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
__start_"$1"
printf '%s\n' "${COMPREPLY[@]}"
`

// offered is what bash offers at the end of the words.
func (p place) offered(dir string, env []string, words ...string) []string {
	p.t.Helper()
	script := p.order(".", words[0], "completion", "bash").run()
	p.write("script", string(script.Stdout))
	o := p.order(dir, append([]string{"bash", "--norc", "-c", press, "bash"}, words...)...)
	o.Env = append(append(o.Env, "SCRIPT="+p.path("script")), env...)
	got := o.run()
	if got.Code != 0 || len(got.Stderr) > 0 {
		p.t.Fatalf("exit code %d\n%s", got.Code, got.Stderr)
	}
	var offers []string
	for line := range strings.Lines(string(got.Stdout)) {
		if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); name != "" {
			offers = append(offers, name)
		}
	}
	slices.Sort(offers)
	return offers
}

func TestCompletion_BashOffersCommandsAndFlags(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	is.Equal(p.offered(".", nil, "relay", "un"), []string{"unlink"})
	is.Equal(p.offered(".", nil, "exchange", "handoff", "re"), []string{"resolve", "restore"})
	is.Equal(p.offered(".", nil, "exchange", "migrate", "--step", ""), []string{"4", "7"})
	is.Equal(p.offered(".", nil, "baton", "run", "--prim"), []string{"--primary"})
	is.Equal(p.offered(".", nil, "baton", "handoff", "--to", ""), []string{"claude", "codex"})
	all := p.offered(".", nil, "relay", "")
	is.True(slices.Contains(all, "planner"))
	for _, hidden := range []string{"attach", "event", "man-pages"} {
		is.True(!slices.Contains(all, hidden)) // not for typing
	}
}

func TestCompletion_BashOffersLiveSessions(t *testing.T) {
	is := is.New(t)
	pair := newRelayPair(t)
	p := newPlace(t)
	home := []string{"HOME=" + pair.home}
	is.Equal(p.offered(".", home, "relay", "planner", ""), []string{plannerID, builderID})
	is.Equal(p.offered(".", home, "relay", "builder", "bbbb"), []string{builderID})
	is.Equal(p.offered(".", home, "relay", "status", "--session", "aaaa"), []string{plannerID})
}

func TestCompletion_BashOffersHandoffs(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
	p.mkdir(filepath.Join("harbour", "dock", ".git"))
	p.write("harbour/dock/.git/HEAD", "ref: refs/heads/main\n")
	is.Equal(p.exchange("harbour", "handoff", "post", "--repo", "dock", "--body", "moored").Code, 0)
	var ids []string
	for _, name := range p.names("harbour/.claude/exchange/handoffs") {
		if id, isRecord := strings.CutSuffix(name, ".json"); isRecord {
			ids = append(ids, id)
		}
	}
	is.Equal(len(ids), 1)
	is.Equal(p.offered("harbour", nil, "exchange", "handoff", "show", ""), ids)
	is.Equal(p.offered("harbour", nil, "exchange", "handoff", "accept", ids[0][:4]), ids)
}
