#!/usr/bin/env bash
# Makes the routing tiles of the sample map for the engine that tools/engine.sh
# fetched: engine-sample.sh FOLDER. `make run` starts the engine when they are
# there.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:?name the folder of the sample}
engine=.cache/valhalla/valhalla/bin

if [ -e "$folder/valhalla/ready" ]; then
	echo "The routing tiles of the sample are in $folder/valhalla."
	exit 0
fi
go mod download github.com/paulmach/osm
pbf="$(go list -m -f '{{.Dir}}' github.com/paulmach/osm)/testdata/delaware-latest.osm.pbf"
rm -rf "$folder/valhalla"
mkdir -p "$folder/valhalla/tiles"
bin/svc map engine-config --tiles "$folder/valhalla/tiles" --out "$folder/valhalla/valhalla.json"
echo "Building routing tiles of Delaware, which takes about a minute ..."
"$engine/valhalla_build_tiles" -c "$folder/valhalla/valhalla.json" "$pbf" >"$folder/valhalla/build.log" 2>&1 || {
	tail -n 20 "$folder/valhalla/build.log" >&2
	exit 1
}
touch "$folder/valhalla/ready"
echo "Done. 'make run' starts the engine with the map now."
