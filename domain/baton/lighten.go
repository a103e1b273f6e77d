package baton

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/baton/compact"
)

// watches says whether compression goes on by itself.
func (r Repo) watches() bool { return r.Config.Compression.Enabled && r.Config.Compression.Auto }

// watch returns who looks after the weight of the context during a run.
func (p *pursuit) watch() *watcher {
	if !p.watches() {
		return nil
	}
	return &watcher{pursuit: p, sizes: map[string]measured{}}
}

// lighten runs a cycle of compression before a handoff where one is due. What it
// comes to does not keep the handoff from being made.
func (p *pursuit) lighten(context.Context) error {
	if !p.watches() {
		return nil
	}
	weights, err := p.Weights()
	if err != nil {
		return err
	}
	if due, _ := compact.Weigh(weights, p.diet.budgets).Due(p.Config.Compression.Threshold); !due {
		return nil
	}
	if err := p.relieve(HandoffTrigger); err != nil {
		p.Sink.Notice("context not compressed: " + oneLine(err))
	}
	if weights, err = p.Weights(); err != nil {
		return err
	}
	total := compact.Weigh(weights, p.diet.budgets).Total
	p.pace = p.pace.Attempted(p.Clock.Now(), total, int64(weights.Log))
	return nil
}

// relieve runs one cycle, and tells what it came to. An error says why it does not
// hold.
func (p *pursuit) relieve(by Trigger) error {
	done, err := p.compress(pressure{trigger: by, diet: p.diet, threshold: p.Config.Compression.Threshold})
	switch {
	case done.Held:
		p.Sink.Notice(fmt.Sprintf("context compressed: %d -> %d chars", done.Before().Total, done.After().Total))
		if err != nil {
			p.Sink.Notice("warning: " + oneLine(err))
		}
		return nil
	case err == nil && !done.Report.Passed():
		return errors.New(strings.Join(done.Report.Failures, "; "))
	}
	return err
}
