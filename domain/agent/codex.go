package agent

func codex() Client {
	return Client{
		name: "codex",
		argv: func(t Turn) []string {
			sandbox := "read-only"
			if t.Writes {
				sandbox = "workspace-write"
			}
			argv := []string{"exec", "--sandbox", sandbox, "--json"}
			if t.Conversation != "" {
				argv = append(argv, "resume", t.Conversation)
			}
			return append(argv, "-")
		},
		protocol: CodexJSON,
	}
}
