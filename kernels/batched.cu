// Betweenness by hops, K sources at a time: strategy batched, see docs/design/batches-by-hops.md. The formula is that of betweenness.cu.
#include "batched_backward.cuh"

BATCHED_KERNEL(batched_f32_32, float, 32, false, false)
BATCHED_KERNEL(batched_f32_128, float, 128, false, false)
BATCHED_KERNEL(batched_f64_32, double, 32, false, false)
BATCHED_KERNEL(batched_f64_64, double, 64, false, false)
BATCHED_KERNEL(batched_f32_32_edges, float, 32, true, false)
BATCHED_KERNEL(batched_f32_128_edges, float, 128, true, false)
BATCHED_KERNEL(batched_f64_32_edges, double, 32, true, false)
BATCHED_KERNEL(batched_f64_64_edges, double, 64, true, false)

// relabel_rows writes the rows of a graph whose node i is node from[i] of the old one; to is the inverse. newEdges, unless
// null, gets the edge of each arc: edges[arc], or arc where edges is null.
extern "C" __global__ void relabel_rows(unsigned n, const long long* offsets, const unsigned* targets, const unsigned* edges, const unsigned* from, const unsigned* to, const unsigned* newOffsets, unsigned* newTargets, unsigned* newEdges) {
  const unsigned lane = threadIdx.x & 31, warps = gridDim.x * blockDim.x / 32;
  for (unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < n; i += warps) {
    const long long b = offsets[from[i]], length = offsets[from[i] + 1] - b;
    for (long long k = lane; k < length; k += 32) {
      newTargets[newOffsets[i] + k] = to[targets[b + k]];
      if (newEdges) newEdges[newOffsets[i] + k] = edges ? edges[b + k] : unsigned(b + k);
    }
  }
}
