// Betweenness as in levels.cu, on a graph that was reduced, whose nodes stand for several. A file of its own, so that
// both compile at a time.
#include "backward.cuh"

BATCHED_KERNEL(batched_f32_32_masses, float, 32, false, true)
BATCHED_KERNEL(batched_f32_128_masses, float, 128, false, true)
BATCHED_KERNEL(batched_f64_32_masses, double, 32, false, true)
BATCHED_KERNEL(batched_f64_64_masses, double, 64, false, true)
BATCHED_KERNEL(batched_f32_32_masses_edges, float, 32, true, true)
BATCHED_KERNEL(batched_f32_128_masses_edges, float, 128, true, true)
BATCHED_KERNEL(batched_f64_32_masses_edges, double, 32, true, true)
BATCHED_KERNEL(batched_f64_64_masses_edges, double, 64, true, true)
