#!/usr/bin/env bash
# bundle.sh OUT [DATA] packs what worker.mk built into one folder that runs on a machine with nothing but a driver:
# linchpin, linchpin-bench, the worker, the tests that need a device, a bare program to compare starts with, and, where the folder DATA
# with graphs is there, those graphs as snapshots.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$1 data=${2:-}
rm -rf "$out"
mkdir -p "$out"
cp -r bin/linchpin-worker build/tests build/cuda-start "$here/run.sh" "$out/"
CGO_ENABLED=0 go build -trimpath -ldflags "${LDFLAGS:--s -w}" -o "$out/linchpin" ./cmd/linchpin
(cd bench && CGO_ENABLED=0 go build -trimpath -ldflags "${LDFLAGS:--s -w}" -o "$OLDPWD/$out/linchpin-bench" ./cmd/linchpin-bench)
git rev-parse HEAD >"$out/commit" 2>/dev/null || echo unknown >"$out/commit"
if [ -n "$data" ] && [ -d "$data" ]; then
  "$out/linchpin-bench" --data "$data" --pack "$out/graphs"
else
  echo "bundle: no folder with graphs; only generated ones can be measured" >&2
fi
tar -C "$(dirname "$out")" -czf "$out.tar.gz" "$(basename "$out")"
du -sh "$out" "$out.tar.gz"
