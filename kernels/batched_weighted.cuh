// Betweenness and the closeness family by weights, 32 neighbouring sources at a time: a lane a source. See "By weights" in
// docs/batched.md.
//
// A batch is done in two passes, which can be asked for apart (BatchedWeighted::passes):
//
//   forward   dist[v][lane], the shortest distance (all ones where there is none); then counts[v][lane], the number of
//             shortest paths times unit(), a power of two that is the same for all lanes, so that counts of different lanes
//             compare; and an order of (node, lanes) in which every shortest path runs forwards (stack, ends).
//   backward  in the reverse of that order: flow(v) = demand[v][lane] + dependency(v), where the demand is 1, or
//             masses[source] * masses[v], or any row that is given (BatchedWeighted::demands); shares flow / count are
//             pulled along tight arcs. nodes[v] gets the sum over the lanes of the dependencies, without the demand, and
//             edges[arc] the sum over the lanes of counts[v] * share[w]. For stress shares are 1 + the sum of those pulled:
//             how many shortest paths leave v, so that counts * shares are the paths that pass (times unit()).
//
// With `kept`, batch i has its rows, order and demands at i * their size, whatever team works on it, and they stay from a
// launch of the forward pass to one of the backward pass: an engine may read dist and counts of all batches in between and
// fill demands (degree-2 chains do: docs/chains.md). The backward pass puts shares in the place of counts.
//
// Without races by design: every array is written, between two barriers of the team, by one thread per element, or by
// atomic operations whose outcome does not depend on their order (minimum, or, a counter that hands out places). The order
// of entries within a round is the only thing that differs from run to run, and no sum runs over it.
#pragma once
#include "lanes.cuh"
#include "team.cuh"
#include "weighted.cuh"

constexpr int kWeightedLanes = 32;

// BatchedWeighted is what a launch gets; every field takes 8 bytes. Arrays marked "team" start at team * their size, those
// marked "slot" at the same or, with kept, at batch * their size.
struct BatchedWeighted {
  unsigned long long n, arcs;
  const unsigned *outOffsets, *outTargets;
  const void* outWeights;  // of an arc: Metric::Weight
  const unsigned *inOffsets, *inTargets;  // those of out when undirected
  const void* inWeights;
  const unsigned* sources;
  void* dist;            // slot: n rows of 32 keys
  void* counts;          // slot: n rows of 32 numbers: counts, then shares
  unsigned* outTight;    // slot: an arc: the lanes in which it ends a shortest path
  unsigned* inTight;     // slot: the same of the arcs that enter
  unsigned* stackNodes;  // slot: cap
  unsigned* stackMasks;  // slot: cap
  unsigned* ends;        // slot: roundCap + 2: where rounds end on the stack
  unsigned* rounds;      // slot: 2: how many rounds there are, and the lanes that failed
  void* keys;            // team: n keys: the least distance of a lane
  void* when;            // team: n keys: the least distance of a lane that was lowered and put off
  unsigned* state;       // team: n: the lists that a node is on
  unsigned* lists;       // team: 4n
  unsigned* reached;     // team: n: the lanes that reach a node; before that is known, the round that passed it on last
  unsigned* done;        // team: n: the lanes that are counted
  unsigned* pending;     // team: n: tight arcs that enter, not yet counted; before that, the round that put it off last
  double* laneSums;      // team: 64 a block
  double* nodes;         // team: n, or null
  double* edges;         // team: arcs, or null
  unsigned* nodeCounts;  // team: n, of folds; or null
  unsigned* edgeCounts;  // team: arcs, of folds; or null
  unsigned* failed;      // a source: 1 when its counts need wider numbers, 2 when the stack was too short
  unsigned long long* pairs;  // team
  double* totals;        // team: sum of distances
  long long* lost;       // 1 + an arc that does not lengthen a path, 0 for none
  void* teams;
  const double* masses;   // how many nodes each node stands for, as source and as target; null for 1
  const double* demands;  // slot: n rows of 32, in place of masses; or null
  unsigned long long cap, roundCap, blocks, endpoints, hub, passes, kept, unique;
  double tolerance, mul, div;
  double width;      // of buckets, in units of keys
  double slack;      // how much farther than the bucket a lane may be that is passed on with it
  double patience;   // how much farther than the nearest of them nodes are counted that wait for lanes
  unsigned long long fold, stress;
  double* rows;           // of folds: the distances from each source of the launch, n in the old order, infinite for none; or null
  const unsigned* order;  // the old number of each node
};

