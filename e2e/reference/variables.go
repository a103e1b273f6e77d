package reference

import (
	"slices"
	"strings"

	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/domain/baton/project"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
)

// Variable is one variable of the environment that a program reads.
type Variable struct {
	Name string
	// Readers are the programs that read it.
	Readers string
	Does    string
	// Without is what holds where it is not set, Wrong what a value that is none does.
	Without, Wrong string
}

// Variables are those that people set, and those that the clients set.
func Variables() []Variable { return slices.Concat(ofPeople(), ofClients()) }

func ofPeople() []Variable {
	return []Variable{
		{exchange.RootVariable, "exchange, hookd", "The root, whatever directory one is in; blank counts as not set.", "the nearest marked directory above", "rule `" + string(exchange.RuleOverrideInvalid) + "`: no root is used, and `exchange doctor` says so"},
		{"RELAY_STATE_DIR", "relay, hookd", "Where links are kept. Both sides need the same one.", "`relay` below `XDG_STATE_HOME`, else `~/.local/state/relay`", stateFault()},
		{"RELAY_MAX_ROUNDS", "relay, hookd", "As `max_rounds` of relay's file.", "the file", termFault("RELAY_MAX_ROUNDS")},
		{"RELAY_LANG", "relay, hookd", "As `lang` of relay's file.", "the file", termFault("RELAY_LANG")},
		{"XDG_CONFIG_HOME", "relay, hookd", "Where `relay/config.json` lies.", "`~/.config`", "a relative path counts as not set"},
		{"XDG_STATE_HOME", "relay, hookd", "Where `relay` keeps its state.", "`~/.local/state`", "a relative path counts as not set"},
		{project.FileVariable, "baton", "The file of the registered projects.", "`~/.relay-baton/projects.json`", "the commands that read it name the file and fail"},
		{"HOOKD_LOG", "hookd", "A file that one debug line an event is added to.", "no log", "nothing is written; an answer never suffers"},
		{"NO_COLOR", "baton, relay, exchange", "Anything but an empty text: no colour.", "colour on a terminal", ""},
		{"OPENAI_API_KEY", "baton", "Kept from agents; told of. `authPolicy` and `--allow-api-key-env` change that.", "", ""},
		{"ANTHROPIC_API_KEY", "baton", "The same.", "", ""},
		{"CLAUDE_CODE_MAX_RETRIES", "baton", "Set for claude where it is not set, by `agents.claude.env`.", "`5`", ""},
		{"SOURCE_DATE_EPOCH", "relay, baton, exchange", "The day on the manual's pages, for packagers.", "no day", "`man-pages` fails and says so"},
		{"HOME", "all", "The home directory.", "what lies there is not known, and said so", "a relative path counts as not known"},
		{"PATH", "baton, relay", "Where `git`, `codex` and `claude` are looked for.", "", "the program is said to be missing, with what to install"},
		{"TMPDIR", "baton", "Where `baton verify` makes its repository.", "`/tmp`", "`verify` fails and names it"},
		{"TZ", "baton", "The zone of the times that are shown.", "the system's", ""},
	}
}

func ofClients() []Variable {
	return []Variable{
		{"CLAUDE_CONFIG_DIR", "all but baton", "Where Claude Code keeps its sessions and settings.", "`~/.claude`", "no session is found there"},
		{"CODEX_HOME", "exchange, hookd, baton", "Where Codex keeps its sessions and hooks.", "`~/.codex`", "no session is found there"},
		{"CLAUDE_PLUGIN_ROOT", "exchange, hookd", "Where the plugin lies.", "the directory above the program", ""},
		{"CLAUDE_CODE_SESSION_ID", "all but baton", "The session that a command speaks for.", "the process tree", ""},
		{"CLAUDE_CODE_ENTRYPOINT", "hookd", "`cli`: a session with a terminal, which can be woken.", "nothing is watched", ""},
		{"CLAUDE_CODE_CHILD_SESSION", "relay, hookd", "Set where an agent types and not a person: it may not answer for one.", "a person types", ""},
		{"CLAUDE_PID", "hookd", "The process of the session.", "the process tree", "not believed unless the process is one"},
		{"AI_AGENT", "hookd", "Ends with `_agent` where an agent types and not a person.", "a person types", ""},
		{"CODEX_THREAD_ID", "exchange, hookd", "The session of Codex that a command runs in.", "the process tree", ""},
		{"CODEX_SESSION_ID", "exchange, hookd", "The same, of other versions.", "the process tree", ""},
		{"DISABLE_TELEMETRY", "relay, hookd", "With it the client does not ask which of its parts are on, mods among them.", "", ""},
		{"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "relay, hookd", "The same.", "", ""},
		{"CLAUDE_CODE_GB_DISK_CACHE_WHEN_TELEMETRY_OFF", "relay, hookd", "With it the client heeds what it was told earlier.", "", ""},
		{"CLAUDECODE", "baton, relay", "Kept from the agents that are started, since it names the session around them.", "", ""},
		{"CLAUDE_PROJECT_DIR", "baton, relay", "The same.", "", ""},
		{"CODEX_TOOL_CALL_ID", "baton, relay", "The same.", "", ""},
	}
}

// variables is the part about the environment.
func (p *page) variables() {
	p.text("## Variables that people set\n")
	p.list(ofPeople())
	p.text("## Variables that the clients set\n\nThey are read as they are found; to set them by hand is of use in tests alone.\n")
	p.list(ofClients())
	p.text("`git` is run without the variables that would lead it elsewhere (`GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE` and the like).\n")
}

func (p *page) list(variables []Variable) {
	var rows [][]string
	for _, v := range variables {
		rows = append(rows, []string{code(v.Name), v.Readers, v.Does, v.Without, v.Wrong})
	}
	p.table([]string{"variable", "read by", "what it does", "without it", "a wrong value"}, rows)
}

// with is an environment in which one variable is set.
func with(name, value string) port.Environment {
	return port.Environment{Home: home, Lookup: func(asked string) string {
		if asked == name {
			return value
		}
		return ""
	}}
}

func stateFault() string {
	_, err := linkstore.Dir(with("RELAY_STATE_DIR", "state"))
	return said(err)
}

func termFault(name string) string {
	_, err := termsIn("", with(name, "?"))
	return said(err)
}

// said is what stands in an error, without where the example lies.
func said(err error) string {
	if err == nil {
		panic("a wrong value was taken")
	}
	return strings.ReplaceAll(err.Error(), home, "~")
}
