// Stress by hops: sum over sources s of sigma_s(v) * ways(v), ways(v) = sum over the w after v of 1 + ways(w), the
// number of shortest paths that go on from v; of an arc v->w, sum of sigma_s(v) * (1 + ways(w)). Counts are absolute,
// so what passes float64 is counted again in Wide numbers.
#include "paths.cuh"

PATHS_KERNEL(stress_f64_node, double, Stress, 1, lists)
PATHS_KERNEL(stress_f64_warp, double, Stress, 0, lists)
PATHS_KERNEL(stress_f64_arcs, double, Stress, 1, withArcs)
PATHS_KERNEL(stress_f64_pull, double, Stress, 1, pulls)

RANGES_KERNEL(stress_f64_node_ranges, double, Stress, 1, lists)
RANGES_KERNEL(stress_f64_warp_ranges, double, Stress, 0, lists)

PATHS_KERNEL(stress_wide, Wide, Stress, 0, lists)
