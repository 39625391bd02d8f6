// Distances by hops: single source, many sources, all pairs. See distances.cuh; strategies as for betweenness, without
// the backward pass.
#include "distances.cuh"

HOP_ROWS_KERNEL(distances_hops_node, 1, lists)
HOP_ROWS_KERNEL(distances_hops_warp, 0, lists)
HOP_ROWS_KERNEL(distances_hops_arcs, 1, withArcs)
HOP_ROWS_KERNEL(distances_hops_pull, 1, pulls)
