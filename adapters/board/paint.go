package board

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// painter turns rows into what a terminal is sent.
type painter struct{ styles map[Style]lipgloss.Style }

// colours are those of the terminal's own sixteen, so that they fit its theme.
func colours() painter {
	plain := lipgloss.NewStyle()
	return painter{styles: map[Style]lipgloss.Style{
		Dim:       plain.Foreground(lipgloss.BrightBlack),
		Good:      plain.Foreground(lipgloss.Green),
		Warn:      plain.Foreground(lipgloss.Yellow),
		Bad:       plain.Foreground(lipgloss.Red).Bold(true),
		Accent:    plain.Foreground(lipgloss.Cyan).Bold(true),
		Highlight: plain.Reverse(true),
	}}
}

// paint draws rows, one line each.
func (p painter) paint(rows []row) string {
	var b strings.Builder
	for i, r := range rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, span := range joined(r) {
			style, ok := p.styles[span.Style]
			if !ok || strings.Trim(span.Text, " ") == "" && span.Style != Highlight {
				b.WriteString(span.Text)
				continue
			}
			b.WriteString(style.Inline(true).Render(span.Text))
		}
	}
	return b.String()
}

// joined puts neighbours of one style together.
func joined(r row) row {
	var out row
	for _, span := range r {
		if n := len(out); n > 0 && out[n-1].Style == span.Style {
			out[n-1].Text += span.Text
			continue
		}
		out = append(out, span)
	}
	return out
}
