// What the teams summed up, joined for nodes and for edges, as exact sums of the host. See hops.cuh.
#include "../device/exact.cuh"
#include "hops.cuh"

namespace {
// Long is a whole number of 128 bits.
struct __align__(16) Long { unsigned long long low, high; };
__device__ inline void add(Long* x, unsigned long long low, unsigned long long high) {
  x->low += low;
  x->high += high + (x->low < low);
}
__device__ inline void subtract(Long* x, unsigned long long y) {
  x->high -= x->low < y;
  x->low -= y;
}
__device__ inline void halve(Long* x) {
  x->low = x->low >> 1 | x->high << 63;
  x->high >>= 1;
}
// addAtomic adds to a sum that other threads may add to at the same time.
__device__ inline void addAtomic(Long* sum, const Long& x) {
  const unsigned long long before = atomicAdd(&sum->low, x.low), carry = before + x.low < before;
  if (x.high + carry) atomicAdd(&sum->high, x.high + carry);
}

__device__ inline size_t firstOf() { return blockIdx.x * size_t(blockDim.x) + threadIdx.x; }
__device__ inline size_t stepOf() { return gridDim.x * size_t(blockDim.x); }

// joined is sum number i of count ones over all teams, or the greatest.
__device__ inline Long joined(unsigned long long fold, const unsigned long long* sums, const unsigned* over,
    unsigned long long teams, size_t count, size_t i) {
  Long x = {0, 0};
  for (size_t k = 0; k < teams; k++) {
    const unsigned long long y = sums[k * count + i];
    if (fold == foldGreatest) x.low = max(x.low, y);
    else add(&x, y, over ? over[k * count + i] : 0);
  }
  return x;
}
__device__ inline unsigned counted(const unsigned* counts, unsigned long long teams, size_t count, size_t i) {
  unsigned sum = 0;
  for (size_t k = 0; k < teams; k++) sum += counts[k * count + i];
  return sum;
}
}  // namespace

// HopJoined are the arguments of hop_join_nodes and hop_join_arcs. Every field takes 8 bytes.
//
// host: arguments
struct HopJoined {
  unsigned long long fold, teams, count;
  const unsigned long long* sums;  // team: count
  const unsigned *over, *counts;   // team: count, or null
  const unsigned* edges;           // of arcs
  void* out;                       // Long: of nodes, or of edges
  unsigned* outCounts;             // or null
};

// hop_join_nodes joins what the teams have for nodes.
extern "C" __global__ void hop_join_nodes(const HopJoined* args) {
  const HopJoined p = *args;
  for (size_t i = firstOf(); i < p.count; i += stepOf()) {
    ((Long*)p.out)[i] = joined(p.fold, p.sums, p.over, p.teams, p.count, i);
    if (p.counts) p.outCounts[i] = counted(p.counts, p.teams, p.count, i);
  }
}

// hop_join_arcs folds what the teams have for arcs into their edges.
extern "C" __global__ void hop_join_arcs(const HopJoined* args) {
  const HopJoined p = *args;
  for (size_t i = firstOf(); i < p.count; i += stepOf()) {
    const Long x = joined(p.fold, p.sums, p.over, p.teams, p.count, i);
    const unsigned e = p.edges[i];
    if (p.fold == foldGreatest) atomicMax((unsigned*)p.out + e, unsigned(x.low));
    else addAtomic((Long*)p.out + e, x);
    if (p.counts) atomicAdd(&p.outCounts[e], counted(p.counts, p.teams, p.count, i));
  }
}

// HopEdges are the arguments of hop_edges. Every field takes 8 bytes.
//
// host: arguments
struct HopEdges {
  unsigned long long fold, teams, pairCount;
  const uint2* pairs;
  const unsigned* pairEdges;
  const void* pairFolds;     // team: as hopEnds or hopTurns leave them, or null, for hopGaps
  const void* nodes;         // Long: what was folded at the nodes
  const unsigned* counts;    // from how many sources
  const unsigned* isSource;  // of nodes
  double one;
  void* out;            // of edges: Long, for hopGaps with what was folded at the arcs; unsigned for the greatest
  unsigned* outCounts;  // of edges
};

// hop_edges makes the folds of the edges of an undirected graph of those at the nodes: see HopFold. A source that is an
// end of the edge counts at the other, at 1, and must not here. What is halved is even: of each source it has twice
// what the nearer end has.
extern "C" __global__ void hop_edges(const HopEdges* args) {
  const HopEdges p = *args;
  for (size_t i = firstOf(); i < p.pairCount; i += stepOf()) {
    const unsigned u = p.pairs[i].x, v = p.pairs[i].y, e = p.pairEdges[i], own = p.isSource[v], other = p.isSource[u];
    p.outCounts[e] = p.counts[v] - other;
    unsigned long long all = 0, most = 0;
    for (size_t k = 0; p.pairFolds && k < p.teams; k++) {
      const size_t at = k * p.pairCount + i;
      const unsigned long long x =
          p.fold == foldInverse ? ((const unsigned long long*)p.pairFolds)[at] : ((const unsigned*)p.pairFolds)[at];
      all += x, most = max(most, x);
    }
    if (p.fold == foldGreatest) {
      ((unsigned*)p.out)[e] = unsigned(most);
      continue;
    }
    const Long a = ((const Long*)p.nodes)[v], b = ((const Long*)p.nodes)[u];
    Long sum = a;
    add(&sum, b.low, b.high);
    if (p.fold == foldInverse) {
      const Long gaps = ((const Long*)p.out)[e];
      add(&sum, gaps.low, gaps.high);
      add(&sum, all, 0);
      const unsigned long long atOne = hopStep(p.fold, p.one, 1);
      for (unsigned k = own + other; k > 0; k--) subtract(&sum, atOne);
    } else {
      subtract(&sum, all);
    }
    halve(&sum);
    ((Long*)p.out)[e] = sum;
  }
}

// hop_words makes exact sums of whole numbers in units of 2^-point. The digits of a sum count units of 2^-unit,
// 2^-(unit + fine) and less; the second ones are no larger than those of the whole numbers.
extern "C" __global__ void hop_words(
    const void* sums, unsigned long long count, long long point, long long unit, long long fine, Exact* words) {
  const long long down = point - unit;
  for (size_t i = firstOf(); i < count; i += stepOf()) {
    const Long x = ((const Long*)sums)[i];
    Exact out = {x.low << (down < 0 ? -down : 0), 0, 0};
    if (down > 0)
      out = Exact{x.high << (64 - down) | x.low >> down, (x.low & ((1ull << down) - 1)) << (fine - down), 0};
    words[i] = out;
  }
}
