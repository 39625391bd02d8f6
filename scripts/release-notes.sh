#!/usr/bin/env bash
# release-notes.sh VERSION prints the notes of a version: its section of CHANGELOG.md, then changelog/unreleased by kind.
# release-notes.sh VERSION --write moves the files of changelog/unreleased into that section, which the release commits.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: release-notes.sh VERSION [--write]}

# section prints the text below "## VERSION", up to the next version.
section() { awk -v v="$version" '$1 == "##" { on = $2 == v; next } on' CHANGELOG.md; }

# changes KIND prints the entries of a kind as a list: the first line in bold, then the text.
changes() {
  local f
  for f in changelog/unreleased/*.md; do
    [ -e "$f" ] || continue
    awk -v kind="$1" 'NR == 1 { if (index($0, kind ": ") != 1) exit; sub(/^[^:]*: /, ""); title = $0; printf "* **%s%s.**", toupper(substr(title, 1, 1)), substr(title, 2) }
      NR > 1 && NF { printf "%s%s", NR == 3 ? " " : "\n  ", $0 } END { if (title) print "" }' "$f"
  done
}

unreleased() {
  local kind list
  for kind in Breaking Added Changed Fixed; do
    list=$(changes "$kind")
    if [ -n "$list" ]; then printf '\n### %s\n\n%s\n' "$kind" "$list"; fi
  done
}

notes() { section | sed -e '/./,$!d'; unreleased; }

grep -q "^## $version " CHANGELOG.md || { echo "release-notes.sh: CHANGELOG.md has no section \"## $version (DATE)\"" >&2; exit 1; }
if [ "${2:-}" != --write ]; then
  notes
  exit
fi
new=$(mktemp)
trap 'rm -f "$new"' EXIT
awk -v v="$version" '{ print } $1 == "##" && $2 == v { exit }' CHANGELOG.md >"$new"
{ echo; notes; echo; } >>"$new"
awk -v v="$version" '$1 == "##" { if (seen) on = 1; if ($2 == v) seen = 1 } on' CHANGELOG.md >>"$new"
sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$new" >CHANGELOG.md
rm -f changelog/unreleased/*.md
