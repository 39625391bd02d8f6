// Stress by weights, nodes and edges: see device/weighted_search.cuh and stress.cu.
#include "../device/weighted_search.cuh"

WEIGHTED_KERNEL(stress_ticks32_f64, Ticks<unsigned>, double, Stress)
WEIGHTED_KERNEL(stress_ticks64_f64, Ticks<unsigned long long>, double, Stress)
WEIGHTED_KERNEL(stress_reals_f64, Reals, double, Stress)

WEIGHTED_RANGES_KERNEL(stress_ticks32_f64_ranges, Ticks<unsigned>, double, Stress)
WEIGHTED_RANGES_KERNEL(stress_ticks64_f64_ranges, Ticks<unsigned long long>, double, Stress)
WEIGHTED_RANGES_KERNEL(stress_reals_f64_ranges, Reals, double, Stress)

WEIGHTED_KERNEL(stress_ticks32_wide, Ticks<unsigned>, Wide, Stress)
WEIGHTED_KERNEL(stress_ticks64_wide, Ticks<unsigned long long>, Wide, Stress)
WEIGHTED_KERNEL(stress_reals_wide, Reals, Wide, Stress)
