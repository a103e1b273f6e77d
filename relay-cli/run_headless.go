package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/relay/headless"
	"github.com/changeover/changeover/domain/text"
)

const (
	// paused is the exit code of a run that waits for a person.
	paused = 3

	// defaultSilence leaves an agent time for a long command.
	defaultSilence = 15 * time.Minute
)

type runOptions struct {
	planner, builder string
	goOn             bool
	silence          time.Duration
	flags            termFlags
	link             linkFlags
	// words are the goal, or what the person says to a side that waits.
	words string
	terms relay.Terms
}

// newRunCmd drives a link between two agents without terminals.
func newRunCmd(s *shared) *cobra.Command {
	o := &runOptions{}
	cmd := &cobra.Command{
		Use:   "run GOAL...",
		Short: "Run a planner and a builder without terminals until the goal is met",
		Long: "Start two agents in the current directory, one turn at a time, and carry work between\n" +
			"them. The planner may read files, the builder may change them; what else would need a\n" +
			"person's permission is refused to both. All hooks of Claude Code are off in these runs.\n" +
			"An agent that says nothing for a while, or only that it tries again, is ended: --silence.\n\n" +
			"Exit codes: 0 done; 3 paused, with what to do printed; 1 failed. Ctrl-C ends the agent\n" +
			"that works; a second one does not wait for it. --continue takes the work up again, after\n" +
			"a pause it answers it, and words after it go to a side that waits for some.",
		Example: "  relay run \"make the parser stream\"\n" +
			"  relay run --planner codex --builder claude --max-rounds 5 \"make the parser stream\"\n" +
			"  relay run --continue\n" +
			"  relay run --continue \"keep the old API\"",
		Args: func(_ *cobra.Command, args []string) error { return o.check(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			o.words = strings.Join(args, " ")
			if !o.goOn {
				var err error
				if o.terms, err = o.flags.terms(s, cmd); err != nil {
					return err
				}
			}
			return s.runHeadless(cmd.Context(), o)
		},
	}
	known := strings.Join(agent.Names(), " or ")
	cmd.Flags().StringVar(&o.planner, "planner", "claude", "the planner is `AGENT`: "+known)
	cmd.Flags().StringVar(&o.builder, "builder", "codex", "the builder is `AGENT`: "+known)
	cmd.Flags().BoolVar(&o.goOn, "continue", false, "take up the last run of this directory, or that of --link")
	cmd.Flags().DurationVar(&o.silence, "silence", defaultSilence, "end an agent that says nothing for this `TIME`; 0 bears any")
	cmd.Flags().StringVar(&o.link.link, "link", "", "with --continue: take up the link with this `ID`")
	o.flags.add(cmd)
	for _, flag := range []string{"planner", "builder"} {
		if err := cmd.RegisterFlagCompletionFunc(flag,
			cobra.FixedCompletions(agent.Names(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err) // the flag is defined just above
		}
	}
	for _, flag := range []string{"planner", "builder", "max-rounds", "lang"} {
		cmd.MarkFlagsMutuallyExclusive("continue", flag)
	}
	return cmd
}

func (o *runOptions) check(args []string) error {
	switch {
	case o.silence < 0:
		return errors.New("--silence wants a time such as 15m, or 0 for no limit")
	case !o.goOn && o.link.link != "":
		return errors.New("--link goes with --continue")
	case !o.goOn && strings.TrimSpace(strings.Join(args, " ")) == "":
		return errors.New("what is the goal? relay run \"<goal>\"; relay run --continue takes up the last one")
	}
	for role, name := range o.agents() {
		if _, err := agent.ByName(name); err != nil {
			return fmt.Errorf("--%s: %w", role, err)
		}
	}
	return nil
}

func (o *runOptions) agents() map[relay.Role]string {
	return map[relay.Role]string{relay.Planner: o.planner, relay.Builder: o.builder}
}

// runHeadless runs until the link stops, and says how.
func (s *shared) runHeadless(ctx context.Context, o *runOptions) error {
	hurry, done := hurried(ctx)
	defer done()
	screen := &stage{out: s.Streams.Out, err: s.Streams.Err}
	agents := headless.Agents{Runner: s.Agents, Environ: os.Environ(), Show: screen.show, Silence: o.silence, Alarm: clock.Alarm}
	h := relay.Headless{Operator: s.Operator, Turn: agents.Turn, Tell: screen.tell}
	drive := startRun
	if o.goOn {
		drive = s.goOn
	}
	r, err := drive(ctx, hurry, h, o)
	if err != nil {
		if o.goOn && o.link.link != "" {
			return s.ofLink(o.link.link, err)
		}
		return s.worded(err, "")
	}
	for _, line := range r.Lines {
		screen.tell(line)
	}
	if r.Stand != relay.StandDone && o.codexIsApart() {
		screen.tell(apart)
	}
	switch r.Stand {
	case relay.StandDone:
		return nil
	case relay.StandPaused:
		return &cobracli.StatusError{Code: paused}
	}
	return errSaid
}

// apart is what to do where codex may have refused to work.
const apart = "relay: no directory here or above is a git repository, and codex works only in one or where it was told to trust: " +
	"git init makes one; relay run --continue goes on"

// codexIsApart reports that codex takes a side of a new run outside any repository.
func (o *runOptions) codexIsApart() bool {
	return !o.goOn && slices.Contains([]string{o.planner, o.builder}, "codex") && !inRepository(cwd())
}

func inRepository(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		above := filepath.Dir(dir)
		if above == dir {
			return false
		}
		dir = above
	}
}

// startRun makes a link and runs it.
func startRun(ctx, hurry context.Context, h relay.Headless, o *runOptions) (relay.Result, error) {
	link, err := h.Begin(o.words, cwd(), o.agents(), o.terms)
	if err != nil {
		return relay.Result{}, err
	}
	h.Tell("relay: link " + link + "; relay log --link " + link + " shows its trail")
	return h.Run(ctx, hurry, link)
}

// goOn takes up the link that was named, or the last one.
func (s *shared) goOn(ctx, hurry context.Context, h relay.Headless, o *runOptions) (relay.Result, error) {
	link, err := o.link.orLast(s)
	if err != nil {
		return relay.Result{}, err
	}
	return h.Continue(ctx, hurry, link, o.words)
}

// hurried returns a context that ends at the second Ctrl-C. Until done is called
// a reader of this program's output that goes away does not end it either: the
// agent would be left behind.
func hurried(ctx context.Context) (hurry context.Context, done func()) {
	hurry, cancel := context.WithCancel(context.WithoutCancel(ctx))
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGPIPE)
	var watch sync.WaitGroup
	watch.Go(func() {
		asked := 0
		for sig := range signals {
			if sig == os.Interrupt {
				asked++
			}
			if asked == 2 {
				cancel()
			}
		}
	})
	return hurry, func() {
		signal.Stop(signals)
		close(signals)
		watch.Wait()
		cancel()
	}
}

// stage prints what both sides and relay say, whole lines at a time.
type stage struct {
	mu       sync.Mutex
	out, err io.Writer
}

// show prints a line of a side.
func (s *stage) show(role relay.Role, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = fmt.Fprintf(s.out, "%s │ %s\n", role, agent.Shown(line)) // the run goes on without a reader
}

// tell prints a line of relay's own.
func (s *stage) tell(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range strings.SplitSeq(line, "\n") {
		_, _ = fmt.Fprintln(s.err, text.Printable(l)) // as above
	}
}
