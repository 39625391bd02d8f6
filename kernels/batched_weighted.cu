// Betweenness and folds of distances by weights, 32 sources at a time: strategy batched, see docs/design/batches-by-weights.md.
#include "batched_weighted_backward.cuh"

BATCHED_WEIGHTED_KERNEL(batched_ticks32_f32, Ticks<unsigned>, float)
BATCHED_WEIGHTED_KERNEL(batched_ticks32_f64, Ticks<unsigned>, double)
BATCHED_WEIGHTED_KERNEL(batched_ticks64_f32, Ticks<unsigned long long>, float)
BATCHED_WEIGHTED_KERNEL(batched_ticks64_f64, Ticks<unsigned long long>, double)
BATCHED_WEIGHTED_KERNEL(batched_reals_f32, Reals, float)
BATCHED_WEIGHTED_KERNEL(batched_reals_f64, Reals, double)

BATCHED_FOLD_KERNEL(batched_folds_ticks32, Ticks<unsigned>)
BATCHED_FOLD_KERNEL(batched_folds_ticks64, Ticks<unsigned long long>)
BATCHED_FOLD_KERNEL(batched_folds_reals, Reals)

// relabel_weights moves the weights of arcs as relabel_rows moves their targets; newEdges is not needed for that. The words
// of a weight are its 4 or 8 bytes.
extern "C" __global__ void relabel_weights(unsigned n, const long long* offsets, const unsigned* weights, unsigned words, const unsigned* from, const unsigned* newOffsets, unsigned* newWeights) {
  const unsigned lane = threadIdx.x & 31, warps = gridDim.x * blockDim.x / 32;
  for (unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < n; i += warps) {
    const long long b = offsets[from[i]] * words, length = offsets[from[i] + 1] * words - b;
    for (long long k = lane; k < length; k += 32) newWeights[(long long)newOffsets[i] * words + k] = weights[b + k];
  }
}
