package baton

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/prompt"
	"github.com/changeover/changeover/domain/baton/wall"
)

// Launching is how agents are started, as flags say it.
type Launching struct {
	// AllowKeys lets blocked variables through.
	AllowKeys bool
	// Timeout bounds each run; 0 for none.
	Timeout time.Duration
	// Silence is how long an agent may say nothing; nil is what the
	// configuration says.
	Silence *time.Duration
}

// launch starts an agent and follows it to its end. The run's record is made by
// who decides on it.
func (s *shift) launch(sig Signals, l Launching, id string, role wall.Role, text string, forced []wall.Forced, w *watcher) (ended agentEnded, err error) {
	cfg := s.Config.Agents[id]
	policy := agent.KeyPolicy{
		Blocked: s.Config.Auth.Blocked, Allow: l.AllowKeys || s.Config.Auth.AllowKeys, Add: cfg.Env,
	}
	o := order{
		agent: id, role: role, launch: cfg.Launch, start: cfg.Start(text), env: policy.Apply(s.Environ),
		phrases: s.Phrases(), onSuccess: s.Config.FallbackOnSuccess, silence: cfg.Silence, timeout: l.Timeout, forced: forced,
		watcher: w, began: func(pid int) error {
			// One that takes the lock away at once is told of at its end, as one that
			// does so later.
			if err := s.runs(id, pid); !errors.Is(err, errUnlocked) {
				return err
			}
			return nil
		},
	}
	if l.Silence != nil {
		o.silence = *l.Silence
	}
	ended, err = s.fly(sig, s.Desk, o)
	ended.fault = joinFirst(ended.fault, s.runs("", 0))
	return ended, err
}

// joinFirst returns the first of two errors that there is.
func joinFirst(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// announce tells once which keys are kept from the agents.
func (s *shift) announce(l Launching) {
	if l.AllowKeys || s.Config.Auth.AllowKeys || !s.Config.Auth.WarnIfDetected {
		return
	}
	var set []string
	for _, name := range s.Config.Auth.Blocked {
		if s.Env.Lookup(name) != "" && !slices.Contains(set, name) {
			set = append(set, name)
		}
	}
	verb, them := "is", "it"
	if len(set) > 1 {
		verb, them = "are", "them"
	}
	if len(set) > 0 {
		s.Sink.Notice(fmt.Sprintf("%s %s set and kept from the agents; --allow-api-key-env lets %s through", strings.Join(set, ", "), verb, them))
	}
}

// prompts are what the prompts go by.
func (s *shift) prompts() prompt.Settings {
	return prompt.Settings{
		Test: s.Config.TestCommand, Build: s.Config.BuildCommand, Concise: s.Config.Diet.Enabled && s.Config.Diet.OutputCompression,
	}
}

// continuation is the prompt of an agent that goes on.
func (s *shift) continuation() (string, error) {
	planned := false
	if s.meta.Mode() == PlanExecuteMode {
		there, err := s.Has(PlanFile)
		if err != nil {
			return "", err
		}
		planned = there
	}
	return prompt.Continuation(s.prompts(), planned), nil
}

// decided notes the end of a run: in the session, in the record of runs and for
// the person.
func (s *shift) decided(ended agentEnded, d wall.Decision, limits wall.Limits) error {
	meta, err := s.meta.AgentEnded(d, limits, s.Clock.Now())
	if err != nil {
		return err
	}
	s.meta = meta
	if ended.Suspected {
		s.meta.SuspectedFallback = ended.Reason(s.Cut)
	}
	if err := s.save(); err != nil {
		return err
	}
	if err := s.record(ended.record.Record(ended.Ended, d, s.Cut)); err != nil {
		return err
	}
	s.tell(ended, d)
	return nil
}

// tell tells the person what is to be known of a run that has ended.
func (s *shift) tell(ended agentEnded, d wall.Decision) {
	if denied := wall.DeniedNotice(ended.Agent, ended.Denied); denied != "" {
		s.Sink.Notice(denied)
	}
	if ended.Suspected {
		s.Sink.Notice(fmt.Sprintf("warning: %s ended well, but said something of a limit: %s; fallbackOnSuccess says whether that counts", ended.Agent, ended.Told(s.Cut)))
	}
	for _, notice := range d.Notices {
		s.Sink.Notice(notice)
	}
}

// record adds a run to the record of runs.
func (s *shift) record(r wall.RunRecord) error {
	content, err := s.Text(RunsFile)
	if err != nil {
		return err
	}
	_, line := wall.ReadRuns([]byte(content)).Line(r)
	out, err := s.Files.Append(s.Path(RunsFile), fileMode)
	if err != nil {
		return err
	}
	_, err = out.Write(line)
	return joinFirst(err, out.Close())
}

// diet is the profile of a command with its budgets.
type diet struct {
	name    string
	budgets compact.Profile
}

// choose chooses the profile of a command and warns of one that is gone.
func (s *shift) choose(flag, session string) (d diet, err error) {
	var warnings []string
	d.name, d.budgets, warnings, err = s.Diet(flag, session)
	for _, warning := range warnings {
		s.Sink.Notice("warning: " + warning)
	}
	return d, err
}
