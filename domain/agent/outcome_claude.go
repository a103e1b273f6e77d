package agent

import (
	"strings"

	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
)

// findClaude judges claude by its result.
func (j *judge) findClaude(e port.Ending) finding {
	if j.end == nil {
		return j.withoutEnd(e)
	}
	end := &j.end.what
	f := finding{evidence: j.end.evidence, text: end.text}
	if j.fault != nil && j.fault.limit != nil {
		f.notices = append(f.notices, j.fault.limit)
	}
	if j.rejected != nil {
		f.notices = append(f.notices, &j.rejected.what)
	}
	limit := wall.IsLimitText(end.text)
	switch {
	case end.good && limit && end.outputTokens == 0:
		// A version that says so instead of failing; an answer has tokens.
		f.class, f.rule = wall.UsageLimit, "claude-limit-text"
		return f
	case end.good:
		return ended("claude-completed", f.evidence, e)
	case strings.HasPrefix(end.reason, "aborted"):
		f.class, f.rule = wall.Killed, "claude-aborted"
		return f
	case limit:
		f.class, f.rule = wall.UsageLimit, "claude-limit-text"
		return f
	}
	f.class, f.rule = claudeClass(end, j.fault)
	f.chance = true
	if f.rule == ruleBilling {
		f.kind = wall.Credits
	}
	if f.class == wall.None {
		f.fault = said(end.text)
		if e.Status() == 0 {
			f.fault = "failed: " + f.fault
		}
	}
	return f
}

// claudeClass tells the class of a failed result, and the rule that gives it.
// without is the API error before it, which the single-object format leaves out.
func claudeClass(end *terminal, f *fault) (class wall.Class, rule string) {
	known := f != nil
	if !known {
		f = &fault{}
	}
	switch {
	case end.apiError == "usage_limit_reached":
		return wall.UsageLimit, "claude-usage-limit"
	case end.status == 402, end.apiErrorType == "billing_error", f.apiErrorType == "billing_error", f.err == "billing_error",
		strings.HasPrefix(end.text, spendCap):
		return wall.UsageLimit, ruleBilling
	case end.reason == "prompt_too_long", end.status == 413:
		return wall.ContextLimit, "claude-prompt-too-long"
	case f.cut == "context_window":
		return wall.ContextLimit, "claude-context-window"
	case end.status == 429:
		return wall.RateLimit, "claude-rate-limit"
	case end.status == 401, end.status == 403, f.err == "authentication_failed":
		return wall.Auth, "claude-auth"
	case end.status >= 500:
		return wall.Overloaded, "claude-overloaded"
	case end.status == 0 && (end.apiError == "connection_failed" || end.apiError == "no_response" || f.err == "server_error"):
		return wall.Network, "claude-network"
	case !known && end.status == 0:
		class = claudeTextClass(end.text)
		return class, ruleOf("claude", class)
	}
	return wall.None, ruleOf("claude", wall.None)
}

// ruleBilling gives a limit that never resets by itself.
const ruleBilling = "claude-billing"

// spendCap begins the text of a limit that a person has set.
const spendCap = "API Error: 400 You have reached your specified API usage limits"

// claudeTexts are how claude begins the text of a failure.
func claudeTexts() []struct {
	class wall.Class
	start string
} {
	return []struct {
		class wall.Class
		start string
	}{
		{wall.UsageLimit, "Credit balance is too low"},
		{wall.UsageLimit, spendCap},
		{wall.RateLimit, "API Error: Request rejected (429)"},
		{wall.RateLimit, "API Error: Server is temporarily limiting"},
		{wall.ContextLimit, "Prompt is too long"},
		{wall.ContextLimit, "Request too large"},
		{wall.ContextLimit, "API Error: The model has reached its context window"},
		{wall.Overloaded, "API Error: Repeated 529"},
		{wall.Auth, "Invalid API key"},
		{wall.Auth, "Not logged in"},
		{wall.Auth, "Failed to authenticate"},
		{wall.Auth, "Your organization has disabled"},
		{wall.Network, "API Error: Connection "},
		{wall.Network, "Request timed out"},
	}
}

// claudeTextClass tells the class of a failure by how its text begins.
func claudeTextClass(said string) wall.Class {
	if wall.IsLimitText(said) {
		return wall.UsageLimit
	}
	for _, t := range claudeTexts() {
		if strings.HasPrefix(said, t.start) {
			return t.class
		}
	}
	if rest, ok := strings.CutPrefix(said, "API Error: "); ok && len(rest) >= 3 {
		switch status := rest[:3]; {
		case status == "402" && strings.HasPrefix(rest[3:], " "):
			return wall.UsageLimit
		case status[0] == '5' && isCount(status):
			return wall.Overloaded
		}
	}
	return wall.None
}

// findClaudePlain judges claude by all that it wrote.
func (j *judge) findClaudePlain(e port.Ending) finding {
	whole := strings.TrimSpace(j.said.text)
	f := finding{rule: "claude-completed", class: wall.None, evidence: byExit(e), text: whole}
	if whole != "" {
		first, _, _ := strings.Cut(whole, "\n")
		f.evidence = wall.Evidence{Source: wall.Stdout, Text: first, Line: j.said.line}
	}
	switch {
	case whole == "Execution error":
		f.class, f.rule = wall.Killed, "claude-aborted"
		return f
	case e.Status() == 0:
		f.evidence = byExit(e)
		return f
	case whole == "":
		f.rule, f.fault = ruleExit, said(j.errors.final().Text)
		return f
	}
	f.chance = true
	f.class = claudeTextClass(whole)
	f.rule = ruleOf("claude", f.class)
	if f.class == wall.None {
		f.fault = said(whole)
	}
	return f
}
