// The closeness family: sums, sums of inverses and maxima of the distances from the sources, at every node and edge,
// and from how many sources. A block folds its own sources into arrays of its own, so that no order depends on chance.
#pragma once
#include "../device/fold.cuh"
#include "../device/weighted_search.cuh"
#include "paths.cuh"

// Folds are arguments besides those of the search. Every field takes 8 bytes; arrays that are not wanted are null.
//
// host: arguments
struct Folds {
  long long fold;
  double* nodes;                       // n a block
  unsigned* nodeCounts;                // n a block: how many sources reach the node, without itself
  double* edges;                       // m a block
  unsigned* edgeCounts;                // m a block: how many sources other than its ends reach an end of the edge
  const unsigned *outEdges, *inEdges;  // the edge of every arc; null where it is the arc's own number
  long long m;
  unsigned* hops;  // n a block, for edges and searches by hops: the distance, all ones when there is none
  double *nodeDemands, *edgeDemands;  // as the counts, and in place of them: what the pairs count by masses
};

// Folder folds what one search found: several says that it is for several ranges, each with arrays of its own for all
// blocks.
template <bool several = false> struct Folder {
  const Folds& f;
  const long long n;
  const long long* const limits;  // of ranges, ascending: keys, or levels
  const long long ranges;
  double *nodes, *edges, *nodeDemands, *edgeDemands;
  unsigned *nodeCounts, *edgeCounts;

  __device__ Folder(const Folds& folds, long long n, const long long* limits = nullptr, long long ranges = 1)
      : f(folds), n(n), limits(limits), ranges(ranges) {
    const long long b = blockIdx.x;
    nodes = f.nodes ? f.nodes + b * n : nullptr;
    nodeCounts = f.nodeCounts ? f.nodeCounts + b * n : nullptr;
    edges = f.edges ? f.edges + b * f.m : nullptr;
    edgeCounts = f.edgeCounts ? f.edgeCounts + b * f.m : nullptr;
    nodeDemands = f.nodeDemands ? f.nodeDemands + b * n : nullptr;
    edgeDemands = f.edgeDemands ? f.edgeDemands + b * f.m : nullptr;
  }

  // folded is the fold with one more distance, of a pair of this mass.
  __device__ double folded(double sum, double d, double mass) const {
    if (f.fold == foldSum) return sum + mass * d;
    if (f.fold == foldInverse) return sum + mass / d;
    return sum > d ? sum : d;
  }

  // into folds a distance into the arrays of each range that holds its key, whose blocks have so many numbers each.
  // demands are null unless pairs count by masses.
  __device__ void into(double* sums, unsigned* counts, double* demands, long long each, unsigned long long key,
      double d, double mass) const {
    if constexpr (!several) {
      *sums = folded(*sums, d, mass);
      if (demands) *demands += mass;
      else ++*counts;
    } else {
      for (long long range = ranges - 1; range >= 0 && (unsigned long long)limits[range] >= key; range--) {
        const long long at = range * gridDim.x * each;
        sums[at] = folded(sums[at], d, 1);
        counts[at]++;
      }
    }
  }

  __device__ void node(unsigned v, unsigned long long key, double d, double mass) {
    if (mass > 0) into(nodes + v, nodeCounts + v, nodeDemands ? nodeDemands + v : nullptr, n, key, d, mass);
  }

  __device__ void edge(long long e, unsigned long long key, double d, double mass) {
    into(edges + e, edgeCounts + e, edgeDemands ? edgeDemands + e : nullptr, f.m, key, d, mass);
  }

  // eachEdge folds at the edges that do not end at s = stack[0], each at its nearer end on the stack. Of ends that are
  // equally near it is the tail, or the one with the lesser number where arcs have no direction. key returns what nodes
  // are compared by, the greatest for those not on the stack, and real the distance. An edge without a target is left
  // out; others count the mass of the source.
  template <class Search, class Key, class Real> __device__ void eachEdge(const Search& search, Key key, Real real) {
    const auto& p = search.p;
    const unsigned s = search.stack[0], reached = search.s.tail;
    const bool directed = p.inTargets != p.outTargets;
    const double* masses = search.s.targetMasses;
    const Group<0> g(int(p.lanes));
    for (unsigned i = 1 + g.index; i < reached; i += g.count) {
      const unsigned v = search.stack[i];
      const auto own = key(v);
      const auto row = [&](const long long* offsets, const unsigned* targets, const unsigned* ids, bool in) {
        for (long long e = offsets[v] + g.lane; e < offsets[v + 1]; e += g.width) {
          const unsigned w = targets[e];
          if (w == v || w == s) continue;
          if (masses && masses[v] == 0 && masses[w] == 0) continue;
          const auto other = key(w);
          if (own < other || own == other && !in && (directed || v < w))
            edge(ids ? ids[e] : e, own, real(own), search.s.mass);
        }
      };
      row(p.outOffsets, p.outTargets, f.outEdges, false);
      if (directed) row(p.inOffsets, p.inTargets, f.inEdges, true);
    }
  }
};

