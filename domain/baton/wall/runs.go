package wall

import (
	"bytes"
	"maps"
	"slices"

	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
)

// Runs is what runs.jsonl holds.
type Runs struct {
	// Records are in the order of the file.
	Records []RunRecord

	// Unread are the lines, counted from 1, that hold no record, an
	// unfinished last one among them.
	Unread []int

	// Open: the last line does not end. Whoever adds the next one closes it.
	Open bool

	// Unfinished: the last line does not end and is unread.
	Unfinished bool
}

// ReadRuns reads the file, or an end of it that may begin inside a line.
func ReadRuns(data []byte) Runs {
	var runs Runs
	runs.Open = len(data) > 0 && data[len(data)-1] != '\n'
	at := 0
	for whole := range bytes.Lines(data) {
		at++
		line := bytes.TrimSpace(whole)
		if len(line) == 0 {
			continue
		}
		r, err := readRecord(line)
		if err != nil {
			runs.Unread = append(runs.Unread, at)
			runs.Unfinished = !bytes.HasSuffix(whole, []byte("\n"))
			continue
		}
		runs.Records = append(runs.Records, r)
	}
	return runs
}

// Last returns the newest record.
func (r Runs) Last() (RunRecord, bool) {
	if len(r.Records) == 0 {
		return RunRecord{}, false
	}
	return r.Records[len(r.Records)-1], true
}

// Lost are the lines that hold no record and that nothing will be made of any more:
// the unread ones but for an unfinished last line.
func (r Runs) Lost() []int {
	if r.Unfinished {
		return r.Unread[:len(r.Unread)-1]
	}
	return r.Unread
}

// Walled returns the newest record of a run that met a wall; ok is false where none
// did.
func (r Runs) Walled() (record RunRecord, ok bool) {
	for _, record := range slices.Backward(r.Records) {
		if record.walled() {
			return record, true
		}
	}
	return RunRecord{}, false
}

// StoppedAtWall says whether an agent's newest run met a wall. An agent without any
// run did not say; that counts as one.
func (r Runs) StoppedAtWall(agent string) bool {
	for _, record := range slices.Backward(r.Records) {
		if record.Agent == agent {
			return record.walled()
		}
	}
	return true
}

func (r RunRecord) walled() bool { return r.Class != None && r.Class != Killed }

// Find returns the record of a run.
func (r Runs) Find(n int) (RunRecord, bool) {
	for _, record := range slices.Backward(r.Records) {
		if record.N == n {
			return record, true
		}
	}
	return RunRecord{}, false
}

// Line returns what to append for a record: it gets the next number, and a line
// that does not end is closed before it.
func (r Runs) Line(record RunRecord) (RunRecord, []byte) {
	record.N = 1
	for _, earlier := range r.Records {
		record.N = max(record.N, earlier.N+1)
	}
	line := append(jsondoc.Line(record.Document()), '\n')
	if r.Open {
		line = append([]byte{'\n'}, line...)
	}
	return record, line
}

// readRecord reads a line. What is null or absent is zero; another type is a
// fault.
func readRecord(line []byte) (RunRecord, error) {
	f, err := jsondoc.DecodeFields(line)
	if err != nil {
		return RunRecord{}, err
	}
	evidence, ignored := f.Child("evidence"), f.Child("ignored")
	r := RunRecord{
		N:             f.Int("n"),
		Agent:         f.Text("agent"),
		Role:          Role(f.Text("role")),
		Protocol:      f.Text("protocol"),
		Argv:          f.Texts("argv"),
		PromptChars:   f.Int("promptChars"),
		PromptVia:     f.Text("promptVia"),
		ClientSession: f.Text("clientSession"),
		StartedAt:     stamp.Field(f, "startedAt"),
		EndedAt:       stamp.Field(f, "endedAt"),
		ExitCode:      f.Int("exitCode"),
		Signal:        f.Int("signal"),
		Class:         Class(f.Text("class")),
		Limit:         Limit{Kind: Kind(f.Text("kind")), ResetAt: stamp.Field(f, "resetAt"), Exact: f.Flag("resetExact")},
		Rule:          f.Text("rule"),
		Evidence: Evidence{
			Source: Source(evidence.Text("source")), Event: evidence.Text("event"), Text: evidence.Text("text"),
			File: evidence.Text("file"), Line: evidence.Int("line"),
		},
		Ignored:  Ignored{Count: ignored.Int("count"), FirstLine: ignored.Text("firstLine")},
		Decision: Action(f.Text("decision")),
		Next:     f.Text("next"),
		Why:      f.Text("why"),
	}
	denied := f.Child("denied")
	for _, name := range denied.Keys() {
		if r.Denied == nil {
			r.Denied = map[string]int{}
		}
		r.Denied[name] = denied.Int(name)
	}
	for _, forced := range f.Children("forced") {
		r.Forced = append(r.Forced, Forced{Gate: forced.Text("gate"), Detail: forced.Text("detail")})
	}
	if r.N < 1 {
		f.Fail("n", "the number of a run")
	}
	if r.Agent == "" {
		f.Fail("agent", "the name of an agent")
	}
	if !r.Class.Valid() {
		f.Fail("class", "a class")
	}
	return r, f.Err()
}

// counts writes numbers by name, in the order of the names.
func counts(by map[string]int) jsondoc.Object {
	object := jsondoc.Object{}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		object.Add(name, by[name])
	}
	return object
}
