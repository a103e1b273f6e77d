package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// The bounds of reading standard input, from the specification of the exchange,
// section 8.
const (
	payloadLimit = 16 << 20
	idleLimit    = 400 * time.Millisecond
	totalLimit   = 2 * time.Second
)

// readPayload reads the first JSON object from fd, and no longer than until its
// end, the end of the input, idleLimit without a byte, totalLimit in all, or
// payloadLimit bytes. A terminal, and an input that is no object, is empty.
func readPayload(fd int) []byte {
	if isTerminal(fd) {
		return nil
	}
	var scan scanner
	var payload []byte
	buffer := make([]byte, 8<<10)
	for deadline := time.Now().Add(totalLimit); len(payload) < payloadLimit; {
		if !ready(fd, unix.POLLIN, min(idleLimit, time.Until(deadline))) {
			return nil
		}
		n, err := unix.Read(fd, buffer)
		if err == unix.EINTR || err == unix.EAGAIN {
			continue
		}
		if err != nil || n <= 0 {
			return nil
		}
		payload = append(payload, buffer[:n]...)
		switch end := scan.scan(payload); {
		case end > 0:
			return payload[:end]
		case scan.hopeless:
			return nil
		}
	}
	return nil
}

// ready waits until fd can be read or written, as events say, at most for the
// time given.
func ready(fd int, events int16, wait time.Duration) bool {
	for until := time.Now().Add(wait); ; {
		left := time.Until(until)
		if left <= 0 {
			return false
		}
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: events}}, int(left.Milliseconds())+1)
		if err == unix.EINTR {
			continue
		}
		return err == nil && n > 0
	}
}

// scanner finds the end of the JSON object that a text begins with.
type scanner struct {
	at       int
	depth    int
	inString bool
	escaped  bool
	// hopeless: the text does not begin with an object.
	hopeless bool
}

// scan goes on where it stopped and returns the length of the object, 0 as long
// as its end has not come.
func (s *scanner) scan(text []byte) int {
	for ; s.at < len(text) && !s.hopeless; s.at++ {
		c := text[s.at]
		switch {
		case s.escaped:
			s.escaped = false
		case s.inString:
			s.escaped = c == '\\'
			s.inString = c != '"'
		case c == '"' && s.depth > 0:
			s.inString = true
		case c == '{', c == '[' && s.depth > 0:
			s.depth++
		case (c == '}' || c == ']') && s.depth > 0:
			s.depth--
			if s.depth == 0 {
				return s.at + 1
			}
		case s.depth == 0 && c != ' ' && c != '\t' && c != '\n' && c != '\r':
			s.hopeless = true
		}
	}
	return 0
}
