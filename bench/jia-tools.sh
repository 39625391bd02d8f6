#!/bin/sh
# The two tools of Jia et al. (2011), simplification and clustering, on graphs like theirs: one line of JSON per run, with the device, the
# seconds of each step, and what was found. GPU runs take the first device, CPU runs one thread, as in their tables.
#
#   bench/jia-tools.sh bin/linchpin FOLDER > h200-tools.jsonl
#
# FOLDER has NAME/edges.csv.gz for each graph. Set DEVICES=cpu to measure the CPU alone, and SLOW=1 to cluster ca-GrQc-lcc
# edge by edge on the CPU, too, which takes more than a minute.
set -eu
linchpin=$1 data=$2 devices=${DEVICES:-cpu gpu}
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
# as large as their sp500-038
"$linchpin" generate er --nodes 365 --edges 3206 --seed 1 --out "$made/er-365-3206.csv.gz" > /dev/null 2>&1

# measure GRAPH FILE DEVICE OPTIONS... prints a line; a run that fails is one, too.
measure() {
	graph=$1 file=$2 device=$3
	shift 3
	threads=
	[ "$device" = cpu ] && threads='--threads 1'
	# shellcheck disable=SC2086 # no threads are no word
	if out=$("$linchpin" compute "$file" --device "$device" $threads --quiet --json "$@" 2>&1); then
		printf '{"graph":"%s","device":"%s","options":"%s","run":%s}\n' "$graph" "$device" "$*" "$(printf %s "$out" | tr -d '\n')"
	else
		printf '{"graph":"%s","device":"%s","options":"%s","error":"%s"}\n' "$graph" "$device" "$*" "$(printf %s "$out" | tr -d '\n"\\')"
	fi
}

for device in $devices; do
	for graph in er-365-3206 power ca-GrQc-lcc as-caida20071105; do
		file=$data/$graph/edges.csv.gz
		[ "$graph" = er-365-3206 ] && file=$made/er-365-3206.csv.gz
		# The scores of edges are what takes the time of simplification; the backbone is made of them on the CPU.
		measure "$graph" "$file" "$device" --measure betweenness --edges-out "$made/edges.npy"
		[ "$device" = cpu ] && measure "$graph" "$file" cpu --measure backbone --keep 0.2
		case $device/$graph in
		*/as-caida20071105) ;; # clustered in batches below
		cpu/ca-GrQc-lcc) [ -n "${SLOW:-}" ] && measure "$graph" "$file" cpu --measure communities ;;
		*) measure "$graph" "$file" "$device" --measure communities ;;
		esac
	done
	[ "$device" = cpu ] && continue
	for graph in ca-GrQc-lcc as-caida20071105 email-Enron-lcc; do
		for batch in 0.02 0.01; do
			measure "$graph" "$data/$graph/edges.csv.gz" gpu --measure communities --batch $batch --limit 30
		done
	done
done
