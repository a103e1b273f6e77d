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

.PHONY: generate
generate: $(TOOLS)/wire-$(WIRE_VERSION) ## Write all generated code anew
	@for wiring in */wire.go; do echo "-- $$wiring"; (cd $${wiring%/wire.go} && wire gen .); done
	@$(call in_modules,$(MODULES),go generate -skip cmd/wire ./...)

.PHONY: tidy
tidy: ## Bring the requirements of all modules up to date
	@$(call in_modules,$(MODULES),GOWORK=off go mod tidy)

# ---- tests

.PHONY: test
test: $(TOOLS)/gofumpt-$(GOFUMPT_VERSION) $(TOOLS)/wire-$(WIRE_VERSION) ## Run the tests of all modules
	@$(call in_modules,$(MODULES),go test ./...)

.PHONY: test-race
test-race: ## Run the tests of domain and adapters with the race detector
	@$(call in_modules,domain adapters,go test -race ./...)

# CHECKS is how many pieces of work each property is tried on; an ordinary test run
# tries 100.
CHECKS ?= 4000
.PHONY: simulate
simulate: ## Run both sides of a link in random order for long, with kills between any two steps
	@cd domain && go test -count=1 -timeout 60m -run 'NothingIsLost|TestFold' ./relay -rapid.checks=$(CHECKS)

# KILLS is how many processes are killed in each of the two ways.
KILLS ?= 1000
.PHONY: kills
kills: ## Kill relay's processes at random points, at their system calls and by kill -9
	@cd e2e && go test -count=1 -v -timeout 60m ./kills -kills=$(KILLS)

.PHONY: test-clients
test-clients: plugin ## Install the pinned clients and drive real sessions of them
	@cd e2e && go run ./clients/install
	@cd e2e && go test -tags clients -count=1 -v -timeout 45m ./clients/...

.PHONY: demo
demo: plugin ## Show a session handing work to another in a temporary tree
	@cd e2e && go run ./demo

.PHONY: picture
picture: plugin ## Draw the README's pictures from two real sessions
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
	$(call heading,each module on its own)
	@$(MAKE) standalone
	$(call heading,macOS)
	@$(MAKE) darwin
	$(call heading,tests)
	@$(MAKE) test
	$(call heading,tests with the race detector)
	@$(MAKE) test-race
	$(call heading,plugin)
	@$(MAKE) plugin
	$(call heading,real clients)
	@$(MAKE) test-clients
	$(call heading,demo)
	@$(MAKE) demo
	$(call heading,bench)
	@$(MAKE) bench BENCH_ARGS="-report" BATON_BENCH_ARGS="-quick -report"
	$(call heading,all passed)

.PHONY: clean
clean: ## Remove what was built; .cache stays
	rm -rf bin $(PLUGIN)/bin e2e/artifacts

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
$(eval $(call tool,wire,$(WIRE_VERSION),github.com/google/wire/cmd/wire))
