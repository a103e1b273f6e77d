package linkstore

import (
	"time"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/relay"
)

func encodeEvent(e relay.Event) jsondoc.Object {
	doc := jsondoc.Object{{Key: "kind", Value: string(e.Kind)}, {Key: "at", Value: e.At.UTC().Format(time.RFC3339Nano)}}
	if e.Party != (relay.Party{}) {
		doc.Add("party", encodeParty(e.Party))
	}
	doc.AddText("peer", e.Peer)
	doc.AddText("nonce", e.Nonce)
	addNumber(&doc, "max_rounds", e.MaxRounds)
	doc.AddText("lang", e.Lang)
	doc.AddText("prompt", e.Prompt)
	doc.AddText("text", e.Text)
	doc.AddText("digest", e.Digest)
	addFlag(&doc, "has_done", e.HasDone)
	doc.AddText("summary", e.Summary)
	addNumber(&doc, "left", e.Left)
	addFlag(&doc, "unclosed", e.Unclosed)
	addFlag(&doc, "waiting", e.Waiting)
	addNumber(&doc, "of", e.Of)
	addNumber(&doc, "round", e.Round)
	addNumber(&doc, "answers", e.Answers)
	addFlag(&doc, "corrects", e.Corrects)
	doc.AddText("from", string(e.From))
	addNumber(&doc, "delivery", e.Delivery)
	addNumber(&doc, "copy", e.Copy)
	addFlag(&doc, "with_prompt", e.WithPrompt)
	doc.AddText("reason", string(e.Reason))
	doc.AddText("detail", e.Detail)
	if len(e.Answered) > 0 {
		refs := []jsondoc.Object{}
		for _, ref := range e.Answered {
			refs = append(refs, jsondoc.Object{{Key: "role", Value: string(ref.Role)}, {Key: "seq", Value: ref.Seq}})
		}
		doc.Add("answered", refs)
	}
	return doc
}

func decodeEvent(seq int, object map[string]any) relay.Event {
	e := relay.Event{
		Seq: seq, Kind: relay.Kind(jsondoc.Text(object, "kind")), At: decodeInstant(jsondoc.Text(object, "at")),
		Peer: jsondoc.Text(object, "peer"), Nonce: jsondoc.Text(object, "nonce"),
		MaxRounds: number(object, "max_rounds"), Lang: jsondoc.Text(object, "lang"),
		Prompt: jsondoc.Text(object, "prompt"), Text: jsondoc.Text(object, "text"), Digest: jsondoc.Text(object, "digest"),
		HasDone: flag(object, "has_done"), Summary: jsondoc.Text(object, "summary"), Left: number(object, "left"),
		Unclosed: flag(object, "unclosed"), Waiting: flag(object, "waiting"),
		Of: number(object, "of"), Round: number(object, "round"), Answers: number(object, "answers"),
		Corrects: flag(object, "corrects"),
		From:     relay.Role(jsondoc.Text(object, "from")), Delivery: number(object, "delivery"), Copy: number(object, "copy"),
		WithPrompt: flag(object, "with_prompt"),
		Reason:     relay.Reason(jsondoc.Text(object, "reason")), Detail: jsondoc.Text(object, "detail"),
	}
	if party, ok := object["party"].(map[string]any); ok {
		e.Party = decodeParty(party)
	}
	refs, _ := object["answered"].([]any)
	for _, ref := range refs {
		if ref, ok := ref.(map[string]any); ok {
			e.Answered = append(e.Answered, relay.Ref{Role: relay.Role(jsondoc.Text(ref, "role")), Seq: number(ref, "seq")})
		}
	}
	return e
}

// lastYear is the last year that a date of four digits can be of.
const lastYear = 9999

// decodeInstant reads an instant, which is for showing alone. One that cannot be
// written in UTC, since its offset leads into another year than there are, is none.
func decodeInstant(s string) time.Time {
	at, _ := time.Parse(time.RFC3339Nano, s)
	if year := at.UTC().Year(); year < 0 || year > lastYear {
		return time.Time{}
	}
	return at
}

func encodeParty(p relay.Party) jsondoc.Object {
	doc := jsondoc.Object{{Key: "session", Value: p.Session}}
	doc.AddText("name", p.Name)
	doc.AddText("cwd", p.Cwd)
	addNumber(&doc, "pid", p.PID)
	doc.AddText("start", p.Start)
	return doc
}

func decodeParty(object map[string]any) relay.Party {
	return relay.Party{
		Session: jsondoc.Text(object, "session"), Name: jsondoc.Text(object, "name"), Cwd: jsondoc.Text(object, "cwd"),
		PID: number(object, "pid"), Start: jsondoc.Text(object, "start"),
	}
}

func encodeDelivery(d relay.Delivery) jsondoc.Object {
	doc := jsondoc.Object{
		{Key: "link", Value: d.Link},
		{Key: "nonce", Value: d.Nonce},
		{Key: "from", Value: string(d.From)},
		{Key: "seq", Value: d.Seq},
		{Key: "round", Value: d.Round},
		{Key: "text", Value: d.Text},
		{Key: "digest", Value: d.Digest},
	}
	addNumber(&doc, "copy", d.Copy)
	addFlag(&doc, "corrects", d.Corrects)
	return doc
}

func decodeDelivery(to relay.Role, b relay.Box, object map[string]any) relay.Delivery {
	return relay.Delivery{
		Link: jsondoc.Text(object, "link"), Nonce: jsondoc.Text(object, "nonce"), From: relay.Role(jsondoc.Text(object, "from")), To: to,
		Seq: number(object, "seq"), Copy: b.Copy, Round: number(object, "round"), Text: jsondoc.Text(object, "text"),
		Digest: jsondoc.Text(object, "digest"), Corrects: flag(object, "corrects"),
	}
}

func addNumber(doc *jsondoc.Object, key string, n int) {
	if n != 0 {
		doc.Add(key, n)
	}
}

func addFlag(doc *jsondoc.Object, key string, set bool) {
	if set {
		doc.Add(key, true)
	}
}
