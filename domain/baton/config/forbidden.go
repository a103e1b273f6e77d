package config

import (
	"strings"

	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/jsondoc"
)

// forbidden are the arguments with which an agent would ask nobody about
// anything.
func forbidden() []string {
	return []string{"--full-auto", "--ask-for-approval", "--dangerously-bypass-approvals-and-sandbox", "bypassPermissions"}
}

// Forbidden returns the first argument that no configuration may hold, alone or
// as one half of an argument with an equals sign.
func Forbidden(args []string) (word string, found bool) {
	for _, arg := range args {
		option, value, _ := strings.Cut(arg, "=")
		for _, word := range forbidden() {
			if strings.EqualFold(option, word) || strings.EqualFold(value, word) {
				return word, true
			}
		}
	}
	return "", false
}

// Args returns the arguments that a file gives an agent, also one that breaks the
// rules; ok is false where it gives none.
func Args(raw []byte, id string) (args []string, ok bool) {
	body, _ := markdown.Read(string(raw))
	f, err := jsondoc.DecodeFields([]byte(body))
	if err != nil {
		return nil, false
	}
	agent := f.Child("agents").Child(id)
	args = agent.Texts("args")
	return args, agent.Has("args") && f.Err() == nil
}
