// Betweenness and the closeness family by weights, 32 neighbouring sources at a time: a lane a source. See
// docs/design/batches-by-weights.md.
//
// A batch is done in two passes, which can be asked for apart (BatchedWeighted::passes):
//
//   forward   dist[v][lane], the shortest distance (all ones where there is none); then counts[v][lane], the number of
//             shortest paths times unit(), a power of two that is the same for all lanes, so that counts of different
//             lanes compare; and an order of (node, lanes) in which every shortest path runs forwards (stack, ends).
//   backward  in the reverse of that order: flow(v) = demand[v][lane] + dependency(v), where the demand is 1, or
//             masses[source] * masses[v], or any row that is given (BatchedWeighted::demands); shares flow / count are
//             pulled along shortest-path arcs. nodes[v] gets the sum over the lanes of the dependencies, without the
//             demand, and edges[arc] the sum over the lanes of counts[v] * share[w]. For stress shares are 1 + the sum
//             of those pulled: how many shortest paths leave v, so that counts * shares are the paths that pass (times
//             unit()).
//
// With `kept`, batch i has its rows, order and demands at i * their size, whatever team works on it, and they stay from
// a launch of the forward pass to one of the backward pass: an engine may read dist and counts of all batches in
// between and fill demands (degree-2 chains do: docs/design/reductions.md). The backward pass puts shares in the place
// of counts.
//
// Without races by design: every array is written, between two barriers of the team, by one thread per element, or by
// atomic operations whose outcome does not depend on their order (minimum, or, a counter that hands out places). The
// order of entries within a round, and the rounds in which distances are passed on, are all that differs from run to
// run, and no sum runs over them. One race is allowed: a round that passes a node on forgets when that was to be, while
// another warp may put the node off again (see refill). With bounds there is none: see bounds.cuh.
#pragma once
#include "../batches/lanes.cuh"
#include "../batches/team.cuh"
#include "../device/exact.cuh"
#include "../device/metrics.cuh"
#include "../device/rules.cuh"
#include "../device/spaces.cuh"
#include "../device/threads.cuh"

constexpr int kWeightedLanes = 32;  // host: weightedLanes

// BatchedWeighted is what a launch gets; every field takes 8 bytes. Arrays marked "team" start at team * their size,
// those marked "rows" at the same or, with kept, at batch * their size.
//
// host: arguments
struct BatchedWeighted {
  unsigned long long n, arcs;
  const unsigned *outOffsets, *outTargets;
  const void* outWeights;                 // of an arc: Metric::Weight
  const unsigned *inOffsets, *inTargets;  // those of out when undirected
  const void* inWeights;
  const unsigned* sources;
  // host: arrays
  void* dist;            // rows: n rows of 32 keys
  void* counts;          // rows: n rows of 32 numbers: counts, then shares
  unsigned* outPaths;    // rows: an arc: the lanes in which it ends a shortest path
  unsigned* inPaths;     // rows: the same of the arcs that enter
  unsigned* stackNodes;  // rows: cap
  unsigned* stackMasks;  // rows: cap
  unsigned* ends;        // rows: roundCap + 2: where rounds end on the stack
  unsigned* rounds;      // rows: 2: how many rounds there are, and the lanes that failed
  void* keys;            // team: n keys: the least distance of a lane; with bounds 2n: that, and the greatest at most
  void* when;  // team: n keys: the least distance of a lane that was lowered and put off; with bounds 4n: what is owed
  unsigned* state;    // team: n: the lists that a node is on
  unsigned* lists;    // team: 4n
  unsigned* reached;  // team: n: the lanes that reach a node; before that is known, the round that passed it on last
  unsigned* done;     // team: n: the lanes that are counted
  unsigned* pending;  // team: n: shortest-path arcs that enter, not yet counted; before that, the round that put it off
                      // last
  double* laneSums;   // team: 64 a block
  unsigned* hubs;     // a block: hubCap, room for all nodes of over hub arcs: those that it leaves for all its threads
  uint2* longRows;    // a block: longCap, room for all segments of rows of over kShortRow arcs: entry and segment
  void* teams;
  unsigned long long* pairs;  // one sum
  Exact* totals;              // one sum, of distances
  long long* lost;            // 1 + an arc that does not lengthen a path, 0 for none
  double* rows;  // of folds: the distances from each source of the launch, n in the old order, infinite for none; or
                 // null
  Exact* nodes;  // n sums, or null; of the greatest distance, double in place of each Exact
  unsigned long long* edges;  // of arcs: three digits, each of all arcs; or null. Of the greatest distances, a double
                              // each
  unsigned* nodeCounts;       // n, of folds: sources that reach the node, or their masses; or null
  unsigned* edgeCounts;       // of arcs, of folds; or null
  // host: end
  unsigned* failed;             // a source: 1 when its counts need wider numbers, 2 when the stack was too short
  double unit, fine;            // of sums
  double totalUnit, totalFine;  // of totals
  const double* masses;         // how many nodes each node stands for, as source and as target; null for 1
  const double* demands;        // rows: n rows of 32, in place of masses; or null
  const double* insides;  // of folds with masses: what the distances from each node to those it stands for fold to
  unsigned long long cap, roundCap, blocks, endpoints, hub, hubCap, longCap, passes, kept, unique;
  double tolerance, mul, div;
  unsigned long long few;  // a round of so few nodes to count takes waiting ones along
  double width;            // of buckets, in units of keys
  double slack;            // how much farther than the bucket a lane may be that is passed on with it
  double patience;         // how much farther than the nearest of them nodes are counted that wait for lanes
  double mostPaths;        // of stress: a lane with a greater count fails, in the numbers of counts
  unsigned long long fold, stress;
  const unsigned* order;        // the old number of each node
  unsigned long long farthest;  // the key of the greatest distance that counts; all ones for any
  void* control;                // Control
  unsigned long long* profile;  // a block: kProfiled; for kernels with LINCHPIN_PROFILE alone
};

