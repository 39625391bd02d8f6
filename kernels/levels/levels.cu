// Betweenness by hops, K sources at a time: strategy batched, see docs/design/batches-by-hops.md. The formula is that
// of traversal/betweenness.cu.
#include "backward.cuh"

BATCHED_KERNEL(batched_f32_32, float, 32, false, false)
BATCHED_KERNEL(batched_f32_128, float, 128, false, false)
BATCHED_KERNEL(batched_f64_32, double, 32, false, false)
BATCHED_KERNEL(batched_f64_64, double, 64, false, false)
BATCHED_KERNEL(batched_f32_32_edges, float, 32, true, false)
BATCHED_KERNEL(batched_f32_128_edges, float, 128, true, false)
BATCHED_KERNEL(batched_f64_32_edges, double, 32, true, false)
BATCHED_KERNEL(batched_f64_64_edges, double, 64, true, false)
