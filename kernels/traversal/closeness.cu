// Closeness, harmonic centrality, graph centrality and eccentricity by hops, and distances: one search a source, folded
// where it arrives. See folds.cuh; strategies as for betweenness, without the backward pass.
#include "folds.cuh"

HOPS_KERNEL(closeness_hops_node, 1, lists)
HOPS_KERNEL(closeness_hops_warp, 0, lists)
HOPS_KERNEL(closeness_hops_arcs, 1, withArcs)
HOPS_KERNEL(closeness_hops_pull, 1, pulls)

HOPS_RANGES_KERNEL(closeness_hops_node_ranges, 1, lists)
HOPS_RANGES_KERNEL(closeness_hops_warp_ranges, 0, lists)
