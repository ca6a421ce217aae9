#!/usr/bin/env bash
# Asks the vulnerability databases about everything that is shipped: govulncheck about
# the program, npm audit about the packages of the three projects below embed/.
#
# Exit code: 0 nothing is known, 1 something that is shipped has a known vulnerability,
# 3 a database could not be asked, so nothing is proven.
#
# Of Go only counts what the program contains; of npm only what ends up in the product:
# what builds it is told and does not count.
set -euo pipefail
cd "$(dirname "$0")/.."

found=
unasked=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# With its symbols, so that govulncheck sees which functions are in the program.
go_code() {
	local database=${GOVULNDB:-https://vuln.go.dev}
	if ! curl --silent --fail --location --max-time 20 --output /dev/null "$database/index/db.json"; then
		echo "Go: the database $database could not be asked"
		unasked="the database of Go"
		return
	fi
	go build -o "$work/svc" .
	local code=0
	bin/tools/govulncheck -db "$database" -mode binary "$work/svc" >"$work/go" 2>&1 || code=$?
	case $code in
		0) echo "Go: no known vulnerability in the program" ;;
		3) cat "$work/go"; echo "Go: known vulnerabilities, see above"; found=1 ;;
		*) cat "$work/go"; echo "Go: govulncheck failed ($code)"; unasked="the database of Go" ;;
	esac
}

# audit PROJECT [OPTION...] prints how many vulnerable packages npm knows, or nothing
# when it could not ask.
audit() {
	local project=$1
	shift
	npm --prefix "embed/$project" audit --json "$@" 2>/dev/null >"$work/npm" || true
	node -e '
		const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
		if (r.metadata?.vulnerabilities) console.log(r.metadata.vulnerabilities.total);
	' "$work/npm" 2>/dev/null || true
}

npm_packages() {
	local shipped all
	shipped=$(audit "$1" --omit=dev)
	if [ -z "$shipped" ]; then
		echo "npm, embed/$1: the registry could not be asked"
		unasked="${unasked:+$unasked, }npm for embed/$1"
		return
	fi
	if [ "$shipped" != 0 ]; then
		npm --prefix "embed/$1" audit --omit=dev || true
		echo "npm, embed/$1: $shipped vulnerable packages that are shipped, see above"
		found=1
		return
	fi
	all=$(audit "$1")
	echo "npm, embed/$1: no known vulnerability in what is shipped, ${all:-?} in what builds it"
}

go_code
for project in assets sdk console; do npm_packages "$project"; done

if [ -n "$found" ]; then exit 1; fi
if [ -n "$unasked" ]; then
	echo "vulns: NOT PROVEN: not reachable: $unasked"
	exit 3
fi
echo "vulns: nothing known"
