package exchange

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/text"
)

// managedSettings are where an organisation's settings lie.
var managedSettings = [...]string{
	"/etc/claude-code/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.json",
}

// wiring says whether the client runs the hook in the session's directory.
func (q *inquiry) wiring() {
	if q.known && q.row.Held {
		q.codexWiring()
		return
	}
	found := q.why.scan(q.site.Root)
	s := settingsSeen{q: q}
	for _, problem := range found.problems {
		q.fault(Finding{Thing: HooksThing, Cause: SettingsUnread, values: []string{"file", "a settings file"}}, problem)
	}
	s.around()
	wired := q.why.hookWirings(found)
	for _, file := range s.wired {
		if !slices.ContainsFunc(wired, func(h hookWiring) bool { return h.file == file }) {
			wired = append(wired, hookWiring{file: file})
		}
	}
	if len(wired) == 0 {
		q.notWired(s.looked)
	}
	for _, h := range wired {
		q.executable(h)
	}
}

// notWired tells a hook that nothing runs from one whose wiring cannot be seen.
func (q *inquiry) notWired(looked []string) {
	if q.looked || q.receipts > 0 {
		q.add(Finding{Thing: HooksThing, Cause: UnseenWiring})
		return
	}
	q.add(Finding{Thing: HooksThing, Cause: NotWired, values: []string{"files", text.Printable(strings.Join(looked, ", "))}})
}

// settingsSeen are the settings files that a session in its directory goes by.
type settingsSeen struct {
	q      *inquiry
	looked []string
	// wired are those that name the hook or enable the plugin.
	wired []string
}

// around looks into the files of the user, of the directory and of the organisation.
func (s *settingsSeen) around() {
	if dir := s.q.why.Env.ClientDir(); dir != "" {
		s.look(path.Join(dir, "settings.json"))
	}
	dir := s.q.row.Cwd
	if dir == "" {
		dir = s.q.report.Cwd
	}
	for _, name := range []string{"settings.json", "settings.local.json"} {
		s.look(path.Join(dir, ".claude", name))
	}
	for _, file := range managedSettings {
		s.look(file)
	}
}

func (s *settingsSeen) look(file string) {
	q := s.q
	settings, err := q.why.Settings.Settings(file)
	values := []string{"file", text.Printable(file)}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if !slices.Contains(managedSettings[:], file) {
			s.looked = append(s.looked, file)
		}
		return
	case err != nil:
		problem := file + " could not be read: " + reason(err)
		if !slices.Contains(q.report.Problems, problem) {
			q.fault(Finding{Thing: HooksThing, Cause: SettingsUnread, values: values}, problem)
		}
		return
	}
	s.looked = append(s.looked, file)
	if settings.NoHooks {
		q.add(Finding{Thing: HooksThing, Cause: HooksOff, values: values})
	}
	if settings.ManagedOnly && slices.Contains(managedSettings[:], file) {
		q.add(Finding{Thing: HooksThing, Cause: ManagedOnly, values: values})
	}
	for _, plugin := range settings.PluginsOff {
		if name, _, _ := strings.Cut(plugin, "@"); name == pluginName {
			q.add(Finding{Thing: HooksThing, Cause: PluginOff, values: values})
		}
	}
	enabled := slices.ContainsFunc(settings.Plugins, func(plugin string) bool {
		name, _, _ := strings.Cut(plugin, "@")
		return name == pluginName
	})
	if enabled || slices.Contains(scriptNames(settings.Texts), hookExecutable) {
		s.wired = append(s.wired, file)
	}
}

// executable looks at the program that a wiring names.
func (q *inquiry) executable(h hookWiring) {
	values := []string{"file", text.Printable(h.file)}
	programs := []string{h.command}
	if h.command == "" {
		settings, err := q.why.Settings.Settings(h.file)
		if err != nil {
			return // said already
		}
		programs = hookPrograms(settings.Texts)
	}
	if len(programs) == 0 {
		q.add(Finding{Thing: HooksThing, Cause: WiredBy, values: values})
		q.add(Finding{Thing: HooksThing, Cause: ExecutableUnread, values: values})
		return
	}
	fine := true
	for _, program := range programs {
		fine = q.runnable(program) && fine
	}
	if fine {
		q.add(Finding{Thing: HooksThing, Cause: WiredBy, values: values})
	}
}

// runnable reports a program that the client can start.
func (q *inquiry) runnable(program string) bool {
	f := Finding{Thing: HooksThing, values: []string{"file", text.Printable(program)}}
	info, err := q.why.Files.Stat(program)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Cause = ExecutableMissing
		q.fault(f, program+" is wired and is not there")
	case err != nil:
		f.Cause = ExecutableUnread
		q.fault(f, program+" could not be looked at: "+reason(err))
	case !info.Mode.IsRegular() || info.Mode.Perm()&0o111 == 0:
		f.Cause = ExecutableMode
		q.fault(f, program+" is wired and nobody may run it")
	default:
		return true
	}
	return false
}

// hookPrograms returns the absolute paths of our hook in the texts of settings.
func hookPrograms(texts []string) []string {
	var programs []string
	for _, t := range texts {
		for _, token := range strings.FieldsFunc(t, splitsTokens) {
			if path.IsAbs(token) && path.Base(token) == hookExecutable {
				programs = withAdded(programs, []string{token})
			}
		}
	}
	return programs
}

// codexWiring says whether Codex runs the hook, as far as its files tell.
func (q *inquiry) codexWiring() {
	check := Doctor{World: q.why.World, Codex: q.why.Codex}.codex()
	if check == nil {
		q.add(Finding{Thing: HooksThing, Cause: CodexNotWired, values: []string{"events", "none", "file", "Codex's home"}})
		return
	}
	values := func(events []string) []string {
		return []string{"events", strings.Join(events, ", "), "file", text.Printable(check.File)}
	}
	for _, problem := range check.problems() {
		q.fault(Finding{Thing: HooksThing, Cause: SettingsUnread, values: values(nil)}, problem)
	}
	if check.problem != "" {
		return
	}
	if events := check.unwired(); len(events) > 0 {
		q.add(Finding{Thing: HooksThing, Cause: CodexNotWired, values: values(events)})
	}
	trusted := slices.Concat(check.events(Trusted), check.events(TrustedOnce))
	var skipped []string
	for _, trust := range []CodexTrust{Untrusted, Altered, SwitchedOff} {
		for _, event := range check.events(trust) {
			if !slices.Contains(trusted, event) {
				skipped = withAdded(skipped, []string{event})
			}
		}
	}
	if len(skipped) > 0 {
		q.add(Finding{Thing: HooksThing, Cause: CodexUntrusted, values: values(skipped)})
	}
	if len(trusted) > 0 {
		q.executable(hookWiring{file: check.File})
	}
}
