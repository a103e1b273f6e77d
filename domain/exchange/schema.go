package exchange

import "sync"

// form is the type of a JSON value.
type form int

const (
	textForm form = iota
	integerForm
	booleanForm
	listForm
	mapForm
	objectForm
)

// format is what a text must look like beyond its length.
type format int

const (
	anyText format = iota
	idText
	timestampText
	dateText
)

// maxInteger is the greatest integer that every JSON reader keeps exactly.
const maxInteger = 1<<53 - 1

// schema describes one JSON value. It is the one place for keys, limits and
// defaults: the validator and the published JSON Schemas both read it.
type schema struct {
	form     form
	format   format
	min      int      // text: code points; integer: value
	oneOf    []string // text: the permitted values
	item     *schema  // list, map: each value
	fields   []field  // object
	choices  []choice // object that must take exactly one of several shapes
	standard any      // value used where the key is absent
}

// field is one key of an object.
type field struct {
	key      string
	required bool
	schema   schema
}

// choice is one shape of an object, recognised by the key it requires.
type choice struct {
	key    string
	fields []field
}

func textOf(min int) schema     { return schema{form: textForm, min: min} }
func formatted(f format) schema { return schema{form: textForm, format: f, min: 1} }
func integerOf(min, standard int) schema {
	return schema{form: integerForm, min: min, standard: standard}
}

func listOf(item schema) schema { return schema{form: listForm, item: &item} }
func mapOf(item schema) schema  { return schema{form: mapForm, item: &item} }

func objectOf(fields ...field) schema { return schema{form: objectForm, fields: fields} }

func required(key string, s schema) field { return field{key: key, required: true, schema: s} }
func optional(key string, s schema) field { return field{key: key, schema: s} }

// Values of deliver: how far a handoff goes to a session that already runs.
const (
	DeliverAtStart  = "start"
	DeliverAtPrompt = "prompt"
	DeliverByWaking = "wake"
)

var markerSchema = sync.OnceValue(func() schema {
	return objectOf(
		required("name", textOf(1)),
		optional("stale_days", integerOf(1, 7)),
		optional("max_focus_chars", integerOf(1, 240)),
		optional("max_hot_paths", integerOf(0, 6)),
		optional("max_handoffs_listed", integerOf(1, 8)),
		optional("labels", mapOf(textOf(0))),
		optional("deliver", schema{
			form:     textForm,
			oneOf:    []string{DeliverAtStart, DeliverAtPrompt, DeliverByWaking},
			standard: DeliverAtPrompt,
		}),
		optional("scripted", schema{form: booleanForm, standard: false}),
		optional("legacy_ledger", objectOf(
			required("path", textOf(1)),
			optional("section", schema{form: textForm, standard: "Open questions / handoffs"}),
			optional("routes", mapOf(objectOf(
				required("repo", textOf(1)),
				optional("paths", listOf(textOf(1))),
			))),
		)),
	)
})

var claimSchema = sync.OnceValue(func() schema {
	return objectOf(
		required("session_id", formatted(idText)),
		optional("name", textOf(0)),
		required("cwd", textOf(1)),
		optional("git_branch", textOf(0)),
		optional("focus", textOf(0)),
		optional("repos", listOf(textOf(1))),
		optional("paths", listOf(textOf(1))),
		optional("tickets", listOf(textOf(1))),
		optional("was", listOf(formatted(idText))),
		optional("process", objectOf(
			required("pid", schema{form: integerForm, min: 1}),
			required("start", textOf(1)),
		)),
		required("updated_at", formatted(timestampText)),
	)
})

var handoffSchema = sync.OnceValue(func() schema {
	return objectOf(
		required("id", formatted(idText)),
		required("from", objectOf(
			optional("session_id", formatted(idText)),
			optional("name", textOf(0)),
			required("cwd", textOf(1)),
		)),
		required("to", schema{form: objectForm, choices: []choice{
			{key: "repo", fields: []field{required("repo", textOf(1)), optional("paths", listOf(textOf(1)))}},
			{key: "session_id", fields: []field{required("session_id", formatted(idText))}},
		}}),
		required("created", formatted(timestampText)),
		required("body", textOf(1)),
		optional("imported", objectOf(
			required("route", textOf(1)),
			required("headline", textOf(1)),
			optional("date", formatted(dateText)),
		)),
	)
})

var moveSchema = sync.OnceValue(func() schema {
	return objectOf(
		required("at", formatted(timestampText)),
		required("status", schema{form: textForm, oneOf: []string{string(Open), string(Accepted), string(Closed)}}),
		required("after", schema{form: integerForm}),
		optional("by", textOf(0)),
		optional("note", textOf(0)),
	)
})

var receiptSchema = sync.OnceValue(func() schema {
	return objectOf(
		required("at", formatted(timestampText)),
		required("how", schema{form: textForm, oneOf: []string{string(ShownAtStart), string(ShownAtPrompt), string(ShownByWaking)}}),
		optional("name", textOf(0)),
	)
})
