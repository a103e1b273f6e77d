package agent

import (
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// inputLimit bounds the input of a tool call that is shown as it is, in code
// points.
const inputLimit = 500

// message is the content of a message of claude, block by block.
type message struct {
	d      dialect
	e      *Event
	user   bool
	failed bool
	parent string
	turn   string
	from   string
}

func (m *message) say(tag Tag, said string) {
	m.e.parts = append(m.e.parts, part{tag: tag, text: said, from: m.from})
}

// tag is that of the message's text.
func (m *message) tag() Tag {
	switch {
	case m.failed:
		return TagAPI
	case m.user:
		return TagNote
	}
	return TagAgent
}

func (m *message) block(b jsondoc.Object) {
	switch kind := textOf(b, "type"); kind {
	case "text":
		m.say(m.tag(), textOf(b, "text"))
	case "thinking":
		m.say(TagThink, textOf(b, "thinking"))
	case "tool_use":
		m.e.opened = append(m.e.opened, call{id: textOf(b, "id"), parent: m.parent, turn: m.turn})
		m.call(textOf(b, "name"), b)
	case "tool_result":
		m.e.closed = append(m.e.closed, call{id: textOf(b, "tool_use_id")})
		m.result(b)
	default:
		if kind == "" {
			kind = "block without a type"
		}
		m.say(TagNote, kind)
	}
}

func (m *message) call(name string, b jsondoc.Object) {
	input := child(b, "input")
	switch name {
	case "Bash":
		m.e.command(textOf(input, "command"), m.from)
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		_, file := firstText(input, "file_path", "notebook_path")
		m.say(TagEdit, strings.ToLower(name)+" "+m.d.relative(file))
	default:
		m.say(TagTool, strings.TrimSuffix(name+" "+m.about(input, b), " "))
	}
}

// about says in one line what a tool is called with.
func (m *message) about(input jsondoc.Object, b jsondoc.Object) string {
	key, about := firstText(input, "file_path", "path", "pattern", "query", "url", "description", "prompt")
	switch {
	case key == "":
		given, ok := b.Find("input")
		if !ok {
			return ""
		}
		return m.d.cutter.Clip(string(jsondoc.Line(given)), inputLimit)
	case slices.Contains([]string{"file_path", "path", "pattern"}, key):
		about = m.d.relative(about)
	}
	return text.FirstLine(about)
}

func (m *message) result(b jsondoc.Object) {
	m.say(TagOut, textOf(b, "content"))
	for _, inner := range objects(b, "content") {
		switch kind := textOf(inner, "type"); kind {
		case "text":
			m.say(TagOut, textOf(inner, "text"))
		default:
			m.say(TagOut, "("+kind+")")
		}
	}
	if truth(b, "is_error") {
		m.e.ended("error", false, m.from)
		return
	}
	m.e.ended("ok", true, m.from)
}
