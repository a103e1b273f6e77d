package compact

import "strings"

// stands reports that a section has anything to write.
func (d StateDoc) stands(s Section) bool { return len(d.items[s]) > 0 || d.elided[s] > 0 }

// chars returns the length of what write returns.
func (d StateDoc) chars(title string) int {
	n := Chars(title) + 1
	for _, s := range sections {
		if s == Notes && !d.stands(s) {
			continue
		}
		n += Chars("\n## ") + Chars(string(s)) + 1
		if d.elided[s] > 0 {
			n += Chars(elidedLine(d.elided[s])) + 1
		}
		for i, item := range d.items[s] {
			n += item.size
			if d.gapBefore(s, i) {
				n++
			}
		}
	}
	return n
}

// write returns the document: its title, all canonical sections, and the notes
// if there are any.
func (d StateDoc) write(title string) string {
	var out strings.Builder
	out.WriteString(title + "\n")
	for _, s := range sections {
		if s == Notes && !d.stands(s) {
			continue
		}
		out.WriteString("\n## " + string(s) + "\n")
		if d.elided[s] > 0 {
			out.WriteString(elidedLine(d.elided[s]) + "\n")
		}
		for i, item := range d.items[s] {
			if d.gapBefore(s, i) {
				out.WriteString("\n")
			}
			for _, line := range item.lines {
				out.WriteString(line.text + "\n")
			}
		}
	}
	return out.String()
}

// gapBefore reports that a blank line keeps an item apart from what stands
// before it.
func (d StateDoc) gapBefore(s Section, i int) bool {
	return d.items[s][i].apart && (i > 0 || d.elided[s] > 0)
}
