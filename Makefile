# The commands of the house. `make help` lists them.

PORT     ?= 8080
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
PKG      ?= ./...
BENCH    ?= .
# The runner of `make test`; the build machine sets gotestsum.
TEST     ?= go test

LDFLAGS  := -s -w -X main.version=$(VERSION)
# One static file: no C in the product. Only the race detector needs C.
export CGO_ENABLED := 0
ifdef RACE
test: export CGO_ENABLED := 1
test: RACEFLAG := -race
endif

TOOLS    := bin/tools
SAMPLE   := data/run
SAMPLED  := github.com/paulmach/osm

.PHONY: help run test check bench build release tools clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/svc
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/svc .

run: build ## build a sample map and serve it on 127.0.0.1:8080 (PORT=… for another)
	@set -eu; mkdir -p $(SAMPLE); \
	go mod download $(SAMPLED); \
	pbf="$$(go list -m -f '{{.Dir}}' $(SAMPLED))/testdata/delaware-latest.osm.pbf"; \
	if ! bin/svc map inspect $(SAMPLE)/delaware.svcmap >/dev/null 2>&1; then \
		echo "Building a sample map of Delaware ..."; \
		bin/svc map build "$$pbf" --out $(SAMPLE)/delaware.svcmap; \
	fi; \
	if [ ! -s $(SAMPLE)/sample.key ] || [ ! -s $(SAMPLE)/keys.json ]; then \
		rm -f $(SAMPLE)/keys.json; umask 077; \
		bin/svc keys add sample --keys $(SAMPLE)/keys.json --note "made by make run" 2>/dev/null >$(SAMPLE)/sample.key; \
	fi; \
	key=$$(cat $(SAMPLE)/sample.key); base="http://127.0.0.1:$(PORT)"; \
	printf '\nOpen  %s  and enter this key: %s\n\n' "$$base" "$$key"; \
	printf 'A search with a spelling mistake:\n  curl "%s/api/search?q=Wilmingtun&lang=en&limit=3&key=%s"\n' "$$base" "$$key"; \
	printf 'The same without a key, which is refused:\n  curl "%s/api/search?q=Wilmingtun&lang=en&limit=3"\n\nCtrl-C stops the server. Is the address taken? make run PORT=8081\n\n' "$$base"; \
	exec bin/svc serve --listen 127.0.0.1:$(PORT) --data $(SAMPLE) --map $(SAMPLE)/delaware.svcmap \
		--keys $(SAMPLE)/keys.json --require-key --usage $(SAMPLE)/usage.db

test: ## run every test (RACE=1 with the race detector)
	$(TEST) $(RACEFLAG) $(PKG)

bench: ## run every benchmark; each prints its figure beside its target
	go test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 60m $(PKG)
	cd bench && go run .

check: tools ## format, vet and lint
	@files="$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go'))"; \
	if [ -n "$$files" ]; then echo "not formatted (run gofmt -w):"; echo "$$files"; exit 1; fi
	go vet -composites=false ./... # Point{lon, lat} is how coordinates are written
	$(TOOLS)/staticcheck ./...
	$(TOOLS)/golangci-lint run ./...
	go mod tidy -diff
	go mod verify

tools: ## install the pinned tools into bin/tools
	cd tools && GOBIN="$(CURDIR)/$(TOOLS)" go install tool

release: ## build the release files into dist/
	rm -rf dist && mkdir -p dist
	@set -eu; for target in linux/amd64 linux/arm64 darwin/arm64; do \
		os=$${target%/*}; arch=$${target#*/}; out=dist/svc-$(VERSION)-$$os-$$arch; \
		echo $$out; GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags '$(LDFLAGS)' -o $$out .; \
	done
	cd dist && sha256sum svc-* > SHA256SUMS

clean: ## remove what these commands made: bin, dist, data/run
	rm -rf bin dist $(SAMPLE)
