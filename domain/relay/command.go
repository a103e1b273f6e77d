package relay

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/changeover/changeover/domain/text"
)

// commandLines is the most that the answer of a slash command has.
const commandLines = 20

// Command carries out what a person typed after /relay, and answers in a few
// lines that hold neither nonce nor path.
func (o Operator) Command(self Speaker, args string) []string {
	lines, err := o.command(self, strings.TrimSpace(args))
	if err != nil {
		lines = []string{o.Word(err, self.Session)}
	}
	lines = o.InSession(self.Session, lines)
	lines = plainLines(lines)
	if len(lines) > commandLines {
		more := len(lines) - commandLines + 1
		lines = append(lines[:commandLines-1], fmt.Sprintf("+%d more: relay status in a terminal", more))
	}
	return lines
}

// Word puts an error into the words of a session's language, on one line.
func (o Operator) Word(err error, id string) string {
	var refused *RefusedError
	if !errors.As(err, &refused) {
		return plain(err.Error(), text.LineLimit)
	}
	lang := ""
	if m, memberErr := o.member(id); memberErr == nil && m.Link != "" {
		if s, stateErr := o.state(m.Link); stateErr == nil {
			lang = s.Lang(m.Role)
		}
	}
	if lang == "" {
		terms, _ := o.Defaults.Terms() // a fault of the file is told where it matters
		lang = terms.Lang
	}
	return CatalogueOf(lang).Say(refused.Notice.Message, refused.Notice.Values...)
}

func (o Operator) command(self Speaker, args string) ([]string, error) {
	verb, rest, _ := strings.Cut(args, " ")
	rest = strings.TrimSpace(rest)
	var r Outcome
	var err error
	switch verb {
	case "", "status":
		status, err := o.Status(self.Session)
		status.offersPanel = status.offersPanel && verb == "status" // the bare command opens it
		lines := status.Lines()
		if status.Unread != nil {
			lines = append(lines, CatalogueOf(status.Lang).Say(SayUnread))
		}
		return lines, err
	case "sessions":
		return o.sessionLines(self)
	case string(Planner), string(Builder):
		peer, terms, termsErr := o.peerWords(rest)
		if termsErr != nil {
			return nil, termsErr
		}
		if peer == "" {
			return nil, errors.New("which session? relay sessions lists them")
		}
		r, err = o.Pair(self, Role(verb), peer, terms)
	case "accept":
		peer, terms, termsErr := o.peerWords(rest)
		if termsErr != nil {
			return nil, termsErr
		}
		r, err = o.Accept(self, peer, terms)
	case "decline":
		r, err = o.Decline(self, rest)
	case "goal":
		words, restart := strings.CutPrefix(rest, "--restart")
		r, err = o.Goal(self, words, restart)
	case "resume":
		r, err = o.Resume(self)
	case "pause":
		r, err = o.Pause(self)
	case "unlink":
		r, err = o.Unlink(self)
	default:
		return nil, notHere(verb)
	}
	return r.Lines(), err
}

// inTerminal are the commands of the program that a session does not answer.
var inTerminal = []string{"log", "doctor", "watch", "run", "help", "version", "completion"}

// notHere says what a session answers in place of a word that it does not, and where
// the word belongs if it is one of the program's.
func notHere(verb string) error {
	here := strings.Join(typedHere, ", ")
	switch {
	case verb == "help":
		return fmt.Errorf("here relay takes %s; in a terminal relay --help tells of all", here)
	case slices.Contains(inTerminal, verb):
		return fmt.Errorf("relay %s is for a terminal: type it there; here relay takes %s", verb, here)
	}
	return fmt.Errorf("relay has no %s: here it takes %s; relay --help in a terminal tells of all", text.Quote(verb), here)
}

func (o Operator) sessionLines(self Speaker) ([]string, error) {
	rows, err := o.Live(self.Cwd)
	var lines []string
	for _, row := range rows {
		mark := ""
		if row.SessionID == self.Session {
			mark = "  (this one)"
		}
		lines = append(lines, fmt.Sprintf("%s  %s  %s%s", row.SessionID, first(row.Label()), plain(row.Cwd, reasonLength), mark))
	}
	return lines, err
}

// peerWords reads the terms that follow a verb and, of all other words, the
// peer: a session's name may have several.
func (o Operator) peerWords(rest string) (peer string, t Terms, err error) {
	if t, err = o.Defaults.Terms(); err != nil {
		return "", t, err
	}
	words := strings.Fields(rest)
	var named []string
	for i := 0; i < len(words); i++ {
		name, value, glued := strings.Cut(words[i], "=")
		if !strings.HasPrefix(name, "--") {
			named = append(named, words[i])
			continue
		}
		if !glued {
			i++
			if i == len(words) {
				return "", t, fmt.Errorf("%s needs a value", name)
			}
			value = words[i]
		}
		if t, err = t.With(name, value); err != nil {
			return "", t, err
		}
	}
	return strings.Join(named, " "), t, nil
}

// With returns the terms with one of them as a person typed it.
func (t Terms) With(flag, value string) (Terms, error) {
	switch flag {
	case "--max-rounds":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > 1000 {
			return t, fmt.Errorf("%s wants a number from 1 to 1000, not %q", flag, value)
		}
		t.MaxRounds = n
	case "--lang":
		if !Speaks(value) {
			return t, fmt.Errorf("%s wants en or es, not %q", flag, value)
		}
		t.Lang = value
	default:
		return t, fmt.Errorf("there is no flag %q", flag)
	}
	return t, nil
}
