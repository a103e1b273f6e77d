// Package outputs says what the programs print with --json: one JSON Schema for
// each command that has the flag. The schemas under docs/schemas are written from
// it.
package outputs

import (
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
)

// shape is what a value looks like: a JSON Schema.
type shape = jsondoc.Object

// File is one published schema.
type File struct {
	Name string
	Data []byte
}

// answer is what one command prints.
type answer struct {
	// command is the command as it is typed, with its program.
	command string
	// says is what the document is, in a sentence.
	says string
	// forms are the shapes that it has, by circumstance.
	forms []shape
}

// Commands are the commands that have --json, in order.
func Commands() []string {
	var commands []string
	for _, a := range answers() {
		commands = append(commands, a.command)
	}
	slices.Sort(commands)
	return commands
}

// FileOf is the name of the schema of a command.
func FileOf(command string) string { return strings.ReplaceAll(command, " ", "-") + ".schema.json" }

// Files are the schemas, in order.
func Files() []File {
	var files []File
	for _, a := range answers() {
		files = append(files, File{Name: FileOf(a.command), Data: jsondoc.Stored(a.schema())})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

func answers() []answer { return slices.Concat(relayAnswers(), exchangeAnswers(), batonAnswers()) }

func (a answer) schema() shape {
	schema := shape{
		{Key: "$schema", Value: "https://json-schema.org/draft/2020-12/schema"},
		{Key: "title", Value: a.command + " --json"},
		{Key: "description", Value: a.says},
	}
	if len(a.forms) == 1 {
		return append(schema, a.forms[0]...)
	}
	return append(schema, jsondoc.Member{Key: "anyOf", Value: a.forms})
}

func kind(name string) shape { return shape{{Key: "type", Value: name}} }

func text() shape    { return kind("string") }
func yesNo() shape   { return kind("boolean") }
func whole() shape   { return kind("integer") }
func decimal() shape { return kind("number") }

// count is a whole number from zero on.
func count() shape { return append(whole(), jsondoc.Member{Key: "minimum", Value: 0}) }

// instant is a point in time.
func instant() shape { return append(text(), jsondoc.Member{Key: "format", Value: "date-time"}) }

// one is a text out of a closed list.
func one[T ~string](values ...T) shape {
	list := []string{}
	for _, v := range values {
		list = append(list, string(v))
	}
	return append(text(), jsondoc.Member{Key: "enum", Value: list})
}

// exactly is one value alone.
func exactly(value any) shape { return shape{{Key: "const", Value: value}} }

func list(of shape) shape { return append(kind("array"), jsondoc.Member{Key: "items", Value: of}) }

// orNull is a shape, or null for nothing.
func orNull(s shape) shape { return either(s, kind("null")) }

func either(shapes ...shape) shape { return shape{{Key: "anyOf", Value: shapes}} }

// byName is an object whose members have names of their own.
func byName(of shape) shape {
	return append(kind("object"), jsondoc.Member{Key: "additionalProperties", Value: of})
}

// member is one of an object.
type member struct {
	name     string
	shape    shape
	optional bool
}

// must is a member that is always there.
func must(name string, s shape) member { return member{name: name, shape: s} }

// may is a member that is absent where there is nothing to say.
func may(name string, s shape) member { return member{name: name, shape: s, optional: true} }

// describe gives a member a sentence.
func (m member) describe(says string) member {
	m.shape = append(slices.Clone(m.shape), jsondoc.Member{Key: "description", Value: says})
	return m
}

// object has these members and no others.
func object(members ...member) shape { return record(false, members) }

// record is one that may have more than these members where others is true.
func record(others bool, members []member) shape {
	properties, required := jsondoc.Object{}, []string{}
	for _, m := range members {
		properties.Add(m.name, m.shape)
		if !m.optional {
			required = append(required, m.name)
		}
	}
	return append(kind("object"),
		jsondoc.Member{Key: "properties", Value: properties},
		jsondoc.Member{Key: "required", Value: required},
		jsondoc.Member{Key: "additionalProperties", Value: others},
	)
}

// with is an object that has more members.
func with(members []member, more ...member) []member { return slices.Concat(members, more) }

// Streams are the commands that print one document a line, as things happen.
func Streams() []string { return []string{"relay watch"} }
