package text

import (
	"strings"
	"unicode/utf8"
)

// Head returns the longest beginning of s that has at most n code points and
// ends between two grapheme clusters. Only a cluster of more than 64 code
// points is split.
func (c Cutter) Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	_, head := c.head(s, max(n, 0))
	return head
}

// Tail returns the longest end of s that has at most n code points and begins
// between two grapheme clusters. Only a cluster of more than 64 code points is
// split.
func (c Cutter) Tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	window := lastPoints(s, n)
	// A line feed is a cluster of its own or the end of one, so that clusters
	// can be counted from behind the last one before the window.
	at := strings.LastIndexByte(s[:window], '\n') + 1
	for at < window {
		end := at + max(c.next(s[at:]), 1)
		if end > window && utf8.RuneCountInString(s[at:end]) > longestCluster {
			return s[window:]
		}
		at = end
	}
	return s[at:]
}

// Clip returns s where it has at most n code points; else a beginning of it and
// an ellipsis, together at most n code points.
func (c Cutter) Clip(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	if n < 1 {
		return ""
	}
	return c.Head(s, n-1) + "…"
}

// lastPoints returns where the last n code points of s begin.
func lastPoints(s string, n int) int {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at
}
