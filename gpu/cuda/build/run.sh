#!/usr/bin/env bash
# run.sh devices          what linchpin finds on this machine
# run.sh test [ARGS]      the tests that need a device; ARGS as of go test, such as -test.run Probe
# run.sh sanitize [ARGS]  the same under memcheck, racecheck and synccheck, where compute-sanitizer is on PATH
# run.sh bench ARGS       linchpin bench with the graphs of this folder
# run.sh end-to-end NAMES betweenness of these graphs of this folder, from file to file, on the GPU: one JSON object each
# run.sh small            small graphs on the GPU and on the CPU, 1,000 of them in one call, and what a bare program's start takes
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
  end-to-end)
    scores=$(mktemp -d)
    trap 'rm -rf "$scores"' EXIT
    for graph in "$@"; do
      file=$here/graphs/$graph.csv.gz
      [ -e "$file" ] || file=$graph
      begin=$(date +%s.%N)
      "$here/linchpin" compute "$file" --measure betweenness --device gpu --json --quiet \
        --nodes-out "$scores/nodes.csv" --edges-out "$scores/edges.csv"
      echo "{\"wallClock\": $(awk "BEGIN { print $(date +%s.%N) - $begin }")}"
    done ;;
  small)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/many" "$work/scores"
    seq 1000 | xargs -P "$(nproc)" -I{} "$here/linchpin" generate er --nodes 500 --edges 2000 --seed {} --threads 1 --out "$work/many/{}.csv" --quiet
    "$here/linchpin" generate er --nodes 500 --edges 2000 --copies 1000 --out "$work/one.csv" --quiet
    # measure NAME FILES... says what a call takes from its start to its end, and what of it is the worker's start and computing.
    measure() {
      name=$1; shift
      for device in gpu cpu; do
        begin=$(date +%s.%N)
        "$here/linchpin" compute "$@" --measure betweenness --device $device --json --quiet \
          --nodes-out "$work/scores/*-nodes.csv" --edges-out "$work/scores/*-edges.csv" >"$work/out"
        awk -v name="$name" -v device=$device -v all="$(awk "BEGIN { print $(date +%s.%N) - $begin }")" \
          '/"start":/ { start += $2 } /"compute":/ { compute += $2 }
           END { printf "{\"graphs\": \"%s\", \"device\": \"%s\", \"wallClock\": %s, \"start\": %g, \"compute\": %g}\n", name, device, all, start, compute }' "$work/out"
      done
    }
    for _ in 1 2 3; do "$here/cuda-start"; done
    for graph in karate air-routes facebook_combined; do measure $graph "$here/graphs/$graph.csv.gz"; done
    measure "1,000 files" "$work"/many/*.csv
    measure "1,000 in one file" "$work/one.csv" ;;
  bench) exec "$here/linchpin" bench --data "$here/graphs" "$@" ;;
  *) sed -n '2,7s/^# //p' "$0" >&2; exit 2 ;;
esac
