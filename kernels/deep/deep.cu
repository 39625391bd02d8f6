// Betweenness by hops on deep graphs, K sources at a time: strategy batched, see docs/design/batches-by-hops.md.
#include "counts.cuh"

BATCHED_DEEP_KERNEL(batched_deep_f32_128, float, 4, false, false)
BATCHED_DEEP_KERNEL(batched_deep_f64_64, double, 2, false, false)
BATCHED_DEEP_KERNEL(batched_deep_f32_128_edges, float, 4, true, false)
BATCHED_DEEP_KERNEL(batched_deep_f64_64_edges, double, 2, true, false)
BATCHED_DEEP_KERNEL(batched_deep_f32_128_masses, float, 4, false, true)
BATCHED_DEEP_KERNEL(batched_deep_f64_64_masses, double, 2, false, true)
BATCHED_DEEP_KERNEL(batched_deep_f32_128_masses_edges, float, 4, true, true)
BATCHED_DEEP_KERNEL(batched_deep_f64_64_masses_edges, double, 2, true, true)
