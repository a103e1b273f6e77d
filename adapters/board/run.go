package board

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
)

// Terminal reports whether a stream is one.
func Terminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}

// terminal is one whose end is told: without it bubbletea runs on where nobody sees
// it, for a hang-up does not reach every process.
type terminal struct {
	*os.File
	gone func()
}

// Read implements io.Reader.
func (t terminal) Read(p []byte) (int, error) {
	n, err := t.File.Read(p)
	if err != nil {
		t.gone()
	}
	return n, err
}

// Run shows a dashboard in the alternate screen until it is quit, ctx ends or the
// terminal is gone.
func Run(ctx context.Context, in io.Reader, out io.Writer, source Source, options Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	model := NewModel(ctx, source, colourful(out, options.Environ), options)
	if file, ok := in.(*os.File); ok && Terminal(file) {
		in = terminal{File: file, gone: cancel}
	}
	program := tea.NewProgram(model, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out),
		tea.WithEnvironment(options.Environ), tea.WithoutSignalHandler())
	_, err := program.Run()
	ended := ctx.Err() != nil
	cancel()
	model.acts.Wait()
	if errors.Is(err, tea.ErrProgramKilled) && ended || errors.Is(err, tea.ErrInterrupted) {
		return nil
	}
	return err
}

// colourful reports whether colours are wanted.
func colourful(out io.Writer, environ []string) bool {
	for _, entry := range environ {
		if value, ok := strings.CutPrefix(entry, "NO_COLOR="); ok && value != "" {
			return false
		}
	}
	return Terminal(out) && colorprofile.Detect(out, environ) >= colorprofile.ANSI
}

// unbounded is the height of a screen that shows everything.
const unbounded = 1 << 30

// Once reads once and prints one frame as plain text, as high as it is. What could
// not be read is returned after what could was printed.
func Once(ctx context.Context, out io.Writer, source Source, options Options) error {
	take, err := source.Read(ctx)
	if take == nil {
		return err
	}
	take()
	width := options.Width
	if width < 1 {
		width = 80
	}
	_, printErr := io.WriteString(out, Print(source.Frame(Size{Width: width, Height: unbounded}), width))
	return errors.Join(err, printErr)
}

// Print draws a frame as plain text, as high as it is.
func Print(frame Frame, width int) string {
	parts := frame.parts(Size{Width: width, Height: unbounded})
	height, _ := extent(parts)
	rows := append([]row{top(frame, "", width)}, beside(parts, 0, height)...)
	var b strings.Builder
	for line := range strings.SplitSeq(painter{}.paint(rows), "\n") {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