template <int W, Kind kind, bool several = false>
__device__ void foldHops(const Paths* args, const Folds* folds, long long first, long long last) {
  using Search = PathSearch<float, Levels, W, kind, several>;
  __shared__ typename Search::Shared shared;
  __shared__ Folds f;
  if (threadIdx.x == 0) {
    shared.p = *args;
    shared.tail = kNoStack;
    f = *folds;
  }
  __syncthreads();
  Search search(shared);
  Folder<several> folder(f, shared.p.n, shared.p.limits, shared.p.ranges);
  const long long n = shared.p.n;
  unsigned* hops = f.hops ? f.hops + blockIdx.x * n : nullptr;
  for (long long v = threadIdx.x; v < n && hops; v += blockDim.x) hops[v] = ~0u;
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    search.search(i);
    const unsigned reached = shared.tail;
    __syncthreads();
    int level = 0;
    for (unsigned k = threadIdx.x; k < reached; k += blockDim.x) {
      const unsigned v = search.stack[k];
      while (search.ends[level + 1] <= k) level++;
      if (hops) hops[v] = unsigned(level);
      if (folder.nodes && k > 0) folder.node(v, level, level, search.massOf(v));
    }
    __syncthreads();
    if (folder.edges) {
      folder.eachEdge(search, [&](unsigned v) { return hops[v]; }, [](unsigned d) { return double(d); });
      __syncthreads();
      for (unsigned k = threadIdx.x; k < reached; k += blockDim.x) hops[search.stack[k]] = ~0u;
    }
    __syncthreads();
  }
}

template <class Metric, bool several = false>
__device__ void foldWeighted(const Weighted* args, const Folds* folds, long long first, long long last) {
  using Search = WeightedSearch<Metric, float, Levels, several>;
  __shared__ typename Search::Shared shared;
  __shared__ Folds f;
  extern __shared__ unsigned bitmaps[];
  if (threadIdx.x == 0) {
    shared.p = *args;
    shared.width = args->width;
    shared.tail = kNoStack;
    f = *folds;
  }
  __syncthreads();
  Search search(shared, bitmaps);
  const Weighted& p = shared.p;
  Folder<several> folder(f, p.n, p.limits, p.ranges);
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    search.start(p.sources[i]);
    search.forward();
    if constexpr (several) search.tallyRanges();
    else search.tally();
    const auto real = [&](typename Metric::Key d) { return Metric::real(d, p.mul, p.div); };
    for (unsigned k = 1 + threadIdx.x; folder.nodes && k < shared.tail; k += blockDim.x) {
      const unsigned v = search.stack[k];
      const auto key = search.dist[v];
      folder.node(v, key, real(key), search.massOf(v));
    }
    if (folder.edges) folder.eachEdge(search, [&](unsigned v) { return search.dist[v]; }, real);
    __syncthreads();
  }
}

#define HOPS_KERNEL(name, W, kind)                                                   \
  extern "C" __global__ void __launch_bounds__(1024, 1)                              \
      name(const Paths* args, const Folds* folds, long long first, long long last) { \
    foldHops<W, kind>(args, folds, first, last);                                     \
  }
#define HOPS_RANGES_KERNEL(name, W, kind)                                            \
  extern "C" __global__ void __launch_bounds__(1024, 1)                              \
      name(const Paths* args, const Folds* folds, long long first, long long last) { \
    foldHops<W, kind, true>(args, folds, first, last);                               \
  }
#define FOLD_KERNEL(name, metric)                                                       \
  extern "C" __global__ void __launch_bounds__(1024, 1)                                 \
      name(const Weighted* args, const Folds* folds, long long first, long long last) { \
    foldWeighted<metric>(args, folds, first, last);                                     \
  }
#define FOLD_RANGES_KERNEL(name, metric)                                                \
  extern "C" __global__ void __launch_bounds__(1024, 1)                                 \
      name(const Weighted* args, const Folds* folds, long long first, long long last) { \
    foldWeighted<metric, true>(args, folds, first, last);                               \
  }
