package exchange

import (
	"github.com/changeover/changeover/domain/jsondoc"
)

// idPattern is the published form of an id. Names of unfinished files are
// excluded beside it.
const idPattern = `^[A-Za-z0-9._-]+$`

// SchemaFile is one published JSON Schema.
type SchemaFile struct {
	// Name is the base name of the file.
	Name string
	Data []byte
}

// Schemas returns the JSON Schemas of everything that a root holds, made from
// what the validator reads. The marker's holds its defaults.
func Schemas() []SchemaFile {
	var files []SchemaFile
	for _, s := range []struct {
		name, title string
		schema      schema
	}{
		{"exchange", "Marker and configuration of a root: .claude/exchange.json", markerSchema()},
		{"session", "Claim of one session: .claude/exchange/sessions/<session id>.json", claimSchema()},
		{"handoff", "Handoff record: .claude/exchange/handoffs/<id>.json", handoffSchema()},
		{"status", "Move of a handoff: .claude/exchange/handoffs/<id>.d/<position>-<suffix>.json", moveSchema()},
	} {
		doc := jsondoc.Object{
			{Key: "$schema", Value: "https://json-schema.org/draft/2020-12/schema"},
			{Key: "title", Value: s.title},
		}
		files = append(files, SchemaFile{Name: SchemaName(s.name), Data: jsondoc.Stored(append(doc, published(s.schema)...))})
	}
	return files
}

// SchemaName returns the base name of the published schema of a kind of file.
func SchemaName(kind string) string { return kind + ".schema.json" }

func published(s schema) jsondoc.Object {
	var doc jsondoc.Object
	switch s.form {
	case textForm:
		doc = publishedText(s)
	case integerForm:
		doc = jsondoc.Object{{Key: "type", Value: "integer"}, {Key: "minimum", Value: s.min}, {Key: "maximum", Value: maxInteger}}
	case booleanForm:
		doc = jsondoc.Object{{Key: "type", Value: "boolean"}}
	case listForm:
		doc = jsondoc.Object{{Key: "type", Value: "array"}, {Key: "items", Value: published(*s.item)}}
	case mapForm:
		doc = jsondoc.Object{{Key: "type", Value: "object"}, {Key: "additionalProperties", Value: published(*s.item)}}
	case objectForm:
		doc = publishedObject(s)
	}
	if s.standard != nil {
		doc.Add("default", s.standard)
	}
	return doc
}

func publishedText(s schema) jsondoc.Object {
	doc := jsondoc.Object{{Key: "type", Value: "string"}}
	if s.min > 0 {
		doc.Add("minLength", s.min)
	}
	doc.AddTexts("enum", s.oneOf)
	switch s.format {
	case idText:
		doc.Add("pattern", idPattern)
		doc.Add("not", jsondoc.Object{{Key: "pattern", Value: `^\.tmp-`}})
	case timestampText:
		doc.Add("pattern", timestampPattern)
	case dateText:
		doc.Add("pattern", datePattern)
	case anyText:
	}
	return doc
}

func publishedObject(s schema) jsondoc.Object {
	if len(s.choices) > 0 {
		var shapes []jsondoc.Object
		for _, c := range s.choices {
			shapes = append(shapes, publishedObject(objectOf(c.fields...)))
		}
		return jsondoc.Object{{Key: "oneOf", Value: shapes}}
	}
	var properties jsondoc.Object
	var needed []string
	for _, f := range s.fields {
		properties.Add(f.key, published(f.schema))
		if f.required {
			needed = append(needed, f.key)
		}
	}
	doc := jsondoc.Object{{Key: "type", Value: "object"}, {Key: "properties", Value: properties}}
	doc.AddTexts("required", needed)
	doc.Add("additionalProperties", false)
	return doc
}
