// Betweenness by hops: bc(v) = sum over sources s of delta_s(v), delta_s(v) = sum over the w after v of
// sigma(v)/sigma(w) * (1 + delta_s(w)); of an arc v->w, sum over s of sigma(v)/sigma(w) * (1 + delta_s(w)).
// Brandes 2001; the strategies are those of Sriram et al. 2009, Jia et al. 2011,
// McLaughlin & Bader 2014, Fan, Xu & Zhao 2017.
#include "paths.cuh"

// One thread a node, more threads a node, threads for arcs, nodes that pull, rows in cells.
PATHS_KERNEL(betweenness_f64_node, double, Betweenness, 1, lists)
PATHS_KERNEL(betweenness_f64_warp, double, Betweenness, 0, lists)
PATHS_KERNEL(betweenness_f64_arcs, double, Betweenness, 1, withArcs)
PATHS_KERNEL(betweenness_f64_pull, double, Betweenness, 1, pulls)
PATHS_KERNEL(betweenness_f64_cells, double, Betweenness, 1, cells)
PATHS_KERNEL(betweenness_f64_many_cells, double, Betweenness, 1, manyCells)

// The same for several ranges in one pass.
RANGES_KERNEL(betweenness_f64_node_ranges, double, Betweenness, 1, lists)
RANGES_KERNEL(betweenness_f64_warp_ranges, double, Betweenness, 0, lists)
RANGES_KERNEL(betweenness_f64_cells_ranges, double, Betweenness, 1, cells)

// For the sources whose counts no scale brings into float64.
PATHS_KERNEL(betweenness_wide, Wide, Betweenness, 0, lists)
