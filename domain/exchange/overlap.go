package exchange

import (
	"slices"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
)

// shares reports that two sessions work in one repo.
func (h Holder) shares(other Holder) bool {
	return slices.ContainsFunc(h.Repos, func(mine string) bool {
		return slices.ContainsFunc(other.Repos, func(theirs string) bool { return spelling(mine) == spelling(theirs) })
	})
}

// holders works out the repos and paths of sessions, and looks once for each
// directory and each list.
type holders struct {
	trees GitTrees
	root  string
	repos map[string]string
	// grounds are known by where the list of their paths begins.
	grounds map[*string]ground
}

func (w World) holders(root string) holders {
	return holders{trees: w.trees(), root: root, repos: map[string]string{}, grounds: map[*string]ground{}}
}

// of returns the session of a claim as addresses see it: with the repo that its
// directory is in.
func (h holders) of(c Claim) Holder {
	return Holder{IDs: c.IDs(), Repos: h.withRepo(c.Repos, c.Cwd), Paths: c.Paths}
}

// ground returns what a list of paths, which has some, is about.
func (h holders) ground(paths []string) ground {
	g, known := h.grounds[&paths[0]]
	if !known {
		g = newGround(paths)
		h.grounds[&paths[0]] = g
	}
	return g
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
	paths = h.ground(me.Paths).clashes(h.ground(c.Paths))
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
	me := r.holders.of(item.Claim)
	if len(me.Paths) == 0 {
		return nil
	}
	// Each directory is looked up once here, and there are fewer repos than paths.
	sharing := slices.DeleteFunc(slices.Clone(r.working), func(w StoredClaim) bool { return !me.shares(r.holders.of(w.Claim)) })
	return r.holders.meetings(me, sharing)
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