// BatchedWeighted::passes.
constexpr unsigned long long kForward = 1;   // host: passForward
constexpr unsigned long long kBackward = 2;  // host: passBackward

constexpr int kGroup = 8;  // threads of a group, which handles an arc; a thread of it has 4 of the 32 lanes
constexpr int kOwn = kWeightedLanes / kGroup;
constexpr unsigned kGroups = 32 / kGroup;  // of a warp
constexpr unsigned kShortRow = 16;  // host: shortRow; arcs of a row that a group handles alone; warps share longer ones
static_assert(kShortRow == 2 * kGroup, "");

constexpr int kWeightedThreads = 1024;  // of a block, at most, of 64 registers each

// BatchedState are the bits of BatchedWeighted::state: on the list of this round, of the next one, of far nodes, of
// nodes that wait for lanes; and that something changed for one that waits. Of the first two, the round's parity says
// which is which.
enum BatchedState : unsigned { kNear = 1, kFar = 4, kWaits = 8, kAwake = 16 };

// BatchedTeam is what the blocks of a team share. Counters with three places are cleared two steps before they are
// used, so that no barrier is spent on that.
template <class Key> struct BatchedTeam {
  unsigned near[3], far[3];     // nodes listed, of this and the next round or bucket
  unsigned found[3], woken[3];  // of a round of counts: nodes to count in the next one; nodes that wait from now on
  unsigned kept[3], picked[3];  // of a pick: nodes that wait with lanes that are ready; those of them that are picked
  Key least[3], nearest[3];     // least key of the far nodes; of the nodes that are kept
  unsigned failed;
  unsigned arrived;
  unsigned batch;
};

// CountRange is within which counts of paths are kept. All start at unit, far below 1, so that they may grow by 2^120
// or 2^1700; a lane with a count over high fails and is counted again in wider numbers. Shares, at most n^2 / unit and
// a sum of them, stay finite. Stress has a lower bound, so that its sums are exact: see BatchedWeighted::mostPaths.
template <class T> struct CountRange;
template <> struct CountRange<float> {
  static __device__ double unit() { return 0x1p-40; }
  static __device__ double high() { return 0x1p80; }
};
template <> struct CountRange<double> {
  static __device__ double unit() { return 0x1p-800; }
  static __device__ double high() { return 0x1p900; }
};

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

