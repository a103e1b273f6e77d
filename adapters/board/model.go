package board

import (
	"context"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Model is a dashboard as a program of bubbletea.
type Model struct {
	ctx     context.Context //nolint:containedctx // bubbletea's commands have no other way to it
	source  Source
	options Options
	paint   painter
	acts    *sync.WaitGroup

	size     Size
	scroll   int
	follow   bool
	help     bool
	reading  bool
	again    bool
	turn     int  // counts the reads
	read     bool // something was read
	fault    string
	readAt   time.Time
	message  Line
	saidAt   time.Time // by the first read since; zero before it
	asked    *Reaction
	busy     bool
	stopping bool
}

// NewModel returns the program of a dashboard. ctx ends what it has running.
func NewModel(ctx context.Context, source Source, colour bool, options Options) *Model {
	m := &Model{ctx: ctx, source: source, options: options, acts: &sync.WaitGroup{}, size: Size{Width: 80, Height: 24}}
	if colour {
		m.paint = colours()
	}
	return m
}

type (
	readMsg struct {
		take func()
		err  error
		at   time.Time
	}
	// dueMsg ends the interval after a read; turn is the read that it was begun by.
	dueMsg  struct{ turn int }
	wakeMsg struct{}
	doneMsg struct{ result Result }
)

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd { return tea.Batch(m.look(), m.listen()) }

// look reads the world, once at a time.
func (m *Model) look() tea.Cmd {
	if m.reading {
		m.again = true
		return nil
	}
	m.reading = true
	return func() tea.Msg {
		take, err := m.source.Read(m.ctx)
		return readMsg{take: take, err: err, at: m.options.Now()}
	}
}

// listen waits to be woken.
func (m *Model) listen() tea.Cmd {
	if m.options.Wake == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case <-m.ctx.Done():
			return nil
		case _, open := <-m.options.Wake:
			if !open {
				return nil
			}
			return wakeMsg{}
		}
	}
}

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.update(msg)
	return m, cmd
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.size = Size{Width: msg.Width, Height: msg.Height}
	case tea.KeyPressMsg:
		return m.press(msg.String())
	case readMsg:
		return m.took(msg)
	case dueMsg:
		if msg.turn != m.turn && msg.turn != always { // another read began an interval since
			return nil
		}
		return m.look()
	case wakeMsg:
		return tea.Batch(m.look(), m.listen())
	case doneMsg:
		return m.done(msg.result)
	}
	return nil
}

// linger is how long a message stands in place of the keys, unless it asks something
// or work goes on.
const linger = 15 * time.Second

func (m *Model) say(line Line) { m.message, m.saidAt = line, time.Time{} }

// fade takes a message away that has stood for long.
func (m *Model) fade(now time.Time) {
	switch {
	case len(m.message) == 0, m.asked != nil, m.busy:
	case m.saidAt.IsZero():
		m.saidAt = now
	case now.Sub(m.saidAt) >= linger:
		m.say(nil)
	}
}

func (m *Model) took(msg readMsg) tea.Cmd {
	m.reading = false
	m.turn++
	m.fade(msg.at)
	if msg.take != nil {
		msg.take()
		m.read = true
	}
	m.fault = ""
	if msg.err != nil {
		m.fault = msg.err.Error()
	}
	if msg.err == nil {
		m.readAt = msg.at
	}
	if m.again {
		m.again = false
		return m.look()
	}
	if m.options.Interval <= 0 {
		return nil
	}
	turn := m.turn
	return tea.Tick(m.options.Interval, func(time.Time) tea.Msg { return dueMsg{turn: turn} })
}

func (m *Model) done(r Result) tea.Cmd {
	m.busy = false
	m.say(said(r.Style, r.Message))
	if r.Take != nil {
		r.Take()
	}
	if r.Top {
		m.scroll = 0
	}
	if m.stopping {
		return tea.Quit
	}
	if r.Refresh {
		return m.look()
	}
	return nil
}

func said(style Style, message string) Line {
	if message == "" {
		return nil
	}
	return Styled(style, message)
}

// press answers a key.
func (m *Model) press(key string) tea.Cmd {
	switch {
	case key == "ctrl+c", key == "q":
		return m.quit()
	case m.asked != nil:
		return m.answer(key)
	case key == "?":
		m.help, m.scroll = !m.help, 0
		m.say(nil)
		return nil
	case m.help:
		m.move(key)
		if key == "esc" {
			m.help, m.scroll = false, 0
		}
		return nil
	}
	m.say(nil)
	if !m.read { // there is nothing yet for a key to be about
		return m.look()
	}
	reaction := m.source.Press(key)
	if !reaction.Handled {
		m.move(key)
		return nil
	}
	return m.react(reaction)
}

// quit ends the dashboard, when what it was told to do is done.
func (m *Model) quit() tea.Cmd {
	if m.busy && !m.stopping {
		m.stopping = true
		m.say(Styled(Warn, "ending when that is done; once more to end now"))
		return nil
	}
	return tea.Quit
}

func (m *Model) react(r Reaction) tea.Cmd {
	m.follow = true
	m.say(said(r.Style, r.Message))
	if r.Top {
		m.scroll = 0
	}
	switch {
	case r.Quit:
		return tea.Quit
	case r.Act != nil && m.busy:
		m.say(Styled(Warn, "still at work: one thing at a time"))
		return nil
	case r.Act != nil && r.Ask != "":
		m.asked = &r
		m.say(Line{{Text: r.Ask, Style: Warn}, {Text: " [y/n]", Style: Accent}})
		return nil
	case r.Act != nil:
		return m.act(r)
	case r.Refresh:
		return m.look()
	}
	return nil
}

func (m *Model) answer(key string) tea.Cmd {
	r := *m.asked
	m.asked = nil
	if strings.ToLower(key) != "y" {
		m.say(Styled(Dim, "nothing was done"))
		return nil
	}
	m.say(said(r.Style, r.Message))
	return m.act(r)
}

func (m *Model) act(r Reaction) tea.Cmd {
	m.busy = true
	if len(m.message) == 0 {
		m.say(Styled(Dim, "working …"))
	}
	m.acts.Add(1)
	act := func() tea.Msg {
		defer m.acts.Done()
		return doneMsg{result: r.Act(m.ctx)}
	}
	if r.Refresh {
		return tea.Batch(act, m.look())
	}
	return act
}

// move scrolls.
func (m *Model) move(key string) {
	page := max(1, m.size.Height-3)
	by := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -page, "pgdown": page, "home": -1 << 30, "end": 1 << 30}[key]
	if by == 0 {
		return
	}
	m.follow = false
	_, at, most := m.screen().draw(m.size)
	m.scroll = max(0, min(most, at+by))
}

// Due is the message that the interval is over.
func Due() tea.Msg { return dueMsg{turn: always} }

// always is no read's number.
const always = -1
