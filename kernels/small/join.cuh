// Joins what the blocks of a search of a small graph added up, all of it in one launch.
#pragma once
#include "../device/exact.cuh"
#include "../device/fold.cuh"

constexpr int kJoinThreads = 256;  // host: joinThreads; of a block
constexpr int kJoinParts = kJoinThreads / 32;  // warps that share the blocks of 32 values

// SmallSums are the arguments. Every field takes 8 bytes. Sums of no kind are null.
//
// host: arguments
struct SmallSums {
  long long n, edges;          // nodes; arcs of betweenness, edges of folds
  long long blocks;            // that searched
  const double *nodes, *edgeSums;  // n and edges a block
  const unsigned *nodeCounts, *edgeCounts;
  Exact *allNodes, *allEdges;  // a node, an edge; of the greatest distance, double in place of each Exact
  unsigned long long *allNodeCounts, *allEdgeCounts;
  const unsigned* edgeOf;      // the edge of an arc; null for the same
  double unit, fine;           // of sums
  long long fold;              // Fold
};

// JoinedExact is what blocks add to one sum. Each block's part is a term of its own, so that it does not matter which blocks a launch has.
struct JoinedExact {
  double unit, fine;
  using Sum = Exact;
  __device__ Sum zero() const { return {0, 0}; }
  __device__ Sum of(double x) const { return exactOf(x, unit, fine); }
  __device__ static Sum join(Sum a, Sum b) { return {a.high + b.high, a.low + b.low}; }
  __device__ static void put(Sum* all, long long i, Sum x) { addWords(&all[i], x); }
};

struct JoinedGreatest {
  using Sum = double;
  __device__ Sum zero() const { return 0; }
  __device__ Sum of(double x) const { return x; }
  __device__ static Sum join(Sum a, Sum b) { return fmax(a, b); }
  __device__ static void put(Sum* all, long long i, Sum x) {
    atomicMax((unsigned long long*)&all[i], (unsigned long long)__double_as_longlong(x));
  }
};

struct JoinedCounts {
  using Sum = unsigned long long;
  __device__ Sum zero() const { return 0; }
  __device__ Sum of(unsigned x) const { return x; }
  __device__ static Sum join(Sum a, Sum b) { return a + b; }
  __device__ static void put(Sum* all, long long i, Sum x) { atomicAdd(&all[i], x); }
};

// joinParts joins parts[b*count + i] over the blocks b, for every i, and adds that to all[edgeOf[i]]: a warp takes every kJoinParts-th
// block, and one joins what the warps have.
template <class How, class T> __device__ void joinParts(How how, const T* parts, long long count, long long blocks, const unsigned* edgeOf, typename How::Sum* all) {
  if (!parts) return;
  using Sum = typename How::Sum;
  __shared__ Sum shares[kJoinParts][32];
  const unsigned lane = threadIdx.x % 32, part = threadIdx.x / 32;
  for (long long base = blockIdx.x * 32ll; base < count; base += gridDim.x * 32ll) {
    const long long i = base + lane;
    Sum x = how.zero();
    if (i < count)
      for (long long b = part; b < blocks; b += kJoinParts) x = how.join(x, how.of(parts[b * count + i]));
    shares[part][lane] = x;
    __syncthreads();
    if (part == 0 && i < count) {
      for (int k = 1; k < kJoinParts; k++) x = how.join(x, shares[k][lane]);
      how.put(all, edgeOf ? edgeOf[i] : i, x);
    }
    __syncthreads();
  }
}

// joinSmall joins all sums.
__device__ inline void joinSmall(const SmallSums* args) {
  const SmallSums p = *args;
  if (p.fold == foldGreatest) {
    joinParts(JoinedGreatest{}, p.nodes, p.n, p.blocks, nullptr, (double*)p.allNodes);
    joinParts(JoinedGreatest{}, p.edgeSums, p.edges, p.blocks, nullptr, (double*)p.allEdges);
  } else {
    const JoinedExact exact{p.unit, p.fine};
    joinParts(exact, p.nodes, p.n, p.blocks, nullptr, p.allNodes);
    joinParts(exact, p.edgeSums, p.edges, p.blocks, p.edgeOf, p.allEdges);
  }
  joinParts(JoinedCounts{}, p.nodeCounts, p.n, p.blocks, nullptr, p.allNodeCounts);
  joinParts(JoinedCounts{}, p.edgeCounts, p.edges, p.blocks, nullptr, p.allEdgeCounts);
}
