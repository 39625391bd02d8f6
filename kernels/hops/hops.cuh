// Distances by hops of up to 1,024 neighbouring sources at a time, a bit a source, folded at the nodes and edges that
// they reach. See docs/design/batches-by-hops.md.
#pragma once
#include "../batches/team.cuh"
#include "../device/exact.cuh"
#include "../device/fold.cuh"

constexpr int kHopThreads = 256;  // host: hopThreads; of a block
constexpr int kHopBlocks = 3;     // of a multiprocessor
constexpr int kHopChunk = 8;      // arcs that a group of threads looks at together
constexpr int kHopRows = 4;       // masks of those in flight
constexpr int kHopPart = 512;     // host: hopPart; arcs of a part of a long row
constexpr int kHopBuffer = 2048;  // nodes that a block finds before it tells the team
constexpr int kHopPlaces = 256;   // multiprocessors that are told apart
constexpr int kHopPlanes = 6;     // bits in which a thread counts how often it sees each of its lanes

// HopTeam is what the blocks of a team share; counters are for levels modulo 3.
struct alignas(128) HopTeam {
  unsigned long long work[3];  // arcs that leave the next level
  unsigned found[3];           // nodes of the next level
  unsigned arrived;
  unsigned alive[3][32];           // lanes that found something
  unsigned residents[kHopPlaces];  // blocks of a multiprocessor
};

// Sums are whole numbers, so that they have the same bits in any order: of distances, or of their inverses in units of
// 1 / Hops::one. Those that may pass 64 bits have 32 more in `over`, which is null otherwise.

// HopSide is a graph as seen from one end of its arcs. Rows of over kHopPart arcs come in parts as well.
//
// host: arguments
struct HopSide {
  const unsigned *offsets, *targets, *partNodes, *partBegins;
  unsigned long long parts;
  unsigned long long* sums;  // team: arcs, or null; for what, HopFold says
  unsigned *over, *counts;   // team: arcs, or null
};

// HopFold is what lanes are folded into besides the nodes, if anything.
//
// In an undirected graph the distances of the two ends of an edge from a source differ by 1 or not at all. So the
// smaller ones sum up to half of the sum of all less the number of sources whose distances differ; and their inverses
// to half of the sum of all and of 1/d - 1/(d+1) for each source whose distances d and d+1 differ. What the ends have,
// the nodes know.
enum HopFold {
  hopNodes,
  hopEnds,     // edges, undirected, for sums and the greatest: once a batch, from a mark that it leaves at either end
  hopTurns,    // edges, undirected, for inverses, of shallow graphs: once in four levels, from two marks
  hopGaps,     // the same of deep graphs: at each level, from the lanes that go from the nearer end to the other
  hopArcs,     // edges, directed: at each level, from the lanes of the nearer end
  hopWeights,  // no distances: each lane adds its weight to the nodes that it reaches
  hopLanes     // no nodes: each lane adds up the distances to the nodes that it reaches
};

// hopStep is what a lane at distance d adds to a sum. The same d always makes the same whole number.
__device__ inline unsigned long long hopStep(unsigned long long fold, double one, int d) {
  return fold == foldInverse ? (unsigned long long)__double2ll_rn(one / d) : (unsigned long long)d;
}

// hopMarks is how many marks a node has.
__host__ __device__ constexpr int hopMarks(HopFold f) { return f == hopTurns ? 2 : f == hopEnds ? 1 : 0; }

