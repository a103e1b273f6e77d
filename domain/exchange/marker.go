package exchange

import (
	"math"
	"path"
	"time"

	"github.com/changeover/changeover/domain/jsondoc"
)

// MarkerName is the base name of the file whose presence makes a directory a
// root.
const MarkerName = "exchange.json"

// MarkerPath returns where the marker of a root lies.
func MarkerPath(root string) string { return path.Join(root, ".claude", MarkerName) }

// Config is what a root's marker says, defaults filled in.
type Config struct {
	Name              string
	StaleDays         int
	MaxFocusChars     int
	MaxHotPaths       int
	MaxHandoffsListed int
	Labels            map[string]string
	Deliver           string
	Scripted          bool
	Ledger            *Ledger
}

// staleAfter is the age past which something is old. Ages that no clock can
// measure count as the greatest one that it can.
func (c Config) staleAfter() time.Duration {
	const day = 24 * time.Hour
	return time.Duration(min(int64(c.StaleDays), int64(math.MaxInt64/day))) * day
}

// Ledger names a markdown ledger from which handoffs can be imported.
type Ledger struct {
	Path    string
	Section string
	Routes  map[string]Address
}

// DefaultConfig returns the values of a root whose marker says nothing.
func DefaultConfig(root string) Config {
	return configOf(map[string]any{"name": path.Base(root)})
}

// ParseMarker reads a marker. With an error the config is the default one:
// valid keys of a faulty marker are not used.
func ParseMarker(root string, data []byte) (Config, error) {
	object, err := parse(MarkerPath(root), data, markerSchema())
	if err != nil {
		return DefaultConfig(root), err
	}
	return configOf(object), nil
}

func configOf(object map[string]any) Config {
	cfg := Config{
		Name:              jsondoc.Text(object, "name"),
		StaleDays:         markerInt(object, "stale_days"),
		MaxFocusChars:     markerInt(object, "max_focus_chars"),
		MaxHotPaths:       markerInt(object, "max_hot_paths"),
		MaxHandoffsListed: markerInt(object, "max_handoffs_listed"),
		Deliver:           markerText(object, markerSchema(), "deliver"),
	}
	cfg.Scripted, _ = object["scripted"].(bool)
	labels := objectAt(object, "labels")
	for _, key := range sortedKeys(labels) { // two keys may be one spelling
		if cfg.Labels == nil {
			cfg.Labels = map[string]string{}
		}
		cfg.Labels[spelling(key)] = jsondoc.Text(labels, key)
	}
	if ledger := objectAt(object, "legacy_ledger"); ledger != nil {
		cfg.Ledger = ledgerOf(ledger)
	}
	return cfg
}

func ledgerOf(object map[string]any) *Ledger {
	ledger := &Ledger{
		Path:    jsondoc.Text(object, "path"),
		Section: markerText(object, fieldOf(markerSchema(), "legacy_ledger"), "section"),
		Routes:  map[string]Address{},
	}
	routes := objectAt(object, "routes")
	for label := range routes {
		route := objectAt(routes, label)
		ledger.Routes[label] = Address{Repo: jsondoc.Text(route, "repo"), Paths: textsAt(route, "paths")}
	}
	return ledger
}

func markerInt(object map[string]any, key string) int {
	if _, ok := object[key]; ok {
		return intAt(object, key)
	}
	standard, _ := fieldOf(markerSchema(), key).standard.(int)
	return standard
}

func markerText(object map[string]any, s schema, key string) string {
	if _, ok := object[key]; ok {
		return jsondoc.Text(object, key)
	}
	standard, _ := fieldOf(s, key).standard.(string)
	return standard
}

func fieldOf(s schema, key string) schema {
	for _, f := range s.fields {
		if f.key == key {
			return f.schema
		}
	}
	panic("exchange: the schema has no key " + key)
}

// EncodeMarker returns the marker that init writes, or an error where the name
// cannot be one.
func EncodeMarker(name string) ([]byte, error) {
	data := jsondoc.Stored(jsondoc.Object{{Key: "name", Value: name}})
	if _, err := parse(MarkerName, data, markerSchema()); err != nil {
		return nil, err
	}
	return data, nil
}
