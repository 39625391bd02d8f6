#!/usr/bin/env bash
# run.sh devices          what linchpin finds on this machine
# run.sh test [ARGS]      the tests that need a device; ARGS as of go test, such as -test.run Probe
# run.sh sanitize [ARGS]  the same under memcheck, racecheck and synccheck, where compute-sanitizer is on PATH
# run.sh bench ARGS       linchpin bench with the graphs of this folder
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
what=${1:-devices}
shift || true
case $what in
  devices) exec "$here/linchpin" devices "$@" ;;
  test) exec "$here/cuda.test" -test.timeout 30m "$@" ;;
  sanitize)
    command -v compute-sanitizer >/dev/null || { echo "run.sh: there is no compute-sanitizer (pip install nvidia-cuda-sanitizer-api)" >&2; exit 1; }
    for tool in memcheck racecheck synccheck; do
      echo "== $tool"
      compute-sanitizer --tool "$tool" --error-exitcode 3 "$here/cuda.test" -test.timeout 60m "$@"
    done ;;
  bench) exec "$here/linchpin" bench --data "$here/graphs" "$@" ;;
  *) sed -n '2,5s/^# //p' "$0" >&2; exit 2 ;;
esac
