package agentproc

import (
	"testing"

	"github.com/matryer/is"
)

func TestParseStat_CountsBehindTheCommand(t *testing.T) {
	const tail = " 7 6 5 0 -1 4194304 1 0 0 0 1 2 3 4 20 0 1 0 9912 8192 1 18446744073709551615\n"
	tests := []struct {
		name string
		line string
		want process
		ok   bool
	}{
		{"plain", "8 (sh) S" + tail, process{pid: 8, parent: 7, group: 6, start: 9912}, true},
		{"parentheses and blanks in the command", "8 (a) R 1 (b) S" + tail, process{pid: 8, parent: 7, group: 6, start: 9912}, true},
		{"zombie", "8 (sh) Z" + tail, process{}, false},
		{"cut off", "8 (sh) S 7 6", process{}, false},
		{"empty", "", process{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, ok := parseStat(8, []byte(tt.line))
			is.Equal(ok, tt.ok)
			is.Equal(got, tt.want)
		})
	}
}
