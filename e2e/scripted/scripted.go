// Package scripted is a stand-in for the two agent programs: it speaks the JSON
// of the real clients, does to the files what a script says, and ends as the
// real ones do. It needs no account and asks no model.
//
// The script of the n-th run of an agent is the file <agent>.<n> in the
// directory that $SCRIPTED_AGENTS names, else the file <agent> there. One step a
// line, \n in an argument is a line end:
//
//	say TEXT            what the agent says
//	think TEXT          its reasoning
//	tool COMMAND        a shell command that prints what follows it: tool COMMAND => OUTPUT
//	sh COMMAND          a shell command that is really run
//	open COMMAND        a tool call that is never completed
//	edit PATH TEXT      writes the text to the file
//	copy FROM PATH      the same with the content of a file beside the script
//	append PATH TEXT    adds to the file
//	retry TEXT          a notice of a retry
//	warn TYPE           a warning about a limit that still holds off (claude)
//	rejected TYPE +N    a limit that is met and survived (claude)
//	denied TOOL         a tool call that was refused (claude)
//	lines N TEXT        says the text N times, with numbers
//	raw TEXT, err TEXT  a line as it is on stdout, on stderr
//	fork SECONDS FILE   leaves a child in a session of its own, its number in the file
//	wait FILE           waits until the file is there
//	hang                does nothing for ten minutes
//	slow FILE           from here on an interrupt only makes the file
//	wall KIND [RESET]   ends as a wall: usage, weekly, credits, rate, context, overloaded, network, auth;
//	                    RESET is seconds since 1970, or +N from now
//	exit N              ends with that code, without a word
//	fail TEXT           ends with an error that is no wall
//
// A script that ends without one of the last three ends well. What each run got
// is kept in the same directory: <agent>.<n>.argv, one argument a line,
// <agent>.<n>.prompt and <agent>.<n>.env.
package scripted

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Variable names the directory of the scripts.
const Variable = "SCRIPTED_AGENTS"

// Codex and Claude are the programs: each plays its client and ends the process.
func Codex() { os.Exit(run("codex", os.Args[1:])) }

// Claude plays Claude Code.
func Claude() { os.Exit(run("claude", os.Args[1:])) }

// speaker words what happens as one client does.
type speaker interface {
	begin()
	say(text string)
	think(text string)
	tool(command, output string, code int)
	open(command string)
	edit(path string)
	retry(text string)
	end()
	wall(kind string, reset time.Time) (code int)
	fail(text string) (code int)
	// interrupted says what the client says when it is interrupted.
	interrupted() (code int)
}

// agent is one run.
type agent struct {
	name, dir string
	n         int
	out       *bufio.Writer
	// slow is the file to make at an interrupt, instead of ending.
	slow atomic.Pointer[string]
	speaker
}

func run(name string, args []string) int {
	if slices.Contains(args, "--version") {
		fmt.Fprintln(os.Stdout, name+" 0.0.0 (scripted)")
		return 0
	}
	dir := os.Getenv(Variable)
	if dir == "" {
		fmt.Fprintf(os.Stderr, "%s: $%s is not set\n", name, Variable)
		return 64
	}
	a := &agent{name: name, dir: dir, out: bufio.NewWriter(os.Stdout)}
	a.n = a.number()
	prompt := a.prompt(args)
	a.keep("argv", strings.Join(args, "\n")+"\n")
	a.keep("prompt", prompt)
	a.keep("env", strings.Join(os.Environ(), "\n")+"\n")
	if name == "codex" {
		fmt.Fprintln(os.Stderr, "Reading additional input from stdin...")
		a.speaker = &codex{agent: a}
	} else {
		a.speaker = &claude{agent: a}
	}
	a.obey()
	code, err := a.play()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return 64
	}
	return code
}

// obey ends the process at an interrupt, as the clients do.
func (a *agent) obey() {
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, syscall.SIGINT)
	go func() {
		<-interrupt
		if name := a.slow.Load(); name != nil {
			_ = os.WriteFile(*name, []byte("asked\n"), 0o600) // a test that waits for it says so
			return
		}
		os.Exit(a.interrupted())
	}()
}

// number claims the next free number of this agent's runs.
func (a *agent) number() int {
	for n := 1; ; n++ {
		f, err := os.OpenFile(a.file(n)+".argv", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			_ = f.Close()
			return n
		}
		if !errors.Is(err, os.ErrExist) {
			return 1
		}
	}
}

func (a *agent) file(n int) string { return filepath.Join(a.dir, a.name+"."+strconv.Itoa(n)) }

