#!/usr/bin/env bash
# Runs the tests of Go: tools/test.sh [PACKAGE...], all packages when none is named.
# With RACE=1 those that tools/race.txt names run with the race detector. gotestsum
# sums up; the slowest 50 tests are printed before its summary, which comes last. The
# events of all tests are in bin/tests.json.
#
# The linters of `make check` do the work of go vet, so go test does not repeat it.
set -euo pipefail
export LC_ALL=C # comm and sort agree on the order
cd "$(dirname "$0")/.."

# events prints what go test tells of each test, as JSON.
events() {
	local status=0 all race plain
	if [ -n "${RACE:-}" ]; then
		all=$(go list "$@" | sort)
		# shellcheck disable=SC2046 # one word a package
		race=$(comm -12 <(echo "$all") <(go list $(awk '$1 == "race" { print $2 }' tools/race.txt) | sort))
		plain=$(comm -23 <(echo "$all") <(echo "$race"))
	else
		race='' plain=$*
	fi
	# Side by side: browser tests wait for a browser. The longest package under the race
	# detector comes first. Events of the second kind are told when the first has ended.
	local second=
	if [ -n "$race" ]; then
		# shellcheck disable=SC2046 # one word a package
		CGO_ENABLED=1 go test -p 2 -json -vet=off -timeout 60m -race $(echo "$race" | sort -r) >bin/tests.race.json &
		second=$!
	fi
	# shellcheck disable=SC2086
	if [ -n "$plain" ]; then CGO_ENABLED=0 go test -json -vet=off -timeout 60m $plain || status=1; fi
	if [ -n "$second" ]; then
		wait "$second" || status=1
		cat bin/tests.race.json
	fi
	return $status
}

[ $# -gt 0 ] || set -- ./...
if [ "$1" = --events ]; then
	shift
	events "$@"
	exit
fi

mkdir -p bin
rm -f bin/tests.json bin/tests.summary
status=0
# What begins with the summary is held back until the slowest tests are printed.
bin/tools/gotestsum --format pkgname-and-test-fails --jsonfile bin/tests.json --raw-command -- tools/test.sh --events "$@" |
	awk '/^(=== (Skipped|Failed|Errors)|DONE )/ { held = 1 } held { print >"bin/tests.summary"; next } { print; fflush() }' ||
	status=$?
echo
echo "The slowest tests:"
bin/tools/gotestsum tool slowest --num 50 --jsonfile bin/tests.json
echo
cat bin/tests.summary
exit $status
