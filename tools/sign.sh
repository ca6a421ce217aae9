#!/usr/bin/env bash
# Signs a file with a private key of OpenSSH: sign.sh KEY FILE writes FILE.sig. Such a
# key is made by
#
#	ssh-keygen -t ed25519 -f KEY -C "releases of svc"
#
# Keep it apart from the sources and from the build machine, and give KEY.pub to those
# who check releases. README.md says how they do.
set -euo pipefail
key=${1:?name the private key}
file=${2:?name the file}
command -v ssh-keygen >/dev/null || { echo "sign.sh needs ssh-keygen (apt-get install openssh-client)" >&2; exit 1; }
[ -r "$key" ] || { echo "sign.sh: there is no key $key that can be read; ssh-keygen -t ed25519 -f $key makes one" >&2; exit 1; }
rm -f "$file.sig"
ssh-keygen -q -Y sign -f "$key" -n svc-release "$file"
# A signature that nobody can check is none.
ssh-keygen -q -Y check-novalidate -n svc-release -s "$file.sig" <"$file" >/dev/null
echo "$file.sig: signed"
