#!/usr/bin/env bash
# Fetches the routing engine for the tests into .cache/valhalla: the programs of
# Valhalla as the Python package pyvalhalla carries them. Does nothing when they
# are there. Needs pip (or a downloaded wheel: tools/engine.sh FILE.whl) and
# unzip or python3. Linux on x86-64 or arm64.
set -euo pipefail
cd "$(dirname "$0")/.."

version=3.9.1
dir=.cache/valhalla
case "$(uname -s)/$(uname -m)" in
	Linux/x86_64) sum=7b49c5e5f86cefd555b473aaaf34df3305889d30aa889b8abd3b4c2acc622271 ;;
	Linux/aarch64) sum=6ebe5f9dd6ce3b16413f939a271d68e64a4addd44df8a802a8eda0b9ca0bf16f ;;
	*) echo "engine.sh: no programs of the engine for $(uname -s) $(uname -m); build Valhalla $version and set SVC_TEST_VALHALLA" >&2; exit 1 ;;
esac

if [ "$(cat "$dir/version" 2>/dev/null || true)" = "$version" ]; then
	echo "The routing engine $version is in $dir."
	exit 0
fi

mkdir -p .cache
echo '*' >.cache/.gitignore # it ignores itself: nothing in here is ever committed
work=$(mktemp -d .cache/engine.XXXXXX)
trap 'rm -rf "$work"' EXIT

if [ $# -gt 0 ]; then
	cp "$1" "$work/"
else
	echo "Fetching pyvalhalla $version (37 MB) ..."
	pip=pip
	command -v pip >/dev/null || pip="python3 -m pip"
	$pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.12 \
		--dest "$work" "pyvalhalla==$version"
fi
wheel=$(ls "$work"/*.whl)
echo "$sum  $wheel" | sha256sum --check --quiet -

# A wheel is a zip file. The libraries beside the programs are found by their
# relative place, so both folders are kept as they are.
mkdir "$work/out"
if command -v unzip >/dev/null; then
	unzip -q "$wheel" -d "$work/out"
else
	python3 -m zipfile -e "$wheel" "$work/out"
fi
chmod +x "$work"/out/valhalla/bin/*
rm -f "$work"/out/valhalla/*.so
"$work/out/valhalla/bin/valhalla_service" --version
echo "$version" >"$work/out/version"
rm -rf "$dir"
mv "$work/out" "$dir"
echo "The routing engine $version is in $dir."
