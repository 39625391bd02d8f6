#!/usr/bin/env bash
# stage.sh NAME COMMAND... runs one stage of the tests while others run. What it prints goes to build/test/NAME.log and
# is shown when the stage has ended, in one piece. A stage that fails ends the make that runs all of them.
set -uo pipefail
name=$1 log=build/test/$1.log
shift
mkdir -p build/test

stop() {
  trap '' INT TERM
  kill -TERM -- "-$job" 2>/dev/null
  wait "$job"
  exit 130
}

# The command's own make shares no jobs with the one that runs the stages.
MAKEFLAGS=$(sed -E 's/ ?-j[0-9]* --jobserver-auth=[^ ]*//' <<<"${MAKEFLAGS:-}")
export MAKEFLAGS
echo "=== $name: started"
set -m # a process group of its own, so that stop reaches all of it
"$@" </dev/null >"$log" 2>&1 &
job=$!
trap stop INT TERM
wait "$job"
status=$?
trap - INT TERM
times >"$log.times" # here, since a pipe's shell has children of its own
read -r user system < <(tail -1 "$log.times")
rm "$log.times"
exec 9>build/test/output
flock 9
cat "$log"
if [ "$status" = 0 ]; then
  echo "=== $name: passed after ${SECONDS} s (processor: $user user, $system system)"
else
  echo "=== $name: failed after ${SECONDS} s"
  kill -TERM "$PPID"
fi
exit "$status"
