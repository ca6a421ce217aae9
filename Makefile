# The commands of the house. `make help` lists them.

PORT     ?= 8080
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
PKG      ?= ./...
BENCH    ?= .
SECONDS  ?= 90
# The runner of `make test`; the build machine sets gotestsum.
TEST     ?= go test

LDFLAGS  := -s -w -X main.version=$(VERSION)
# One static file: no C in the product. Only the race detector needs C.
export CGO_ENABLED := 0
# The same flags for every go command: with others the world is compiled again.
export GOFLAGS := $(strip $(shell go env GOFLAGS) -trimpath)
ifdef RACE
test: export CGO_ENABLED := 1
test: RACEFLAG := -race
endif

TOOLS    := bin/tools
SAMPLE   := data/run

# What the binary carries and Node makes, a stamp for each of the three projects.
# Without Node the binary builds and is tested all the same.
ASSETS   := embed/assets/dist/LICENSES.txt
SDK      := embed/sdk/dist/v1/version.json
CONSOLE  := embed/console/dist/LICENSES.txt
export SVC_OPENAPI := $(CURDIR)/bin/openapi.json
ifneq ($(shell command -v npm 2>/dev/null),)
MADE     := $(ASSETS) $(SDK) $(CONSOLE)
endif

.PHONY: help run test contract check bench build assets engine release tools clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: $(MADE) ## build bin/svc
	go build -ldflags '$(LDFLAGS)' -o bin/svc .

run: build ## build a sample map and serve it on 127.0.0.1:8080 (PORT=… for another)
	@tools/run.sh $(SAMPLE) $(PORT)

test: $(MADE) ## run every test (RACE=1 with the race detector)
ifdef MADE
	npm --prefix embed/assets test
	npm --prefix embed/sdk test
	npm --prefix embed/console test
endif
	$(TEST) $(RACEFLAG) -timeout 40m $(PKG)

contract: $(MADE) ## hold the running API against its own description for SECONDS=90 (needs python3)
	tools/schemathesis.sh $(SECONDS)

assets: ## make fonts, icons, styles, the browser bundle, the page and the console (needs Node 20)
	@command -v npm >/dev/null || { echo "make assets needs Node 20.19 or later with npm: https://nodejs.org"; exit 1; }
	@$(MAKE) --no-print-directory $(ASSETS) $(SDK) $(CONSOLE)

# What a project is built from; what it is built with comes with its lock file.
sources = $(shell find embed/$(1) \( -name node_modules -o -name dist -o -name build \) -prune -o -type f ! -name '*.go' ! -name schema.d.ts -print 2>/dev/null) \
	embed/$(1)/node_modules/.package-lock.json

embed/%/node_modules/.package-lock.json: embed/%/package-lock.json
	npm --prefix embed/$* ci --no-audit --no-fund
	@touch $@

$(ASSETS): $(call sources,assets) geo/category/categories.json
	npm --prefix embed/assets run build
	@touch $@

$(SDK): $(call sources,sdk) $(ASSETS)
	npm --prefix embed/sdk run build
	@touch $@

$(CONSOLE): $(call sources,console) $(SDK) $(SVC_OPENAPI)
	npm --prefix embed/console run build
	@touch $@

# The console's client is made from the description of the API, which the program
# prints. Only what changes the description makes the console stale.
$(SVC_OPENAPI): $(SVC_OPENAPI).stamp
	@:

$(SVC_OPENAPI).stamp: $(shell find app web/apiv1 -name '*.go' ! -name '*_test.go')
	@mkdir -p $(@D)
	go run . openapi --strict >$(SVC_OPENAPI).new
	@cmp -s $(SVC_OPENAPI).new $(SVC_OPENAPI) && rm $(SVC_OPENAPI).new || mv $(SVC_OPENAPI).new $(SVC_OPENAPI)
	@touch $@

engine: build ## fetch a routing engine and make its data for the sample map; `make run` then starts it
	tools/engine.sh
	tools/engine-sample.sh $(SAMPLE)

bench: ## run every benchmark; each prints its figure beside its target
	go test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 60m $(PKG)
	cd bench && go run .

check: tools ## format, vet and lint
	@files="$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go'))"; \
	if [ -n "$$files" ]; then echo "not formatted (run gofmt -w):"; echo "$$files"; exit 1; fi
	$(TOOLS)/golangci-lint run ./... # with the analyzers of go vet and staticcheck, see .golangci.yml
	go mod tidy -diff
	go mod verify

tools: ## install the pinned tools into bin/tools
	cd tools && GOBIN="$(CURDIR)/$(TOOLS)" go install tool

release: $(MADE) ## build the release files into dist/
	rm -rf dist && mkdir -p dist
	@set -eu; for target in linux/amd64 linux/arm64 darwin/arm64; do \
		os=$${target%/*}; arch=$${target#*/}; out=dist/svc-$(VERSION)-$$os-$$arch; \
		echo $$out; GOOS=$$os GOARCH=$$arch go build -ldflags '$(LDFLAGS)' -o $$out .; \
	done
	cd dist && sha256sum svc-* > SHA256SUMS

clean: ## remove what these commands made: bin, dist, data/run, built assets
	rm -rf bin dist $(SAMPLE)
	git clean -fdXq embed/assets/dist embed/sdk/dist embed/console/dist
