package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/config"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/text"
)

// bindPlace binds the flags that say where to work.
func (d deps) bindPlace(cmd *cobra.Command, p *baton.Place) {
	cmd.Flags().StringVar(&p.Project, "project", "", "work on the registered project with this `NAME` or id")
	cmd.Flags().StringVar(&p.Path, "path", "", "work on the repository that this `DIR` belongs to")
	complete(cmd, "project", d.completeProjects)
}

// bindDiet binds the flag that names a profile.
func (d deps) bindDiet(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "diet", "", "the token-diet `PROFILE`: off, lite, balanced, caveman, ultra, or one of the configuration")
	complete(cmd, "diet", d.completeDiets)
}

// bindAgent binds a flag that names an agent.
func bindAgent(cmd *cobra.Command, to *string, name, usage string) {
	cmd.Flags().StringVar(to, name, "", usage)
	complete(cmd, name, cobra.FixedCompletions(agent.Names(), cobra.ShellCompDirectiveNoFileComp))
}

// complete completes a flag that has just been defined.
func complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // a bug: the flag is defined by the caller
	}
}

// launching are the flags of commands that start agents.
type launching struct {
	allowKeys        bool
	timeout, silence time.Duration
}

func (l *launching) bind(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&l.allowKeys, "allow-api-key-env", false, "let the API keys in the environment through to the agents")
	cmd.Flags().Var((*lasting)(&l.timeout), "timeout", "end each agent run after this `TIME`, such as 45m; 0 is never")
	cmd.Flags().Var((*lasting)(&l.silence), "silence", "end an agent that says nothing for this `TIME`; 0 is never (default: the configuration's)")
}

func (l *launching) value(cmd *cobra.Command) baton.Launching {
	v := baton.Launching{AllowKeys: l.allowKeys, Timeout: l.timeout}
	if cmd.Flags().Changed("silence") {
		v.Silence = &l.silence
	}
	return v
}

// lasting is a flag's length of time, which is never negative.
type lasting time.Duration

// Set implements pflag.Value.
func (s *lasting) Set(given string) error {
	d, err := time.ParseDuration(given)
	if err != nil || d < 0 {
		return errors.New("give a time such as 90s, 15m or 6h")
	}
	*s = lasting(d)
	return nil
}

// String implements pflag.Value.
func (s *lasting) String() string {
	if *s == 0 {
		return "0" // what the help shows no default for
	}
	return time.Duration(*s).String()
}

// Type implements pflag.Value.
func (s *lasting) Type() string { return "duration" }

// bindGoing binds the flags that say how to go on at a wall.
func bindGoing(cmd *cobra.Command, g *baton.Going) {
	cmd.Flags().BoolVar(&g.NoFallback, "no-fallback", false, "hand over to nobody at a limit")
	cmd.Flags().BoolVar(&g.Wait, "wait", false, "wait for the same agent where its limit resets soon enough")
	g.MaxWait = wall.DefaultMaxWait
	cmd.Flags().Var((*lasting)(&g.MaxWait), "max-wait", "the `TIME` to wait at most, with --wait")
	cmd.Flags().BoolVar(&g.Return, "return", false, "go back to the first agent when the next one meets a limit too")
}

// taskLimit bounds a task that comes on standard input, in bytes: an agent takes a
// million characters at most.
const taskLimit = 4 << 20

// task is the task as it was given, or what standard input holds where it is "-":
// an argument has no room for a long one.
func (d deps) task(argument string) (string, error) {
	if argument != "-" {
		return argument, nil
	}
	data, err := io.ReadAll(io.LimitReader(d.Streams.In, taskLimit+1))
	if err != nil {
		return "", fmt.Errorf("read the task from standard input: %w", err)
	}
	if len(data) > taskLimit {
		return "", cobracli.Usage(fmt.Errorf("the task on standard input has more than %d MiB: put the text into a file and name the file in the task", taskLimit>>20))
	}
	return strings.ToValidUTF8(string(data), "\uFFFD"), nil
}

// completeDiets offers the profiles to the shell.
func (d deps) completeDiets(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	r, err := d.World.Visit(cmd.Context(), placeOf(cmd))
	if err != nil {
		return config.Default().DietNames(), cobra.ShellCompDirectiveNoFileComp
	}
	return r.Config.DietNames(), cobra.ShellCompDirectiveNoFileComp
}

// completeProjects offers the registered projects to the shell.
func (d deps) completeProjects(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	registry, err := d.World.Registered()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var ids []cobra.Completion
	for _, p := range registry.Projects {
		ids = append(ids, cobra.CompletionWithDesc(p.ID, text.Printable(p.Path)))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// placeOf is where the command on the line that is completed is to work.
func placeOf(cmd *cobra.Command) baton.Place {
	value := func(name string) string {
		if f := cmd.Flags().Lookup(name); f != nil {
			return f.Value.String()
		}
		return ""
	}
	return baton.Place{Project: value("project"), Path: value("path")}
}
