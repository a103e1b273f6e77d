package agent_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/wall"
)

// limitText is what a client says of a limit, with what is read of it by a clock
// that shows 9:49 of 30 November 2026 in UTC.
type limitText struct {
	text  string
	kind  wall.Kind
	reset string // RFC 3339; empty for none
	exact bool
}

func (l limitText) limit(t *testing.T) wall.Limit {
	t.Helper()
	limit := wall.Limit{Kind: l.kind, Exact: l.exact}
	if l.reset != "" {
		at, err := time.Parse(time.RFC3339, l.reset)
		is.New(t).NoErr(err)
		limit.ResetAt = at.UTC()
	}
	return limit
}

// field case F1: the limit texts of claude by version.
func claudeLimits() []limitText {
	return []limitText{
		{"Claude usage limit reached. Your limit will reset at 12am.", wall.Unknown, "2026-12-01T00:00:00Z", false},
		{"Claude usage limit reached. Your limit will reset at 12pm.", wall.Unknown, "2026-11-30T12:00:00Z", false},
		{"Claude AI usage limit reached|1796041147", wall.Unknown, "2026-11-30T12:19:07Z", true},
		{"Claude AI usage limit reached|1751320800", wall.Unknown, "2025-06-30T22:00:00Z", true}, // long ago, and still an instant
		{"5-hour limit reached \u2219 resets 2am", wall.Session, "2026-12-01T02:00:00Z", false},
		{"You've hit your limit \u00b7 resets 10pm (Europe/Berlin)", wall.Unknown, "2026-11-30T21:00:00Z", false},
		{"You've hit your limit \u00b7 resets Jan 15, 8am (Europe/Berlin)", wall.Unknown, "2027-01-15T07:00:00Z", false},
		{"You've hit your session limit \u00b7 resets 4:20am (Europe/Warsaw)", wall.Session, "2026-12-01T03:20:00Z", false},
		{"You've hit your weekly limit \u00b7 resets 3am (Europe/London)", wall.Weekly, "2026-12-01T03:00:00Z", false},
		{"You've hit your weekly limit \u00b7 resets Monday 9am (America/Los_Angeles)", wall.Weekly, "2026-11-30T17:00:00Z", false},
		{"You’ve hit your session limit \u00b7 resets 4:20am (Europe/Warsaw)", wall.Session, "2026-12-01T03:20:00Z", false},
		{"You've\u00a0hit\u202fyour session limit \u00b7 resets\u00a04:20\u202fAM (Europe/Warsaw)", wall.Session, "2026-12-01T03:20:00Z", false},
		{"\x1b[31mYou've hit your session limit\x1b[0m \u00b7 \x1b[1mresets 4:20 AM (Europe/Warsaw)\x1b[0m", wall.Session, "2026-12-01T03:20:00Z", false},
	}
}

// Field case F1: in its terminal event, and as the whole output of a plain client
// that fails, such a text is a wall; as an answer, or of a client that ends well,
// it is none.
func TestOutcome_LimitTextsOfClaude(t *testing.T) {
	for _, l := range claudeLimits() {
		t.Run(l.text, func(t *testing.T) {
			walls := map[string]agent.Outcome{}
			for name, run := range map[string]struct {
				protocol agent.Protocol
				stdout   string
				code     int
			}{
				"a failed result":        {agent.ClaudeJSON, claudeBegan + claudeResult(true, l.text, ""), 1},
				"a failed result, 429":   {agent.ClaudeJSON, claudeBegan + claudeResult(true, l.text, `"api_error_status":429`), 1},
				"a result for nothing":   {agent.ClaudeJSON, claudeBegan + claudeResult(false, l.text, `"usage":{"output_tokens":0}`), 0},
				"the result alone":       {agent.ClaudeJSON, claudeResult(false, l.text, ""), 0},
				"plain":                  {agent.ClaudePlain, l.text + "\n", 1},
				"plain between blanks":   {agent.ClaudePlain, "\n\n" + l.text, 1},
				"plain over two lines":   {agent.ClaudePlain, strings.Replace(l.text, " limit", "\nlimit", 1), 1},
				"plain with a CR at end": {agent.ClaudePlain, l.text + "\r\n", 1},
			} {
				walls[name], _ = judged(run.protocol, run.stdout, "", exit(run.code), agent.ByItself)
			}
			for name, o := range walls {
				if o.Class != wall.UsageLimit {
					t.Errorf("%s: %s by %s", name, o.Class, o.Rule)
				}
				if diff := cmp.Diff(l.limit(t), o.Limit); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
			}
			none := map[string]agent.Outcome{}
			none["an answer"], _ = judged(agent.ClaudeJSON, claudeBegan+claudeResult(false, l.text, `"usage":{"output_tokens":12}`), "", exit(0), agent.ByItself)
			none["plain, and it ended well"], _ = judged(agent.ClaudePlain, l.text+"\n", "", exit(0), agent.ByItself)
			none["in the middle of plain text"], _ = judged(agent.ClaudePlain, "I saw: "+strings.Repeat("x ", 200)+l.text+"\n", "", exit(0), agent.ByItself)
			for name, o := range none {
				if o.Class != wall.None || o.Limit != (wall.Limit{}) {
					t.Errorf("%s: %s by %s", name, o.Class, o.Rule)
				}
			}
		})
	}
}

