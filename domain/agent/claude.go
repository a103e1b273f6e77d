package agent

// claude runs with every hook off: those of this project's plugin would take
// the run for a session of a person.
func claude() Client {
	return Client{
		name: "claude",
		argv: func(t Turn) []string {
			mode := "default"
			if t.Writes {
				mode = "acceptEdits"
			}
			argv := []string{
				"--permission-mode", mode, "--output-format", "stream-json", "--verbose",
				"--settings", `{"disableAllHooks":true}`,
			}
			if t.Conversation != "" {
				argv = append(argv, "--resume", t.Conversation)
			}
			return append(argv, "-p")
		},
		protocol: ClaudeJSON,
	}
}
