// Betweenness and folds of distances by weights on small graphs, in shared memory: strategy batched, see
// docs/design/batches-by-weights.md.
#include "small.cuh"

SMALL_KERNEL(small_ticks32_f32, Ticks<unsigned>, float, true)
SMALL_KERNEL(small_ticks32_f64, Ticks<unsigned>, double, true)
SMALL_KERNEL(small_ticks64_f32, Ticks<unsigned long long>, float, true)
SMALL_KERNEL(small_ticks64_f64, Ticks<unsigned long long>, double, true)
SMALL_KERNEL(small_reals_f32, Reals, float, true)
SMALL_KERNEL(small_reals_f64, Reals, double, true)

SMALL_KERNEL(small_folds_ticks32, Ticks<unsigned>, float, false)
SMALL_KERNEL(small_folds_ticks64, Ticks<unsigned long long>, float, false)
SMALL_KERNEL(small_folds_reals, Reals, float, false)

namespace {
// packed calls put(arc, ends of the arc) for all arcs, a warp a row, and copies where rows begin.
template <class Put>
__device__ void packed(unsigned n, const long long* offsets, const unsigned* targets, unsigned* rows, Put put) {
  const unsigned lane = threadIdx.x & 31, warps = gridDim.x * blockDim.x / 32;
  for (unsigned v = (blockIdx.x * blockDim.x + threadIdx.x) / 32; v < n; v += warps) {
    const unsigned begin = unsigned(offsets[v]), end = unsigned(offsets[v + 1]);
    if (lane == 0) {
      rows[v] = begin;
      if (v + 1 == n) rows[n] = end;
    }
    for (unsigned e = begin + lane; e < end; e += 32) put(e, endsOf(v, targets[e]));
  }
}
}  // namespace

// small_arcs_4 and small_arcs_8 write the rows and arcs that kernels of small graphs read, with weights of so many
// bytes.
extern "C" __global__ void small_arcs_4(unsigned n, const long long* offsets, const unsigned* targets,
    const unsigned* weights, unsigned* rows, uint2* arcs) {
  packed(n, offsets, targets, rows, [&](unsigned e, unsigned ends) { arcs[e] = make_uint2(ends, weights[e]); });
}
extern "C" __global__ void small_arcs_8(unsigned n, const long long* offsets, const unsigned* targets,
    const unsigned long long* weights, unsigned* rows, ulonglong2* arcs) {
  packed(n, offsets, targets, rows, [&](unsigned e, unsigned ends) { arcs[e] = make_ulonglong2(ends, weights[e]); });
}