// Rows of X: a thread has kOwn numbers of one, in vectors of 16 bytes, so that a group reads it in whole lines.
template <class X> struct OwnLanes;
template <> struct OwnLanes<unsigned> {
  typedef uint4 Vector;
  static __device__ void unpack(const uint4& y, unsigned* x) { x[0] = y.x, x[1] = y.y, x[2] = y.z, x[3] = y.w; }
  static __device__ uint4 pack(const unsigned* x) { return make_uint4(x[0], x[1], x[2], x[3]); }
};
template <> struct OwnLanes<float> {
  typedef float4 Vector;
  static __device__ void unpack(const float4& y, float* x) { x[0] = y.x, x[1] = y.y, x[2] = y.z, x[3] = y.w; }
  static __device__ float4 pack(const float* x) { return make_float4(x[0], x[1], x[2], x[3]); }
};
template <> struct OwnLanes<unsigned long long> {
  typedef ulonglong2 Vector;
  static __device__ void unpack(const ulonglong2& y, unsigned long long* x) { x[0] = y.x, x[1] = y.y; }
  static __device__ ulonglong2 pack(const unsigned long long* x) { return {x[0], x[1]}; }
};
template <> struct OwnLanes<double> {
  typedef double2 Vector;
  static __device__ void unpack(const double2& y, double* x) { x[0] = y.x, x[1] = y.y; }
  static __device__ double2 pack(const double* x) { return make_double2(x[0], x[1]); }
};

// RowOf is what thread t of a group has of rows of X.
template <class X> struct RowOf {
  typedef typename OwnLanes<X>::Vector Vector;
  static constexpr int L = 16 / sizeof(X), C = kOwn / L;
  static constexpr int U = C == 1 ? 4 : 2;  // rows in flight
  static __device__ int lane(int t, int i) { return (i / L * kGroup + t) * L + i % L; }
  // own is where the thread's numbers of a row begin; number i is at place(i) from there on.
  static __device__ X* own(X* row, int t) { return row + t * L; }
  static constexpr __device__ int place(int i) { return i / L * kGroup * L + i % L; }
  // fresh also sees what other threads write meanwhile.
  template <bool fresh = false> static __device__ void load(const X* row, int t, X* x) {
#pragma unroll
    for (int c = 0; c < C; c++) {
      const Vector* p = (const Vector*)(row + t * L) + c * kGroup;
      OwnLanes<X>::unpack(fresh ? __ldcg(p) : *p, x + c * L);
    }
  }
  // loadIf loads a row, or zeros: a row that is left as it was would keep registers for what it was.
  template <bool fresh = false> static __device__ void loadIf(bool on, const X* row, int t, X* x) {
#pragma unroll
    for (int i = 0; i < kOwn; i++) x[i] = 0;
    if (on) load<fresh>(row, t, x);
  }
  // bits returns those of a mask that are of the thread's lanes.
  static __device__ unsigned bits(unsigned mask, int t) {
    if (C == 1) return mask >> kOwn * t & 15;
    return mask >> 2 * t & 3 | (mask >> (16 + 2 * t) & 3) << 2;
  }
  // mask makes one of the bits of the group's threads, four from each, in their order.
  static __device__ unsigned mask(unsigned x) {
    if (C == 1) return x;
    x = x & 0xc3c3c3c3 | (x & 0x0c0c0c0c) << 2 | (x & 0x30303030) >> 2;
    x = x & 0xf00ff00f | (x & 0x00f000f0) << 4 | (x & 0x0f000f00) >> 4;
    return x & 0xff0000ff | (x & 0x0000ff00) << 8 | (x & 0x00ff0000) >> 8;
  }
  // store writes the lanes that are in bits.
  static __device__ void store(X* row, int t, unsigned bits, const X* x) {
#pragma unroll
    for (int c = 0; c < C; c++) {
      if ((bits >> c * L & ((1u << L) - 1)) == (1u << L) - 1) {
        ((Vector*)row)[c * kGroup + t] = OwnLanes<X>::pack(x + c * L);
      } else {
#pragma unroll
        for (int i = c * L; i < (c + 1) * L; i++)
          if (bits >> i & 1) row[lane(t, i)] = x[i];
      }
    }
  }
};

// transposed gives thread t of a group the t-th four bits of every thread of it.
__device__ inline unsigned transposed(unsigned x, int t) {
  const auto swap = [&](int k, unsigned low) {
    const unsigned y = __shfl_xor_sync(~0u, x, k);
    x = t & k ? x & ~low | y >> 4 * k & low : x & low | (y & low) << 4 * k;
  };
  swap(4, 0x0000ffff);
  swap(2, 0x00ff00ff);
  swap(1, 0x0f0f0f0f);
  return x;
}

