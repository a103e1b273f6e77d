package session

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/jsondoc"
)

// Hook events, as the client writes them.
const (
	SessionStart     = "SessionStart"
	SessionEnd       = "SessionEnd"
	UserPromptSubmit = "UserPromptSubmit"
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
	name := textAt(object, "hook_event_name")
	if name == "" {
		name = eventName(argument)
	}
	return Event{
		Name:      name,
		SessionID: textAt(object, "session_id"),
		Cwd:       textAt(object, "cwd"),
		Source:    textAt(object, "source"),
		Reason:    textAt(object, "reason"),
	}
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

func textAt(object map[string]any, key string) string {
	s, _ := object[key].(string)
	return s
}
