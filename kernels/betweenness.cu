// Betweenness by hops: bc(v) = sum over sources s of delta_s(v), delta_s(v) = sum over the w after v of
// sigma(v)/sigma(w) * (1 + delta_s(w)); of an arc v->w, sum over s of sigma(v)/sigma(w) * (1 + delta_s(w)).
// Brandes 2001; the strategies are those of Jia et al. 2011, McLaughlin & Bader 2014, Fan, Xu & Zhao 2017.
#include "paths.cuh"

PATHS_KERNEL(betweenness_f64_arcs, double, Betweenness, 1, true)
PATHS_KERNEL(betweenness_f64_1, double, Betweenness, 1, false)
PATHS_KERNEL(betweenness_f64_4, double, Betweenness, 4, false)
PATHS_KERNEL(betweenness_f64_8, double, Betweenness, 8, false)
PATHS_KERNEL(betweenness_f64_16, double, Betweenness, 16, false)
PATHS_KERNEL(betweenness_f64_32, double, Betweenness, 32, false)

PATHS_KERNEL(betweenness_f32_arcs, float, Betweenness, 1, true)
PATHS_KERNEL(betweenness_f32_1, float, Betweenness, 1, false)
PATHS_KERNEL(betweenness_f32_4, float, Betweenness, 4, false)
PATHS_KERNEL(betweenness_f32_8, float, Betweenness, 8, false)
PATHS_KERNEL(betweenness_f32_16, float, Betweenness, 16, false)
PATHS_KERNEL(betweenness_f32_32, float, Betweenness, 32, false)

// For the sources whose counts no scale brings into float64.
PATHS_KERNEL(betweenness_wide, Wide, Betweenness, 8, false)
