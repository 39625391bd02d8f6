// Betweenness by hops of K neighbouring sources at a time: a lane a source. See docs/design/batches-by-hops.md.
#pragma once
#include "../batches/lanes.cuh"
#include "../batches/team.cuh"
#include "../device/exact.cuh"

// Team is what the blocks that work on one batch share; counters are for levels modulo 3.
template <int K> struct Team {
  unsigned found[3];        // entries of the next level
  unsigned big[3][K / 32];  // lanes with counts that are to be scaled
  unsigned long long work[3];
  unsigned failed[K / 32];
  unsigned arrived;
  unsigned batch;
  unsigned reach[K];
  unsigned pad[30];
};

// Batched is what a launch gets. Arrays marked "team" start at team * their size.
//
// host: arguments
struct Batched {
  unsigned long long n, arcs;
  const unsigned *outOffsets, *outTargets, *inOffsets, *inTargets;
  const unsigned* sources;
  void* rows;                  // team: n * K counts, then shares
  unsigned* masks;             // team: 4 * n * K/32: visited and three levels; 5 * n, and four levels, for K = 32
  unsigned* stamps;            // team: n, for K > 64
  unsigned* stackNodes;        // team: cap
  unsigned* stackMasks;        // team: cap * K/32
  unsigned* ends;              // team: n + 2
  unsigned* scaled;            // team: (n + 2) * K/32
  Exact* nodes;                // n, or null
  unsigned long long* edges;   // of arcs: three digits, each of all arcs; or null
  unsigned* failed;            // a source
  unsigned long long* totals;  // team: 2
  void* teams;
  const unsigned* inHubs;  // nodes with over hub arcs in, the longest row first
  const double* masses;    // how many nodes each node stands for, as source and as target; null without Masses, for 1
  unsigned long long cap, blocks, endpoints, denseShare, hub, hubs, inHubCount;  // hubs: whether a row has over hub
                                                                                 // arcs
  double unit, fine;                                                             // of the sums
  void* control;                                                                 // Control
  unsigned long long* profile;  // block: kProfiled; for kernels with LINCHPIN_PROFILE alone
  unsigned long long farthest;  // the last level to be found
  unsigned long long longer;    // whether a row of arcs in has kLongerRow
};

constexpr unsigned kAll = ~0u;  // of the stack: the masks of all nodes are to be cleared
constexpr int kThreads = 512;   // host: batchedThreads; of a block: 2 blocks a multiprocessor leave 64 registers a
                                // thread
// A batch of more levels is left to double precision. The host allows float32 where a search of the graph has 1,000
// levels (kernels.SingleLevels), so that one from another node has at most twice as many; but it may go by an
// estimate.
constexpr int kSingleLevels = 2000;
constexpr unsigned kRun = 8;         // nodes side by side that a warp loads: their masks are a line of the cache
constexpr unsigned kLongerRow = 32;  // host: longerRow; arcs from which on a row comes first in the list of a block
constexpr int kHubs = 2048;  // host: mostHubs; the most nodes of over Batched::hub arcs, which a block keeps for all
                             // its threads

