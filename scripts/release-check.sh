#!/usr/bin/env bash
# release-check.sh CACHE makes a snapshot for linux/amd64 twice, in two folders, and the second time without a network.
# Both must have the same hashes. Then it tries the package in a Debian root, and signs with a key of its own.
# The Makefile calls it with the flags for cgo in the environment.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${1:?usage: release-check.sh CACHE}
export CACHE=$cache TARGETS=linux/amd64 QUICK=1
unset LINCHPIN_RELEASE_KEY GITHUB_TOKEN UNSIGNED
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The second folder has the same files and commit, and what the compiler of kernels made. Tests beside this one may write files
# that tar is at, or remove them: it then ends with 1. Where such a file matters, the hashes differ.
mkdir "$work/copy"
{ git ls-files -z; git ls-files -z --others --exclude-standard; printf '%s\0' gpu/cuda/fatbin; } |
  { tar --null --ignore-failed-read --warning=no-file-changed -T - -cf - || [ $? = 1 ]; } | tar -C "$work/copy" -xf -
echo "gitdir: $(git rev-parse --absolute-git-dir)" >"$work/copy/.git"
export GIT_OPTIONAL_LOCKS=0

make_one() { # FOLDER UMASK [VARIABLE=VALUE...]
  local folder=$1 mask=$2
  shift 2
  (cd "$folder" && umask "$mask" && env "CGO_CFLAGS=${CGO_CFLAGS//$here\/gpu/$folder/gpu}" "$@" scripts/release.sh) >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; echo "release-check: no snapshot in $folder" >&2; exit 1; }
}

here=$PWD
make_one "$PWD" 022
grep -q '^release: UNSIGNED' "$work/log" || { echo "release-check: without a key, the release does not say that it is unsigned" >&2; exit 1; }
key=$(openssl ecparam -name prime256v1 -genkey -noout)
make_one "$work/copy" 077 GOPROXY=off "LINCHPIN_RELEASE_KEY=$key"

# Hashes of all files that a user can get. The formula has hashes of macOS, which this snapshot lacks.
hashes() { (cd "$1/dist" && cat checksums.txt && sha256sum bin/*/*); }
diff <(hashes .) <(hashes "$work/copy") || { echo "release-check: two builds of one commit differ" >&2; exit 1; }
openssl dgst -sha256 -verify <(openssl pkey -pubout <<<"$key") -signature "$work/copy/dist/checksums.txt.sig" dist/checksums.txt
(cd dist && sha256sum --quiet -c checksums.txt)
echo "release-check: two builds have the same $(wc -l <dist/checksums.txt) hashes"

cd deploy/check
CGO_ENABLED=0 LINCHPIN_DIST=$here/dist LINCHPIN_ROOT=$cache/debian-bookworm.tar go test -vet=off -count=1 ./debian
