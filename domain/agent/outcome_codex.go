package agent

import (
	"strconv"
	"strings"

	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
)

// codexTexts are how codex begins the text of its verdict.
func codexTexts() []struct {
	class wall.Class
	start string
} {
	return []struct {
		class wall.Class
		start string
	}{
		{wall.RateLimit, "rate limit exceeded"},
		{wall.UsageLimit, "You've hit your usage limit"},
		{wall.UsageLimit, "Your workspace is out of credits"},
		{wall.UsageLimit, "You hit your spend cap"},
		{wall.UsageLimit, "To use Codex with your ChatGPT plan"},
		{wall.UsageLimit, "Quota exceeded. Check your plan"},
		{wall.ContextLimit, "Codex ran out of room in the model's context window"},
		{wall.Overloaded, "Selected model is at capacity"},
		{wall.Overloaded, "We're currently experiencing high demand"},
		{wall.Auth, "Missing environment variable:"},
		{wall.Network, "stream disconnected before completion"},
	}
}

// codexStatuses are what codex writes before the HTTP status that it gave up at.
func codexStatuses() []string {
	return []string{"exceeded retry limit, last status: ", "unexpected status "}
}

// codexClass tells the class of a verdict of codex by how its text begins.
func codexClass(said string) wall.Class {
	said = strings.ReplaceAll(said, "’", "'")
	if isLimitBody(said) {
		return wall.UsageLimit
	}
	for _, t := range codexTexts() {
		if strings.HasPrefix(said, t.start) {
			return t.class
		}
	}
	for _, start := range codexStatuses() {
		if rest, ok := strings.CutPrefix(said, start); ok {
			if _, body, ok := strings.Cut(rest, ": "); ok && isLimitBody(body) {
				return wall.UsageLimit
			}
			word, _, _ := strings.Cut(rest, " ")
			if status, err := strconv.Atoi(word); err == nil {
				return statusClass(status)
			}
		}
	}
	return wall.None
}

// isLimitBody reports an answer of the API that codex passes on as it came, in
// which a plan's limit is told.
func isLimitBody(said string) bool {
	if !strings.HasPrefix(said, "{") {
		return false
	}
	value, err := jsondoc.DecodeOrdered([]byte(said))
	body, ok := value.(jsondoc.Object)
	return err == nil && ok && textOf(child(body, "error"), "type") == "usage_limit_reached"
}

// statusClass tells the class of an HTTP status.
func statusClass(status int) wall.Class {
	switch {
	case status == 402:
		return wall.UsageLimit
	case status == 413:
		return wall.ContextLimit
	case status == 429:
		return wall.RateLimit
	case status == 401, status == 403:
		return wall.Auth
	case status >= 500 && status < 600:
		return wall.Overloaded
	}
	return wall.None
}

// findCodex judges codex by its last terminal event.
func (j *judge) findCodex(e port.Ending) finding {
	switch {
	case j.end == nil && e.Code == 1 && j.began:
		// Asked to stop, it ends without a word.
		return finding{class: wall.Killed, rule: "codex-interrupted", evidence: byExit(e)}
	case j.end == nil:
		return j.withoutEnd(e)
	case j.end.what.good:
		return ended("codex-completed", j.end.evidence, e)
	}
	return codexVerdict(j.end.what.text, j.end.evidence)
}

// codexVerdict judges what codex says of its failure.
func codexVerdict(text string, evidence wall.Evidence) finding {
	f := finding{class: codexClass(text), evidence: evidence, text: text, chance: true}
	f.rule = ruleOf("codex", f.class)
	if f.class == wall.None {
		f.fault = said(text)
	}
	return f
}

// ruleOf names the rule that gave a class by what a client said.
func ruleOf(client string, class wall.Class) string {
	if class == wall.None {
		return client + "-failed"
	}
	return client + "-" + strings.ReplaceAll(string(class), "_", "-")
}

// findCodexPlain judges codex by the last line of its error stream.
func (j *judge) findCodexPlain(e port.Ending) finding {
	last := j.errors.verdict(j.zones, j.at)
	text, failed := strings.CutPrefix(last.Text, codexError)
	switch {
	case e.Status() == 0:
		return finding{class: wall.None, rule: "codex-completed", evidence: byExit(e)}
	case strings.TrimSpace(last.Text) == "turn interrupted":
		return finding{class: wall.Killed, rule: "codex-interrupted", evidence: last}
	case failed:
		return codexVerdict(text, last)
	}
	return finding{class: wall.None, rule: ruleExit, evidence: byExit(e), fault: said(last.Text)}
}
