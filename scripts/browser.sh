#!/usr/bin/env bash
# Makes sure that there is a browser for the tests of the page, and axe-core in the folder given: browser.sh CACHE
# A browser in the PATH is used as it is; otherwise Debian's chromium is installed, which needs root or sudo.
set -euo pipefail
cache=${1:?usage: browser.sh CACHE}
axe=4.14.1

find_browser() {
  local name
  for name in "${LINCHPIN_CHROMIUM:-}" chromium chromium-browser google-chrome; do
    if [ -n "$name" ] && command -v "$name" >/dev/null; then return 0; fi
  done
  return 1
}

if ! find_browser; then
  root=()
  if [ "$(id -u)" != 0 ]; then root=(sudo -n); fi
  if ! command -v apt-get >/dev/null || ! "${root[@]}" true 2>/dev/null; then
    echo "browser.sh: no Chromium: install it (Debian: apt-get install chromium), or name one in LINCHPIN_CHROMIUM" >&2
    exit 1
  fi
  echo "browser.sh: installing Debian's chromium"
  "${root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
fi

if [ ! -s "$cache/axe/axe-$axe.min.js" ]; then
  mkdir -p "$cache/axe"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  (cd "$work" && npm pack --silent "axe-core@$axe" >/dev/null && tar xzf "axe-core-$axe.tgz" package/axe.min.js)
  mv "$work/package/axe.min.js" "$cache/axe/axe-$axe.min.js"
fi