// BatchedWeighted::passes.
constexpr unsigned long long kForward = 1, kBackward = 2;

constexpr int kWeightedThreads = 512;  // of a block, at most: 2 blocks a multiprocessor leave 64 registers a thread
constexpr int kWeightedHubs = 64;      // nodes of high degree that a block keeps for all its threads; others take a warp each

// BatchedState are the bits of BatchedWeighted::state: on the list of this round, of the next one, of far nodes, of nodes
// that wait for lanes. Of the first two, the round's parity says which is which.
enum BatchedState : unsigned { kNear = 1, kFar = 4, kWaits = 8 };

// BatchedTeam is what the blocks of a team share. Counters with three places are cleared two steps before they are used, so
// that no barrier is spent on that.
template <class Key> struct BatchedTeam {
  unsigned near[3], far[3];               // nodes listed, of this and the next round or bucket
  unsigned found[3], waits[3], picked[3];  // entries of the next round; nodes that wait; those of them that are picked
  Key least[3], nearest[3];               // least key of the far nodes; of the waiting nodes with lanes that are ready
  unsigned failed;
  unsigned arrived;
};

// CountRange is within which counts of paths are kept. All start at unit, far below 1, so that they may grow by 2^120 or
// 2^1700; a lane with a count over high fails and is counted again in wider numbers. Shares, at most n^2 / unit and a sum of
// them, stay finite.
template <class T> struct CountRange;
template <> struct CountRange<float> {
  static __device__ double unit() { return 0x1p-40; }
  static __device__ double high() { return 0x1p80; }
};
template <> struct CountRange<double> {
  static __device__ double unit() { return 0x1p-800; }
  static __device__ double high() { return 0x1p900; }
};

// leastOfWarp returns the least key that any thread of the warp has.
__device__ inline unsigned leastOfWarp(unsigned x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(~0u, x);
#else
#pragma unroll
  for (int k = 16; k > 0; k /= 2) x = min(x, __shfl_xor_sync(~0u, x, k));
  return x;
#endif
}
__device__ inline unsigned long long leastOfWarp(unsigned long long x) {
#pragma unroll
  for (int k = 16; k > 0; k /= 2) x = min(x, __shfl_xor_sync(~0u, x, k));
  return x;
}
__device__ inline double sumOfWarp(double x) {
#pragma unroll
  for (int k = 16; k > 0; k /= 2) x += __shfl_xor_sync(~0u, x, k);
  return x;
}

