package checks_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// networkUsers are the packages of others that a program may link although they import
// the network: for the types of addresses, which they print. None of ours may.
var networkUsers = []string{"github.com/rs/zerolog", "github.com/spf13/pflag"}

// No program opens a connection: none of our packages imports what can, and nothing that
// speaks HTTP or TLS is linked.
func TestProducts_TalkToNoNetwork(t *testing.T) {
	const imports = `{{$p := .ImportPath}}{{if not .Standard}}{{range .Imports}}{{$p}} {{.}}{{"\n"}}{{end}}{{end}}{{if .Standard}}std {{$p}}{{"\n"}}{{end}}`
	for _, program := range []string{"exchange-cli", "relay-cli", "baton-cli", "hookd"} {
		listed, err := output(t, filepath.Join(repository(t), program), nil, "go", "list", "-deps", "-f", imports, ".")
		if err != nil {
			t.Fatalf("go list: %v\n%s", err, listed)
		}
		for line := range strings.Lines(listed) {
			user, imported, ok := strings.Cut(strings.TrimSpace(line), " ")
			switch {
			case !ok:
			case user == "std":
				if within(imported, "net/http") || within(imported, "crypto/tls") || within(imported, "net/rpc") || within(imported, "net/smtp") {
					t.Errorf("%s links %s", program, imported)
				}
			case within(imported, "net") && imported != "net/url" && imported != "net/netip" || within(imported, "golang.org/x/net"):
				if !slices.ContainsFunc(networkUsers, func(known string) bool { return within(user, known) }) {
					t.Errorf("%s: %s imports %s", program, user, imported)
				}
			}
		}
	}
}
