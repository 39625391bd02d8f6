#!/bin/sh
# Writes internal/picture/land.txt from Natural Earth's land in 1:110m (public domain), as world-atlas packs it.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --silent world-atlas@2.0.2 >/dev/null && tar xzf world-atlas-2.0.2.tgz)
go run ./landgen "$work/package/land-110m.json" land.txt
