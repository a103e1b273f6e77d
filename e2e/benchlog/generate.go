package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

// mix draws the lines of a log: the same ones each time.
type mix struct{ state uint64 }

func (m *mix) next(n int) int {
	m.state = m.state*6364136223846793005 + 1442695040888963407
	return int(m.state>>33) % n
}

// words fill the lines; what phrases are made of is among them.
var words = strings.Fields(`the module client server request response handler context token usage file
	package import function return value error test build commit branch merge index cache buffer stream reader writer
	limit quota budget session agent plan step größe für läuft naïve done running waiting started finished
	src/main.go internal/store/store.go pkg/api/handler_test.go node_modules/react/index.js README.md
	and of to in is that for on with as it was be by this are from at have not but which when into more than then
	same other only each both after before between because where there their while should would could must
	change changes add adds remove removes update updates check checks fix fixes call calls read reads write writes
	type struct interface method field pointer slice map channel goroutine lock mutex timeout deadline cancel signal
	process thread parent child pid exit code status state event message header body query cursor page offset length
	create created delete deleted open opened close closed fail failure success passed skipped pending queued
	0 1 2 3 4 5 8 12 16 32 64 100 128 200 256 404 500 512 1024 4096 0x7f a1b2c3d 9f8e7d6 v1.2.3 3.14 2026-05-28
	true false nil null undefined string int float bool byte rune array object number key keys values entry entries
	TODO FIXME NOTE warning: debug: info: trace: npm yarn pnpm cargo go python pytest jest vitest webpack vite docker`)

// generate writes a log of about so many bytes: runs of JSON and of generic agents,
// tool output, colours, failures, hits, exit lines.
func generate(path string, size int64) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<20)
	written, line := int64(0), 0
	m := mix{state: 1}
	for written < size {
		n, err := io.WriteString(out, m.line(line))
		if err != nil {
			return err
		}
		written += int64(n)
		line++
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

// line returns one line with its end.
func (m *mix) line(number int) string {
	switch {
	case number%20000 == 0:
		return fmt.Sprintf("\n--- 2026-05-28T09:%02d:%02d.000Z START codex exec --sandbox workspace-write --json <prompt 84 chars> ---\n", number/60%60, number%60)
	case number%20000 == 19999:
		return fmt.Sprintf("--- exit %d ---\n", m.next(2))
	case number%5000 == 4000:
		return "[stderr] Error: quota exceeded; please try again later\n"
	case number%9000 == 5000:
		return "[error] You’ve hit your usage limit. Try again at 3:00 PM.\n"
	case number%7000 == 3000:
		return "[out] build failed in package " + m.prose(4) + "\n"
	}
	switch kind := m.next(100); {
	case kind < 45:
		return "[out] " + m.prose(19) + "\n"
	case kind < 60:
		return fmt.Sprintf("[out] ok  \texample.test/pkg%05d\t%d.%03ds coverage: %d.%d%% of statements\n", m.next(100000), m.next(10), m.next(1000), m.next(100), m.next(10))
	case kind < 70:
		return "[agent] " + m.prose(32) + "\n"
	case kind < 74:
		return "[tool] $ /bin/bash -lc 'grep -rn " + m.prose(2) + " .'\n"
	case kind < 78:
		return "[out] \x1b[32m✓\x1b[0m " + m.prose(13) + " \x1b[90m(12 ms)\x1b[0m\n"
	case kind < 80:
		return "[out] \n"
	case kind < 95:
		return "[stdout] " + m.prose(19) + "\n"
	case kind < 98:
		return "[stderr] \x1b[33mwarning:\x1b[0m " + m.prose(12) + "\n"
	}
	return "[out] " + strings.Repeat("-", 80) + "\n"
}

// prose returns about n words.
func (m *mix) prose(n int) string {
	var text strings.Builder
	for i := range n {
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(words[m.next(len(words))])
	}
	return text.String()
}
