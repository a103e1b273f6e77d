package reference

import (
	"io/fs"

	"github.com/changeover/changeover/adapters/relayconfig"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

// home is where the examples of the page lie.
const home = "/home/you"

// relay is the part about relay's configuration file.
func (p *page) relay() {
	none, err := terms("")
	if err != nil {
		panic(err) // a reader that does not take its own defaults
	}
	p.text("## relay: `~/.config/relay/config.json`, what a person brings into every link\n")
	p.text("Below `XDG_CONFIG_HOME` where that is set. Flags go before variables, variables before the file. A wrong value, a key that\n" +
		"nobody knows or a file that is no JSON ends the command with exit code 1 before anything is done.\n")
	var rows [][]string
	for _, key := range []struct {
		name, kind string
		standard   any
	}{{"max_rounds", "integer", none.MaxRounds}, {"lang", "text", none.Lang}} {
		_, err := terms(string(jsondoc.Stored(jsondoc.Object{{Key: key.name, Value: "?"}})))
		rows = append(rows, []string{code(key.name), key.kind, shown(key.standard), said(err)})
	}
	p.table([]string{"key", "type", "default", "what is said of a wrong one"}, rows)
}

// terms are those of a file with that content; of no file where there is none.
func terms(file string) (relay.Terms, error) { return termsIn(file, with("", "")) }

func termsIn(file string, env port.Environment) (relay.Terms, error) {
	return relayconfig.New(content(file), env).Terms()
}

// content is a file system in which every file has that content; none is there where
// it is empty.
type content string

// ReadFile implements port.FileReader.
func (c content) ReadFile(name string, limit int64) ([]byte, error) { return c.ReadLinked(name, limit) }

// ReadLinked implements port.FileReader.
func (c content) ReadLinked(string, int64) ([]byte, error) {
	if c == "" {
		return nil, fs.ErrNotExist
	}
	return []byte(c), nil
}
