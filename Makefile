# Everything that a person or the CI does with this repository. `make help`
# lists the targets. The tools that are not part of the product are pinned here
# and installed into .cache/tools, which git ignores.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

ROOT := $(CURDIR)
TOOLS := $(ROOT)/.cache/tools
export PATH := $(TOOLS):$(PATH)

LINT_VERSION := v2.15.0
GOFUMPT_VERSION := v0.12.0
WIRE_VERSION := v0.7.0
GOVULNCHECK_VERSION := v1.9.0
# VULNDB is the edition of the vulnerability database where the public one is out of reach.
VULNDB := golang.org/x/vulndb@v0.0.0-20261105234957-e22db6528018
GREMLINS_VERSION := v0.6.0
GORELEASER_VERSION := v2.15.1

MODULES := domain adapters relay-cli baton-cli exchange-cli hookd e2e
PROGRAMS := relay baton exchange hookd
PLUGIN := hookd/plugin

VERSION := $(shell sed -n 's/^ *"version": *"\([^"]*\)".*/\1/p' $(PLUGIN)/.claude-plugin/plugin.json)
STAMP := -X github.com/changeover/changeover/adapters/buildinfo.version=$(VERSION)

# in_modules runs a command in each module in turn and stops at the first fault.
in_modules = for module in $(1); do echo "-- $$module: $(2)"; (cd $$module && $(2)); done

# heading prints where in the CI run one is.
heading = @printf '\n=== %s ===\n' "$(1)"

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# ---- the product

.PHONY: build
build: ## Build the four programs into bin/
	@mkdir -p bin
	@for program in relay baton exchange; do \
		echo "-- bin/$$program"; \
		(cd $$program-cli && CGO_ENABLED=0 go build -trimpath -ldflags "$(STAMP)" -o $(ROOT)/bin/$$program .); \
	done
	@echo "-- bin/hookd"
	@cd hookd && CGO_ENABLED=0 go build -trimpath -ldflags "-s -w $(STAMP)" -o $(ROOT)/bin/hookd .

.PHONY: plugin
plugin: build ## Put the built programs into the plugin
	@mkdir -p $(PLUGIN)/bin
	@for program in $(PROGRAMS); do \
		cp bin/$$program $(PLUGIN)/bin/.new && mv -f $(PLUGIN)/bin/.new $(PLUGIN)/bin/$$program; \
	done
	@echo "-- $(PLUGIN)/bin: $(PROGRAMS)"

# The commands themselves write both; a page carries the day of SOURCE_DATE_EPOCH,
# where that is set, and else none.
.PHONY: man
man: build ## Write the manual's pages into build/man
	@rm -rf build/man && mkdir -p build/man
	@for program in relay baton exchange; do bin/$$program man-pages build/man; done
	@cp hookd/hookd.1 build/man/
	@echo "-- build/man: $$(ls build/man | wc -l | tr -d ' ') pages"

.PHONY: completions
completions: build ## Write the completion scripts into build/completions
	@rm -rf build/completions && mkdir -p build/completions/bash build/completions/zsh build/completions/fish
	@for program in relay baton exchange; do \
		bin/$$program completion bash > build/completions/bash/$$program; \
		bin/$$program completion zsh > build/completions/zsh/_$$program; \
		bin/$$program completion fish > build/completions/fish/$$program.fish; \
	done
	@echo "-- build/completions: bash zsh fish"

.PHONY: generate
generate: $(TOOLS)/wire-$(WIRE_VERSION) ## Write all generated code anew
	@for wiring in */wire.go; do echo "-- $$wiring"; (cd $${wiring%/wire.go} && wire gen .); done
	@$(call in_modules,$(MODULES),go generate -skip cmd/wire ./...)

.PHONY: tidy
tidy: ## Bring the requirements of all modules up to date
	@$(call in_modules,$(MODULES),GOWORK=off go mod tidy)

# ---- installing and releasing

PREFIX ?= $(if $(HOME),$(HOME)/.local)
# DESTDIR is where a packager lays the tree out; nothing is registered then.
DESTDIR ?=
# CLIENT is whom make install tells of the plugin; empty: nobody.
CLIENT ?= claude
install uninstall: export PREFIX := $(PREFIX)
install uninstall: export DESTDIR := $(DESTDIR)
install uninstall: export CLIENT := $(CLIENT)
INSTALL := go run ./install -from "$(ROOT)"

.PHONY: install
install: build man completions ## Install programs and plugin below PREFIX (~/.local) and tell the client
	@cd e2e && $(INSTALL) -prefix "$$PREFIX" -destdir "$$DESTDIR" -client "$$CLIENT"

.PHONY: uninstall
uninstall: ## Undo make install
	@cd e2e && $(INSTALL) -prefix "$$PREFIX" -destdir "$$DESTDIR" -client "$$CLIENT" -remove

