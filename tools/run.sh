#!/usr/bin/env bash
# `make run`: builds the sample map once, makes a key for it once, says what to
# open, and serves. run.sh FOLDER PORT.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:?name a folder for the sample}
port=${2:?name a port}
base="http://127.0.0.1:$port"
engine=.cache/valhalla/valhalla/bin/valhalla_service

mkdir -p "$folder"
go mod download github.com/paulmach/osm
pbf="$(go list -m -f '{{.Dir}}' github.com/paulmach/osm)/testdata/delaware-latest.osm.pbf"
if ! bin/svc map inspect "$folder/delaware.svcmap" >/dev/null 2>&1 || [ ! -s "$folder/delaware.pmtiles" ]; then
	echo "Building a sample map of Delaware ..."
	bin/svc map build "$pbf" --out "$folder/delaware.svcmap"
fi
if [ ! -s "$folder/sample.key" ] || [ ! -s "$folder/keys.json" ]; then
	rm -f "$folder/keys.json"
	(umask 077 && bin/svc keys add sample --keys "$folder/keys.json" --note "made by make run" 2>/dev/null >"$folder/sample.key")
fi
key=$(cat "$folder/sample.key")

routing=()
if [ -x "$engine" ] && [ -e "$folder/valhalla/ready" ]; then
	"$engine" "$folder/valhalla/valhalla.json" 1 >"$folder/valhalla/service.log" 2>&1 &
	engine_pid=$!
	trap 'kill "$engine_pid" 2>/dev/null || true' EXIT
	routing=(--routing-url http://127.0.0.1:8002)
else
	printf '\nNo directions: there is no routing engine. Stop this and run "make engine" for one.\n'
fi

cat <<TEXT

The map:      open  $base  and enter this key: $key
The console:  open  $base/console/  The first time, open the link
              that the server prints below: it makes you the administrator.

A search with a spelling mistake:
  curl "$base/api/search?q=Wilmingtun&lang=en&limit=3&key=$key"
The same without a key, which is refused:
  curl "$base/api/search?q=Wilmingtun&lang=en&limit=3"

Ctrl-C stops the server. Is the address taken? make run PORT=8081

TEXT
bin/svc serve --listen "127.0.0.1:$port" --data "$folder" --map "$folder/delaware.svcmap" \
	--keys "$folder/keys.json" --require-key --usage "$folder/usage.db" "${routing[@]}"
