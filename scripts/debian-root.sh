#!/usr/bin/env bash
# debian-root.sh CACHE makes CACHE/debian-bookworm.tar, a Debian with nothing but its required packages, once. It needs root.
set -euo pipefail
root=${1:?usage: debian-root.sh CACHE}/debian-bookworm.tar
refuse() { echo "debian-root.sh: $1" >&2; exit 1; }

[ ! -s "$root" ] || exit 0
[ "$(id -u)" = 0 ] || refuse "not root: a Debian root is made by root alone"
if ! command -v debootstrap >/dev/null; then
  command -v apt-get >/dev/null || refuse "no debootstrap, and no apt-get to install it with"
  echo "debian-root.sh: installing Debian's debootstrap"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap >/dev/null ||
    refuse "apt-get could not install debootstrap"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
debootstrap --variant=minbase bookworm "$work/root" "${LINCHPIN_DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$work/log" 2>&1 ||
  { tail -5 "$work/log" >&2; refuse "debootstrap failed (LINCHPIN_DEBIAN_MIRROR names another mirror)"; }
rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/*
tar -C "$work/root" --one-file-system --exclude='./dev/*' -cf "$work/tar" .
mkdir -p "$1"
mv "$work/tar" "$root"
