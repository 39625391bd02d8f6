// Joins what the blocks summed up, always in the same order, so that the same blocks give the same bits.
#include "exact.cuh"
#include "number.cuh"

namespace {
constexpr int kSumThreads = 256;          // host: SumThreads; of a block
constexpr int kParts = kSumThreads / 32;  // warps that share the blocks of 32 values

__device__ inline long long firstOf() { return blockIdx.x * (long long)blockDim.x + threadIdx.x; }
__device__ inline long long stepOf() { return gridDim.x * (long long)blockDim.x; }

// joined calls done(i, x) once for every i under count, where x is what join makes of parts[b*count + i] for all blocks
// b: a warp takes every kParts-th of them, from zero on, and one joins what the warps have. Blocks must be of 32*kParts
// threads.
template <class X, class T, class Join, class Done>
__device__ void joined(const T* parts, long long count, long long blocks, X zero, Join join, Done done) {
  __shared__ X shares[kParts][32];
  const unsigned lane = threadIdx.x % 32, part = threadIdx.x / 32;
  for (long long base = blockIdx.x * 32ll; base < count; base += gridDim.x * 32ll) {
    const long long i = base + lane;
    X x = zero;
    if (i < count)
      for (long long b = part; b < blocks; b += kParts) x = join(x, X(parts[b * count + i]));
    shares[part][lane] = x;
    __syncthreads();
    if (part == 0 && i < count) {
      for (int k = 1; k < kParts; k++) x = join(x, shares[k][lane]);
      done(i, x);
    }
    __syncthreads();
  }
}

template <class X, class T, class Done>
__device__ void summed(const T* parts, long long count, long long blocks, Done done) {
  joined(parts, count, blocks, number<X>(0), [](X a, X b) { return add(a, b); }, done);
}

template <class Done> __device__ void greatest(const double* parts, long long count, long long blocks, Done done) {
  joined(parts, count, blocks, 0.0, [](double a, double b) { return fmax(a, b); }, done);
}
}  // namespace

// sum_blocks sets out[i] to the sum of parts[b*count + i] over the blocks b.
extern "C" __global__ void sum_blocks(const double* parts, long long count, long long blocks, double* out) {
  summed<double>(parts, count, blocks, [&](long long i, double sum) { out[i] = sum; });
}

extern "C" __global__ void sum_blocks_wide(const Wide* parts, long long count, long long blocks, Wide* out) {
  summed<Wide>(parts, count, blocks, [&](long long i, Wide sum) { out[i] = sum; });
}

extern "C" __global__ void max_blocks(const double* parts, long long count, long long blocks, double* out) {
  greatest(parts, count, blocks, [&](long long i, double most) { out[i] = most; });
}

extern "C" __global__ void sum_block_counts(const unsigned* parts, long long count, long long blocks, double* out) {
  summed<long long>(parts, count, blocks, [&](long long i, long long sum) { out[i] = double(sum); });
}

// sum_arcs adds the sums of the blocks for every arc to its edge in out, which starts as zeros. edges gives the edge of
// an arc; null when arc i is edge i. An edge has at most two arcs, so the order of the atomic additions does not
// matter.
extern "C" __global__ void sum_arcs(
    const double* parts, long long arcs, long long blocks, const unsigned* edges, double* out) {
  summed<double>(parts, arcs, blocks, [&](long long i, double sum) {
    if (edges) atomicAdd(&out[edges[i]], sum);
    else out[i] = sum;
  });
}

// sum_arc_counts is sum_arcs for counts.
extern "C" __global__ void sum_arc_counts(
    const unsigned* parts, long long arcs, long long blocks, const unsigned* edges, double* out) {
  summed<long long>(
      parts, arcs, blocks, [&](long long i, long long sum) { atomicAdd(&out[edges ? edges[i] : i], double(sum)); });
}

// max_arcs takes the greatest, of numbers that are not negative.
extern "C" __global__ void max_arcs(
    const double* parts, long long arcs, long long blocks, const unsigned* edges, double* out) {
  greatest(parts, arcs, blocks, [&](long long i, double most) {
    atomicMax((unsigned long long*)&out[edges ? edges[i] : i], (unsigned long long)__double_as_longlong(most));
  });
}

// add_blocks adds the sum of parts[b*count + i] over the blocks b to sums[i].
extern "C" __global__ void add_blocks(
    const double* parts, long long count, long long blocks, double unit, double fine, Exact* sums) {
  summed<double>(parts, count, blocks, [&](long long i, double sum) { addExact(&sums[i], sum, unit, fine); });
}

// add_arcs adds the sum over the blocks of every arc to its edge. edges gives the edge of an arc; null when arc i is
// edge i.
extern "C" __global__ void add_arcs(const double* parts, long long arcs, long long blocks, const unsigned* edges,
    double unit, double fine, Exact* sums) {
  summed<double>(
      parts, arcs, blocks, [&](long long i, double sum) { addExact(&sums[edges ? edges[i] : i], sum, unit, fine); });
}

// join_arcs adds the sum of every arc to its edge. digits are the first digits of all arcs, then the second, then the
// third.
extern "C" __global__ void join_arcs(
    const unsigned long long* digits, long long arcs, const unsigned* edges, Exact* sums) {
  for (long long i = firstOf(); i < arcs; i += stepOf())
    addWords(&sums[edges ? edges[i] : i], Exact{digits[i], digits[arcs + i], digits[2 * arcs + i]});
}

// exact_values writes the values of sums: out[i] of sums[places[i]], or of sums[i] where places is null. unit is what
// the first digit counts, and fine what each other one counts in the one before it.
extern "C" __global__ void exact_values(const Exact* sums, const unsigned* places, long long count, long long digit,
    double unit, double fine, double* out) {
  for (long long i = firstOf(); i < count; i += stepOf())
    out[i] = valueOf(sums[places ? places[i] : i], unsigned(digit), unit, fine);
}

// move_sums copies sums: out[i] is sums[places[i]].
extern "C" __global__ void move_sums(const Exact* sums, const unsigned* places, long long count, Exact* out) {
  for (long long i = firstOf(); i < count; i += stepOf()) out[i] = sums[places[i]];
}

// narrow_ticks copies ticks that fit 32 bits.
extern "C" __global__ void narrow_ticks(const long long* ticks, long long count, unsigned* out) {
  for (long long i = firstOf(); i < count; i += stepOf()) out[i] = unsigned(ticks[i]);
}
