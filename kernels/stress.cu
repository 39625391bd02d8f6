// Stress by hops: sum over sources s of sigma_s(v) * ways(v), ways(v) = sum over the w after v of 1 + ways(w), the number
// of shortest paths that go on from v; of an arc v->w, sum of sigma_s(v) * (1 + ways(w)). Counts are absolute, so what
// passes float64 is counted again in Wide numbers.
#include "paths.cuh"

PATHS_KERNEL(stress_f64_arcs, double, Stress, 1, true)
PATHS_KERNEL(stress_f64_1, double, Stress, 1, false)
PATHS_KERNEL(stress_f64_4, double, Stress, 4, false)
PATHS_KERNEL(stress_f64_8, double, Stress, 8, false)
PATHS_KERNEL(stress_f64_16, double, Stress, 16, false)
PATHS_KERNEL(stress_f64_32, double, Stress, 32, false)

PATHS_KERNEL(stress_wide, Wide, Stress, 8, false)
