package agent_test

import (
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/port"
)

// Row 77.
func TestProtocolOf(t *testing.T) {
	tests := []struct {
		agent, args string
		want        agent.Protocol
	}{
		{"codex", "exec --sandbox workspace-write --json", agent.CodexJSON},
		{"codex", "exec", agent.CodexPlain},
		{"codex", "--json", agent.Generic},
		{"codex", "", agent.Generic},
		{"claude", "--output-format stream-json --verbose -p", agent.ClaudeJSON},
		{"claude", "--output-format=stream-json --print", agent.ClaudeJSON},
		{"claude", "-p --output-format json", agent.ClaudeJSON},
		{"claude", "-p --output-format=json", agent.ClaudeJSON},
		{"claude", "-p --output-format text", agent.ClaudePlain},
		{"claude", "-p --output-format json --output-format text", agent.ClaudePlain},
		{"claude", "-p --output-format", agent.ClaudePlain},
		{"claude", "--print", agent.ClaudePlain},
		{"claude", "--output-format json", agent.Generic},
		{"claude", "", agent.Generic},
		{"claude", "exec --json", agent.Generic},
		{"other", "exec --json -p", agent.Generic},
	}
	for _, tt := range tests {
		t.Run(tt.agent+" "+tt.args, func(t *testing.T) {
			is := is.New(t)
			is.Equal(agent.ProtocolOf(tt.agent, strings.Fields(tt.args)), tt.want)
		})
	}
}

// Row 77.
func TestChooseProtocol_AConfiguredOneWins(t *testing.T) {
	is := is.New(t)
	for _, p := range agent.Protocols() {
		got, err := agent.ChooseProtocol(string(p), "codex", []string{"exec", "--json"})
		is.NoErr(err)
		is.Equal(got, p)
	}
	for _, auto := range []string{"", "auto"} {
		got, err := agent.ChooseProtocol(auto, "codex", []string{"exec"})
		is.NoErr(err)
		is.Equal(got, agent.CodexPlain)
	}
	_, err := agent.ChooseProtocol("json", "codex", nil)
	is.True(err != nil)
	is.True(strings.Contains(err.Error(), "auto, codex-json, codex-plain, claude-json, claude-plain, generic are known"))
}

func TestProtocol_WhatFollowsFromIt(t *testing.T) {
	tests := []struct {
		protocol         agent.Protocol
		structured, json bool
		client           string
		stop             port.Request
	}{
		{agent.CodexJSON, true, true, "codex", port.Interrupt},
		{agent.CodexPlain, true, false, "codex", port.Interrupt},
		{agent.ClaudeJSON, true, true, "claude", port.Terminate},
		{agent.ClaudePlain, true, false, "claude", port.Terminate},
		{agent.Generic, false, false, "", port.Interrupt},
	}
	for _, tt := range tests {
		t.Run(string(tt.protocol), func(t *testing.T) {
			is := is.New(t)
			is.Equal(tt.protocol.Structured(), tt.structured)
			is.Equal(tt.protocol.JSON(), tt.json)
			is.Equal(tt.protocol.Client(), tt.client)
			is.Equal(tt.protocol.Stop(), tt.stop)
		})
	}
}

func TestProtocol_SilenceWhereNoneIsConfigured(t *testing.T) {
	is := is.New(t)
	is.Equal(agent.CodexJSON.Silence([]string{"exec", "--json"}), 15*time.Minute)
	is.Equal(agent.ClaudeJSON.Silence([]string{"-p", "--output-format", "stream-json"}), 15*time.Minute)
	is.Equal(agent.ClaudeJSON.Silence([]string{"-p", "--output-format", "json"}), time.Duration(0)) // silent until its end
	for _, p := range []agent.Protocol{agent.CodexPlain, agent.ClaudePlain, agent.Generic} {
		is.Equal(p.Silence(nil), time.Duration(0))
	}
}

func TestProtocol_WarnsOfArgumentsThatWillNotDo(t *testing.T) {
	tests := []struct{ agent, args, warning string }{
		{"codex", "exec --json", ""},
		{"codex", "exec", "--json"},
		{"codex", "", ""},
		{"claude", "-p --output-format stream-json --verbose", ""},
		{"claude", "-p --output-format stream-json", "--verbose"},
		{"claude", "-p --output-format json", ""},
		{"claude", "-p", "--output-format"},
	}
	for _, tt := range tests {
		is := is.New(t)
		args := strings.Fields(tt.args)
		warnings := agent.ProtocolOf(tt.agent, args).Warnings(args)
		is.Equal(len(warnings) > 0, tt.warning != "")
		is.True(tt.warning == "" || strings.Contains(warnings[0], tt.warning))
	}
}
