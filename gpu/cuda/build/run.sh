#!/usr/bin/env bash
# run.sh devices          what linchpin finds on this machine
# run.sh test [ARGS]      the tests that need a device; ARGS as of go test, such as -test.run Probe
# run.sh check            all of these tests side by side, and TestSmall under each sanitizer beside them: a line each, and what failed at the end
# run.sh sanitize [ARGS]  the tests under memcheck, racecheck and synccheck, where compute-sanitizer is on PATH
# run.sh bench ARGS       linchpin-bench with the graphs of this folder
# run.sh end-to-end NAMES betweenness of these graphs of this folder, from file to file: one JSON object each; NAME+own and NAME+w10
#                         by weights, as in bench. DEVICES="gpu cpu" for both, and how far they differ; STRATEGY for the GPU's
# run.sh small            small graphs on the GPU and on the CPU, 1,000 of them in one call, and what a bare program's start takes
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
what=${1:-devices}
shift || true
case $what in
  devices) exec "$here/linchpin" devices "$@" ;;
  test) for program in "$here"/tests/*; do "$program" -test.timeout 30m "$@"; done ;;
  check)
    logs=$(mktemp -d)
    trap 'rm -rf "$logs"' EXIT
    # one NAME COMMAND... runs it and says how it ended.
    one() {
      local name=$1 begin=$SECONDS status=ok
      shift
      if ! "$@" >"$logs/$name" 2>&1; then
        status=FAILED
        mv "$logs/$name" "$logs/$name.failed"
      fi
      echo "$status $name $((SECONDS - begin)) s"
    }
    sanitizers() {
      for tool in racecheck memcheck synccheck; do
        for program in traversal worker; do
          one "$tool-$program-$1" compute-sanitizer --tool $tool --report-api-errors no --error-exitcode 3 "$here/tests/$program.test" -test.timeout 60m -test.run "^TestSmall$/^$1$"
        done
      done
    }
    # tests lists what a process each runs, as PROGRAM:TEST: TestStrategies, the longest, by measures.
    tests() {
      for measure in $("$here/linchpin" __complete compute --measure "" 2>/dev/null | grep -v ^:); do # those without a device have no tests
        for weighted in true false; do
          for program in traversal worker; do echo "$program:TestStrategies/$measure/weighted=$weighted"; done
        done
      done
      for program in "$here"/tests/*.test; do
        "$program" -test.list . | grep ^Test | grep -v '^TestStrategies$' | sed "s/^/$(basename "$program" .test):/"
      done
    }
    if command -v compute-sanitizer >/dev/null; then
      for part in directed undirected weighted reals; do sanitizers $part & done
    else
      echo "without sanitizers: there is no compute-sanitizer on PATH"
    fi
    all=$(tests)
    for test in $all; do
      while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-$(nproc)}" ]; do wait -n; done
      name=${test#*:}
      one "${test//[\/:]/-}" "$here/tests/${test%%:*}.test" -test.timeout 60m -test.run "^${name//\//\$/^}$" &
    done
    wait
    for log in "$logs"/*.failed; do
      [ -e "$log" ] || continue
      echo "== $(basename "$log" .failed)"
      tail -30 "$log"
      failed=1
    done
    exit "${failed:-0}" ;;
  sanitize)
    command -v compute-sanitizer >/dev/null || { echo "run.sh: there is no compute-sanitizer (pip install nvidia-cuda-sanitizer-api)" >&2; exit 1; }
    for tool in memcheck racecheck synccheck; do
      echo "== $tool"
      for program in "$here"/tests/*; do
        compute-sanitizer --tool "$tool" --report-api-errors no --error-exitcode 3 "$program" -test.timeout 60m "$@"
      done
    done ;;
  end-to-end)
    scores=$(mktemp -d)
    trap 'rm -rf "$scores"' EXIT
    for graph in "$@"; do
      file=$here/graphs/${graph%+own}.csv.gz weighted=
      case $graph in
        *+own) weighted=--weighted ;;
        *+*)
          weighted=--weighted
          [ -e "$file" ] || "$here/linchpin-bench" --data "$here/graphs" --pack "$here/graphs" --graphs "$graph" >&2 ;;
        *) [ -e "$file" ] || file=$graph ;;
      esac
      rm -f "$scores"/*
      for device in ${DEVICES:-gpu}; do
        begin=$(date +%s.%N)
        "$here/linchpin" compute "$file" --measure betweenness $weighted --device "$device" --strategy "${STRATEGY:-auto}" --json --quiet \
          --nodes-out "$scores/$device-nodes.csv" --edges-out "$scores/$device-edges.csv"
        echo "{\"graph\": \"$graph\", \"device\": \"$device\", \"wallClock\": $(awk "BEGIN { print $(date +%s.%N) - $begin }")}"
      done
      for of in nodes edges; do
        if [ -e "$scores/gpu-$of.csv" ] && [ -e "$scores/cpu-$of.csv" ]; then
          paste -d, "$scores/gpu-$of.csv" "$scores/cpu-$of.csv" | awk -F, -v graph="$graph" -v of=$of '
            NR > 1 { a = $(NF / 2); b = $NF; d = a > b ? a - b : b - a; scale = a > b ? a : b; if (scale < 1e-9) scale = 1e-9
                     if (d / scale > most) most = d / scale }
            END { printf "{\"graph\": \"%s\", \"scores\": \"%s\", \"compared\": %d, \"largestRelativeDifference\": %.2g}\n", graph, of, NR - 1, most }'
        fi
      done
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
  bench) exec "$here/linchpin-bench" --data "$here/graphs" "$@" ;;
  *) sed -n '2,9s/^# //p' "$0" >&2; exit 2 ;;
esac
