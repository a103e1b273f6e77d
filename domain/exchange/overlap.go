package exchange

import (
	"slices"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
)

// clashes returns the paths on which two lists of paths meet: of each pair, one of
// which is above, inside or equal to the other, the longer one, once, sorted; the
// root itself is '.'.
func clashes(mine, theirs []string) []string {
	var paths []string
	for _, left := range mine {
		for _, right := range theirs {
			if !overlap(left, right) {
				continue
			}
			longer := left
			if len(components(right)) > len(components(left)) {
				longer = right
			}
			longer = spelling(longer)
			if longer == "" {
				longer = "."
			}
			paths = append(paths, longer)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// shares reports that two sessions work in one repo.
func (h Holder) shares(other Holder) bool {
	return slices.ContainsFunc(h.Repos, func(mine string) bool {
		return slices.ContainsFunc(other.Repos, func(theirs string) bool { return spelling(mine) == spelling(theirs) })
	})
}

// holders works out the repos of sessions, and looks once for each directory.
type holders struct {
	trees GitTrees
	root  string
	repos map[string]string
}

func (w World) holders(root string) holders {
	return holders{trees: w.trees(), root: root, repos: map[string]string{}}
}

// of returns the session of a claim as addresses see it: with the repo that its
// directory is in.
func (h holders) of(c Claim) Holder {
	return Holder{IDs: c.IDs(), Repos: h.withRepo(c.Repos, c.Cwd), Paths: c.Paths}
}

func (h holders) withRepo(repos []string, cwd string) []string {
	repo, known := h.repos[cwd]
	if !known {
		repo = h.trees.Repo(h.root, cwd)
		h.repos[cwd] = repo
	}
	if repo == "" {
		return repos
	}
	return append(slices.Clone(repos), repo)
}

// meeting is a current claim of another session that works on the same paths.
type meeting struct {
	StoredClaim
	paths []string
}

// working returns the claims that can meet another: those of sessions that run and
// named paths. standing judges the holder of a claim.
func (c Claims) working(standing func(Claim) session.Standing) []StoredClaim {
	var working []StoredClaim
	for _, item := range c.Items {
		if len(item.Paths) > 0 && standing(item.Claim) == session.Present {
			working = append(working, item)
		}
	}
	return working
}

// meetings returns the claims of others that overlap what a session holds, in file
// order. A session that named no path meets nobody.
func (h holders) meetings(me Holder, working []StoredClaim) []meeting {
	if len(me.Paths) == 0 {
		return nil
	}
	var met []meeting
	for _, item := range working {
		if slices.Contains(me.IDs, item.SessionID) {
			continue
		}
		if paths, apart := h.clash(me, item.Claim); apart == "" {
			met = append(met, meeting{StoredClaim: item, paths: paths})
		}
	}
	return met
}

// clash returns the paths on which a claim overlaps what a session holds, or says
// why it does not.
func (h holders) clash(me Holder, c Claim) (paths []string, apart Cause) {
	if len(me.Paths) == 0 || len(c.Paths) == 0 {
		return nil, OverlapNoPaths
	}
	paths = clashes(me.Paths, c.Paths)
	if len(paths) == 0 {
		return nil, OverlapApart
	}
	// The repo of a directory is looked up, so that comes last.
	if !me.shares(h.of(c)) {
		return nil, OverlapNoRepo
	}
	return paths, ""
}

// line is the list line that tells of a meeting.
func (m meeting) line(r rendering) string { return "  overlaps: " + r.list(m.paths) }

// overlaps returns whom a claim meets; nobody where its own session does not run.
func (r ShowReport) overlaps(item StoredClaim) []meeting {
	if !slices.ContainsFunc(r.working, func(w StoredClaim) bool { return w.File == item.File }) {
		return nil
	}
	return r.holders.meetings(r.holders.of(item.Claim), r.working)
}

func overlapDocuments(met []meeting) []jsondoc.Object {
	docs := []jsondoc.Object{}
	for _, m := range met {
		doc := jsondoc.Object{{Key: "session_id", Value: m.SessionID}}
		doc.AddText("name", m.Name)
		doc.Add("paths", m.paths)
		docs = append(docs, doc)
	}
	return docs
}
