#!/usr/bin/env bash
# run.sh devices          what linchpin finds on this machine
# run.sh test [ARGS]      the tests that need a device; ARGS as of go test, such as -test.run Probe
# run.sh sanitize [ARGS]  the same under memcheck, racecheck and synccheck, where compute-sanitizer is on PATH
# run.sh bench ARGS       linchpin bench with the graphs of this folder
# run.sh end-to-end NAMES betweenness of these graphs of this folder, from file to file, on the GPU: one JSON object each
# run.sh small            the same of small graphs, on the GPU and on the CPU
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
  end-to-end | small)
    if [ "$what" = small ]; then
      for i in 1 2 3; do "$here/linchpin" generate er --nodes 500 --edges 2000 --seed $i --out "/tmp/linchpin-$$-$i.csv" --quiet; done
      set -- facebook_combined air-routes "/tmp/linchpin-$$-1.csv" "/tmp/linchpin-$$-2.csv" "/tmp/linchpin-$$-3.csv"
    fi
    scores=$(mktemp -d)
    trap 'rm -rf "$scores" /tmp/linchpin-$$-*.csv' EXIT
    for graph in "$@"; do
      file=$here/graphs/$graph.csv.gz
      [ -e "$file" ] || file=$graph
      for device in gpu $([ "$what" = small ] && echo cpu); do
        begin=$(date +%s.%N)
        "$here/linchpin" compute "$file" --measure betweenness --device $device --json --quiet \
          --nodes-out "$scores/nodes.csv" --edges-out "$scores/edges.csv"
        echo "{\"wallClock\": $(awk "BEGIN { print $(date +%s.%N) - $begin }")}"
      done
    done ;;
  bench) exec "$here/linchpin" bench --data "$here/graphs" "$@" ;;
  *) sed -n '2,7s/^# //p' "$0" >&2; exit 2 ;;
esac
