// Betweenness by weights, nodes and edges, after Fan, Xu & Zhao 2017: see device/weighted_search.cuh.
#include "../device/weighted_search.cuh"

WEIGHTED_KERNEL(betweenness_ticks32_f64, Ticks<unsigned>, double, Betweenness)
WEIGHTED_KERNEL(betweenness_ticks64_f64, Ticks<unsigned long long>, double, Betweenness)
WEIGHTED_KERNEL(betweenness_reals_f64, Reals, double, Betweenness)
WEIGHTED_KERNEL(betweenness_ticks32_f32, Ticks<unsigned>, float, Betweenness)
WEIGHTED_KERNEL(betweenness_ticks64_f32, Ticks<unsigned long long>, float, Betweenness)
WEIGHTED_KERNEL(betweenness_reals_f32, Reals, float, Betweenness)

// The same for several ranges in one pass.
WEIGHTED_RANGES_KERNEL(betweenness_ticks32_f64_ranges, Ticks<unsigned>, double, Betweenness)
WEIGHTED_RANGES_KERNEL(betweenness_ticks64_f64_ranges, Ticks<unsigned long long>, double, Betweenness)
WEIGHTED_RANGES_KERNEL(betweenness_reals_f64_ranges, Reals, double, Betweenness)
WEIGHTED_RANGES_KERNEL(betweenness_ticks32_f32_ranges, Ticks<unsigned>, float, Betweenness)
WEIGHTED_RANGES_KERNEL(betweenness_ticks64_f32_ranges, Ticks<unsigned long long>, float, Betweenness)
WEIGHTED_RANGES_KERNEL(betweenness_reals_f32_ranges, Reals, float, Betweenness)

WEIGHTED_KERNEL(betweenness_ticks32_wide, Ticks<unsigned>, Wide, Betweenness)
WEIGHTED_KERNEL(betweenness_ticks64_wide, Ticks<unsigned long long>, Wide, Betweenness)
WEIGHTED_KERNEL(betweenness_reals_wide, Reals, Wide, Betweenness)
