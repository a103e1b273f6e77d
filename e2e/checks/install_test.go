package checks_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	makeTarget   = regexp.MustCompile(`(?m)^([a-z-]+):.*## `)
	makeVariable = regexp.MustCompile(`(?m)^([A-Z_]+) \?=`)
	makeCall     = regexp.MustCompile(`\bmake ([a-z-]+)((?: [A-Z_]+=)?)`)
)

// What the documents tell a person to type is there to be typed.
func TestDocuments_NameTargetsThatExist(t *testing.T) {
	makefile := readFile(t, filepath.Join(repository(t), "Makefile"))
	targets, variables := firstGroups(makeTarget, makefile), firstGroups(makeVariable, makefile)
	for _, name := range []string{"README.md", "docs/install.md", "docs/testing.md", pluginDir + "/README.md"} {
		for line := range strings.Lines(readFile(t, filepath.Join(repository(t), name))) {
			for _, call := range makeCall.FindAllStringSubmatch(line, -1) {
				if !strings.Contains(line, "`"+call[0]) && !strings.Contains(line, "$ "+call[0]) && !strings.HasPrefix(line, call[0]) {
					continue // the word, in a sentence
				}
				if !slices.Contains(targets, call[1]) {
					t.Errorf("%s: the Makefile has no target %s", name, call[1])
				}
				variable := strings.Trim(call[2], " =")
				if variable != "" && !slices.Contains(variables, variable) {
					t.Errorf("%s: the Makefile has no variable %s to set", name, variable)
				}
			}
		}
	}
}

func firstGroups(pattern *regexp.Regexp, text string) []string {
	var found []string
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}

// The document says where an installation puts things and what a release holds.
func TestInstallDocument_SaysWhatIsInstalled(t *testing.T) {
	doc := readFile(t, filepath.Join(repository(t), "docs", "install.md"))
	layout := readFile(t, filepath.Join(repository(t), "e2e", "install", "layout.go"))
	for _, place := range []string{"share/changeover", "share/man/man1", "share/bash-completion", "share/zsh", "share/fish", "share/doc/changeover"} {
		if !strings.Contains(layout, place) || !strings.Contains(doc, "`"+place+"/`") {
			t.Errorf("%s: the layout has it (%v), docs/install.md has it (%v)", place, strings.Contains(layout, place), strings.Contains(doc, "`"+place+"/`"))
		}
	}
	config := readFile(t, filepath.Join(repository(t), ".goreleaser.yaml"))
	for documented, configured := range map[string]string{
		".deb": "formats: [deb, rpm]", ".rpm": "formats: [deb, rpm]", ".tar.gz": "formats: [tar.gz]", ".zip": "formats: [zip]", "checksums.txt": "checksums.txt",
	} {
		if !strings.Contains(doc, documented+"`") || !strings.Contains(config, configured) {
			t.Errorf("%s is not in docs/install.md and the configuration of the release", documented)
		}
	}
}
