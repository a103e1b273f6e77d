package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// stampLayout is an instant as the name of a backup holds it.
const stampLayout = "2006-01-02T15-04-05"

// backupStamp reads the name of a backup: "plan." + file timestamp + ".md",
// perhaps with "-2", "-3" and so on behind the timestamp.
func backupStamp(name string) (stamp string, copies int, ok bool) {
	rest, before := strings.CutPrefix(name, "plan.")
	rest, after := strings.CutSuffix(rest, ".md")
	at, tail, utc := strings.Cut(rest, "Z")
	if !before || !after || !utc {
		return "", 0, false
	}
	seconds, fraction := at, ""
	if len(at) > len(stampLayout) {
		seconds, fraction = at[:len(stampLayout)], at[len(stampLayout):]
	}
	if _, err := time.Parse(stampLayout, seconds); err != nil || fraction != "" && !number(strings.TrimPrefix(fraction, "-")) {
		return "", 0, false
	}
	if tail == "" {
		return at, 1, true
	}
	copies, err := strconv.Atoi(strings.TrimPrefix(tail, "-"))
	return at, copies, err == nil && copies > 1 && strings.HasPrefix(tail, "-")
}

// IsBackup reports that a file of the session directory is a backup of the
// plan.
func IsBackup(name string) bool {
	_, _, ok := backupStamp(name)
	return ok
}

// Backups returns those of the names that are backups of the plan, the newest
// first.
func Backups(names []string) []string {
	var backups []string
	for _, name := range names {
		if IsBackup(name) {
			backups = append(backups, name)
		}
	}
	slices.SortFunc(backups, func(a, b string) int {
		atA, copyA, _ := backupStamp(a)
		atB, copyB, _ := backupStamp(b)
		return cmp.Or(cmp.Compare(atB, atA), cmp.Compare(copyB, copyA))
	})
	return backups
}