// joined returns, of U numbers of each thread of a group, those with number t modulo U, joined over the group by `by`.
template <int U, class X, class By> __device__ X joined(const X* x, int t, By by) {
  static_assert(U == 2 || U == 4, "rows in flight");
  const bool odd = t & 1;
  X a = by(odd ? x[1] : x[0], __shfl_xor_sync(~0u, odd ? x[0] : x[1], 1));
  if constexpr (U == 4) {
    const bool upper = t & 2;
    const X b = by(odd ? x[3] : x[2], __shfl_xor_sync(~0u, odd ? x[2] : x[3], 1));
    a = by(upper ? b : a, __shfl_xor_sync(~0u, upper ? a : b, 2));
  } else {
    a = by(a, __shfl_xor_sync(~0u, a, 2));
  }
  return by(a, __shfl_xor_sync(~0u, a, 4));
}

// orOfGroup returns the bits that any thread of the group has.
__device__ inline unsigned orOfGroup(unsigned x) {
#pragma unroll
  for (int k = 1; k < kGroup; k *= 2) x |= __shfl_xor_sync(~0u, x, k);
  return x;
}

// Bounded is a metric, in keys of 64 bits, for searches that leave out rows by bounds: see bounds.cuh.
template <class Metric> struct Bounded : Metric {};
template <class Metric> constexpr bool keepsBounds = false;
template <class Metric> constexpr bool keepsBounds<Bounded<Metric>> = true;