# committed asks git of the commit, though the clone be another user's.
committed = $(shell TZ=UTC git -c safe.directory="$(ROOT)" log -1 --abbrev=10 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=$(1))
snapshot: export VERSION := $(VERSION)
snapshot: export COMMIT = $(call committed,%h)
snapshot: export COMMIT_DATE = $(call committed,%cd)
snapshot: export SOURCE_DATE_EPOCH = $(call committed,%ct)

# A snapshot is named after its commit.
RELEASED = cd e2e && go run ./release -dist "$(ROOT)/dist" -version "$(VERSION)-snapshot.$(call committed,%h)"

.PHONY: snapshot
snapshot: man completions $(TOOLS)/goreleaser-$(GORELEASER_VERSION) ## Make all that a release consists of in dist/, and check it
	@cd e2e && $(INSTALL) -stage "$(ROOT)/build/stage"
	@# one at a time: an archive holds the programs in the order in which they were built
	@goreleaser release --snapshot --clean --skip=publish --parallelism 1
	@$(RELEASED) -stage "$(ROOT)/build/stage" -date "$$COMMIT_DATE"

# AGAIN is where the second run is made: another path, another umask, other times.
AGAIN := $(ROOT)/build/again
.PHONY: snapshot-twice
snapshot-twice: snapshot ## Make the release once more elsewhere, and compare
	@rm -rf "$(AGAIN)" && mkdir -p "$(AGAIN)"
	@git -c safe.directory="$(ROOT)" ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - -cf - 2>/dev/null | tar -xf - -m -C "$(AGAIN)"
	@cp -R .git "$(AGAIN)/.git"
	@umask 077 && $(MAKE) -C "$(AGAIN)" snapshot TOOLS="$(TOOLS)"
	@cd e2e && go run ./release -dist "$(ROOT)/dist" -again "$(AGAIN)/dist"
	@rm -rf "$(AGAIN)"

.PHONY: snapshot-client
snapshot-client: ## Have the pinned client validate the plugin that a snapshot has made
	@cd e2e && go run ./clients/install
	@$(RELEASED) -validate

# ---- tests

.PHONY: test
test: $(TOOLS)/gofumpt-$(GOFUMPT_VERSION) $(TOOLS)/wire-$(WIRE_VERSION) ## Run the tests of all modules
	@$(call in_modules,$(MODULES),go test ./...)

.PHONY: test-race
test-race: ## Run the tests with the race detector, but for the scripts, whose own process only starts programs
	@$(call in_modules,$(filter-out e2e,$(MODULES)),go test -race -timeout 30m ./...)
	@echo "-- e2e: go test -race, without the scripts"
	@cd e2e && go test -race -timeout 30m $$(go list ./... | grep -v '/e2e$$')

# CHECKS is how many pieces of work each property is tried on; an ordinary test run
# tries 100.
CHECKS ?= 4000
.PHONY: simulate
simulate: ## Run both sides of a link in random order for long, with kills between any two steps
	@cd domain && go test -count=1 -timeout 60m -run 'NothingIsLost|TestFold' ./relay -rapid.checks=$(CHECKS)

# MUTATE is the package of domain that is changed; the whole of it takes hours.
MUTATE ?= .
.PHONY: mutate
mutate: $(TOOLS)/gremlins-$(GREMLINS_VERSION) ## Change domain's code in small ways and count the changes that no test notices
	@cd domain && GOWORK=off RAPID_SHRINKTIME=1ms RAPID_NOFAILFILE=true \
		gremlins unleash --timeout-coefficient 60 --threshold-efficacy 85 $(MUTATE)

# TORTURE_KILLS is how many processes of each verb are killed; TORTURE_WRITES how much
# each of eight writers writes that write at once.
TORTURE_KILLS ?= 1000
TORTURE_WRITES ?= 200
.PHONY: torture
torture: ## Have calls fail, processes killed, clocks jump and writers write at once; count what is lost
	@cd e2e && go run ./torture -kills $(TORTURE_KILLS) -writes $(TORTURE_WRITES)

# FUZZTIME is how long each fuzz test runs, FUZZ_ARGS are more flags: -only NAME, -keep N.
FUZZTIME ?= 60s
FUZZ_ARGS ?=
.PHONY: fuzz
fuzz: ## Run every fuzz test for FUZZTIME, two at a time
	@cd e2e && go run ./fuzz -time $(FUZZTIME) $(FUZZ_ARGS)

.PHONY: test-clients
test-clients: plugin ## Install the pinned clients and drive real sessions of them
	@cd e2e && go run ./clients/install
	@cd e2e && go test -tags clients -count=1 -v -timeout 45m ./clients/...

.PHONY: demo
demo: plugin ## Show a session handing work to another in a temporary tree
	@cd e2e && go run ./demo

.PHONY: picture
picture: plugin ## Play the README's tours with the real clients and draw its pictures
	@cd e2e && go run ./clients/install
	@cd e2e && go run ./picture

# BENCH_ARGS are the flags of the bench program.
BENCH_ARGS ?=
.PHONY: bench
bench: build ## Measure hookd against a bare Go program, and baton
	@cd e2e && go run ./bench $(BENCH_ARGS)
	@$(MAKE) bench-baton

