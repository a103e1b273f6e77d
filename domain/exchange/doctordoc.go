package exchange

import "github.com/changeover/changeover/domain/jsondoc"

// Document renders the report for a script.
func (r DoctorReport) Document() jsondoc.Object {
	var plugin jsondoc.Object
	plugin.AddText("version", r.plugin.version)
	plugin.Add("dir", r.plugin.dir)
	doc := jsondoc.Object{{Key: "plugin", Value: plugin}}
	if !r.hasStore {
		doc.Add("root", nil)
		doc.Add("problems", r.Problems())
		return doc
	}
	doc.Add("root", r.site.Root)
	doc.Add("rule", string(r.site.Rule))
	doc.Add("name", r.site.cfg.Name)
	doc.Add("marker", r.markerState())
	doc.Add("legacy", r.legacyDocument())
	doc.Add("double_fire", len(r.wirings.scoped()) > 0)
	doc.Add("cross_root", len(r.wirings.wide()) > 0)
	hooks := []jsondoc.Object{}
	for _, h := range r.hooks {
		hook := jsondoc.Object{{Key: "file", Value: h.file}}
		hook.AddText("command", h.command)
		hooks = append(hooks, hook)
	}
	doc.Add("hooks", hooks)
	doc.Add("wired_twice", len(r.hooks) > 1)
	doc.Add("codex", r.codexDocument())
	doc.Add("registry", registryDocument(r.site.registry.Unread()))
	doc.Add("store", jsondoc.Object{{Key: "faults", Value: len(r.store.all())}})
	steps := []jsondoc.Object{}
	var next any
	for _, step := range r.steps {
		item := jsondoc.Object{
			{Key: "number", Value: step.Number}, {Key: "title", Value: step.Title}, {Key: "mark", Value: string(step.Mark)},
		}
		item.AddText("why", step.Why)
		steps = append(steps, item)
		if next == nil && step.Mark == StepOutstanding {
			next = step.Number
		}
	}
	doc.Add("steps", steps)
	doc.Add("next", next)
	doc.Add("problems", r.Problems())
	return doc
}

func (r DoctorReport) markerState() string {
	switch {
	case r.site.cfgErr != nil:
		return "faulty"
	case r.marked:
		return "valid"
	}
	return "absent"
}

func (r DoctorReport) legacyDocument() jsondoc.Object {
	wired := []jsondoc.Object{}
	for _, x := range r.wirings.legacy {
		scope := "root"
		if x.wide {
			scope = "machine"
		}
		wired = append(wired, jsondoc.Object{
			{Key: "script", Value: x.script}, {Key: "settings", Value: x.settings}, {Key: "scope", Value: scope},
		})
	}
	return jsondoc.Object{{Key: "on_disk", Value: append([]string{}, r.wirings.onDisk...)}, {Key: "wired", Value: wired}}
}
