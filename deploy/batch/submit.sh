#!/bin/bash
# A graph in a file as a batch on Slurm: an array of parts, and the merge of them when all are done. All nodes see the files.
#
#   ./submit.sh roads.csv scores.csv
#   LINCHPIN_DEVICE=gpu ./submit.sh roads.csv scores.csv                           # a GPU per part
#   LINCHPIN_DEVICE=gpu LINCHPIN_GRES=gpu:h100:1 ./submit.sh roads.csv scores.csv  # of one kind, where nodes have several
#
# If a part fails for good, Slurm cancels the merge. Then start merge.sbatch by hand: it computes the parts that are missing.
#
#   LINCHPIN_PARTS=parts-XXXXXXXX LINCHPIN_SCORES=scores.csv sbatch merge.sbatch
set -euo pipefail

export LINCHPIN_GRAPH="$1" LINCHPIN_SCORES="$2"
LINCHPIN_PARTS="$(mktemp --directory --tmpdir="$PWD" parts-XXXXXXXX)"
export LINCHPIN_PARTS

gres=()
if [ "${LINCHPIN_DEVICE:-cpu}" != cpu ]; then gres=("--gres=${LINCHPIN_GRES:-gpu:1}"); fi # merge undoes reductions on one
here="$(dirname "$0")"
parts="$(sbatch --parsable --export=ALL "${gres[@]}" "$here/part.sbatch")"
sbatch --parsable --export=ALL "${gres[@]}" --dependency="afterok:$parts" --kill-on-invalid-dep=yes "$here/merge.sbatch"
