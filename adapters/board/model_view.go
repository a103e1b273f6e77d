package board

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// View implements tea.Model.
func (m *Model) View() tea.View {
	rows, _, _ := m.screen().draw(m.size)
	v := tea.NewView(m.paint.paint(rows))
	v.AltScreen = true
	return v
}

// screen is what there is to see now.
func (m *Model) screen() screen {
	s := screen{scroll: m.scroll, follow: m.follow, foot: m.message}
	s.frame = m.source.Frame(m.size)
	switch {
	case m.help:
		s.frame = helpFrame(s.frame.Title, m.source.Keys())
	case !m.read && m.fault != "":
		s.frame.Sidebar, s.frame.Panels, s.frame.State = nil, []Panel{unread(m.fault)}, nil
	case !m.read:
		s.frame.Sidebar, s.frame.Panels, s.frame.State = nil, []Panel{{Title: "Looking", Empty: "reading …"}}, nil
	}
	if !m.readAt.IsZero() {
		s.clock = clock(m.readAt)
	}
	if m.read && m.fault != "" {
		s.note = m.stale()
	}
	if len(s.foot) == 0 {
		s.foot = hints(m.source.Keys(), m.size.Width)
	}
	return s
}

// stale says that what is shown is old or not all there is, and why.
func (m *Model) stale() Line {
	since := "not all could be read"
	if !m.readAt.IsZero() {
		since = "stale, of " + clock(m.readAt)
	}
	return Line{{Text: since + ": ", Style: Bad}, {Text: m.fault, Style: Warn}}
}

// unread is shown where nothing could be read so far.
func unread(fault string) Panel {
	return Panel{Title: "Could not look", Style: Bad, Wrap: true, Lines: []Line{Styled(Warn, fault)}}
}

func clock(at time.Time) string { return at.UTC().Format("15:04:05Z") }
