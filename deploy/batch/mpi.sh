#!/bin/bash
# A graph in a file as a batch by mpirun: each rank computes a part, and then this machine makes the scores. All hosts see the
# files. linchpin uses no MPI; mpirun only starts the processes. Further options of mpirun go into MPIRUN_OPTIONS.
#
#   ./mpi.sh 16 roads.csv scores.csv
#   LINCHPIN_DEVICE=gpu ./mpi.sh 16 roads.csv scores.csv  # a GPU per rank
#   MPIRUN_OPTIONS="--hostfile hosts --map-by ppr:1:node" ./mpi.sh 16 roads.csv scores.csv
set -euo pipefail

export LINCHPIN_GRAPH="$2" LINCHPIN_DEVICE="${LINCHPIN_DEVICE:-cpu}"
LINCHPIN_PARTS="$(mktemp --directory --tmpdir="$PWD" parts-XXXXXXXX)"
export LINCHPIN_PARTS

# shellcheck disable=SC2086,SC2016 # options are words, and ranks expand the variables
mpirun -n "$1" ${MPIRUN_OPTIONS:-} bash -c 'linchpin shard "$LINCHPIN_GRAPH" --measure betweenness \
  --device "${LINCHPIN_DEVICE/%gpu/gpu:$OMPI_COMM_WORLD_LOCAL_RANK}" \
  --index "$OMPI_COMM_WORLD_RANK" --of "$OMPI_COMM_WORLD_SIZE" --out "$LINCHPIN_PARTS/"'
linchpin merge "$LINCHPIN_PARTS" --complete --nodes-out "$3"
