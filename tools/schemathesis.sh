#!/usr/bin/env bash
# Holds the running service against its own description: schemathesis makes requests
# from /api/v1/openapi/openapi.json with API keys, and from the strict description with
# the sessions of people who own an organization and administer the platform. It fails
# on any 5xx and on any answer that is not in the document.
#
#	tools/schemathesis.sh [SECONDS]    90 when not given
#
# The requests are the same each time; SEED=2 makes others. SVC_TEST_BINARY names the
# program when it is built already.
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

# The service with keys and people: a key may ask 600 times a minute and a person 1200
# times, so the requests take turns.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
base=http://127.0.0.1:$port
if [ -n "${SVC_TEST_BINARY:-}" ]; then
	ln -s "$SVC_TEST_BINARY" "$work/svc"
else
	go build -o "$work/svc" .
fi
"$work/svc" serve --listen "127.0.0.1:$port" --data "$work/data" --photos=false >"$work/out" 2>"$work/log" &
server=$!
curl --silent --fail --retry 50 --retry-delay 1 --retry-connrefused --max-time 5 --output /dev/null "$base/health"

post() { # PERSON PATH BODY
	curl --silent --fail --show-error --cookie "$work/$1" --cookie-jar "$work/$1" \
		--header "Origin: $base" --json "$3" "$base/api/v1$2"
}
field() { # NAME, of the JSON on the standard input
	python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"
}
code() { # SECRET: what an authenticator app shows now (RFC 6238)
	python3 - "$1" <<'PYTHON'
import base64, hmac, struct, sys, time

key = base64.b32decode(sys.argv[1] + "=" * (-len(sys.argv[1]) % 8))
mac = hmac.digest(key, struct.pack(">Q", int(time.time()) // 30), "sha1")
print("%06d" % ((struct.unpack(">I", mac[mac[-1] & 15 :][:4])[0] & 0x7FFFFFFF) % 1000000))
PYTHON
}
signup() { # PERSON
	post "$1" /auth/signup "{\"name\":\"$1\",\"email\":\"$1@example.uz\",\"password\":\"correct horse battery\",\"organization_name\":\"$1\"}" >/dev/null
}
signup keys
SVC_KEYS=
for i in $(seq 1 20); do
	SVC_KEYS="$SVC_KEYS $(post keys /api-keys "{\"name\":\"schemathesis $i\"}" | field key)"
done
SVC_SESSIONS=
for person in anvar bahrom dilnoza feruza gulnora hilola; do
	signup $person
	secret=$(post $person /me/mfa/setup '{}' | field secret)
	post $person /me/mfa/enable "{\"code\":\"$(code "$secret")\"}" >/dev/null
	"$work/svc" admin create $person@example.uz --data "$work/data" >/dev/null
	curl --silent --fail --show-error --cookie "$work/$person" --output /dev/null "$base/api/v1/admin/overview"
	SVC_SESSIONS="$SVC_SESSIONS $(awk '$6 == "svc_session" { print $7 }' "$work/$person")"
done
export SVC_KEYS SVC_SESSIONS SVC_ORIGIN=$base
export SCHEMATHESIS_HOOKS=$work/callers.py
cat >"$SCHEMATHESIS_HOOKS" <<'PYTHON'
import itertools
import os

import schemathesis

# A key, or a session, whose changes must come from a page of ours.
if os.environ["SVC_WHO"] == "keys":
    callers = [{"Authorization": "Bearer " + key} for key in os.environ["SVC_KEYS"].split()]
else:
    callers = [{"Cookie": "svc_session=" + s, "Origin": os.environ["SVC_ORIGIN"]} for s in os.environ["SVC_SESSIONS"].split()]
turns = itertools.cycle(callers)


@schemathesis.auth(refresh_interval=None)
class Callers:
    def get(self, case, context):
        return next(turns)

    def set(self, case, data, context):
        case.headers = {**(case.headers or {}), **data}
PYTHON

# A run that lost its callers asked as nobody, and proved little.
still() { # WHO
	local header=Authorization:\ Bearer\  path=/recipients callers=$SVC_KEYS caller
	if [ "$1" = people ]; then header='Cookie: svc_session=' path=/admin/overview callers=$SVC_SESSIONS; fi
	for caller in $callers; do
		curl --silent --fail --retry 3 --output /dev/null --header "$header$caller" "$base/api/v1$path" ||
			{ echo "schemathesis.sh: one of the $1 may not ask any more" >&2; return 1; }
	done
}

# What no run asks for, and what people do not: the run would end itself.
excluded=(events.stream) # lasts an hour and has no end to check
feet=(
	auth.logout me.end_session            # end the session that asks
	me.mfa_disable                        # takes the platform away from it
	admin.disable_user                    # ends the sessions of a person, its own too
	admin.suspend_organization            # refuses every change of an organization from then on
	admin.enter_support                   # makes a session one that may only look
	admin.put_settings                    # maintenance mode refuses all changes of organizations
	admin.pause_queue                     # an import waits for its queue
)
# A provider of AI that the run makes up answers nothing, which is said with this status.
cat >"$work/schemathesis.toml" <<'TOML'
[[operations]]
include-operation-id = "ai.compose"
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 503]
TOML
run() { # DOCUMENT WHO SECONDS [OPERATION...]
	local document=$1 who=$2 time=$3 options=() id
	shift 3
	for id in "${excluded[@]}" "$@"; do options+=(--exclude-operation-id "$id"); done
	echo "schemathesis: $document with $who, $time s"
	SVC_WHO=$who "$tool" --no-color run "$base/api/v1/openapi/$document" \
		--checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance \
		"${options[@]}" --max-time "$time" --workers 1 --seed "${SEED:-1}" --request-timeout 35 --continue-on-failure \
		--warnings off --generation-database none --output-sanitize true
}
tool=$PWD/$dir/bin/schemathesis
failed=
(cd "$work" && run openapi.json keys $((seconds * 2 / 5))) || failed=1
still keys || failed=1
(cd "$work" && run openapi.strict.json people $((seconds - seconds * 2 / 5)) "${feet[@]}") || failed=1
still people || failed=1

if grep -E '"level":"(ERROR|WARN)"' "$work/log" | grep -v '"msg":"map is empty' >"$work/complaints"; then
	echo "The service complained:"
	sort "$work/complaints" | uniq | head -20
fi
kill -0 "$server" 2>/dev/null || { echo "the service ended on its own:"; tail -20 "$work/log"; failed=1; }
[ -z "$failed" ] || { echo "schemathesis.sh: answers outside the description, or failures of the service: see above" >&2; exit 1; }
