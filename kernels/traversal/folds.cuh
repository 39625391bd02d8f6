// The closeness family: sums, sums of inverses and maxima of the distances from the sources, at every node and edge, and
// from how many sources. A block folds its own sources into arrays of its own, so that no order depends on chance.
#pragma once
#include "../device/fold.cuh"
#include "../device/weighted_search.cuh"
#include "paths.cuh"

// Folds are arguments besides those of the search. Every field takes 8 bytes; arrays that are not wanted are null.
//
// host: arguments
struct Folds {
  long long fold;
  double* nodes;              // n a block
  unsigned* nodeCounts;       // n a block: how many sources reach the node, without itself
  double* edges;              // m a block
  unsigned* edgeCounts;       // m a block: how many sources other than its ends reach an end of the edge
  const unsigned *heads, *tails;  // the ends of every edge
  long long m;
  int* hops;                  // n a block, for edges and searches by hops: the distance, -1 when there is none
};

// Folder folds what one search found.
struct Folder {
  const Folds& f;
  const long long n;
  double *nodes, *edges;
  unsigned *nodeCounts, *edgeCounts;

  __device__ Folder(const Folds& folds, long long n) : f(folds), n(n) {
    const long long b = blockIdx.x;
    nodes = f.nodes ? f.nodes + b * n : nullptr;
    nodeCounts = f.nodeCounts ? f.nodeCounts + b * n : nullptr;
    edges = f.edges ? f.edges + b * f.m : nullptr;
    edgeCounts = f.edgeCounts ? f.edgeCounts + b * f.m : nullptr;
  }

  __device__ double folded(double sum, double d) const {
    if (f.fold == foldSum) return sum + d;
    if (f.fold == foldInverse) return sum + 1 / d;
    return sum > d ? sum : d;
  }

  __device__ void node(unsigned v, double d) {
    nodes[v] = folded(nodes[v], d);
    nodeCounts[v]++;
  }

  __device__ void edge(long long e, double d) {
    edges[e] = folded(edges[e], d);
    edgeCounts[e]++;
  }

  // eachEdge folds at the edges that do not end at s; nearer returns the distance of the nearer end, negative for none.
  template <class Nearer> __device__ void eachEdge(unsigned s, Nearer nearer) {
    for (long long e = threadIdx.x; e < f.m; e += blockDim.x) {
      const unsigned u = f.tails[e], v = f.heads[e];
      if (u == v || u == s || v == s) continue;
      const double d = nearer(u, v);
      if (d >= 0) edge(e, d);
    }
  }
};

template <int W, Kind kind> __device__ void foldHops(const Paths* args, const Folds* folds, long long first, long long last) {
  using Search = PathSearch<float, Levels, W, kind>;
  __shared__ typename Search::Shared shared;
  __shared__ Folds f;
  extern __shared__ unsigned bitmaps[];
  if (threadIdx.x == 0) {
    shared.p = *args;
    f = *folds;
  }
  __syncthreads();
  Search search(shared, bitmaps);
  Folder folder(f, shared.p.n);
  const long long n = shared.p.n;
  int* hops = f.hops ? f.hops + blockIdx.x * n : nullptr;
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    search.search(i);
    const unsigned reached = shared.tail, s = shared.p.sources[i];
    for (long long v = threadIdx.x; v < n && hops; v += blockDim.x) hops[v] = -1;
    __syncthreads();
    int level = 0;
    for (unsigned k = threadIdx.x; k < reached; k += blockDim.x) {
      const unsigned v = search.stack[k];
      while (search.ends[level + 1] <= k) level++;
      if (hops) hops[v] = level;
      if (folder.nodes && k > 0) folder.node(v, level);
    }
    __syncthreads();
    if (folder.edges)
      folder.eachEdge(s, [&](unsigned u, unsigned v) {
        const int a = hops[u], b = hops[v];
        return double(a < 0 ? b : b < 0 ? a : min(a, b));
      });
    __syncthreads();
  }
}

template <class Metric>
__device__ void foldWeighted(const Weighted* args, const Folds* folds, long long first, long long last) {
  using Search = WeightedSearch<Metric, float, Levels>;
  __shared__ typename Search::Shared shared;
  __shared__ Folds f;
  extern __shared__ unsigned bitmaps[];
  if (threadIdx.x == 0) {
    shared.p = *args;
    shared.width = args->width;
    f = *folds;
  }
  __syncthreads();
  Search search(shared, bitmaps);
  const Weighted& p = shared.p;
  Folder folder(f, p.n);
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    const unsigned s = p.sources[i];
    search.start(s);
    search.forward();
    search.tally();
    for (unsigned v = threadIdx.x; v < p.n; v += blockDim.x) {
      const bool reached = search.dist[v] != Metric::none();
      if (folder.nodes && reached && v != s) folder.node(v, Metric::real(search.dist[v], p.mul, p.div));
    }
    if (folder.edges)
      folder.eachEdge(s, [&](unsigned u, unsigned v) {
        const auto nearest = min(search.dist[u], search.dist[v]);
        return nearest == Metric::none() ? -1.0 : Metric::real(nearest, p.mul, p.div);
      });
    __syncthreads();
  }
}

#define HOPS_KERNEL(name, W, kind)                                                                                 \
  extern "C" __global__ void __launch_bounds__(1024, 1) name(const Paths* args, const Folds* folds, long long first,  \
                                                          long long last) {                                        \
    foldHops<W, kind>(args, folds, first, last);                                                                   \
  }
#define FOLD_KERNEL(name, metric)                                                                                     \
  extern "C" __global__ void __launch_bounds__(1024, 1) name(const Weighted* args, const Folds* folds, long long first,  \
                                                          long long last) {                                           \
    foldWeighted<metric>(args, folds, first, last);                                                                   \
  }
