package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

const (
	marketName = "changeover"
	pluginID   = "changeover@" + marketName
)

// registrar tells the client of the plugin, through the client's own commands.
type registrar struct {
	program     string // empty: nobody is to be told
	marketplace string // the directory that offers the plugin
	out         io.Writer
}

// market is one of the client's marketplaces.
type market struct{ Name, Path string }

// listed is one of the client's plugins.
type listed struct {
	ID      string
	Scope   string
	Enabled bool
}

// register sees to it that the client has the plugin from here, once.
func (r registrar) register(ctx context.Context) error {
	if r.program == "" {
		return nil
	}
	client, why := r.find()
	if client == "" {
		fmt.Fprintf(r.out, "the plugin is not registered: %s. Later, type:\n  %s\n", why, r.later())
		return nil
	}
	before, err := r.market(ctx, client)
	if err != nil {
		return r.failed(err)
	}
	have, err := r.plugin(ctx, client)
	if err != nil {
		return r.failed(err)
	}
	if before.Path != r.marketplace {
		if err := r.tell(ctx, client, "marketplace", "add", r.marketplace); err != nil {
			return r.failed(err)
		}
	}
	verb := "update" // notes the version; a plugin in a directory is read where it lies
	if have.ID == "" {
		verb = "install"
	}
	if err := r.tell(ctx, client, verb, pluginID); err != nil {
		return r.failed(err)
	}
	fmt.Fprintf(r.out, "the plugin is registered with %s; sessions that start now have it\n", client)
	if before.Path != "" && before.Path != r.marketplace {
		fmt.Fprintf(r.out, "it was registered from %s before\n", before.Path)
	}
	if have.ID != "" && !have.Enabled {
		fmt.Fprintf(r.out, "it is switched off, as it was: claude plugin enable %s\n", pluginID)
	}
	return nil
}

// unregister takes the plugin out of the client, where it came from here.
func (r registrar) unregister(ctx context.Context) error {
	if r.program == "" {
		return nil
	}
	client, why := r.find()
	if client == "" {
		fmt.Fprintf(r.out, "the client was not told: %s. If it knows the plugin, type:\n  claude plugin uninstall --keep-data %s\n  claude plugin marketplace remove %s\n", why, pluginID, marketName)
		return nil
	}
	known, err := r.market(ctx, client)
	if err != nil {
		return r.notRemoved(err)
	}
	if known.Path != r.marketplace {
		if known.Path != "" {
			fmt.Fprintf(r.out, "the client keeps its plugin, which is from %s\n", known.Path)
		}
		return nil
	}
	have, err := r.plugin(ctx, client)
	if err != nil {
		return r.notRemoved(err)
	}
	if have.ID != "" {
		if err := r.tell(ctx, client, "uninstall", "--keep-data", pluginID); err != nil {
			return r.notRemoved(err)
		}
	}
	if err := r.tell(ctx, client, "marketplace", "remove", marketName); err != nil {
		return r.notRemoved(err)
	}
	fmt.Fprintf(r.out, "the plugin is no longer registered with %s\n", client)
	return nil
}

// find returns the client, or why it is not asked.
func (r registrar) find() (client, why string) {
	if user := os.Getenv("SUDO_USER"); user != "" && os.Geteuid() == 0 {
		return "", "each user does that in their own name, and this runs as root for " + user
	}
	client, err := exec.LookPath(r.program)
	if err != nil {
		return "", "there is no " + r.program + " on PATH"
	}
	return client, ""
}

// later is what registers the plugin by hand.
func (r registrar) later() string {
	return fmt.Sprintf("claude plugin marketplace add %s\n  claude plugin install %s", shellWord(r.marketplace), pluginID)
}

func (r registrar) failed(err error) error {
	return fmt.Errorf("the files are installed, but the plugin is not registered: %w\nrun make install again, or type:\n  %s", err, r.later())
}

func (r registrar) notRemoved(err error) error {
	return fmt.Errorf("nothing was removed, because the client still has the plugin: %w\nrun make uninstall again, or make uninstall CLIENT= for the files alone", err)
}

func (r registrar) market(ctx context.Context, client string) (market, error) {
	var all []market
	if err := r.ask(ctx, client, &all, "marketplace", "list", "--json"); err != nil {
		return market{}, err
	}
	for _, m := range all {
		if m.Name == marketName {
			return m, nil
		}
	}
	return market{}, nil
}

func (r registrar) plugin(ctx context.Context, client string) (listed, error) {
	var all []listed
	if err := r.ask(ctx, client, &all, "list", "--json"); err != nil {
		return listed{}, err
	}
	for _, p := range all {
		if p.ID == pluginID && p.Scope == "user" {
			return p, nil
		}
	}
	return listed{}, nil
}

func (r registrar) ask(ctx context.Context, client string, into any, args ...string) error {
	cmd := r.command(ctx, client, args...)
	output, err := cmd.Output()
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("claude plugin %s: %w\n%s", strings.Join(args, " "), err, output)
	}
	if err := json.Unmarshal(output, into); err != nil {
		return fmt.Errorf("claude plugin %s: it answered %q: %w", strings.Join(args, " "), output, err)
	}
	return nil
}

func (r registrar) tell(ctx context.Context, client string, args ...string) error {
	output, err := r.command(ctx, client, args...).CombinedOutput()
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("claude plugin %s: %w\n%s", strings.Join(args, " "), err, output)
	}
	return nil
}

// lingering is how long what the client has left running may hold its output.
const lingering = 2 * time.Second

// command runs in the marketplace, where no project has settings of its own.
func (r registrar) command(ctx context.Context, client string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, client, append([]string{"plugin"}, args...)...)
	cmd.Dir = r.marketplace
	cmd.WaitDelay = lingering
	return cmd
}

// shellWord spells a path so that a shell takes it as one word.
func shellWord(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@") == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
