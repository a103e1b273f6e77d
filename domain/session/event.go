package session

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/jsondoc"
)

// Hook events, as the client writes them.
const (
	SessionStart        = "SessionStart"
	SessionEnd          = "SessionEnd"
	UserPromptSubmit    = "UserPromptSubmit"
	UserPromptExpansion = "UserPromptExpansion"
	Stop                = "Stop"
	StopFailure         = "StopFailure"
	FileChanged         = "FileChanged"
)

// Event is a hook event: what the client tells a hook. Absent fields, and fields of the wrong
// type, are empty.
type Event struct {
	// Name is the event as the client writes it.
	Name      string
	SessionID string
	Cwd       string
	Source    string
	Reason    string

	Prompt   string
	PromptID string
	// Message is the final message of a turn, whole.
	Message string
	// NoMessage: a turn's end that does not say what the message was; Transcript
	// is the file in which the client writes it down.
	NoMessage  bool
	Transcript string
	// Codex: the event is one of Codex's. A session of Codex that keeps nothing has
	// no transcript.
	Codex bool
	// SubagentsRun: subagents of the turn still work.
	SubagentsRun bool
	// FilePath and Change say what happened to a watched file.
	FilePath string
	Change   string
	// Command and CommandArgs are a typed slash command of a plugin.
	Command     string
	CommandArgs string
}

// ParseEvent reads a hook's standard input. argument names the event where the
// payload does not, as the client writes it or in kebab case; empty stands for
// SessionStart. Anything but one JSON object is an empty payload.
func ParseEvent(argument string, payload []byte) Event {
	value, err := jsondoc.Decode(payload)
	object, ok := value.(map[string]any)
	if err != nil || !ok {
		object = nil
	}
	name := jsondoc.Text(object, "hook_event_name")
	if name == "" {
		name = eventName(argument)
	}
	_, said := object["last_assistant_message"].(string)
	return Event{
		Name:      name,
		SessionID: jsondoc.Text(object, "session_id"),
		Cwd:       jsondoc.Text(object, "cwd"),
		Source:    jsondoc.Text(object, "source"),
		Reason:    jsondoc.Text(object, "reason"),

		Prompt:       jsondoc.Text(object, "prompt"),
		PromptID:     jsondoc.Text(object, "prompt_id"),
		Message:      jsondoc.Text(object, "last_assistant_message"),
		NoMessage:    name == Stop && !said,
		Transcript:   jsondoc.Text(object, "transcript_path"),
		Codex:        isCodex(object),
		SubagentsRun: subagentsRun(object),
		FilePath:     jsondoc.Text(object, "file_path"),
		Change:       jsondoc.Text(object, "event"),
		Command:      jsondoc.Text(object, "command_name"),
		CommandArgs:  jsondoc.Text(object, "command_args"),
	}
}

// isCodex tells Codex's events by their transcript: a rollout that bears the
// session's id, or null where the session keeps none.
func isCodex(object map[string]any) bool {
	transcript, said := object["transcript_path"]
	if said && transcript == nil {
		return true
	}
	id := jsondoc.Text(object, "session_id")
	name := path.Base(jsondoc.Text(object, "transcript_path"))
	return id != "" && strings.HasPrefix(name, "rollout-") && strings.HasSuffix(name, "-"+id+".jsonl")
}

// subagentsRun looks for a running subagent among the tasks in the background.
func subagentsRun(object map[string]any) bool {
	tasks, _ := object["background_tasks"].([]any)
	return slices.ContainsFunc(tasks, func(task any) bool {
		fields, _ := task.(map[string]any)
		return jsondoc.Text(fields, "type") == "subagent" && jsondoc.Text(fields, "status") == "running"
	})
}

// EventWords writes a client's event in lower case, with something between its words:
// session-start, session_start.
func EventWords(event string, between byte) string {
	var b strings.Builder
	for i, r := range event {
		if r >= 'A' && r <= 'Z' && i > 0 {
			b.WriteByte(between)
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}

// eventName turns kebab case into the client's spelling.
func eventName(argument string) string {
	if argument == "" {
		return SessionStart
	}
	var name strings.Builder
	for part := range strings.SplitSeq(argument, "-") {
		if first, size := utf8.DecodeRuneInString(part); size > 0 {
			name.WriteRune(unicode.ToUpper(first))
			name.WriteString(part[size:])
		}
	}
	return name.String()
}

// TakesContext reports an event whose answer may add to what the model reads.
func (e Event) TakesContext() bool { return e.Name == SessionStart || e.Name == UserPromptSubmit }
