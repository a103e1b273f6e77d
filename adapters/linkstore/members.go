package linkstore

import (
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

func (s Store) memberFile(session string) string {
	return path.Join(s.dir, "sessions", session+extension)
}

func (s Store) processFile(session string) string {
	return path.Join(s.dir, "processes", session+extension)
}

// Member implements relay.Members.
func (s Store) Member(session string) (relay.Member, error) {
	m := relay.Member{Session: session}
	if err := checkName(session); err != nil {
		return m, err
	}
	object, err := s.read(s.memberFile(session), relay.ErrNoSession)
	if err != nil && !errors.Is(err, relay.ErrNoSession) {
		return m, err
	}
	process, processErr := s.read(s.processFile(session), relay.ErrNoSession)
	if processErr != nil && !errors.Is(processErr, relay.ErrNoSession) {
		return m, processErr
	}
	if err != nil && processErr != nil {
		return m, relay.ErrNoSession
	}
	m.Link, m.Role = jsondoc.Text(object, "link"), relay.Role(jsondoc.Text(object, "role"))
	if processErr != nil {
		process = object
	}
	m.PID, m.Start = number(process, "pid"), jsondoc.Text(process, "start")
	return m, nil
}

// PutProcess implements relay.Whereabouts.
func (s Store) PutProcess(session string, a relay.Attachment) error {
	if err := checkName(session); err != nil {
		return err
	}
	return s.replace(s.processFile(session), encodeAttachment(a))
}

// DropProcess implements relay.Whereabouts.
func (s Store) DropProcess(session string) error {
	if err := checkName(session); err != nil {
		return err
	}
	return s.remove(s.processFile(session))
}

// AddMember implements relay.Members.
func (s Store) AddMember(m relay.Member) error {
	if err := checkName(m.Session); err != nil {
		return err
	}
	return s.create(s.memberFile(m.Session), encodeMember(m))
}

// ReplaceMember implements relay.Members. Whoever moves the file away first, under a
// name made from the link that it tells, replaces it: that name stays taken.
func (s Store) ReplaceMember(m relay.Member, old string) error {
	if err := errors.Join(checkName(m.Session), checkName(old)); err != nil {
		return err
	}
	former := path.Join(s.dir, "former", m.Session+"."+old+extension)
	if err := s.makeDirs(path.Dir(former)); err != nil {
		return err
	}
	err := s.renameNew(s.memberFile(m.Session), former)
	if err != nil {
		return err
	}
	return s.AddMember(m)
}

func encodeMember(m relay.Member) jsondoc.Object {
	doc := jsondoc.Object{{Key: "link", Value: m.Link}, {Key: "role", Value: string(m.Role)}, {Key: "pid", Value: m.PID}}
	doc.AddText("start", m.Start)
	return doc
}

// DropMember implements relay.Members.
func (s Store) DropMember(session string) error {
	if err := checkName(session); err != nil {
		return err
	}
	return errors.Join(s.remove(s.memberFile(session)), s.remove(s.processFile(session)))
}

// Members implements relay.MemberLister.
func (s Store) Members() ([]relay.Member, []string) {
	var names, problems []string
	for _, dir := range []string{"sessions", "processes"} {
		found, err := s.list(path.Join(s.dir, dir))
		if err != nil {
			problems = append(problems, err.Error())
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	var members []relay.Member
	for _, name := range slices.Compact(names) {
		session, ok := strings.CutSuffix(name, extension)
		if !ok {
			continue
		}
		m, err := s.Member(session)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		members = append(members, m)
	}
	return members, problems
}

// AllLinks implements relay.MemberLister.
func (s Store) AllLinks() ([]string, error) { return s.list(path.Join(s.dir, "links")) }

func (s Store) attachmentFile(session string) string {
	return path.Join(s.dir, "attached", session+extension)
}

// Attachment implements relay.Attachments.
func (s Store) Attachment(session string) (relay.Attachment, error) {
	if err := checkName(session); err != nil {
		return relay.Attachment{}, err
	}
	object, err := s.read(s.attachmentFile(session), relay.ErrNoSession)
	return relay.Attachment{PID: number(object, "pid"), Start: jsondoc.Text(object, "start")}, err
}

// PutAttachment implements relay.Attachments.
func (s Store) PutAttachment(session string, a relay.Attachment) error {
	if err := checkName(session); err != nil {
		return err
	}
	return s.replace(s.attachmentFile(session), encodeAttachment(a))
}

func encodeAttachment(a relay.Attachment) jsondoc.Object {
	return jsondoc.Object{{Key: "pid", Value: a.PID}, {Key: "start", Value: a.Start}}
}

// DropAttachment implements relay.Attachments.
func (s Store) DropAttachment(session string) error {
	if err := checkName(session); err != nil {
		return err
	}
	return s.remove(s.attachmentFile(session))
}

// BellPath implements relay.Doorbells.
func (s Store) BellPath(session string) string { return path.Join(s.dir, "bells", session) }

// Hang implements relay.Doorbells.
func (s Store) Hang(session string) (string, error) {
	if err := checkName(session); err != nil {
		return "", err
	}
	bell := s.BellPath(session)
	return bell, s.makeDirs(path.Dir(bell))
}

// Ring implements relay.Doorbells. The file is renamed over: the client sees
// that it changed.
func (s Store) Ring(session string) error {
	if err := checkName(session); err != nil {
		return err
	}
	bell := s.BellPath(session)
	if err := s.makeDirs(path.Dir(bell)); err != nil {
		return err
	}
	return s.fs.Replace(bell, nil, filePerm, port.Unsynced)
}

// Remind implements relay.Doorbells by the time of the bell's file.
func (s Store) Remind(session string, now time.Time, within time.Duration) error {
	if err := checkName(session); err != nil {
		return err
	}
	info, err := s.fs.Stat(s.BellPath(session))
	if since := now.Sub(info.ModTime); err == nil && since >= 0 && since < within {
		return nil
	}
	return s.Ring(session)
}

func (s Store) askDir(session string) string { return path.Join(s.dir, "asks", session) }

// Asks implements relay.Asks.
func (s Store) Asks(session string) ([]string, error) {
	if err := checkName(session); err != nil {
		return nil, err
	}
	return s.list(s.askDir(session))
}

// PutAsk implements relay.Asks.
func (s Store) PutAsk(session, link string) error {
	if err := checkName(session); err != nil {
		return err
	}
	if err := s.makeDirs(s.askDir(session)); err != nil {
		return err
	}
	return s.fs.Replace(path.Join(s.askDir(session), link), nil, filePerm, port.Unsynced)
}

// DropAsk implements relay.Asks.
func (s Store) DropAsk(session, link string) error {
	if err := checkName(session); err != nil {
		return err
	}
	return s.remove(path.Join(s.askDir(session), link))
}

func number(object map[string]any, key string) int {
	n, _ := object[key].(jsondoc.Number)
	i, err := n.Int64()
	if err != nil {
		return 0
	}
	return int(i)
}

func flag(object map[string]any, key string) bool {
	b, _ := object[key].(bool)
	return b
}

// Inbox returns the directory in which deliveries to a side arrive.
func (s Store) Inbox(link string, role relay.Role) string {
	return path.Join(s.sideDir(link, role), placeIn)
}

// Places returns the directories in which something may happen to a session, in
// order to watch them. They are made, so that a watch can begin.
func (s Store) Places(session, link string) []string {
	places := []string{path.Join(s.dir, "sessions"), s.askDir(session)}
	if link != "" {
		for _, role := range []relay.Role{relay.Planner, relay.Builder} {
			places = append(places, path.Join(s.sideDir(link, role), "events"), s.Inbox(link, role))
		}
	}
	for _, place := range places {
		_ = s.makeDirs(place) // a place that cannot be made is looked at again
	}
	return places
}
