# The commands of the project. `make help` lists them.

PORT     ?= 8080
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
PKG      ?= ./...
BENCH    ?= .
SECONDS  ?= 90
# How often each test kills what it tests; `make soak` takes 200.
export SVC_TEST_KILLS ?= 1

LDFLAGS  := -s -w -X main.version=$(VERSION)
# One static file: no C in the product. Only the race detector needs C.
export CGO_ENABLED := 0
# The same flags for every go command: with others the world is compiled again.
export GOFLAGS := $(strip $(shell go env GOFLAGS) -trimpath)
# What does not need each other is made side by side: npm packages beside Go's.
MAKEFLAGS += --jobs=3

TOOLS    := bin/tools
SAMPLE   := data/run
SOAKS    := ^(TestKilled|TestNothingIsSentTwice|TestConversationsSurviveKills|TestInboxKilled|TestThreeNodes|TestSoak)$$

# What the binary carries and Node makes, a stamp for each of the three projects.
# Without Node the binary builds and is tested all the same.
ASSETS   := embed/assets/dist/LICENSES.txt
SDK      := embed/sdk/dist/v1/version.json
CONSOLE  := embed/console/dist/LICENSES.txt.gz
# Not SVC_...: those are settings of the program, which warns of one that it does not know.
OPENAPI  := $(CURDIR)/bin/openapi.json
export OPENAPI_DOCUMENT := $(OPENAPI)
ifneq ($(shell command -v npm 2>/dev/null),)
MADE     := $(ASSETS) $(SDK) $(CONSOLE)
endif

# What is told before each step that takes long.
SLOW     := : takes minutes and 5 GB of memory when the library of the messenger was never compiled here
tell      = @printf '\n== %s\n' 

.PHONY: help run test npm-test npm-check contract soak check vulns licences bench build assets engine release tools clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: $(MADE) ## build bin/svc
	$(tell) 'bin/svc$(SLOW)'
	go build -ldflags '$(LDFLAGS)' -o bin/svc .

run: build ## build a sample map and serve it on 127.0.0.1:8080 (PORT=… for another)
	@tools/run.sh $(SAMPLE) $(PORT)

# Tests that run the program take the one that `make build` made.
test: build npm-test $(TOOLS)/gotestsum ## run every test (RACE=1 with the race detector)
	$(tell) 'Tests of Go: $(PKG)$(if $(RACE), (with the race detector where goroutines share memory))'
	SVC_TEST_BINARY=$(CURDIR)/bin/svc RACE=$(RACE) tools/test.sh $(PKG)

NPMTESTS := $(if $(MADE),$(addprefix npm-test-,assets sdk console))
npm-test: $(NPMTESTS)

npm-test-%: $(MADE)
	$(tell) 'Tests of embed/$*'
	npm --prefix embed/$* test

soak: build $(TOOLS)/gotestsum ## run for an hour or more: 200 kills, ten minutes of load, ten of made-up requests
	$(tell) 'Kills and load'
	SVC_TEST_BINARY=$(CURDIR)/bin/svc SVC_TEST_KILLS=200 SVC_TEST_SOAK=10m $(TOOLS)/gotestsum --format testname -- \
		-vet=off -count=1 -p 1 -timeout 6h -run '$(SOAKS)' ./acceptance ./store/kv ./store/queue ./app/recipient/imports ./app/content ./app/engine/execution ./app/knowledge ./app/insight/analysis ./app/channel ./web/hookclient
	SVC_TEST_SOAK=10m $(TOOLS)/gotestsum --format testname -- -vet=off -count=1 -timeout 1h -run 'MessagingStoriesOn|TestPartsOnce' ./web
	SVC_TEST_BINARY=$(CURDIR)/bin/svc tools/schemathesis.sh 600

contract: build ## hold the running API against its own description for SECONDS=90 (needs python3)
	SVC_TEST_BINARY=$(CURDIR)/bin/svc tools/schemathesis.sh $(SECONDS)

assets: ## make fonts, icons, styles, the browser bundle, the page and the console (needs Node 20)
	@command -v npm >/dev/null || { echo "make assets needs Node 20.19 or later with npm: https://nodejs.org"; exit 1; }
	@$(MAKE) --no-print-directory $(ASSETS) $(SDK) $(CONSOLE)

# What a project is built from; what it is built with comes with its lock file.
sources = $(shell find embed/$(1) \( -name node_modules -o -name dist -o -name build \) -prune -o -type f ! -name '*.go' ! -name schema.d.ts -print 2>/dev/null) \
	embed/$(1)/node_modules/.package-lock.json

