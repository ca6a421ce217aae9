#!/usr/bin/env bash
# Installs what the comparison with Nominatim needs, starts a PostgreSQL server of its own
# and runs it: bench/geocoders/run.sh [ARGUMENT...], arguments of `go run ./geocoders`.
# Debian, as root. What it makes lies in one folder, which is removed at the end.
set -euo pipefail
cd "$(dirname "$0")/.."

postgis=$(apt-cache search --names-only '^postgresql-[0-9]+-postgis-3$' | awk '{ print $1 }' | sort -V | tail -n 1)
[ -n "$postgis" ] || { apt-get update -qq && postgis=$(apt-cache search --names-only '^postgresql-[0-9]+-postgis-3$' | awk '{ print $1 }' | sort -V | tail -n 1); }
apt-get install -y -qq postgresql osm2pgsql python3-venv "$postgis" "$postgis-scripts" >/dev/null

dir=$(mktemp -d)
chmod 755 "$dir"
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
stop() {
	su postgres -c "'$bin/pg_ctl' -D '$dir/pg' -m immediate stop" >/dev/null 2>&1 || true
	rm -rf "$dir"
}
trap stop EXIT

python3 -m venv "$dir/python"
"$dir/python/bin/pip" install --quiet nominatim-db nominatim-api 'psycopg[binary]' falcon uvicorn

mkdir "$dir/pg"
chown postgres "$dir/pg"
# The server holds nothing that has to outlive a crash.
su postgres -c "'$bin/initdb' -D '$dir/pg' -A trust --locale=C.UTF-8 -E UTF8" >/dev/null
cat >>"$dir/pg/postgresql.conf" <<-SETTINGS
	listen_addresses = '127.0.0.1'
	unix_socket_directories = ''
	port = 54329
	fsync = off
	synchronous_commit = off
	full_page_writes = off
	shared_buffers = 512MB
	maintenance_work_mem = 512MB
SETTINGS
su postgres -c "'$bin/pg_ctl' -D '$dir/pg' -l '$dir/pg/log' -w start" >/dev/null
export PGHOST=127.0.0.1 PGPORT=54329 PGUSER=postgres PATH="$bin:$dir/python/bin:$PATH"
createuser www-data # what Nominatim lets read its tables
go run ./geocoders "$@"
