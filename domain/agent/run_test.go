package agent_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/agent"
)

// Both streams are written at once; the log has whole lines all the same.
func TestRun_StreamsAreWrittenAtOnce(t *testing.T) {
	is := is.New(t)
	f := follow(agent.CodexJSON)
	var both sync.WaitGroup
	for _, s := range []agent.Stream{agent.Stdout, agent.Stderr} {
		both.Go(func() {
			for i := range 200 {
				text := fmt.Sprintf("warning %d\n", i)
				if s == agent.Stdout {
					text = fmt.Sprintf(`{"type":"item.completed","item":{"type":"agent_message","text":"step %d\nof 200"}}`+"\n", i)
				}
				f.write(s, []byte(text), 11)
				f.run.Deadline()
			}
		})
	}
	both.Wait()
	f.run.Close()
	lines := strings.Split(strings.TrimSuffix(f.log.String(), "\n"), "\n")
	is.Equal(len(lines), 600)
	for i, line := range lines {
		if strings.HasPrefix(line, "[agent] step ") {
			is.Equal(lines[i+1], "[agent] of 200") // the lines of an event stay together
		}
	}
}

func TestRun_ClosesOnce(t *testing.T) {
	is := is.New(t)
	f := follow(agent.CodexJSON)
	f.write(agent.Stdout, []byte(`{"type":"turn.completed"}`), 100)
	is.Equal(f.lines, 0)
	f.run.Close()
	f.run.Close()
	f.run.Outcome(exit(0), agent.ByItself)
	is.Equal(f.lines, 1)
}

// The same input gives the same bytes.
func TestRun_IsDeterministic(t *testing.T) {
	for _, c := range captures(t) {
		first, f := c.judge()
		second, g := c.judge()
		if fmt.Sprint(first) != fmt.Sprint(second) || f.log.String() != g.log.String() {
			t.Error(c.name)
		}
	}
}
