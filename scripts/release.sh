#!/usr/bin/env bash
# release.sh makes a release in dist/: of the tag v0.1.0 if HEAD has one, and a snapshot otherwise. `make release` runs it.
# LINCHPIN_RELEASE_KEY is the text of the private key (PEM) that signs checksums.txt. GITHUB_TOKEN publishes a draft.
set -euo pipefail
cd "$(dirname "$0")/.."
die() { echo "release: $*" >&2; exit 1; }

export PATH=${CACHE:-$PWD/.cache}/bin:$PATH
command -v goreleaser >/dev/null || die "there is no goreleaser: call this by \`make release\`, which installs it"

tag=$(git describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null || true)
arguments=(release --clean) skip=
if [ -z "$tag" ]; then
  arguments+=(--snapshot)
  echo "release: HEAD has no tag, so this is a snapshot"
  version=$(sed -nE '0,/^## /s/^## ([0-9.]+) .*/\1/p' CHANGELOG.md)
else
  version=${tag#v}
  [ -z "$(git status --porcelain)" ] || die "the tree has changes, which $tag does not have: commit them, or stash them"
  grep -q "^version: $version\$" deploy/chart/Chart.yaml || die "deploy/chart/Chart.yaml has another version than $tag"
fi

if [ -n "${LINCHPIN_RELEASE_KEY:-}" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  (umask 077 && printf '%s\n' "$LINCHPIN_RELEASE_KEY" >"$folder/key")
  export LINCHPIN_RELEASE_KEY_FILE=$folder/key
  openssl pkey -in "$folder/key" -pubout -out "$folder/pub" 2>/dev/null || die "LINCHPIN_RELEASE_KEY is not a private key in PEM"
  unset LINCHPIN_RELEASE_KEY
  if [ -n "$tag" ]; then
    cmp -s "$folder/pub" deploy/release.pub || die "LINCHPIN_RELEASE_KEY is not the private half of deploy/release.pub (CONTRIBUTING.md says how to make both)"
  fi
elif [ -n "$tag" ] && [ -z "${UNSIGNED:-}" ]; then
  die "LINCHPIN_RELEASE_KEY is not set: give it the private key, or make an unsigned release with UNSIGNED=1"
else
  echo "release: UNSIGNED, because LINCHPIN_RELEASE_KEY is not set"
  skip=sign
fi
if [ -z "$tag" ] || [ -z "${GITHUB_TOKEN:-}" ]; then
  skip=${skip:+$skip,}publish,announce
fi

# goreleaser knows the commit only if the repository has a remote, which it does not ask.
if ! git remote get-url origin >/dev/null 2>&1; then
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=https://github.com/linchpin-graph/linchpin
fi

mkdir -p build/release
scripts/release-notes.sh "$version" >build/release/notes.md
goreleaser "${arguments[@]}" --skip="${skip:-announce}" --release-notes build/release/notes.md "$@"
if grep -q darwin dist/checksums.txt; then scripts/formula.sh dist >dist/linchpin.rb; fi
cp build/release/notes.md dist/release-notes.md
mv dist/images/* build/release/linchpin-chart-*.tgz dist/
rmdir dist/images
echo "release: dist/ has $(sed -nE 's/.*"version":"([^"]+)".*/\1/p' dist/metadata.json)"