// Hops is what a launch gets. Every field takes 8 bytes. Arrays marked "team" start at team * their size.
//
// host: arguments
struct Hops {
  unsigned long long n, arcs, directed;
  HopSide out, in;
  const unsigned* hubs;  // the nodes whose rows of `in` are long
  unsigned long long hubCount;
  const unsigned* sources;
  uint4* masks;  // team: (3 + marks) n K/128: lanes that have visited a node, those that reach it at two levels, and
                 // marks
  unsigned* stamps;                 // team: n: the last level at which a lane reached it
  unsigned* lists;                  // team: 2 n: the nodes of two levels
  unsigned long long* nodes;        // team: n, or null
  unsigned *nodeOver, *nodeCounts;  // team: n, or null
  double one;                       // what an inverse of 1 counts as, a power of two up to 2^62
  unsigned long long* totals;       // team: 2
  void* teams;
  unsigned long long blocks, fold, sweepShare;
  double* plot;               // team: n, or null: how many pairs lie 0, 1, ... hops apart
  unsigned long long levels;  // the last level to be found
  const uint4* weights;       // hopWeights: a batch: for each bit of the weights, the lanes whose weights have it
  unsigned long long bits;
  Exact* laneSums;  // hopLanes: of each source, and how many nodes it reaches
  unsigned* laneCounts;
  double unit, fine;   // of laneSums
  const uint2* pairs;  // the ends of edges, for hopEnds and hopTurns; see hop_pairs
  unsigned long long pairCount;
  void* pairFolds;  // team: a pair: for hopEnds an unsigned, for hopTurns an unsigned long long
};