# BATON_BENCH_ARGS are the flags of both programs: -quick measures less.
BATON_BENCH_ARGS ?=
.PHONY: bench-baton
bench-baton: build ## Measure baton against git, ripgrep, and itself with nothing to look for
	@cd e2e && go run ./batonbench -baton ../bin/baton $(BATON_BENCH_ARGS)
	@cd e2e && go run ./benchlog -baton ../bin/baton -huge $(BATON_BENCH_ARGS)

.PHONY: bench-hop
bench-hop: ## Measure a hop between two real sessions against the client's own floor
	@cd e2e && go run ./clients/install
	@cd e2e && go run ./bench -hop $(BENCH_ARGS)

.PHONY: bench-attach
bench-attach: ## Measure a relay attach that has nothing to do; -attach 10m for the whole of it
	@cd e2e && go run ./bench -attach 60s $(BENCH_ARGS)

# ---- checks

.PHONY: lint
lint: $(TOOLS)/golangci-lint-$(LINT_VERSION) vet ## Check code and format
	@for module in $(MODULES); do \
		echo "-- $$module: golangci-lint"; \
		(cd $$module && golangci-lint run --config $(ROOT)/.golangci.yml ./...); \
	done

.PHONY: vet
vet:
	@$(call in_modules,$(MODULES),go vet ./...)

.PHONY: format
format: $(TOOLS)/gofumpt-$(GOFUMPT_VERSION) ## Rewrite all Go files with gofumpt
	@gofumpt -l -w $(MODULES)

.PHONY: checks
checks: $(TOOLS)/gofumpt-$(GOFUMPT_VERSION) $(TOOLS)/wire-$(WIRE_VERSION) ## Check boundaries, generated code, format and tracked files
	@cd e2e && go test -count=1 -v ./checks/...

.PHONY: vulncheck
vulncheck: $(TOOLS)/govulncheck-$(GOVULNCHECK_VERSION) ## Look for known vulnerabilities in what the modules call
	@cd e2e && go run ./vulncheck -edition $(VULNDB)

.PHONY: standalone
standalone: ## Build each module without the workspace
	@$(call in_modules,$(MODULES),GOWORK=off go build -o /dev/null ./... && GOWORK=off go vet ./...)

.PHONY: darwin
darwin: ## Compile everything for macOS
	@$(call in_modules,$(MODULES),GOOS=darwin GOARCH=arm64 go build -o /dev/null ./... && GOOS=darwin GOARCH=arm64 go vet ./...)

.PHONY: ci
ci: ## Run all of it, as the CI does
	$(call heading,build)
	@$(MAKE) build
	$(call heading,checks)
	@$(MAKE) checks
	$(call heading,lint)
	@$(MAKE) lint
	$(call heading,known vulnerabilities)
	@$(MAKE) vulncheck
	$(call heading,each module on its own)
	@$(MAKE) standalone
	$(call heading,macOS)
	@$(MAKE) darwin
	$(call heading,release)
	@$(MAKE) snapshot
	$(call heading,tests)
	@$(MAKE) test
	$(call heading,tests with the race detector)
	@$(MAKE) test-race
	$(call heading,faults and kills)
	@$(MAKE) torture TORTURE_KILLS=20 TORTURE_WRITES=25
	$(call heading,fuzz tests)
	@$(MAKE) fuzz
	$(call heading,plugin)
	@$(MAKE) plugin
	$(call heading,real clients)
	@$(MAKE) test-clients
	@$(MAKE) snapshot-client
	$(call heading,demo)
	@$(MAKE) demo
	$(call heading,bench)
	@$(MAKE) bench BENCH_ARGS="-report" BATON_BENCH_ARGS="-quick -report"
	$(call heading,all passed)

.PHONY: clean
clean: ## Remove what was built; .cache stays
	rm -rf bin build dist $(PLUGIN)/bin e2e/artifacts

# ---- tools: a stamp per version, so that a new pin installs anew

define tool
$(TOOLS)/$(1)-$(2):
	@echo "-- installing $(1) $(2)"
	@mkdir -p $(TOOLS)
	@cd $(TOOLS) && GOBIN=$(TOOLS) GOWORK=off go install $(3)@$(2)
	@rm -f $(TOOLS)/$(1)-v*
	@touch $$@
endef

$(eval $(call tool,golangci-lint,$(LINT_VERSION),github.com/golangci/golangci-lint/v2/cmd/golangci-lint))
$(eval $(call tool,gofumpt,$(GOFUMPT_VERSION),mvdan.cc/gofumpt))
$(eval $(call tool,govulncheck,$(GOVULNCHECK_VERSION),golang.org/x/vuln/cmd/govulncheck))
$(eval $(call tool,gremlins,$(GREMLINS_VERSION),github.com/go-gremlins/gremlins/cmd/gremlins))
$(eval $(call tool,wire,$(WIRE_VERSION),github.com/google/wire/cmd/wire))
$(eval $(call tool,goreleaser,$(GORELEASER_VERSION),github.com/goreleaser/goreleaser/v2))
