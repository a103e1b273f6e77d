package exchange

import (
	"slices"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
)

// Watcher looks at all roots in which somebody works. It changes nothing.
type Watcher struct{ World }

// Seen is a live session and where it works.
type Seen struct {
	session.Row
	// Root is the root that its directory is in; empty for none.
	Root string
	// Own: the process that asks belongs to it.
	Own bool
	// Role is its side of a link of relay's; empty for none, and where nobody asked
	// relay.
	Role string
}

// Watched is one root at one moment.
type Watched struct {
	Show ShowReport
	List ListReport
	// Claims are those of the root, with whom they meet.
	Claims []Claimed
}

// Root is the path of the root.
func (p Watched) Root() string { return p.Show.site.Root }

// Name is what its marker calls it.
func (p Watched) Name() string { return p.Show.site.cfg.Name }

// WatchReport is everybody who is here and everything that is stored, root by root.
type WatchReport struct {
	// Roots begin with the root of the directory that was asked about, if it has one;
	// the others are in order of their paths.
	Roots    []Watched
	Sessions []Seen
	// RegistryErr says why nobody knows who runs; Sessions says nothing then.
	RegistryErr error
	// UnreadRows name the files of the registry that held no session.
	UnreadRows []string
	// Here says why the directory that was asked about has no root; nil where it has.
	Here error
	// Unread say what else could not be looked at.
	Unread []string
}

// Look reads everything. What could not be read is in the report.
func (w Watcher) Look(cwd string) WatchReport {
	var r WatchReport
	registry, err := w.registry()
	r.RegistryErr, r.UnreadRows = err, registry.Unread()
	own, ownKnown := registry.Own(true)

	place, err := w.place(cwd)
	if err != nil {
		r.Here = err
	} else {
		r.Roots = append(r.Roots, place)
	}
	roots := map[string]string{}
	for _, row := range registry.Peers(true) {
		if _, known := roots[row.Cwd]; !known && row.Cwd != "" {
			roots[row.Cwd] = w.locator().Resolve(row.Cwd).Root
		}
		r.Sessions = append(r.Sessions, Seen{Row: row, Root: roots[row.Cwd], Own: ownKnown && row.SessionID == own.SessionID})
	}
	r.addRoots(w)
	// A scripted run counts where the marker says so.
	r.Sessions = slices.DeleteFunc(r.Sessions, func(s Seen) bool { return !s.IsPeer(r.admits(s.Root)) })
	return r
}

func (w Watcher) place(cwd string) (Watched, error) {
	show, err := Viewer(w).Show(cwd)
	if err != nil {
		return Watched{}, err
	}
	list, err := Reader(w).List(ListRequest{Cwd: cwd})
	return Watched{Show: show, List: list, Claims: show.standings()}, err
}

// addRoots reads the roots of the sessions.
func (r *WatchReport) addRoots(w Watcher) {
	var roots []string
	for _, s := range r.Sessions {
		_, known := r.Watched(s.Root)
		if s.Root != "" && !known && !slices.Contains(roots, s.Root) {
			roots = append(roots, s.Root)
		}
	}
	slices.Sort(roots)
	for _, root := range roots {
		place, err := w.place(root)
		if err != nil {
			r.Unread = append(r.Unread, root+": "+err.Error())
			continue
		}
		r.Roots = append(r.Roots, place)
	}
}

// Watched returns the root of that path.
func (r WatchReport) Watched(root string) (Watched, bool) {
	at := slices.IndexFunc(r.Roots, func(p Watched) bool { return p.Root() == root })
	if at < 0 {
		return Watched{}, false
	}
	return r.Roots[at], true
}

func (r WatchReport) admits(root string) bool {
	place, known := r.Watched(root)
	return known && place.Show.site.cfg.Scripted
}

// Problems returns everything that is wrong, or could not be looked at.
func (r WatchReport) Problems() []string {
	problems := []string{}
	if r.Here != nil {
		problems = append(problems, r.Here.Error())
	}
	if r.RegistryErr != nil {
		problems = append(problems, r.RegistryErr.Error())
	}
	problems = append(problems, r.Unread...)
	for _, place := range r.Roots {
		for _, problem := range slices.Concat(place.Show.Problems(), place.List.Problems) {
			if !slices.Contains(problems, problem) {
				problems = append(problems, problem)
			}
		}
	}
	return problems
}

// Document renders the report for a script: of each root the documents of show and of
// handoff list.
func (r WatchReport) Document() jsondoc.Object {
	sessions := []jsondoc.Object{}
	for _, s := range r.Sessions {
		doc := sessionDocument(s.Row)
		doc.AddText("root", s.Root)
		doc.AddText("status", s.Status)
		if !s.StatusAt.IsZero() {
			doc.Add("status_at", Timestamp(s.StatusAt))
		}
		if !s.StartedAt.IsZero() {
			doc.Add("started_at", Timestamp(s.StartedAt))
		}
		doc.AddText("role", s.Role)
		doc.Add("this", s.Own)
		sessions = append(sessions, doc)
	}
	roots := []jsondoc.Object{}
	for _, place := range r.Roots {
		roots = append(roots, jsondoc.Object{{Key: "show", Value: place.Show.Document()}, {Key: "list", Value: place.List.Document()}})
	}
	return jsondoc.Object{
		{Key: "sessions", Value: sessions},
		{Key: "registry", Value: registryDocument(r.UnreadRows)},
		{Key: "roots", Value: roots},
		{Key: "problems", Value: r.Problems()},
	}
}

// Overlap is another session's claim on the same paths.
type Overlap struct {
	SessionID string
	Label     string
	Paths     []string
}

// Claimed is a claim with what is known of its session.
type Claimed struct {
	Claim
	// Standing is live, run, elsewhere, gone or unknown.
	Standing string
	Overlaps []Overlap
}

// standings are the claims of the root, in the order that they are shown.
func (r ShowReport) standings() []Claimed {
	var claims []Claimed
	for _, item := range r.claims.Items {
		claimed := Claimed{Claim: item.Claim, Standing: r.standing(item.Claim)}
		for _, met := range r.overlaps(item) {
			claimed.Overlaps = append(claimed.Overlaps, Overlap{SessionID: met.SessionID, Label: met.Label(), Paths: met.paths})
		}
		claims = append(claims, claimed)
	}
	return claims
}

// Scope says whom a handoff is for.
func (r ListReport) Scope(f Filed) string { return r.rendering.scope(f.To) }