// WeightedBatch is the calling thread's part of a team at work. A row of few arcs is a group's, of more a warp's, of
// many a block's: group number `part` of `parts` takes eight arcs, and eight again after those of the other parts. All
// threads of a warp go through these loops together.
template <class Metric, class T> struct WeightedBatch {
  using Key = typename Metric::Key;
  using Weight = typename Metric::Weight;
  using KeyRow = RowOf<Key>;
  using CountRow = RowOf<T>;
  static constexpr int K = kWeightedLanes;
  static constexpr int mostWarps = kWeightedThreads / 32;
  static constexpr bool bounds = keepsBounds<Metric>;

  struct Shared {
    BatchedWeighted p;
    BatchedTeam<Key> own;
    BatchedTeam<Key>* team;
    Key *dist, *keys, *when;
    T* counts;
    unsigned *outPaths, *inPaths, *stackNodes, *stackMasks, *ends, *rounds;
    unsigned *state, *lists, *reached, *done, *pending;
    double* laneSums;
    const double* demands;
    unsigned n, rank, blocks, teamIndex, generation;
    double masses[K], insides[K];  // of the sources
    unsigned* hubs;
    uint2* longRows;
    unsigned left[3], leftHubs[3];  // segments and hubs left in a round
    typename Metric::Span slack;
    double partial[mostWarps][K];
    unsigned partialCounts[mostWarps][K];
    PROFILED(unsigned long long profiled[kProfiled];)
  };

  Shared& s;
  const BatchedWeighted& p;
  const unsigned lane, warp, warps;
  const int t;           // in the group
  const unsigned group;  // in the warp

  __device__ explicit WeightedBatch(Shared& s)
      : s(s), p(s.p), lane(threadIdx.x & 31), warp(threadIdx.x >> 5), warps(blockDim.x >> 5), t(int(lane % kGroup)),
        group(lane / kGroup) {}

  // join finds the arrays of the block's team.
  __device__ void join(const BatchedWeighted* args) {
    if (threadIdx.x == 0) {
      s.p = *args;
      s.n = unsigned(p.n);
      s.blocks = unsigned(p.blocks);
      const size_t k = s.teamIndex = blockIdx.x / s.blocks;
      s.rank = blockIdx.x % s.blocks;
      s.keys = (Key*)p.keys + k * p.n * (bounds ? 2 : 1);
      s.when = (Key*)p.when + k * p.n * (bounds ? 4 : 1);
      s.state = p.state + k * p.n;
      s.lists = p.lists + k * 4 * p.n;
      s.reached = p.reached + k * p.n;
      s.done = p.done + k * p.n;
      s.pending = p.pending + k * p.n;
      s.laneSums = p.laneSums + k * s.blocks * 2 * K;
      s.team = s.blocks == 1 ? &s.own : (BatchedTeam<Key>*)p.teams + k;
      s.generation = 0;
      s.hubs = p.hubs + blockIdx.x * p.hubCap;
      s.longRows = p.longRows + blockIdx.x * p.longCap;
      clearLeft();
      s.slack = Metric::span(p.slack);
      PROFILED(for (int i = 0; i < kProfiled; i++) s.profiled[i] = 0;)
    }
    __syncthreads();
  }

  __device__ void addNode(unsigned v, double x) const { addExact(&p.nodes[v], x, p.unit, p.fine); }
  __device__ void addArc(unsigned arc, double x) const { addDigits(p.edges + arc, p.arcs, x, p.unit, p.fine); }

  // take finds the arrays of a batch.
  __device__ void take(unsigned long long batch) {
    if (threadIdx.x == 0) {
      const size_t k = p.kept ? batch : s.teamIndex;
      s.dist = (Key*)p.dist + k * p.n * K;
      s.counts = (T*)p.counts + k * p.n * K;
      s.outPaths = p.outPaths + k * p.arcs;
      s.inPaths = p.inPaths + k * p.arcs;
      s.stackNodes = p.stackNodes + k * p.cap;
      s.stackMasks = p.stackMasks + k * p.cap;
      s.ends = p.ends + k * (p.roundCap + 2);
      s.rounds = p.rounds + k * 2;
      s.demands = p.demands ? p.demands + k * p.n * K : nullptr;
    }
    __syncthreads();
  }

  __device__ void sync() {
    PROFILED(const long long begun = clock64();)
    meet(&s.team->arrived, s.blocks, &s.generation);
    PROFILED(spent(kSpentMeeting, begun);)
  }

  // clearLeft empties the lists of long rows. A thread of the block calls it, a barrier before they are used.
  __device__ void clearLeft() {
    for (int i = 0; i < 3; i++) s.left[i] = s.leftHubs[i] = 0;
  }

  __device__ unsigned firstThread() const { return s.rank * blockDim.x + threadIdx.x; }
  __device__ unsigned allThreads() const { return s.blocks * blockDim.x; }
  __device__ unsigned firstWarp() const { return warp * s.blocks + s.rank; }
  __device__ unsigned allWarps() const { return s.blocks * warps; }
  __device__ bool leads() const { return s.rank == 0 && threadIdx.x == 0; }

  template <class X> __device__ static X now(const X* x) { return *(const volatile X*)x; }

  __device__ const Weight* outWeights() const { return (const Weight*)p.outWeights; }
  __device__ const Weight* inWeights() const { return (const Weight*)p.inWeights; }
  __device__ Key& keyOf(unsigned v) const { return s.keys[bounds ? 2 * size_t(v) : v]; }
  __device__ Key* row(unsigned v) const { return s.dist + size_t(v) * K + lane; }
  __device__ T* countRow(unsigned v) const { return s.counts + size_t(v) * K; }

  // Scale is who handles an entry: a group, warps that take a segment of its row each, or the block. parts counts the
  // groups of them, each of which has a part of the row.
  enum Scale { ofGroup, ofWarp, ofBlock };
  __device__ unsigned part(Scale x, unsigned segment = 0) const {
    return x == ofGroup ? 0 : (x == ofWarp ? segment : warp) * kGroups + group;
  }
  __device__ unsigned parts(Scale x, unsigned segments = 1) const {
    return x == ofGroup ? 1 : (x == ofWarp ? segments : warps) * kGroups;
  }

  // eachEntry calls work(i, scale, segment) for the entries [lo, hi): first for those of the four groups of a warp, ~0
  // where a group has none; then, by whatever warp of the block comes next, for the segments that work has left by
  // `leave`, so that long rows do not wait behind one another; and at the end, by all warps of the block, for those
  // that were left to it. Where there are few entries, only the first group of each warp has any. Rounds of one parity
  // modulo 3 have lists of their own, which another clears.
  template <class Work> __device__ void eachEntry(unsigned lo, unsigned hi, unsigned round, Work work) {
    const unsigned each = hi - lo > allWarps() ? kGroups : 1, step = allWarps() * each, place = round % 3;
    unsigned next = lo + firstWarp() * each;
    Scale scale = ofGroup;
    if (threadIdx.x < 2) s.left[(place + 1 + threadIdx.x) % 3] = s.leftHubs[(place + 1 + threadIdx.x) % 3] = 0;
    for (;;) {
      unsigned i = ~0u, segment = 0;
      if (scale == ofGroup && next < hi) {
        if (group < each && next + group < hi) i = next + group;
        next += step;
      } else {
        if (scale == ofGroup) {
          if (!p.longCap) return;
          __syncthreads();
          scale = ofWarp;
          next = warp;
        }
        if (scale == ofWarp && next >= s.left[place]) {
          scale = ofBlock;
          next = 0;
        }
        if (scale == ofWarp) {
          const uint2 item = s.longRows[next];
          i = item.x, segment = item.y;
          next += warps;
        } else {
          if (next >= s.leftHubs[place]) return;
          i = s.hubs[next++];
        }
      }
      work(i, scale, segment);
    }
  }

  // Long is who gets rows that are too long for a group: warps, a segment each; a warp; the block, from p.hub arcs on.
  enum Long { toWarps, toWarp, toBlock };

  // leave leaves an entry with a long row to others, and says whether it did. The threads of a group call it.
  __device__ bool leave(unsigned i, unsigned degree, unsigned round, Long to) {
    if (degree <= kShortRow) return false;
    if (t != 0) return true;
    if (to == toBlock && p.hub && degree > p.hub) {
      s.hubs[atomicAdd(&s.leftHubs[round % 3], 1u)] = i;
      return true;
    }
    const unsigned count = to == toWarps ? segments(degree) : 1, at = atomicAdd(&s.left[round % 3], count);
    for (unsigned k = 0; k < count; k++) s.longRows[at + k] = make_uint2(i, k);
    return true;
  }

  // segments is how many warps share a row of so many arcs that is cut: each of their groups has eight.
  __device__ static unsigned segments(unsigned degree) { return (degree + 31) / 32; }

  // append hands out a place in a list to each thread of the warp with `on`; true and the place for those.
  __device__ unsigned append(bool on, unsigned* counter) const {
    const unsigned won = __ballot_sync(~0u, on);
    if (!won) return 0;
    unsigned at = 0;
    if (lane == 0) at = atomicAdd(counter, __popc(won));
    return __shfl_sync(~0u, at, 0) + __popc(won & ((1u << lane) - 1));
  }

  // warpSum adds the groups' sums, always in the same order.
  __device__ static void warpSum(double* x) {
#pragma unroll
    for (int i = 0; i < kOwn; i++) {
      x[i] += __shfl_xor_sync(~0u, x[i], kGroup);
      x[i] += __shfl_xor_sync(~0u, x[i], 2 * kGroup);
    }
  }

  // wholeSum adds up the sums of the groups that share an entry; the first of them has it then.
  __device__ void wholeSum(double* x, Scale scale) {
    if (scale == ofGroup) return;
    warpSum(x);
    if (scale == ofWarp) return;
    if (group == 0)
#pragma unroll
      for (int i = 0; i < kOwn; i++) s.partial[warp][kOwn * t + i] = x[i];
    __syncthreads();
    if (warp == 0)
      for (unsigned k = 1; k < warps; k++)
#pragma unroll
        for (int i = 0; i < kOwn; i++) x[i] += s.partial[k][kOwn * t + i];
    __syncthreads();
  }

  // start makes all distances infinite but those of the sources.
  __device__ void start(unsigned long long first, unsigned count) {
    const size_t keys = size_t(s.n) * K;
    if (threadIdx.x == 0) clearLeft();
    for (size_t i = firstThread(); i < keys; i += allThreads()) s.dist[i] = Metric::none();
    for (unsigned v = firstThread(); v < s.n; v += allThreads()) {
      keyOf(v) = Metric::none();
      if constexpr (bounds) owesNothing(v);
      else s.when[v] = Metric::none();
      s.state[v] = s.done[v] = s.reached[v] = s.pending[v] = 0;
    }
    if (leads()) {
      BatchedTeam<Key>& t = *s.team;
      for (int i = 0; i < 3; i++) {
        t.near[i] = t.far[i] = t.found[i] = t.woken[i] = t.kept[i] = t.picked[i] = 0;
        t.least[i] = t.nearest[i] = Metric::none();
      }
      t.failed = 0;
    }
    if (p.masses && threadIdx.x < count) s.masses[threadIdx.x] = p.masses[p.sources[first + threadIdx.x]];
    if (p.insides && threadIdx.x < count) s.insides[threadIdx.x] = p.insides[p.sources[first + threadIdx.x]];
    sync();
    if (s.rank == 0 && threadIdx.x < count) {
      const unsigned v = p.sources[first + threadIdx.x], i = threadIdx.x;
      s.dist[size_t(v) * K + i] = 0;
      keyOf(v) = 0;
      if constexpr (bounds) owe(v, 0, ~0u);
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

  // --- distances: see forward.cuh

  __device__ void distances(unsigned count);
  __device__ void cut();
  __device__ void relax(unsigned round, unsigned count, Key limit, unsigned bucket);
  __device__ void relaxRow(const Key* from, unsigned b, unsigned e, unsigned part, unsigned parts, unsigned round,
      Key limit, unsigned bucket);
  __device__ void note(unsigned w, Key changed, Key key, unsigned state, unsigned round, Key limit, unsigned bucket);
  __device__ void refill(unsigned round, unsigned bucket, unsigned count, Key limit);

  // --- with bounds: see bounds.cuh

  // Range holds the least distance of a node's lanes, and what none is over.
  struct Range { Key least, most; };
  __device__ Range rangeOf(unsigned v) const;
  __device__ void owesNothing(unsigned v);
  __device__ void owe(unsigned v, Key changed, unsigned round);
  __device__ Key takeOwed(unsigned v, unsigned round);
  __device__ Key allOwed(unsigned v, unsigned round);
  __device__ void relaxBounded(const Key* from, Key low, unsigned b, unsigned e, unsigned part, unsigned parts,
      unsigned round, Key limit, unsigned bucket);
  template <bool Out, bool In>
  __device__ void pathRowBounded(unsigned v, const Key* from, unsigned b, unsigned e, unsigned part, unsigned parts);
  __device__ void boundRow(unsigned v, Key d);

  // --- counts

  // Entry is a node to count, in lanes m; all are those that are counted with them.
  struct Entry { unsigned ib, ie, ob, oe, m, all; };

  __device__ void pathArcs();
  __device__ void tally();
  __device__ void keepLaneSums(double sum, unsigned reach);
  template <bool Out, bool In> __device__ void pathRows();
  template <bool Out, bool In>
  __device__ void pathRow(unsigned v, const Key* from, unsigned b, unsigned e, unsigned part, unsigned parts);
  template <bool In>
  __device__ void entered(unsigned v, unsigned entering, unsigned once, unsigned twice, unsigned parts);
  __device__ void sumUp(unsigned long long first, unsigned count);
  __device__ int countPaths(unsigned count);
  __device__ void settle(unsigned lo, unsigned mid, unsigned hi, unsigned round, unsigned wait, unsigned waiting);
  __device__ void settleRow(
      const Entry& x, unsigned part, unsigned parts, double* sum, unsigned hi, unsigned round, unsigned* list);
  __device__ void counted(unsigned v, unsigned m, const double* sum);
  __device__ unsigned ready(unsigned b, unsigned e, unsigned m, unsigned part, unsigned parts) const;
  __device__ unsigned lanesReady(unsigned v, unsigned open);
  __device__ unsigned pick(unsigned hi, unsigned& waiting, unsigned wait);
  __device__ void forward(unsigned long long first, unsigned count);

  // --- shares: see backward.cuh

  __device__ void gatherShares(
      unsigned b, unsigned e, unsigned part, unsigned parts, unsigned m, const T* own, double* sum);
  __device__ void loadOwn(unsigned v, unsigned m, T* own) const;
  __device__ void finish(unsigned v, unsigned m, const T* own, const double* sum, int round);
  __device__ void backward();

  __device__ void batch(unsigned long long first, unsigned count);

  // For kernels that count (batches/profile.cuh): what any thread saw; what the first thread spent since then; numbers
  // of a batch; of all.
  __device__ void note(Profiled what, unsigned long long x) { atomicAdd(&s.profiled[what], x); }
  __device__ void spent(Profiled what, long long begun) {
    if (threadIdx.x == 0) note(what, clock64() - begun);
  }
  __device__ void noteBatch();
  __device__ void tell(long long begun);

  // --- folds of distances

  __device__ double folded(double d) const;
  __device__ double standingFor(double d) const;
  __device__ double foldOfWarp(double x) const;
  template <bool Arcs> __device__ void addFold(unsigned i, double x, unsigned many) const;
  __device__ void fold(unsigned long long first, unsigned count);
  __device__ void foldArcs(unsigned v, Key own);
};
