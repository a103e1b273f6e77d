package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/port"
)

func named(t interface{ Fatal(...any) }, name string) agent.Client {
	c, err := agent.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestByName_NamesThoseThereAre(t *testing.T) {
	is := is.New(t)
	_, err := agent.ByName("gemini")
	is.True(err != nil)
	is.True(strings.Contains(err.Error(), "claude and codex"))
}

func TestClient_CommandGivesThePromptByStdin(t *testing.T) {
	is := is.New(t)
	for _, prompt := range []string{"-x", "resume", "two words", strings.Repeat("long ", 1<<16), ""} {
		for _, name := range agent.Names() {
			c := named(t, name).Command(agent.Turn{Prompt: prompt}, "/dir", nil)
			text, ok := c.Input.Text()
			is.True(ok)
			is.Equal(string(text), prompt)
			is.True(!slices.Contains(c.Argv, prompt) || prompt == "resume") // resume is a word of codex's own
		}
	}
}

func TestClient_ClaudeTakesASlashForText(t *testing.T) {
	is := is.New(t)
	text, _ := named(t, "claude").Command(agent.Turn{Prompt: "/help me"}, "/dir", nil).Input.Text()
	is.Equal(string(text), " /help me")
	text, _ = named(t, "codex").Command(agent.Turn{Prompt: "/help me"}, "/dir", nil).Input.Text()
	is.Equal(string(text), "/help me")
}

func TestClient_OnlyWhoMayWriteWrites(t *testing.T) {
	is := is.New(t)
	for name, modes := range map[string][2]string{"claude": {"default", "acceptEdits"}, "codex": {"read-only", "workspace-write"}} {
		c := named(t, name)
		is.True(slices.Contains(c.Command(agent.Turn{}, "/", nil).Argv, modes[0]))
		is.True(slices.Contains(c.Command(agent.Turn{Writes: true}, "/", nil).Argv, modes[1]))
	}
}

func TestClient_StopsAsItEndsItsChildren(t *testing.T) {
	is := is.New(t)
	is.Equal(named(t, "claude").Stop(), port.Terminate)
	is.Equal(named(t, "codex").Stop(), port.Interrupt)
}