// Field case F1: a limit event proves nothing by itself.
func TestOutcome_LimitEventsOfClaude(t *testing.T) {
	rejected := `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1796041147,"rateLimitType":"five_hour","overageStatus":"rejected"}}` + "\n"
	allowed := strings.Replace(rejected, `"status":"rejected"`, `"status":"allowed"`, 1)
	refused := claudeResult(false, "Claude AI usage limit reached|1796041147", `"usage":{"output_tokens":0}`)
	answer := claudeResult(false, "Done.", `"usage":{"output_tokens":80}`)
	session := wall.Limit{Kind: wall.Session, ResetAt: time.Date(2026, 11, 30, 12, 19, 7, 0, time.UTC), Exact: true}
	unknown := session
	unknown.Kind = wall.Unknown
	tests := []struct {
		name, stdout string
		class        wall.Class
		limit        wall.Limit
	}{
		{"turned away", rejected + refused, wall.UsageLimit, session},
		{"the result alone", refused, wall.UsageLimit, unknown},
		{"allowed, and an answer", allowed + answer, wall.None, wall.Limit{}},
		{"rejected on the way, and an answer", claudeBegan + rejected + answer, wall.None, session}, // noted for the next run
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			o, _ := judged(agent.ClaudeJSON, tt.stdout, "", exit(0), agent.ByItself)
			is.Equal(o.Class, tt.class)
			is.Equal(o.Limit, tt.limit)
			is.Equal(o.Fault, "")
		})
	}
}

// Field case F1: a warning is no wall, however the client ended.
func TestOutcome_AWarningOfClaudeIsNoWall(t *testing.T) {
	const warning = "Approaching your 5-hour usage limit — Claude will wrap up its work soon"
	for _, code := range []int{0, 1} {
		for _, o := range []agent.Outcome{
			first(judged(agent.ClaudePlain, warning+"\n", "", exit(code), agent.ByItself)),
			first(judged(agent.ClaudeJSON, claudeBegan+claudeResult(code == 1, warning, ""), "", exit(code), agent.ByItself)),
		} {
			is := is.New(t)
			is.Equal(o.Class, wall.None)
			is.Equal(o.Limit, wall.Limit{})
		}
	}
}

func first(o agent.Outcome, _ *followed) agent.Outcome { return o }

// codexText is what codex says at its end.
type codexText struct {
	limitText
	class wall.Class
}

// field case F2: the texts of codex in their four groups.
func codexTexts() []codexText {
	const (
		pro   = "Upgrade to Pro (https://example.invalid/pro), visit https://example.invalid/usage to purchase more credits or try again at "
		admin = "To get more access now, send a request to your admin or try again at "
		plus  = "Upgrade to Plus to continue using Codex (https://example.invalid/plus), or try again "
	)
	hit := func(rest, reset string) codexText {
		return codexText{limitText{"You’ve hit your usage limit" + rest, wall.Unknown, reset, false}, wall.UsageLimit}
	}
	credits := func(text string) codexText {
		return codexText{limitText{text, wall.Credits, "", false}, wall.UsageLimit}
	}
	other := func(text string, class wall.Class) codexText { return codexText{limitText{text: text}, class} }
	return []codexText{
		hit(". "+pro+"3:28 PM.", "2026-11-30T15:28:00Z"),
		hit(". "+admin+"Apr 16th, 2027 12:04 AM.", "2027-04-16T00:04:00Z"),
		hit(". "+plus+"later.", ""),
		hit(". "+plus+"at 12:04 AM.", "2026-12-01T00:04:00Z"),
		hit(". Visit https://example.invalid/usage to purchase more credits or try again at 3:28 PM.", "2026-11-30T15:28:00Z"),
		hit(". Try again at 1:02 AM.", "2026-12-01T01:02:00Z"),
		hit(". Try again later.", ""),
		hit(".", ""),
		hit(" for gpt-x. Switch to another model now, or try again at 3:28 PM.", "2026-11-30T15:28:00Z"),
		hit(". Try again at Dec 1st, 2026 11:30 AM.", "2026-12-01T11:30:00Z"),
		hit(". Try again at Dec 2nd, 2026 11:30 AM.", "2026-12-02T11:30:00Z"),
		hit(". Try again at Dec 3rd, 2026 11:30 AM.", "2026-12-03T11:30:00Z"),
		hit(". Try again at Dec 11th, 2026 11:30 AM.", "2026-12-11T11:30:00Z"),
		hit(". Upgrade to Pro or try again in 3 days 6 hours 57 minutes.", "2026-12-03T16:46:00Z"),
		{limitText{`{"error":{"type":"usage_limit_reached","message":"x","resets_at":1796041147,"resets_in_seconds":602705}}`, wall.Unknown, "2026-11-30T12:19:07Z", true}, wall.UsageLimit},
		{limitText{`unexpected status 429 Too Many Requests: {"error":{"type":"usage_limit_reached","resets_in_seconds":9060}}`, wall.Unknown, "2026-11-30T12:20:00Z", false}, wall.UsageLimit},

		credits("Your workspace is out of credits. Add credits to continue."),
		credits("Your workspace is out of credits. Ask your workspace owner to add credits."),
		credits("You hit your spend cap set by your workspace owner."),
		credits("Quota exceeded. Check your plan and billing details."),

		other("stream disconnected before completion: idle timeout waiting for SSE", wall.Network),
		other("Selected model is at capacity. Please try a different model.", wall.Overloaded),
		other("exceeded retry limit, last status: 429 Too Many Requests", wall.RateLimit),

		other("Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.", wall.ContextLimit),

		other(`{"error":{"type":"invalid_request_error","message":"usage_limit_reached"}}`, wall.None),
		other(`{"error":{"type":"usage_limit_reached"`, wall.None), // no whole answer
		other("You’ve got mail", wall.None),
	}
}

