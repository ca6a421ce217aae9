#!/usr/bin/env bash
# Holds the running service against its own description: schemathesis makes requests
# from /api/v1/openapi/openapi.json, and from the strict description, and fails on any
# 5xx and on any answer that is not in the document.
#
#	tools/schemathesis.sh [SECONDS]    90 when not given
#
# The requests are the same each time; SEED=2 makes others.
#
# Needs Go, python3 (3.10 or later, with venv) and curl; schemathesis comes from PyPI
# into .cache/schemathesis, pinned. Without them it says so and ends well, but with
# CI=true it fails.
set -euo pipefail
cd "$(dirname "$0")/.."

version=4.32.5
seconds=${1:-90}
dir=.cache/schemathesis

cannot() {
	echo "schemathesis.sh: $1; the description was not checked" >&2
	if [ "${CI:-}" = true ]; then exit 1; fi
	exit 0
}

command -v curl >/dev/null || cannot "curl is missing"
python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || cannot "python3 3.10 or later with venv is missing"
if [ "$(cat "$dir/version" 2>/dev/null || true)" != "$version" ]; then
	mkdir -p .cache
	echo '*' >.cache/.gitignore # it ignores itself: nothing in here is ever committed
	rm -rf "$dir"
	python3 -m venv "$dir" || cannot "python3 -m venv failed"
	"$dir/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version" || cannot "PyPI did not give schemathesis $version"
	echo "$version" >"$dir/version"
fi

work=$(mktemp -d)
server=
end() {
	if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
	rm -rf "$work"
}
trap end EXIT

# The service with an organization and keys: a key may ask 600 times a minute, so
# the requests take turns.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
base=http://127.0.0.1:$port
go build -o "$work/svc" .
"$work/svc" serve --listen "127.0.0.1:$port" --data "$work/data" --photos=false >"$work/out" 2>"$work/log" &
server=$!
curl --silent --fail --retry 50 --retry-delay 1 --retry-connrefused --max-time 5 --output /dev/null "$base/health"

post() { # PATH BODY
	curl --silent --fail --show-error --cookie "$work/cookies" --cookie-jar "$work/cookies" \
		--header "Origin: $base" --json "$2" "$base/api/v1$1"
}
post /auth/signup '{"name":"Schema","email":"schema@example.uz","password":"correct horse battery","organization_name":"Schema"}' >/dev/null
SVC_KEYS=
for i in $(seq 1 20); do
	key=$(post /api-keys "{\"name\":\"schemathesis $i\"}" | python3 -c 'import json, sys; print(json.load(sys.stdin)["key"])')
	SVC_KEYS="$SVC_KEYS $key"
done
export SVC_KEYS
export SCHEMATHESIS_HOOKS=$work/keys.py
cat >"$SCHEMATHESIS_HOOKS" <<'PYTHON'
import itertools
import os

import schemathesis

keys = itertools.cycle(os.environ["SVC_KEYS"].split())


@schemathesis.auth(refresh_interval=None)
class Keys:
    def get(self, case, context):
        return next(keys)

    def set(self, case, data, context):
        case.headers = {**(case.headers or {}), "Authorization": "Bearer " + data}
PYTHON

# An event stream lasts an hour and has no end to check.
run() { # DOCUMENT SECONDS
	echo "schemathesis: $1, $2 s"
	"$tool" --no-color run "$base/api/v1/openapi/$1" \
		--checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance \
		--exclude-operation-id events.stream --max-time "$2" --workers 1 --seed "${SEED:-1}" --request-timeout 35 --continue-on-failure \
		--warnings off --generation-database none --output-sanitize true
}
tool=$PWD/$dir/bin/schemathesis
failed=
(cd "$work" && run openapi.json $((seconds * 2 / 3))) || failed=1
(cd "$work" && run openapi.strict.json $((seconds / 3))) || failed=1

if grep -E '"level":"(ERROR|WARN)"' "$work/log" | grep -v '"msg":"map is empty' >"$work/complaints"; then
	echo "The service complained:"
	sort "$work/complaints" | uniq | head -20
fi
kill -0 "$server" 2>/dev/null || { echo "the service ended on its own:"; tail -20 "$work/log"; failed=1; }
[ -z "$failed" ] || { echo "schemathesis.sh: answers outside the description, or failures of the service: see above" >&2; exit 1; }