// WeightedBatch is the calling thread's part of a team at work: a warp an entry, a thread of it a lane.
template <class Metric, class T> struct WeightedBatch {
  using Key = typename Metric::Key;
  using Weight = typename Metric::Weight;
  static constexpr int K = kWeightedLanes;
  static constexpr int U = 4;  // rows in flight
  static constexpr int mostWarps = kWeightedThreads / 32;

  struct Shared {
    BatchedWeighted p;
    BatchedTeam<Key> own;
    BatchedTeam<Key>* team;
    Key *dist, *keys, *when;
    T* counts;
    unsigned *outTight, *inTight, *stackNodes, *stackMasks, *ends, *rounds;
    unsigned *state, *lists, *reached, *done, *pending, *nodeCounts, *edgeCounts;
    double *laneSums, *nodes, *edges;
    const double* demands;
    unsigned n, rank, blocks, teamIndex, generation;
    double masses[K];  // of the sources
    unsigned hubs[kWeightedHubs];
    unsigned hubCount;
    double partial[mostWarps][K];
    unsigned partialCounts[mostWarps][K];
  };

  Shared& s;
  const BatchedWeighted& p;
  const Weight *outWeights, *inWeights;
  const unsigned lane, warp, warps;

  __device__ explicit WeightedBatch(Shared& s)
      : s(s), p(s.p), outWeights(nullptr), inWeights(nullptr), lane(threadIdx.x & 31), warp(threadIdx.x >> 5), warps(blockDim.x >> 5) {}

  // join finds the arrays of the block's team.
  __device__ void join(const BatchedWeighted* args) {
    if (threadIdx.x == 0) {
      s.p = *args;
      s.n = unsigned(p.n);
      s.blocks = unsigned(p.blocks);
      const size_t k = s.teamIndex = blockIdx.x / s.blocks;
      s.rank = blockIdx.x % s.blocks;
      s.keys = (Key*)p.keys + k * p.n;
      s.when = (Key*)p.when + k * p.n;
      s.state = p.state + k * p.n;
      s.lists = p.lists + k * 4 * p.n;
      s.reached = p.reached + k * p.n;
      s.done = p.done + k * p.n;
      s.pending = p.pending + k * p.n;
      s.laneSums = p.laneSums + k * s.blocks * 2 * K;
      s.nodes = p.nodes ? p.nodes + k * p.n : nullptr;
      s.edges = p.edges ? p.edges + k * p.arcs : nullptr;
      s.nodeCounts = p.nodeCounts ? p.nodeCounts + k * p.n : nullptr;
      s.edgeCounts = p.edgeCounts ? p.edgeCounts + k * p.arcs : nullptr;
      s.team = s.blocks == 1 ? &s.own : (BatchedTeam<Key>*)p.teams + k;
      s.generation = 0;
      s.hubCount = 0;
    }
    __syncthreads();
    outWeights = (const Weight*)p.outWeights;
    inWeights = (const Weight*)p.inWeights;
  }

  // take finds the arrays of a batch.
  __device__ void take(unsigned long long batch) {
    if (threadIdx.x == 0) {
      const size_t k = p.kept ? batch : s.teamIndex;
      s.dist = (Key*)p.dist + k * p.n * K;
      s.counts = (T*)p.counts + k * p.n * K;
      s.outTight = p.outTight + k * p.arcs;
      s.inTight = p.inTight + k * p.arcs;
      s.stackNodes = p.stackNodes + k * p.cap;
      s.stackMasks = p.stackMasks + k * p.cap;
      s.ends = p.ends + k * (p.roundCap + 2);
      s.rounds = p.rounds + k * 2;
      s.demands = p.demands ? p.demands + k * p.n * K : nullptr;
    }
    __syncthreads();
  }

  __device__ void sync() { meet(&s.team->arrived, s.blocks, &s.generation); }

  __device__ unsigned firstThread() const { return s.rank * blockDim.x + threadIdx.x; }
  __device__ unsigned allThreads() const { return s.blocks * blockDim.x; }
  __device__ unsigned firstWarp() const { return warp * s.blocks + s.rank; }
  __device__ unsigned allWarps() const { return s.blocks * warps; }
  __device__ bool leads() const { return s.rank == 0 && threadIdx.x == 0; }

  template <class X> __device__ static X now(const X* x) { return *(const volatile X*)x; }

  __device__ Key* row(unsigned v) const { return s.dist + size_t(v) * K + lane; }
  __device__ T* countRow(unsigned v) const { return s.counts + size_t(v) * K + lane; }

  // later leaves an entry with a long row to the whole block.
  __device__ bool later(unsigned degree, unsigned i) {
    if (!p.hub || degree <= p.hub) return false;
    unsigned at = 0;
    if (lane == 0) at = atomicAdd(&s.hubCount, 1);
    at = __shfl_sync(~0u, at, 0);
    if (at < kWeightedHubs && lane == 0) s.hubs[at] = i;
    return at < kWeightedHubs;
  }

  // eachHub calls part(entry, warp's share of rows of `degree`) for the entries that were left, with all warps of the block.
  template <class Part> __device__ void eachHub(Part part) {
    if (!p.hub) return;
    __syncthreads();
    const unsigned hubs = min(s.hubCount, unsigned(kWeightedHubs));
    if (hubs == 0) return;
    for (unsigned h = 0; h < hubs; h++) part(s.hubs[h]);
    __syncthreads();
    if (threadIdx.x == 0) s.hubCount = 0;
  }

  // share cuts [b, e) to the part of the calling warp.
  __device__ void share(unsigned& b, unsigned& e) const {
    const unsigned step = ((e - b + warps - 1) / warps + 31) / 32 * 32;
    const unsigned from = min(e, b + warp * step);
    e = min(e, from + step);
    b = from;
  }

  // append hands out a place in a list to each thread of the warp with `on`; true and the place for those.
  __device__ unsigned append(bool on, unsigned* counter) const {
    const unsigned won = __ballot_sync(~0u, on);
    if (!won) return 0;
    unsigned at = 0;
    if (lane == 0) at = atomicAdd(counter, __popc(won));
    return __shfl_sync(~0u, at, 0) + __popc(won & ((1u << lane) - 1));
  }

  // blockSum adds the warps' numbers of each lane, in the order of the warps, for warp 0. All threads of the block call it.
  __device__ double blockSum(double x) {
    s.partial[warp][lane] = x;
    __syncthreads();
    x = 0;
    if (warp == 0)
      for (unsigned k = 0; k < warps; k++) x += s.partial[k][lane];
    __syncthreads();
    return x;
  }

  // start makes all distances infinite but those of the sources.
  __device__ void start(unsigned long long first, unsigned count) {
    const size_t keys = size_t(s.n) * K;
    for (size_t i = firstThread(); i < keys; i += allThreads()) s.dist[i] = Metric::none();
    for (unsigned v = firstThread(); v < s.n; v += allThreads()) {
      s.keys[v] = s.when[v] = Metric::none();
      s.state[v] = s.done[v] = s.reached[v] = s.pending[v] = 0;
    }
    if (leads()) {
      BatchedTeam<Key>& t = *s.team;
      for (int i = 0; i < 3; i++) {
        t.near[i] = t.far[i] = t.found[i] = t.waits[i] = t.picked[i] = 0;
        t.least[i] = t.nearest[i] = Metric::none();
      }
      t.failed = 0;
    }
    if (p.masses && threadIdx.x < count) s.masses[threadIdx.x] = p.masses[p.sources[first + threadIdx.x]];
    sync();
    if (s.rank == 0 && threadIdx.x < count) {
      const unsigned v = p.sources[first + threadIdx.x], i = threadIdx.x;
      s.dist[size_t(v) * K + i] = 0;
      s.keys[v] = 0;
      s.lists[i] = v;
      s.state[v] = kNear;
      if (p.counts) s.counts[size_t(v) * K + i] = T(CountRange<T>::unit());
      if (p.stackNodes) {
        s.stackNodes[i] = v;
        s.stackMasks[i] = 1u << i;
        s.done[v] = 1u << i;
      }
    }
    sync();
  }

  // --- distances: see batched_weighted_forward.cuh

  __device__ void distances(unsigned count);
  __device__ void relax(unsigned round, unsigned count, Key limit, unsigned bucket);
  __device__ void relaxRow(unsigned v, unsigned b, unsigned e, unsigned round, Key limit, unsigned bucket);
  __device__ void note(unsigned w, Key key, Key changed, unsigned round, Key limit, unsigned bucket);
  __device__ void refill(unsigned round, unsigned bucket, unsigned count, Key limit);

  // --- counts

  __device__ void tightArcs();
  template <bool Out, bool In> __device__ void tightRows(bool totals);
  template <bool Out, bool In> __device__ void tightRow(unsigned v, unsigned b, unsigned e, Key from);
  __device__ void sumUp(unsigned long long first, unsigned count);
  __device__ int countPaths(unsigned count);
  __device__ void settle(unsigned lo, unsigned hi, bool given, unsigned round, unsigned wait);
  __device__ double gatherCounts(unsigned b, unsigned e, unsigned m) const;
  __device__ void counted(unsigned v, unsigned m, double sum);
  __device__ void notify(unsigned b, unsigned e, unsigned m, unsigned all, unsigned hi, unsigned round, unsigned wait);
  __device__ unsigned ready(unsigned v) const;
  __device__ unsigned pick(unsigned hi, unsigned wait);
  __device__ void forward(unsigned long long first, unsigned count);

  // --- shares: see batched_weighted_backward.cuh

  __device__ double gatherShares(unsigned b, unsigned e, unsigned m, double own);
  __device__ void addArcs(const double* part, const unsigned* arcs, int count);
  __device__ void finish(unsigned v, unsigned m, double own, double sum, int round);
  __device__ void backward();

  // --- folds of distances

  __device__ double folded(double d) const;
  __device__ double foldOfWarp(double x) const;
  __device__ void fold(unsigned long long first, unsigned count, unsigned long long before);
};