// Engine runs batches. With Masses, nodes stand for several; a flag tested at each share would take registers from
// plain runs.
template <class T, int K, bool Arcs, bool Masses> struct Engine {
  static constexpr int L = 16 / sizeof(T);           // lanes of a vector of 16 bytes
  static constexpr int S = K / L < 32 ? K / L : 32;  // threads of a group, which handles an entry
  static constexpr int C = K / (S * L);              // vectors of a thread
  static constexpr int W = K / 32;                   // words of a mask
  static constexpr int G = 32 / S;                   // groups of a warp
  static constexpr int U = C == 1 ? 4 : 2;           // rows in flight
  static constexpr int warps = kThreads / 32;
  typedef typename Range<T>::Vector Vector;
  typedef Mask<W> M;

  // Open is a node of the list of sweep: its row, and the lanes that it looks for, later those that it has found.
  struct Open {
    unsigned node, begin, end;
    M lanes;
  };
  struct Shared {
    Batched p;
    Team<K> own;
    Team<K>* team;
    T* rows;
    unsigned *visited, *stackNodes, *stackMasks, *ends, *scaled, *stamps;
    unsigned n, rank, blocks, teamIndex, generation;
    unsigned touched;          // entries of the stack whose nodes have masks of the batch before, or kAll
    T masses[Masses ? K : 1];  // of the sources
    unsigned neighbours[warps][32];
    unsigned arcs[warps][32];
    unsigned overlaps[warps][W][32];
    unsigned keptNodes[kThreads];
    T keptSums[kThreads];
    Open open[S < 32 ? 1 : kThreads];
    // Counts of the list, and of the one before: nodes with longer and with shorter rows, and those that warps have
    // taken.
    unsigned longer[2], shorter[2], taken[2];
    unsigned hubs[kHubs];
    unsigned hubCount;
    unsigned hubMasks[warps * G][W];
    alignas(16) T partial[warps * G * K];
    PROFILED(unsigned long long profiled[kProfiled];)
  };

  Shared& s;
  const Batched& p;
  const int lane, t, group;  // thread in warp, thread in group, group in warp
  // A group keeps sums of nodes back until each thread has one: threads add them together. In registers, they would
  // take those of gather.
  int kept = 0;

  __device__ explicit Engine(Shared& s) : s(s), p(s.p), lane(threadIdx.x & 31), t(lane & (S - 1)), group(lane / S) {}

  // join finds the arrays of the block's team.
  __device__ void join(const Batched* args) {
    if (threadIdx.x == 0) {
      s.p = *args;
      s.n = unsigned(p.n);
      s.blocks = unsigned(p.blocks);
      const size_t k = s.teamIndex = blockIdx.x / s.blocks;
      s.rank = blockIdx.x % s.blocks;
      s.rows = (T*)p.rows + k * p.n * K;
      s.visited = p.masks + k * (W == 1 ? 5 : 4 * W) * p.n;
      s.stackNodes = p.stackNodes + k * p.cap;
      s.stackMasks = p.stackMasks + k * p.cap * W;
      s.ends = p.ends + k * (p.n + 2);
      s.scaled = p.scaled + k * (p.n + 2) * W;
      s.stamps = p.stamps + k * p.n;
      s.team = s.blocks == 1 ? &s.own : (Team<K>*)p.teams + k;
      s.generation = 0;
      s.touched = kAll;
      PROFILED(for (int i = 0; i < kProfiled; i++) s.profiled[i] = 0;)
    }
    __syncthreads();
  }

  __device__ void addNode(unsigned v, double x) const { addExact(&p.nodes[v], x, p.unit, p.fine); }
  __device__ void addArc(unsigned arc, double x) const { addDigits(p.edges + arc, p.arcs, x, p.unit, p.fine); }

  // keep adds x, which all threads of the group know, to the sum of v at some time before addKept returns.
  __device__ void keep(unsigned v, T x) {
    if (t == 0) s.keptNodes[threadIdx.x + kept] = v, s.keptSums[threadIdx.x + kept] = x;
    if (++kept == S) addKept();
  }
  __device__ void addKept() {
    __syncwarp(threads());
    if (t < kept) addNode(s.keptNodes[threadIdx.x], double(s.keptSums[threadIdx.x]));
    __syncwarp(threads());
    kept = 0;
  }

  // threads are the bits of the group's threads.
  __device__ unsigned threads() const { return S == 32 ? ~0u : ((1u << (S & 31)) - 1) << (group * S); }
  __device__ int warp() const { return threadIdx.x >> 5; }
  // level returns the masks of level d. One pass a level needs three at a time, and clears a fourth.
  static constexpr int levels = W == 1 ? 4 : 3;
  __device__ unsigned* level(int d) const { return s.visited + size_t(d % levels + 1) * s.n * W; }

  __device__ void sync() {
    PROFILED(const long long begun = clock64();)
    meet(&s.team->arrived, s.blocks, &s.generation);
    PROFILED(if (threadIdx.x == 0) note(kSpentMeeting, clock64() - begun);)
  }

  __device__ unsigned firstThread() const { return s.rank * kThreads + threadIdx.x; }
  __device__ unsigned allThreads() const { return s.blocks * kThreads; }
  __device__ unsigned firstWarp() const { return warp() * s.blocks + s.rank; }
  __device__ unsigned allWarps() const { return s.blocks * warps; }

  // bits of this thread's lanes of vector c
  __device__ unsigned bitsOf(const M& m, int c) const {
    const int first = (c * S + t) * L;
    unsigned word = m.w[0];
#pragma unroll
    for (int i = 1; i < W; i++)
      if (first / 32 == i) word = m.w[i];
    return word >> (first & 31) & ((1u << L) - 1);
  }
  __device__ T* rowOf(unsigned v, int c) const { return s.rows + size_t(v) * K + (c * S + t) * L; }
  __device__ static void unpack(const float4& x, float* y) { y[0] = x.x, y[1] = x.y, y[2] = x.z, y[3] = x.w; }
  __device__ static void unpack(const double2& x, double* y) { y[0] = x.x, y[1] = x.y; }
  __device__ static float4 pack(const float* y) { return make_float4(y[0], y[1], y[2], y[3]); }
  __device__ static double2 pack(const double* y) { return make_double2(y[0], y[1]); }

  // gather adds to sum the rows of the heads of arcs [b, e) whose masks in `front` overlap `wanted`. With pulled set,
  // it adds the overlaps to *pulled. With Arcs, it adds own * row to the scores of the arcs.
  template <bool Out, bool Long = false>
  __device__ void gather(const unsigned* targets, unsigned b, unsigned e, const M& wanted, const unsigned* front,
      T (*sum)[L], M* pulled, const T (*own)[L]);

  // flowOf returns the sum over the group of part[t % U].
  __device__ T flowOf(const T* part) const;

  // --- forward

  __device__ void start(unsigned first, unsigned count);

  // forget makes v a node that the lanes of `seen` alone have visited.
  __device__ void forget(unsigned v, const M& seen);

  // expand puts the nodes after stack[lo:hi) on the stack, once each, and their lanes into next.
  __device__ void expand(unsigned lo, unsigned hi, unsigned* next, unsigned* found, unsigned stamp);

  // expandRows puts the heads of arcs b, b + step ... before e, of nodes that lanes m reach, on the stack after hi,
  // once each, and their lanes into next. Lanes that reach a head at the level `at` already do not count; null where
  // visited has them.
  __device__ void expandRows(unsigned b, unsigned e, unsigned step, const M& m, const unsigned* at, unsigned* next,
      unsigned hi, unsigned* found, unsigned stamp);

  // expandHubs has the block expand the entries that it left for later.
  __device__ void expandHubs(unsigned hi, unsigned* next, unsigned* found, unsigned stamp);

  __device__ bool claim(unsigned* next, unsigned w, const M& x, unsigned stamp);

  // settle writes the counts of the lanes m of w, and notes those that are to be scaled.
  __device__ void settle(unsigned w, const M& m, T (*sum)[L], unsigned* big);

  __device__ void markBig(unsigned bits, int c, const T* sum, unsigned* big);

  __device__ bool later(unsigned degree, unsigned i) {  // leaves an entry to the whole block
    if (!p.hubs || degree <= p.hub) return false;
    if (t == 0) s.hubs[atomicAdd(&s.hubCount, 1)] = i;
    return true;
  }

  // pull counts paths to the nodes stack[hi : hi+count).
  __device__ void pull(
      unsigned hi, unsigned count, const unsigned* front, unsigned* next, unsigned* big, unsigned long long* work);

  // advance counts paths to the nodes stack[lo:hi) of level d, and puts the nodes after them on the stack, in one go.
  __device__ void advance(unsigned lo, unsigned hi, int d, unsigned* found, unsigned* big);

  __device__ void addWork(unsigned long long* work, unsigned long long degrees);

  // hubsWait says whether the block left entries for later.
  __device__ bool hubsWait() {
    if (!p.hubs) return false;
    __syncthreads();
    return s.hubCount > 0;
  }

  // pullHubs has the block count paths to the nodes that it left for later.
  __device__ void pullHubs(const unsigned* front, unsigned* next, unsigned* big);

  // gatherShare is gather by all groups of the block; the sum is known to group 0 of warp 0.
  template <bool Out>
  __device__ void gatherShare(const unsigned* targets, unsigned b, unsigned e, const M& m, const unsigned* front,
      T (*sum)[L], M* pulled, const T (*own)[L]);

  __device__ void clear(unsigned* masks, unsigned lo, unsigned hi);

  // sweep has every node that some lane has not reached look for lanes among its neighbours. Blocks take the hubs in
  // turn.
  __device__ void sweep(
      unsigned hi, const unsigned* front, unsigned* next, unsigned* found, unsigned* big, unsigned long long* work);

  // sweepInTurn is sweep where no row is long: a warp takes 32 nodes side by side. Both return the arcs of what was
  // reached.
  __device__ unsigned long long sweepInTurn(
      unsigned hi, const unsigned* front, unsigned* next, unsigned* found, unsigned* big);

  // sweepListed is sweep but for hubs. A block lists nodes from all over the order, and its warps take one after the
  // other from the list: with 32 nodes side by side each, one warp would have all of the longest rows.
  __device__ unsigned long long sweepListed(
      unsigned hi, const unsigned* front, unsigned* next, unsigned* found, unsigned* big);

  // look has node w, of arcs [b, e) in, look for the lanes m, and returns those that it has found.
  __device__ M look(unsigned w, unsigned b, unsigned e, const M& m, const unsigned* front, unsigned* big);

  // reached puts v on the stack, with the lanes m that it has found, if any. It returns the arcs of v if so.
  __device__ unsigned reached(
      unsigned v, const M& m, const M& seen, unsigned arcs, unsigned hi, unsigned* next, unsigned* found);

  // listOpen lists the nodes of four runs of the warp that some lane has not reached, the longer rows first, once the
  // block is done with the list before.
  __device__ void listOpen(unsigned run, unsigned runs, unsigned turn);

  // takeNext returns which node of the list the warp is to handle next.
  __device__ unsigned takeNext(unsigned turn);

  __device__ void append(bool on, unsigned v, const M& m, unsigned hi, unsigned* found);

  __device__ void sweepHubs(
      unsigned hi, const unsigned* front, unsigned* next, unsigned* found, unsigned* big, unsigned long long* work);

  // scale multiplies the counts of the lanes `over` of stack[lo:hi) by down, and gives up lanes that get too small.
  __device__ void scale(unsigned lo, unsigned hi, const M& over);

  // forward returns the last level, or -1 when the stack is too small.
  __device__ int forward(unsigned count);

  // forwardAtOnce is forward by one pass a level, with one meeting of the team instead of two.
  __device__ int forwardAtOnce(unsigned count);

  // scaleLevel scales the level d, stack[lo:hi), where it has to be.
  __device__ void scaleLevel(int d, unsigned lo, unsigned hi, const volatile unsigned* big);

  __device__ void reset(int k);

  // --- backward

  __device__ void loadOwn(unsigned v, const M& m, const M& over, T (*own)[L], T (*down)[L]);

  __device__ static float inverse(float x) { return __frcp_rn(x); }
  __device__ static double inverse(double x) { return __drcp_rn(x); }

  // share is what a path to v, of mass `mass`, hands to the node before it in lane i of vector c.
  __device__ T share(T count, T below, T mass, int c, int i) const {
    if constexpr (Masses) return inverse(count) * (mass * s.masses[(c * S + t) * L + i]) + below;
    return inverse(count) + below;
  }

  // finish turns the counts of the lanes m of v into shares.
  __device__ void finish(unsigned v, const M& m, const M& over, T (*own)[L], T (*sum)[L], int depth);

  __device__ void accumulate(unsigned lo, unsigned hi, const unsigned* below, unsigned* at, const M& alive,
      const M& over, int depth, bool last);

  __device__ void accumulateHubs(const unsigned* below, const M& alive, const M& over, int depth);

  __device__ void tally(
      unsigned lo, unsigned hi, const M& alive, int depth, unsigned long long& pairs, unsigned long long& distance);

  __device__ void backward(int depth);

#ifdef LINCHPIN_PROFILE
  __device__ void note(Profiled what, unsigned long long x) { atomicAdd(&s.profiled[what], x); }
  // noteSum notes the sum over a warp.
  __device__ void noteSum(Profiled what, unsigned long long x);
  // noteBatch notes a batch whose passes began at those clocks.
  __device__ void noteBatch(long long begun, long long turned, int depth);
  // tell writes what the block has noted since it began.
  __device__ void tell(long long begun);
#endif

  __device__ void batch(unsigned long long first, unsigned count) {
    PROFILED(const long long begun = clock64();)
    start(first, count);
    int depth = forward(count);
    if (sizeof(T) == 4 && depth > kSingleLevels) depth = -1;
    PROFILED(const long long turned = clock64();)
    if (depth >= 0) backward(depth);
    PROFILED(noteBatch(begun, turned, depth);)
    if (threadIdx.x == 0) s.touched = depth < 0 || count < K ? kAll : s.ends[depth + 1];
    if (s.rank == 0)
      for (unsigned i = threadIdx.x; i < count; i += kThreads) {
        p.failed[first + i] = depth < 0 ? 2 : s.team->failed[i / 32] >> (i & 31) & 1;
        if (p.endpoints && p.nodes && depth >= 0) addNode(p.sources[first + i], s.team->reach[i]);
      }
  }
};
