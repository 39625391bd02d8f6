// Distances from sources, by hops or by weights: rows of them, or what a summary is made of.
#pragma once
#include "../device/weighted_search.cuh"
#include "paths.cuh"

// Rows are arguments besides those of the search. Every field takes 8 bytes; arrays that are not wanted are null.
//
// host: arguments
struct Rows {
  double* rows;      // n a block: the distances from its last source, infinite where there is no path
  double* hops;      // n a block: how many nodes lie so many hops from the block's sources
  double* farthest;  // a block: the greatest distance from its sources
};

template <int W, Kind kind>
__device__ void rowsByHops(const Paths* args, const Rows* wanted, long long first, long long last) {
  using Search = PathSearch<float, Levels, W, kind>;
  __shared__ typename Search::Shared shared;
  if (threadIdx.x == 0) {
    shared.p = *args;
    shared.tail = kNoStack;
  }
  __syncthreads();
  Search search(shared);
  const Rows r = *wanted;
  const long long n = shared.p.n;
  double* row = r.rows ? r.rows + blockIdx.x * n : nullptr;
  double* hops = r.hops ? r.hops + blockIdx.x * n : nullptr;
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    const int depth = search.search(i);
    for (long long v = threadIdx.x; row && v < n; v += blockDim.x) row[v] = infinite();
    __syncthreads();
    const unsigned reached = shared.tail;
    int level = 0;
    for (unsigned k = threadIdx.x; row && k < reached; k += blockDim.x) {
      while (search.ends[level + 1] <= k) level++;
      row[search.stack[k]] = level;
    }
    for (int h = 1 + threadIdx.x; hops && h <= depth; h += blockDim.x) hops[h] += search.ends[h + 1] - search.ends[h];
    if (r.farthest && threadIdx.x == 0) r.farthest[blockIdx.x] = fmax(r.farthest[blockIdx.x], double(depth));
    __syncthreads();
  }
}

template <class Metric>
__device__ void rowsByWeights(const Weighted* args, const Rows* wanted, long long first, long long last) {
  using Search = WeightedSearch<Metric, float, Levels>;
  __shared__ typename Search::Shared shared;
  extern __shared__ unsigned bitmaps[];
  if (threadIdx.x == 0) {
    shared.p = *args;
    shared.width = args->width;
    shared.tail = kNoStack;
  }
  __syncthreads();
  Search search(shared, bitmaps);
  const Weighted& p = shared.p;
  const Rows r = *wanted;
  double* row = r.rows ? r.rows + blockIdx.x * p.n : nullptr;
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    search.start(p.sources[i]);
    search.forward();
    search.tally();
    double farthest = 0;
    for (long long v = threadIdx.x; v < p.n; v += blockDim.x) {
      const bool reached = search.dist[v] != Metric::none();
      const double d = reached ? Metric::real(search.dist[v], p.mul, p.div) : infinite();
      if (row) row[v] = d;
      if (reached) farthest = fmax(farthest, d);
    }
#pragma unroll
    for (int k = 16; k > 0; k /= 2) farthest = fmax(farthest, __shfl_xor_sync(~0u, farthest, k));
    __syncthreads();  // thread 0 has read the partial sums of tally
    if (threadIdx.x % 32 == 0) shared.partial[threadIdx.x / 32] = farthest;
    __syncthreads();
    if (r.farthest && threadIdx.x == 0)
      for (int w = 0; w < blockDim.x / 32; w++)
        r.farthest[blockIdx.x] = fmax(r.farthest[blockIdx.x], shared.partial[w]);
    __syncthreads();
  }
}

#define HOP_ROWS_KERNEL(name, W, kind)                                             \
  extern "C" __global__ void __launch_bounds__(1024, 1)                            \
      name(const Paths* args, const Rows* rows, long long first, long long last) { \
    rowsByHops<W, kind>(args, rows, first, last);                                  \
  }
#define ROWS_KERNEL(name, metric)                                                     \
  extern "C" __global__ void __launch_bounds__(1024, 1)                               \
      name(const Weighted* args, const Rows* rows, long long first, long long last) { \
    rowsByWeights<metric>(args, rows, first, last);                                   \
  }