func (a *agent) keep(what, content string) {
	if err := os.WriteFile(a.file(a.n)+"."+what, []byte(content), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// prompt finds the prompt where the real client would look for it.
func (a *agent) prompt(args []string) string {
	last := ""
	if len(args) > 0 {
		last = args[len(args)-1]
	}
	if last == "-" || last == "-p" || last == "--print" || last == "" {
		data, _ := io.ReadAll(os.Stdin)
		return string(data)
	}
	return last
}

// play does the steps and returns the exit code.
func (a *agent) play() (int, error) {
	script, err := os.ReadFile(a.file(a.n))
	if errors.Is(err, os.ErrNotExist) {
		script, err = os.ReadFile(filepath.Join(a.dir, a.name))
	}
	if err != nil {
		return 0, err
	}
	a.begin()
	for line := range strings.SplitSeq(string(script), "\n") {
		step, argument, _ := strings.Cut(strings.TrimSpace(line), " ")
		if step == "" || strings.HasPrefix(step, "#") {
			continue
		}
		code, over, err := a.step(step, strings.ReplaceAll(argument, `\n`, "\n"))
		if err != nil || over {
			return code, err
		}
		if err := a.out.Flush(); err != nil {
			return 101, nil
		}
	}
	a.end()
	return 0, a.out.Flush()
}

// step does one step. over: it was the last.
func (a *agent) step(step, argument string) (code int, over bool, err error) {
	first, rest, _ := strings.Cut(argument, " ")
	switch step {
	case "say":
		a.say(argument)
	case "think":
		a.think(argument)
	case "tool":
		command, output, _ := strings.Cut(argument, " => ")
		a.tool(command, output, 0)
	case "sh":
		cmd := exec.Command("sh", "-c", argument)
		output, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			return 0, false, err
		}
		a.tool(argument, string(output), cmd.ProcessState.ExitCode())
	case "open":
		a.open(argument)
	case "edit", "append", "copy":
		if err := a.change(step, first, rest); err != nil {
			return 0, false, err
		}
	case "retry":
		a.retry(argument)
	case "lines":
		count, err := strconv.Atoi(first)
		if err != nil {
			return 0, false, err
		}
		for i := range count {
			a.say(fmt.Sprintf("%s %d", rest, i+1))
		}
	case "raw":
		fmt.Fprintln(a.out, argument)
	case "err":
		fmt.Fprintln(os.Stderr, argument)
	case "fork":
		child := exec.Command("sleep", first)
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err = child.Start(); err == nil {
			err = os.WriteFile(rest, []byte(strconv.Itoa(child.Process.Pid)+"\n"), 0o600)
		}
	case "wait":
		_ = a.out.Flush()
		for range 6000 {
			if _, err := os.Stat(argument); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	case "slow":
		a.slow.Store(&argument)
	case "hang":
		_ = a.out.Flush()
		time.Sleep(10 * time.Minute)
	case "wall", "exit", "fail":
		code, err = a.ending(step, first, rest)
		return code, true, errors.Join(err, a.out.Flush())
	default:
		if c, ok := a.speaker.(*claude); ok && c.own(step, argument) {
			break
		}
		return 0, false, fmt.Errorf("no such step: %s", step)
	}
	return 0, false, err
}

func (a *agent) ending(step, first, rest string) (int, error) {
	switch step {
	case "exit":
		return strconv.Atoi(first)
	case "fail":
		return a.fail(strings.TrimSpace(first + " " + rest)), nil
	}
	if rest == "" {
		return a.wall(first, time.Time{}), nil
	}
	reset, err := instant(rest)
	if err != nil {
		return 0, err
	}
	return a.wall(first, reset), nil
}

// instant reads seconds since 1970, or +N from now.
func instant(text string) (time.Time, error) {
	ahead, relative := strings.CutPrefix(text, "+")
	seconds, err := strconv.ParseInt(ahead, 10, 64)
	if relative {
		return time.Now().Add(time.Duration(seconds) * time.Second), err
	}
	return time.Unix(seconds, 0), err
}

// change writes a file, below the directory that the agent was started in.
func (a *agent) change(step, name, content string) error {
	if step == "copy" {
		data, err := os.ReadFile(filepath.Join(a.dir, name))
		if err != nil {
			return err
		}
		name, content = content, string(data)
	} else if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if step == "append" {
		flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	}
	f, err := os.OpenFile(name, flags, 0o644)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, content)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	absolute, err := filepath.Abs(name)
	a.edit(absolute)
	return err
}
