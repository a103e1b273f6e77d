package plan

import (
	"strings"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/baton/markdown"
)

const (
	// diffLines and diffChars are the most that an excerpt of a diff may have.
	diffLines = 30
	diffChars = 1500
)

// stretch measures lines that may be a diff, up to the last one that is not
// blank.
type stretch struct {
	diff         bool
	lines, chars int
	blank        int // lines since then
}

func (s *stretch) add(line string) {
	if strings.TrimSpace(line) == "" {
		s.blank++
		return
	}
	if s.lines > 0 {
		s.chars++ // the end of the line before
	}
	s.lines += s.blank + 1
	s.chars += s.blank + utf8.RuneCountInString(line)
	s.blank = 0
}

func (s *stretch) large() bool { return s.diff && (s.lines > diffLines || s.chars > diffChars) }

// holdsLargeDiff reports a diff that is more than an excerpt: a fenced block
// that is tagged as one or has the lines of one, or such lines unfenced up to
// the next heading or fence.
func holdsLargeDiff(lines []markdown.Line) bool {
	var fences markdown.Fences
	var s stretch
	for _, line := range lines {
		was := fences.Open()
		fences.Next(line.Text)
		level, _ := markdown.Heading(line.Text)
		switch {
		case was != fences.Open(): // a bar, which ends one stretch and begins the next
			if s.large() {
				return true
			}
			s = stretch{diff: !was && taggedDiff(line.Text)}
		case !was && level > 0:
			if s.large() {
				return true
			}
			s = stretch{}
		default:
			s.diff = s.diff || diffLine(line.Text)
			if was || s.diff {
				s.add(line.Text)
			}
		}
	}
	return s.large()
}

// taggedDiff reports that the bar which opens a block says it is a diff.
func taggedDiff(bar string) bool {
	info := strings.TrimLeft(strings.TrimSpace(bar), "`~")
	word, _, _ := strings.Cut(strings.TrimSpace(info), " ")
	return strings.EqualFold(word, "diff") || strings.EqualFold(word, "patch")
}

// diffLine reports a line that stands in no other text than a diff.
func diffLine(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return strings.HasPrefix(line, "diff --git ") || hunkHeader(line)
}

// hunkHeader reports a line such as "@@ -1,40 +1,40 @@".
func hunkHeader(line string) bool {
	rest, ok := strings.CutPrefix(line, "@@ -")
	from, rest, plus := strings.Cut(rest, " +")
	to, _, end := strings.Cut(rest, " @@")
	return ok && plus && end && lineRange(from) && lineRange(to)
}

// lineRange reports one or two numbers with a comma between them.
func lineRange(s string) bool {
	first, second, two := strings.Cut(s, ",")
	return number(first) && (!two || number(second))
}

func number(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
