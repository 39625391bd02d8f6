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

refuse() {
  echo "browser.sh: $1: install Chromium or Chrome so that it is in the PATH (Debian: apt-get install chromium), or name one in LINCHPIN_CHROMIUM" >&2
  exit 1
}

if [ -n "${LINCHPIN_CHROMIUM:-}" ] && ! command -v "$LINCHPIN_CHROMIUM" >/dev/null; then
  refuse "LINCHPIN_CHROMIUM=$LINCHPIN_CHROMIUM is not there"
fi
if ! find_browser; then
  as_root=(env DEBIAN_FRONTEND=noninteractive)
  if [ "$(id -u)" != 0 ]; then as_root=(sudo -n "${as_root[@]}"); fi
  command -v apt-get >/dev/null || refuse "no Chromium, and no apt-get to install it with"
  "${as_root[@]}" true 2>/dev/null || refuse "no Chromium, and no right to install it (neither root nor sudo without a password)"
  echo "browser.sh: installing Debian's chromium"
  "${as_root[@]}" apt-get update -qq || refuse "apt-get update failed"
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null || refuse "apt-get has no chromium to install"
  find_browser || refuse "apt-get has installed no browser"
fi

if [ ! -s "$cache/axe/axe-$axe.min.js" ]; then
  mkdir -p "$cache/axe"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  (cd "$work" && npm pack --silent "axe-core@$axe" >/dev/null && tar xzf "axe-core-$axe.tgz" package/axe.min.js)
  mv "$work/package/axe.min.js" "$cache/axe/axe-$axe.min.js"
fi
