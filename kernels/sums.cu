// Joins what the blocks summed up, in the order of the blocks, so that the same blocks give the same bits.
#include "number.cuh"

namespace {
__device__ inline long long firstOf() { return blockIdx.x * (long long)blockDim.x + threadIdx.x; }
__device__ inline long long stepOf() { return gridDim.x * (long long)blockDim.x; }

template <class T> __device__ T sumOf(const T* parts, long long i, long long count, long long blocks) {
  T sum = number<T>(0);
  for (long long b = 0; b < blocks; b++) sum = add(sum, parts[b * count + i]);
  return sum;
}
}  // namespace

// sum_blocks sets out[i] to the sum of parts[b*count + i] over the blocks b.
extern "C" __global__ void sum_blocks(const double* parts, long long count, long long blocks, double* out) {
  for (long long i = firstOf(); i < count; i += stepOf()) out[i] = sumOf(parts, i, count, blocks);
}

extern "C" __global__ void sum_blocks_wide(const Wide* parts, long long count, long long blocks, Wide* out) {
  for (long long i = firstOf(); i < count; i += stepOf()) out[i] = sumOf(parts, i, count, blocks);
}

extern "C" __global__ void max_blocks(const double* parts, long long count, long long blocks, double* out) {
  for (long long i = firstOf(); i < count; i += stepOf()) {
    double most = 0;
    for (long long b = 0; b < blocks; b++) most = fmax(most, parts[b * count + i]);
    out[i] = most;
  }
}

extern "C" __global__ void sum_block_counts(const unsigned* parts, long long count, long long blocks, double* out) {
  for (long long i = firstOf(); i < count; i += stepOf()) {
    long long sum = 0;
    for (long long b = 0; b < blocks; b++) sum += parts[b * count + i];
    out[i] = double(sum);
  }
}

// sum_arcs adds the sums of the blocks for every arc to its edge in out, which starts as zeros. edges gives the edge of
// an arc; null when arc i is edge i. An edge has at most two arcs, so the order of the atomic additions does not matter.
extern "C" __global__ void sum_arcs(const double* parts, long long arcs, long long blocks, const unsigned* edges, double* out) {
  for (long long i = firstOf(); i < arcs; i += stepOf()) {
    const double sum = sumOf(parts, i, arcs, blocks);
    if (edges) atomicAdd(&out[edges[i]], sum);
    else out[i] = sum;
  }
}

// sum_arc_counts is sum_arcs for counts.
extern "C" __global__ void sum_arc_counts(const unsigned* parts, long long arcs, long long blocks, const unsigned* edges, double* out) {
  for (long long i = firstOf(); i < arcs; i += stepOf()) {
    long long sum = 0;
    for (long long b = 0; b < blocks; b++) sum += parts[b * arcs + i];
    atomicAdd(&out[edges ? edges[i] : i], double(sum));
  }
}

// max_arcs takes the greatest, of numbers that are not negative.
extern "C" __global__ void max_arcs(const double* parts, long long arcs, long long blocks, const unsigned* edges, double* out) {
  for (long long i = firstOf(); i < arcs; i += stepOf()) {
    double most = 0;
    for (long long b = 0; b < blocks; b++) most = fmax(most, parts[b * arcs + i]);
    atomicMax((unsigned long long*)&out[edges ? edges[i] : i], (unsigned long long)__double_as_longlong(most));
  }
}

// narrow_ticks copies ticks that fit 32 bits.
extern "C" __global__ void narrow_ticks(const long long* ticks, long long count, unsigned* out) {
  for (long long i = firstOf(); i < count; i += stepOf()) out[i] = unsigned(ticks[i]);
}