// Waves runs batches of K = 128 S sources. A group of S threads handles a node, a thread 128 lanes.
template <int S, HopFold F> struct Waves {
  static constexpr int J = kHopChunk / S;  // arcs of a chunk that a thread looks up
  static constexpr int warps = kHopThreads / 32, G = 32 / S;
  static constexpr int marks = hopMarks(F), masks = 3 + marks;

  struct Shared {
    Hops p;
    HopTeam own;
    HopTeam* team;
    uint4 *seen, *levels[2], *marks;
    const uint4* weights;
    unsigned *stamps, *lists[2];
    unsigned long long* nodes;
    double* plot;
    unsigned *nodeOver, *nodeCounts;
    unsigned long long pairs, distance;
    unsigned n, rank, blocks, teamIndex, generation, buffered, base;
    unsigned residents, before, turn;  // blocks of this multiprocessor, and of those before it; which of them this is
    unsigned long long steps[3];  // what a lane at distance d counts, at d modulo 3, for the level of the batch and the
                                  // two after it
    unsigned long long gaps[4];   // what a lane counts whose distances d and d + 1 differ, for the four steps from
                                  // `bottom` on
    unsigned buffer[kHopBuffer];
    // For hopLanes: how often the threads saw their lanes since they told the block, bit by bit, and the block since it
    // told the device: lane 128 i + k is number S k + i, so that threads of a group add at different banks.
    uint4 planes[F == hopLanes ? kHopPlanes : 1][F == hopLanes ? kHopThreads : 1];
    unsigned seenLanes[F == hopLanes ? 128 * S : 1];
  };

  Shared& s;
  const Hops& p;
  const int lane, t, group;
  const unsigned peers;  // the threads of the group
  uint4 alive;           // lanes that the calling thread saw find something
  int bottom;            // for hopTurns: the last level whose lanes are not marked, nor those of any before it
  const int steps;       // for hopTurns: from how many levels, from that on, lanes are told to go to the next
  unsigned long long reached = 0, work = 0;  // pairs and arcs of the level that the calling thread found
  unsigned held = 0;                         // for hopLanes: how many masks the thread's planes hold

  __device__ explicit Waves(Shared& s, int bottom = 1, int steps = 0)
      : s(s), p(s.p), lane(threadIdx.x & 31), t(lane & (S - 1)), group(lane / S), peers(((1u << S) - 1) << (group * S)),
        bottom(bottom), steps(steps) {}

  __device__ void join(const Hops* args) {
    if (threadIdx.x == 0) {
      s.p = *args;
      s.n = unsigned(p.n);
      s.blocks = unsigned(p.blocks);
      const size_t k = s.teamIndex = blockIdx.x / s.blocks, row = p.n * S;
      s.rank = blockIdx.x % s.blocks;
      s.seen = p.masks + masks * k * row;
      s.levels[0] = s.seen + row;
      s.levels[1] = s.levels[0] + row;
      s.marks = s.levels[1] + row;
      s.stamps = p.stamps + k * p.n;
      s.lists[0] = p.lists + 2 * k * p.n;
      s.lists[1] = s.lists[0] + p.n;
      s.nodes = p.nodes ? p.nodes + k * p.n : nullptr;
      s.nodeOver = p.nodeOver ? p.nodeOver + k * p.n : nullptr;
      s.nodeCounts = p.nodeCounts ? p.nodeCounts + k * p.n : nullptr;
      s.plot = p.plot ? p.plot + k * p.n : nullptr;
      if (F == hopGaps || F == hopArcs) takeTeam(s.p.out, k * p.arcs);
      if (F == hopArcs) takeTeam(s.p.in, k * p.arcs);
      if (F == hopEnds) s.p.pairFolds = (unsigned*)p.pairFolds + k * p.pairCount;
      if (F == hopTurns) s.p.pairFolds = (unsigned long long*)p.pairFolds + k * p.pairCount;
      s.team = s.blocks == 1 ? &s.own : (HopTeam*)p.teams + k;
      s.generation = s.buffered = 0;
      s.pairs = s.distance = 0;
    }
    if (threadIdx.x == 0) s.own.arrived = 0;
    if constexpr (F == hopLanes) clearLanes();
    __syncthreads();
    if (marks) meetNeighbours();
  }

  // takeTeam finds the sums of the block's team.
  __device__ static void takeTeam(HopSide& side, size_t from) {
    side.sums += from;
    if (side.over) side.over += from;
    if (side.counts) side.counts += from;
  }

  __device__ void sync() { meet(&s.team->arrived, s.blocks, &s.generation); }
  __device__ unsigned firstThread() const { return s.rank * kHopThreads + threadIdx.x; }
  __device__ unsigned allThreads() const { return s.blocks * kHopThreads; }
  __device__ unsigned firstGroup() const { return ((threadIdx.x / 32) * s.blocks + s.rank) * G + group; }
  __device__ unsigned allGroups() const { return s.blocks * warps * G; }
  __device__ size_t at(unsigned v) const { return size_t(v) * S + t; }

  __device__ static uint4 none() { return make_uint4(0, 0, 0, 0); }
  __device__ static bool any(uint4 a) { return (a.x | a.y | a.z | a.w) != 0; }
  __device__ static int count(uint4 a) { return __popc(a.x) + __popc(a.y) + __popc(a.z) + __popc(a.w); }
  // sum is count with fewer instructions of the kind that a multiprocessor is slow at.
  __device__ static unsigned sum(uint4 a) {
    const unsigned odd = a.x ^ a.y ^ a.z, two = (a.x & a.y) | (a.x & a.z) | (a.y & a.z);
    return __popc(odd ^ a.w) + 2 * (__popc(two) + __popc(odd & a.w));
  }
  __device__ static uint4 both(uint4 a, uint4 b) { return make_uint4(a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w); }
  __device__ static uint4 either(uint4 a, uint4 b) { return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w); }
  __device__ static uint4 differ(uint4 a, uint4 b) { return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w); }
  __device__ static uint4 without(uint4 a, uint4 b) {
    return make_uint4(a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w);
  }
  __device__ static void add(uint4* to, uint4 x) {
    auto* words = (unsigned long long*)to;
    const unsigned long long low = (unsigned long long)x.y << 32 | x.x, high = (unsigned long long)x.w << 32 | x.z;
    if (low) atomicOr(words, low);
    if (high) atomicOr(words + 1, high);
  }

  __device__ bool groupAny(bool on) const { return __ballot_sync(peers, on) != 0; }
  __device__ unsigned groupOr(unsigned x) const {
#pragma unroll
    for (int k = S / 2; k > 0; k /= 2) x |= __shfl_xor_sync(peers, x, k);
    return x;
  }
  template <class T> __device__ T groupSum(T x) const {
#pragma unroll
    for (int k = S / 2; k > 0; k /= 2) x += __shfl_xor_sync(peers, x, k);
    return x;
  }

  // lookUp loads the heads of the chunk of arcs at k; arc q of it is known to thread q mod S, at heads[q / S].
  __device__ void lookUp(const unsigned* targets, unsigned k, unsigned e, unsigned (&heads)[J]) const {
#pragma unroll
    for (int j = 0; j < J; j++) heads[j] = k + j * S + t < e ? targets[k + j * S + t] : ~0u;
  }
  __device__ unsigned head(const unsigned (&heads)[J], int q) const {
    return __shfl_sync(peers, heads[q / S], group * S + q % S);
  }

  // rows calls each(v, b, e) for pieces of the rows of count nodes, by(i) being the i-th, that make up all of them.
  template <class By, class Each> __device__ void rows(const HopSide& side, unsigned count, By by, Each each) {
    for (unsigned i = firstGroup(); i < count; i += allGroups()) {
      const unsigned v = by(i), b = side.offsets[v], e = side.offsets[v + 1];
      if (e - b <= kHopPart) each(v, b, e);
    }
  }
  // parts calls each(v, b, e) for the parts of the long rows for which on(v) holds.
  template <class On, class Each> __device__ void parts(const HopSide& side, On on, Each each) {
    for (unsigned i = firstGroup(); i < side.parts; i += allGroups()) {
      const unsigned v = side.partNodes[i];
      if (on(v)) each(v, side.partBegins[i], min(side.partBegins[i] + kHopPart, side.offsets[v + 1]));
    }
  }

  // found notes that a lane reaches w for the first time at this level.
  __device__ void found(unsigned w, unsigned* next, unsigned* counter) {
    const unsigned k = atomicAdd(&s.buffered, 1);
    if (k < kHopBuffer) s.buffer[k] = w;
    else next[atomicAdd(counter, 1)] = w;
  }
  // tell moves what the block found to the team's list.
  __device__ void tell(unsigned* next, unsigned* counter) {
    __syncthreads();
    const unsigned count = min(s.buffered, unsigned(kHopBuffer));
    if (threadIdx.x == 0 && count) s.base = atomicAdd(counter, count);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += kHopThreads) next[s.base + i] = s.buffer[i];
    if (threadIdx.x == 0) s.buffered = 0;
  }

  __device__ unsigned long long stepAt(int d) const { return hopStep(p.fold, p.one, d); }
  // gap is what a lane counts whose distances from the two ends are d, that of the level, and d + 1.
  __device__ unsigned long long gap(int d) const { return s.steps[d % 3] - s.steps[(d + 1) % 3]; }
  // addAt adds count times step to sum number i.
  __device__ static void addAt(
      unsigned long long* sums, unsigned* over, size_t i, unsigned count, unsigned long long step) {
    const unsigned long long x = count * step, sum = sums[i] + x;
    const unsigned carry = unsigned(__umul64hi(count, step)) + (sum < x);
    sums[i] = sum;
    if (carry) over[i] += carry;
  }
  __device__ void foldAt(
      unsigned long long* sums, unsigned* over, unsigned* counts, size_t i, unsigned count, int d) const {
    counts[i] += count;
    if (p.fold == foldGreatest) sums[i] = max(sums[i], (unsigned long long)d);
    else addAt(sums, over, i, count, s.steps[d % 3]);
  }

  // reach folds the new lanes x at w.
  __device__ void reach(unsigned w, uint4 x, int d) {
    alive = either(alive, x);
    if constexpr (marks > 0) mark(w, x, d);
    if constexpr (F == hopLanes) countLanes(x);
    const unsigned c = groupSum(unsigned(count(x)));
    unsigned long long weight = 0;
    if constexpr (F == hopWeights) weight = weigh(x);
    if (t != 0) return;
    if constexpr (F == hopWeights) s.nodes[w] += weight;
    else if (s.nodes) foldAt(s.nodes, s.nodeOver, s.nodeCounts, w, c, d);
    reached += c;
    work += p.out.offsets[w + 1] - p.out.offsets[w];
  }
  __device__ size_t markAt(unsigned v, int plane) const { return (size_t(v) * marks + plane) * S + t; }
  __device__ void addMark(unsigned w, int plane, uint4 x) {
    s.marks[markAt(w, plane)] = either(s.marks[markAt(w, plane)], x);
  }
  // mark leaves the lanes x, of level d, in the marks of w: for sums those at odd distances, for the greatest those of
  // its last level. For inverses two marks count levels from `bottom` on, in the order of a Gray code: 00, 01, 11, 10,
  // 00.
  __device__ void mark(unsigned w, uint4 x, int d) {
    if constexpr (F == hopTurns) {
      const int k = d - bottom;
      if (k == 1 || k == 2) addMark(w, 0, x);
      if (k == 2 || k == 3) addMark(w, 1, x);
    } else {
      if (p.fold == foldGreatest) s.marks[markAt(w, 0)] = x;
      else if (d & 1) addMark(w, 0, x);
    }
  }
  __device__ unsigned long long weigh(uint4 x) const {
    unsigned long long sum = 0;
    for (unsigned b = 0; b < p.bits; b++) sum += (unsigned long long)count(both(x, s.weights[b * S + t])) << b;
    return groupSum(sum);
  }

  __device__ void start(unsigned long long first, unsigned lanes);
  // expand pushes the lanes m of level d along arcs.
  __device__ void expand(uint4 m, unsigned b, unsigned e, uint4* next, int d, unsigned* list, unsigned* counter);
  // pull returns the lanes of `open` that reach the head of some arc.
  __device__ uint4 pull(uint4 open, unsigned b, unsigned e, const uint4* front);
  __device__ void push(int d, unsigned lanes);
  __device__ void sweep(int d, unsigned lanes);
  __device__ void settle(const unsigned* list, unsigned lanes, const uint4* level, int d);
  __device__ void clear(const unsigned* list, unsigned lanes, uint4* level);
  // each calls step(v, b, e) for the rows of the nodes of a level.
  template <class Step> __device__ void each(const HopSide& side, int d, unsigned lanes, Step step);
  // arcsOf folds, for hopArcs, at the arcs of v whose other end the lanes of v reach later; with ties at the same
  // level, too.
  __device__ void arcsOf(const HopSide& side, unsigned v, unsigned b, unsigned e, const uint4* level, int d, bool ties);
  // fold folds, for hopArcs, at the edges of level d.
  __device__ void fold(int d, unsigned lanes);
  // See lanes.cuh.
  __device__ void clearLanes();
  __device__ void countLanes(uint4 x);
  __device__ void tellLanes();
  __device__ void tellLanesOf(unsigned first, int word);
  __device__ void foldLanes(unsigned long long first, int d);
  // See pairs.cuh.
  __device__ void meetNeighbours();
  // A function of its own leaves the registers of the search alone.
  __device__ static __noinline__ void foldPairs(Shared& s, int bottom, int steps) {
    Waves(s, bottom, steps).foldPairs();
  }
  __device__ void foldPairs();
  __device__ void foldChunk(unsigned long long k, const uint2 (&ends)[J], const uint4* own);
  __device__ void tally(unsigned (&words)[kHopChunk / 2], unsigned (&counts)[J]) const;
  __device__ void turn(int d);
  // addPairs calls add(q, count) for each arc q of a chunk that the calling thread is to fold at; counts are of its
  // lanes.
  template <class Add> __device__ void addPairs(unsigned (&counts)[kHopChunk], Add add);
  __device__ void report(int d);
  __device__ void batch(unsigned long long first, unsigned lanes);
  __device__ unsigned long long warpSum(unsigned long long x) const {
#pragma unroll
    for (int k = 16; k > 0; k /= 2) x += __shfl_xor_sync(~0u, x, k);
    return x;
  }
  __device__ void addTotals() {
    __syncthreads();
    if (threadIdx.x != 0 || !s.pairs) return;
    atomicAdd(&p.totals[2 * s.teamIndex], s.pairs);
    atomicAdd(&p.totals[2 * s.teamIndex + 1], s.distance);
  }
};

#include "lanes.cuh"
#include "levels.cuh"
#include "pairs.cuh"