// Field case F2.
func TestOutcome_TextsOfCodex(t *testing.T) {
	for _, c := range codexTexts() {
		t.Run(c.text, func(t *testing.T) {
			plain := "user\nx\nERROR: " + c.text + "\nERROR: " + c.text + "\n"
			for name, o := range map[string]agent.Outcome{
				"JSON":                     first(judged(agent.CodexJSON, codexBegan+codexFailed(c.text), "", exit(1), agent.ByItself)),
				"plain":                    first(judged(agent.CodexPlain, "", plain, exit(1), agent.ByItself)),
				"plain, and tokens":        first(judged(agent.CodexPlain, "", plain+"tokens used\n12,345\n", exit(1), agent.ByItself)),
				"with a plain apostrophe":  first(judged(agent.CodexJSON, codexBegan+codexFailed(strings.ReplaceAll(c.text, "’", "'")), "", exit(1), agent.ByItself)),
				"wrapped before its reset": first(judged(agent.CodexJSON, codexBegan+codexFailed(strings.Replace(c.text, " again at ", " again at\n", 1)), "", exit(1), agent.ByItself)),
			} {
				if o.Class != c.class {
					t.Errorf("%s: %s by %s", name, o.Class, o.Rule)
				}
				if diff := cmp.Diff(c.limit(t), o.Limit); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
			}
			if o, _ := judged(agent.CodexPlain, c.text, plain, exit(0), agent.ByItself); o.Class != wall.None {
				t.Errorf("and it ended well: %s by %s", o.Class, o.Rule)
			}
		})
	}
}

// Field case F2: codex without its JSON mode may write its verdict over two lines.
// The time is that of the machine.
func TestOutcome_AWrappedTextOfPlainCodex(t *testing.T) {
	madrid, err := time.LoadLocation("Europe/Madrid")
	is.New(t).NoErr(err)
	local := func(s *agent.Setup) { s.Zones.Local = madrid }
	const text = "ERROR: You’ve hit your usage limit. To get more access now, send a request to your admin or try again at\nDec 16th, 2026 12:04 AM.\n"
	for name, stderr := range map[string]string{
		"once": text, "twice": text + text, "with tokens": text + text + "tokens used\n1,234\n",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			o, f := judged(agent.CodexPlain, "", "user\nx\n"+stderr, exit(1), agent.ByItself, local)
			is.Equal(o.Class, wall.UsageLimit)
			is.Equal(o.Limit, wall.Limit{Kind: wall.Unknown, ResetAt: time.Date(2026, 12, 15, 23, 4, 0, 0, time.UTC)})
			is.True(strings.HasPrefix(f.logLine(o.Evidence.Line), "[stderr] ERROR: You’ve hit"))
		})
	}
	is := is.New(t)
	o, _ := judged(agent.CodexPlain, "", strings.Replace(text, "Dec 16th", "at noon, Dec 16th", 1)+"panicked: at 3:28 PM\n", exit(1), agent.ByItself)
	is.Equal(o.Class, wall.None) // what stands last is something else
	o, _ = judged(agent.CodexPlain, "", "ERROR: You’ve hit your usage limit. Try again at 3:28 PM.\nerror: no such file, see again at 4:28 PM\n", exit(1), agent.ByItself)
	is.Equal(o.Class, wall.None)
	o, _ = judged(agent.CodexPlain, "", "grep: You’ve hit your usage limit, try again at\n4:28 PM\n", exit(1), agent.ByItself)
	is.Equal(o.Class, wall.None)
}
