// How the threads of a block share work: virtual warps of W threads a vertex (Hong et al., as used by Fan, Xu and
// Zhao), bitmaps over vertices, and reductions in a fixed order.
#pragma once
#include "number.cuh"

// kNoStack is the length of the stack of a block that has not searched yet: all of its arrays are to be cleared.
constexpr unsigned kNoStack = ~0u;

// Group is the calling thread's virtual warp of 1, 2, 4 ... 32 threads. W is its width when it is known while
// compiling, 0 when it is not.
template <int W> struct Group {
  int width, lane, index, count;
  unsigned mask;
  __device__ explicit Group(int lanes) {
    width = W ? W : lanes;
    lane = threadIdx.x & (width - 1);
    index = threadIdx.x / width;
    count = blockDim.x / width;
    mask = width == 32 ? ~0u : ((1u << width) - 1) << (threadIdx.x % 32 & ~(width - 1));
  }
  // sum adds the lanes' numbers pairwise, always in the same order; every lane gets the result.
  template <class T> __device__ T sum(T x) const {
    for (int k = width / 2; k > 0; k /= 2) x = add(x, shuffleXor(mask, x, k, width));
    return x;
  }
  // unite returns the bits of all lanes.
  __device__ unsigned unite(unsigned bits) const {
    for (int k = width / 2; k > 0; k /= 2) bits |= __shfl_xor_sync(mask, bits, k, width);
    return bits;
  }
  // own is the lane's of 32 arcs that the lanes take in turn.
  __device__ unsigned own() const { return (width == 32 ? 1u : ~0u / ((1u << width) - 1)) << lane; }
};

__device__ inline bool test(const unsigned* bits, unsigned v) { return bits[v >> 5] >> (v & 31) & 1; }
__device__ inline void set(unsigned* bits, unsigned v) { atomicOr(&bits[v >> 5], 1u << (v & 31)); }
__device__ inline void unset(unsigned* bits, unsigned v) { atomicAnd(&bits[v >> 5], ~(1u << (v & 31))); }
// claim sets the bit and says whether it was clear before.
__device__ inline bool claim(unsigned* bits, unsigned v) {
  unsigned bit = 1u << (v & 31);
  return !(atomicOr(&bits[v >> 5], bit) & bit);
}

// widen widens *least and *greatest, in shared memory, to hold the values of all lanes of a warp.
__device__ inline void widen(int low, int high, int* least, int* greatest) {
#pragma unroll
  for (int k = 16; k > 0; k /= 2) {
    low = min(low, __shfl_xor_sync(~0u, low, k));
    high = max(high, __shfl_xor_sync(~0u, high, k));
  }
  if (threadIdx.x % 32 == 0 && low <= high) {
    atomicMin(least, low);
    atomicMax(greatest, high);
  }
}

// BlockShare is the part of n things that a block has; others have those before and after it.
struct BlockShare {
  unsigned first, last;
  __device__ explicit BlockShare(unsigned n) {
    const unsigned each = (n + gridDim.x - 1) / gridDim.x;
    first = min(n, blockIdx.x * each);
    last = min(n, first + each);
  }
};

// sumBefore returns the sum of x over the threads before this one, and that over all as total. All threads call it.
__device__ inline unsigned sumBefore(unsigned x, unsigned (&warps)[32], unsigned& total) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = x;
  for (int k = 1; k < 32; k *= 2) {
    const unsigned other = __shfl_up_sync(~0u, sum, k);
    if (lane >= k) sum += other;
  }
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    unsigned all = lane < blockDim.x / 32 ? warps[lane] : 0;
    for (int k = 1; k < 32; k *= 2) {
      const unsigned other = __shfl_up_sync(~0u, all, k);
      if (lane >= k) all += other;
    }
    warps[lane] = all;
  }
  __syncthreads();
  total = warps[31];
  const unsigned before = warp > 0 ? warps[warp - 1] : 0;
  __syncthreads();
  return before + sum - x;
}

// sumShare writes the sum of size(i) over the share of each block.
template <class Size> __device__ void sumShare(unsigned n, unsigned* sums, Size size) {
  __shared__ unsigned warps[32];
  const BlockShare own(n);
  unsigned sum = 0, all;
  for (unsigned i = own.first + threadIdx.x; i < own.last; i += blockDim.x) sum += size(i);
  sumBefore(sum, warps, all);
  if (threadIdx.x == 0) sums[blockIdx.x] = all;
}

// eachStart calls put(i, sum of size before i) for all i of each share, by the sums of the shares, which are no more
// than a block has threads. It returns the sum before the next share.
template <class Size, class Put> __device__ unsigned eachStart(unsigned n, const unsigned* sums, Size size, Put put) {
  __shared__ unsigned warps[32];
  const BlockShare own(n);
  unsigned at, all;
  sumBefore(threadIdx.x < blockIdx.x ? sums[threadIdx.x] : 0, warps, at);
  for (unsigned first = own.first; first < own.last; first += blockDim.x) {
    const unsigned i = first + threadIdx.x;
    const unsigned before = sumBefore(i < own.last ? size(i) : 0, warps, all);
    if (i < own.last) put(i, at + before);
    at += all;
  }
  return at;
}