embed/%/node_modules/.package-lock.json: embed/%/package-lock.json
	$(tell) 'npm packages of embed/$*'
	npm --prefix embed/$* ci --ignore-scripts --no-audit --no-fund
	@touch $@

$(ASSETS): $(call sources,assets) geo/category/categories.json
	$(tell) 'embed/assets: fonts, icons, styles, the outline of the world'
	npm --prefix embed/assets run build
	@touch $@

$(SDK): $(call sources,sdk) $(ASSETS)
	$(tell) 'embed/sdk: the browser bundle and the page of the map'
	npm --prefix embed/sdk run build
	@touch $@

$(CONSOLE): $(call sources,console) $(SDK) $(OPENAPI)
	$(tell) 'embed/console: the console'
	npm --prefix embed/console run build
	@touch $@

# The console's client is made from the description of the API, which the program
# prints. Only what changes the description makes the console stale.
$(OPENAPI): $(OPENAPI).stamp
	@:

# The program carries what the first two projects make, so it waits for them.
$(OPENAPI).stamp: $(shell find app web/apiv1 -name '*.go' ! -name '*_test.go') | $(filter-out $(CONSOLE),$(MADE))
	@mkdir -p $(@D)
	$(tell) 'bin/openapi.json, the description of the API$(SLOW)'
	go run . openapi --strict >$(OPENAPI).new
	@cmp -s $(OPENAPI).new $(OPENAPI) && rm $(OPENAPI).new || mv $(OPENAPI).new $(OPENAPI)
	@touch $@

engine: build ## fetch a routing engine and make its data for the sample map; `make run` then starts it
	tools/engine.sh
	tools/engine-sample.sh $(SAMPLE)

vulns: $(TOOLS)/govulncheck $(MADE) ## ask the vulnerability databases about all that is shipped (exit 3: not reachable)
	@tools/vulns.sh

licences: $(MADE) ## list the licences of all that is shipped in bin/LICENSES.txt; one that is not allowed fails
	@mkdir -p bin
	go run ./release/licences . bin/LICENSES.txt

bench: build ## run every benchmark; each prints its figure beside its target
	go test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 60m $(PKG)
	cd bench && go run .
	cd bench/records && go run .

check: tools $(if $(MADE),npm-check) ## format, vet and lint
	@files="$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go'))"; \
	if [ -n "$$files" ]; then echo "not formatted (run gofmt -w):"; echo "$$files"; exit 1; fi
	$(TOOLS)/golangci-lint run ./... # with the analyzers of go vet and staticcheck, see .golangci.yml
	go mod tidy -diff
	go mod verify

# The formatter and linter of what runs in a browser; they come with the packages of embed/console.
npm-check: embed/console/node_modules/.package-lock.json
	npm --prefix embed/console run check

tools: ## install the pinned tools into bin/tools
	$(tell) 'bin/tools'
	cd tools && GOBIN="$(CURDIR)/$(TOOLS)" go install tool

# One tool without the linters, which take minutes to build.
$(TOOLS)/gotestsum: tools/go.mod
	cd tools && GOBIN="$(CURDIR)/$(TOOLS)" go install gotest.tools/gotestsum
	@touch $@

$(TOOLS)/govulncheck: tools/go.mod
	cd tools && GOBIN="$(CURDIR)/$(TOOLS)" go install golang.org/x/vuln/cmd/govulncheck
	@touch $@

# Who checks a release needs the public half of SIGNING_KEY; README.md says how.
release: licences ## build the release files into dist/ (SIGNING_KEY=FILE signs them)
ifdef SIGNING_KEY
	@test -r '$(SIGNING_KEY)' || { echo "SIGNING_KEY: there is no file $(SIGNING_KEY) that can be read"; exit 1; }
endif
	rm -rf dist && mkdir -p dist
	@set -eu; for target in linux/amd64 linux/arm64 darwin/arm64; do \
		os=$${target%/*}; arch=$${target#*/}; out=dist/svc-$(VERSION)-$$os-$$arch; \
		echo $$out; GOOS=$$os GOARCH=$$arch go build -ldflags '$(LDFLAGS)' -o $$out .; \
	done
	cp bin/LICENSES.txt dist/
	cd dist && sha256sum svc-* LICENSES.txt > SHA256SUMS
ifdef SIGNING_KEY
	tools/sign.sh '$(SIGNING_KEY)' dist/SHA256SUMS
else
	@echo 'dist/SHA256SUMS is not signed: name a key with SIGNING_KEY=FILE'
endif

clean: ## remove what these commands made: bin, dist, data/run, built assets
	rm -rf bin dist $(SAMPLE)
	git clean -fdXq embed/assets/dist embed/sdk/dist embed/console/dist
