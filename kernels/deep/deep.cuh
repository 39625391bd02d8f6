// Betweenness by hops of K neighbouring sources at a time on deep undirected graphs: all distances first, then each
// node once for all lanes. See "Deep graphs" in docs/design/batches-by-hops.md.
//
// A batch is a block's, a node a warp's, and thread t of it has the lanes W t to W t + W - 1. In turn,
//
//   distances  rows of K distances, 16 bits each, in the place where rows of counts will be. A node that is listed
//              takes the least of its neighbours' distances plus 1, in all lanes at once, and lists the neighbours that
//              this lowers.
//   steps      of the distances modulo 4 two bits a lane stay: those of neighbours differ by 1 at most, so that they
//              tell which arcs end shortest paths, and 32 bytes a neighbour are read for 128 lanes.
//   counts     as by weights (weighted/forward.cuh): a node is counted once all arcs that enter it in some lane are
//              done with; lanes that wait for one another in a circle, nearest first. A node's counts share an
//              exponent.
//   shares     the same entries backwards.
//
// Without races by design: between two barriers a row is written by one warp, and the other arrays by atomic operations
// whose outcome does not depend on their order. Distances may be read while they are lowered: either way they end at
// the least, because whoever lowers a row lists those whom it concerns afterwards.
#pragma once
#include "../batches/lanes.cuh"
#include "../batches/profile.cuh"
#include "../batches/team.cuh"
#include "../device/exact.cuh"

// BatchedDeep is what a launch gets; every field takes 8 bytes. Arrays marked "team" start at block * their size.
//
// host: arguments
struct BatchedDeep {
  unsigned long long n, arcs;
  const unsigned *offsets, *targets;
  const unsigned* sources;     // kNoSource at the end of a batch of fewer than K
  void* rows;                  // team: n * K: distances of 16 bits, then counts, then shares
  unsigned* steps;             // team: n * 2 W: the distances modulo 4
  unsigned* reached;           // team: n * W: the lanes that reach a node
  unsigned* done;              // team: n * W: the lanes that are counted
  unsigned* ready;             // team: n * W: of a node that waits, lanes that can be counted
  unsigned* keys;              // team: n: the least distance of a lane, ~0 before any is known
  unsigned* state;             // team: n: the lists that a node is on
  int* exponents;              // team: n: of counts
  unsigned* pending;           // team: n: shortest-path arcs that enter, not yet counted
  unsigned* lists;             // team: 4 n
  unsigned* stackNodes;        // team: cap
  unsigned* stackMasks;        // team: cap * W
  unsigned* ends;              // team: roundCap + 2: where rounds end on the stack
  Exact* nodes;                // n, or null
  unsigned long long* edges;   // of arcs: three digits, each of all arcs; or null
  unsigned* failed;            // a source: 1 when its counts need wider numbers, 2 when the batch could not be done
  unsigned long long* totals;  // team: 2: pairs and distances
  const double* masses;  // how many nodes each node stands for, as source and as target; null without Masses, for 1
  unsigned long long cap, roundCap, endpoints;
  double unit, fine;            // of the sums
  unsigned long long width;     // of buckets, in hops
  unsigned long long slack;     // how much farther than the bucket a lane may be that is passed on with it
  unsigned long long few;       // a round of so few nodes to count takes waiting ones along
  unsigned long long patience;  // how much farther than the nearest of them nodes are counted that wait for lanes
  unsigned long long farthest;  // the greatest distance that counts, in hops
  void* control;                // Control
  unsigned long long* profile;  // block: kProfiled; for kernels with LINCHPIN_PROFILE alone
};

// DeepState are the bits of BatchedDeep::state: on a list of nodes to lower; waits for lanes; something changed for one
// that waits.
enum DeepState : unsigned { kListed = 1, kWaitsForLanes = 2, kAwakened = 4 };

constexpr unsigned kUnreached = 0xfff0;  // one more is not less, and does not wrap
constexpr unsigned kDeepest = 0xff00;    // batches with farther nodes are left to others
constexpr unsigned kNoKey = ~0u;
constexpr unsigned kNoSource = ~0u;
constexpr int kDeepThreads = 768;  // host: deepThreads; of a block, one a multiprocessor: 80 registers a thread

// CountSpan is within which counts of a node are kept: where one of its first passes full, these are divided by
// 2^shift; one over high or under low makes its lane fail.
template <class T> struct CountSpan;
template <> struct CountSpan<float> {
  static __device__ float high() { return 0x1p90f; }
  static __device__ float full() { return 0x1p60f; }
  static __device__ float low() { return 0x1p-80f; }
  static constexpr int shift = 30;
  // factor is 2^k, or where that is out of reach 0 or something great that makes the lane fail.
  static __device__ float factor(int k) { return k < -126 ? 0.0f : __int_as_float((min(k, 100) + 127) << 23); }
};
template <> struct CountSpan<double> {
  static __device__ double high() { return 0x1p900; }
  static __device__ double full() { return 0x1p600; }
  static __device__ double low() { return 0x1p-900; }
  static constexpr int shift = 300;
  static __device__ double factor(int k) { return k < -1022 ? 0.0 : __hiloint2double((min(k, 900) + 1023) << 20, 0); }
};

// Pairs of distances of 16 bits.
__device__ inline unsigned leastPair(unsigned a, unsigned b) {
#ifdef __CUDACC__
  return __vminu2(a, b);
#else  // the emulated device
  return min(a & 0xffff, b & 0xffff) | min(a >> 16, b >> 16) << 16;
#endif
}
// lessPair has all ones in the halves in which a is less.
__device__ inline unsigned lessPair(unsigned a, unsigned b) {
#ifdef __CUDACC__
  return __vcmpltu2(a, b);
#else
  return ((a & 0xffff) < (b & 0xffff) ? 0xffffu : 0u) | (a >> 16 < b >> 16 ? 0xffff0000u : 0u);
#endif
}
__device__ inline unsigned leastHalf(unsigned a) { return min(a & 0xffff, a >> 16); }

// Deep is the calling thread's part of a block at work. T is float with W = 4 or double with W = 2, so that a thread
// loads 16 bytes of a row.
template <class T, int W, bool Arcs, bool Masses> struct Deep {
  static constexpr int K = 32 * W;
  static constexpr int U = 4;      // rows in flight
  static constexpr int D = W / 2;  // pairs of distances of a thread
  typedef typename Range<T>::Vector Vector;
  typedef Mask<W> M;

  struct Shared {
    BatchedDeep p;
    struct { unsigned batch; } own, *team;  // for eachBatch
    T* rows;
    unsigned *steps, *reached, *done, *ready, *keys, *state, *pending, *lists, *stackNodes, *stackMasks, *ends;
    int* exponents;
    unsigned n, rank;
    // Counters with three places are cleared two steps before they are used.
    unsigned near[3], far[3], found[3], woken[3], kept[3], picked[3], nearest[3];
    unsigned failed[W], tooDeep;
    unsigned reach[K];
    unsigned long long distances[K];
    T masses[Masses ? K : 1];  // of the sources
    // Rows that a warp is to add up: their nodes and lanes, by which power of two, and their arcs.
    struct Rows {
      alignas(16) unsigned masks[32][W];
      unsigned nodes[32], arcs[Arcs ? 32 : 1];
      int shifts[32];
      alignas(16) unsigned lanes[W], before[W];  // of the entry: to be counted, and counted before
    } gathered[kDeepThreads / 32];
    PROFILED(unsigned long long profiled[kProfiled];)
  };

  Shared& s;
  const BatchedDeep& p;
  const unsigned t, warp, warps;
  // A warp keeps sums of nodes back until each thread has one: threads add them together.
  unsigned kept = 0, keptNode;
  T keptSum;

  __device__ explicit Deep(Shared& s)
      : s(s), p(s.p), t(threadIdx.x & 31), warp(threadIdx.x >> 5), warps(blockDim.x >> 5) {}

  // join finds the arrays of the block.
  __device__ void join(const BatchedDeep* args) {
    if (threadIdx.x == 0) {
      s.p = *args;
      s.n = unsigned(p.n);
      s.rank = 0;
      s.team = &s.own;
      const size_t k = blockIdx.x, n = p.n;
      s.rows = (T*)((char*)p.rows + k * n * 512);
      s.steps = p.steps + k * n * 2 * W;
      s.reached = p.reached + k * n * W;
      s.done = p.done + k * n * W;
      s.ready = p.ready + k * n * W;
      s.keys = p.keys + k * n;
      s.state = p.state + k * n;
      s.exponents = p.exponents + k * n;
      s.pending = p.pending + k * n;
      s.lists = p.lists + k * 4 * n;
      s.stackNodes = p.stackNodes + k * p.cap;
      s.stackMasks = p.stackMasks + k * p.cap * W;
      s.ends = p.ends + k * (p.roundCap + 2);
      PROFILED(for (int i = 0; i < kProfiled; i++) s.profiled[i] = 0;)
    }
    __syncthreads();
  }

  __device__ void addNode(unsigned v, double x) const { addExact(&p.nodes[v], x, p.unit, p.fine); }
  __device__ void addArc(unsigned arc, double x) const { addDigits(p.edges + arc, p.arcs, x, p.unit, p.fine); }

  // keepSum adds x, which all threads of the warp know, to the sum of v at some time before addKept returns.
  __device__ void keepSum(unsigned v, T x) {
    if (t == kept) keptNode = v, keptSum = x;
    if (++kept == 32) addKept();
  }
  __device__ void addKept() {
    if (t < kept) addNode(keptNode, double(keptSum));
    kept = 0;
  }

  __device__ void sync() {
    PROFILED(const long long begun = clock64();)
    __syncthreads();
    PROFILED(if (threadIdx.x == 0) note(kSpentMeeting, clock64() - begun);)
  }

  template <class X> __device__ static X now(const X* x) { return *(const volatile X*)x; }
  __device__ T* rowOf(unsigned v) const { return s.rows + size_t(v) * K + W * t; }
  __device__ unsigned* distancesOf(unsigned v) const { return (unsigned*)(s.rows + size_t(v) * K) + D * t; }
  __device__ static void unpack(const float4& x, float* y) { y[0] = x.x, y[1] = x.y, y[2] = x.z, y[3] = x.w; }
  __device__ static void unpack(const double2& x, double* y) { y[0] = x.x, y[1] = x.y; }
  __device__ static float4 pack(const float* y) { return make_float4(y[0], y[1], y[2], y[3]); }
  __device__ static double2 pack(const double* y) { return make_double2(y[0], y[1]); }
  __device__ static void loadPairs(const unsigned* p, unsigned* d) {
    if constexpr (D == 2) {
      const uint2 x = *(const uint2*)p;
      d[0] = x.x, d[1] = x.y;
    } else {
      d[0] = *p;
    }
  }
  __device__ static void storePairs(unsigned* p, const unsigned* d) {
    if constexpr (D == 2) *(uint2*)p = make_uint2(d[0], d[1]);
    else *p = d[0];
  }
  // bits returns those of the thread's lanes, lane i of it at bit i, of a mask in memory.
  __device__ unsigned bits(const unsigned* mask) const { return mask[t * W / 32] >> t * W % 32 & ((1u << W) - 1); }
  // word returns, to the first of the threads whose lanes make a word of a mask, that of the bits of each of them.
  __device__ unsigned word(unsigned bits) const {
    bits <<= t * W % 32;
#pragma unroll
    for (int k = 1; k < 32 / W; k *= 2) bits |= __shfl_xor_sync(~0u, bits, k);
    return bits;
  }
  // keep writes the thread's lanes that are in on.
  __device__ void keep(unsigned v, unsigned on, const T* x) const {
    T* row = rowOf(v);
    constexpr unsigned all = (1u << W) - 1;
    if ((on & all) == all) {
      *(Vector*)row = pack(x);
      return;
    }
#pragma unroll
    for (int i = 0; i < W; i++)
      if (on >> i & 1) row[i] = x[i];
  }
  __device__ static M fromThread(const M& m, int thread) {
    M x;
#pragma unroll
    for (int i = 0; i < W; i++) x.w[i] = __shfl_sync(~0u, m.w[i], thread);
    return x;
  }

  // append hands out a place in a list to each thread of the warp with `on`.
  __device__ unsigned append(bool on, unsigned* counter) const {
    const unsigned won = __ballot_sync(~0u, on);
    if (!won) return 0;
    unsigned at = 0;
    if (t == 0) at = atomicAdd(counter, __popc(won));
    return __shfl_sync(~0u, at, 0) + __popc(won & ((1u << t) - 1));
  }

  // eachNode calls work(i, v, b, e, w, x) for entry i, node v = list(i), of [lo, hi), one after the other for the warp:
  // arcs [b, e) leave v, w is the head of arc b + thread, and x what ahead(v) returned, all of which was loaded while
  // entries before were worked on.
  template <class List, class Ahead, class Work>
  __device__ void eachNode(List list, unsigned lo, unsigned hi, Ahead ahead, Work work) const {
    unsigned i = lo + warp;
    if (i >= hi) return;
    const auto node = [&](unsigned i) { return i < hi ? list(i) : kNoKey; };
    unsigned v0 = node(i), v1 = node(i + warps), v2 = node(i + 2 * warps), b0 = p.offsets[v0], e0 = p.offsets[v0 + 1],
             b1 = 0, e1 = 0;
    if (v1 != kNoKey) b1 = p.offsets[v1], e1 = p.offsets[v1 + 1];
    unsigned w0 = b0 + t < e0 ? p.targets[b0 + t] : 0;
    auto x0 = ahead(v0);
    for (; i < hi; i += warps) {
      const unsigned v3 = node(i + 3 * warps);
      unsigned b2 = 0, e2 = 0, w1 = 0;
      if (v2 != kNoKey) b2 = p.offsets[v2], e2 = p.offsets[v2 + 1];
      if (b1 + t < e1) w1 = p.targets[b1 + t];
      auto x1 = x0;
      if (v1 != kNoKey) x1 = ahead(v1);
      work(i, v0, b0, e0, w0, x0);
      v0 = v1, v1 = v2, v2 = v3, b0 = b1, b1 = b2, e0 = e1, e1 = e2, w0 = w1, x0 = x1;
    }
  }

  // Steps are distances modulo 4: even tells odd ones, upper those of 2 and 3.
  struct Steps { M odd, upper; };
  __device__ Steps stepsOf(unsigned v) const { return {load<W>(s.steps, 2 * v), load<W>(s.steps, 2 * v + 1)}; }
  // follows returns the lanes in which b is one step farther than a.
  __device__ static M follows(const Steps& a, const Steps& b) {
    M x;
#pragma unroll
    for (int i = 0; i < W; i++) x.w[i] = (a.odd.w[i] ^ b.odd.w[i]) & ~(a.upper.w[i] ^ a.odd.w[i] ^ b.upper.w[i]);
    return x;
  }

  __device__ void start(unsigned long long first, unsigned count);

  // --- distances: see distances.cuh

  __device__ void distances(unsigned count);
  // lower takes the least of the neighbours' distances plus 1 into those of v, and lists the neighbours that this
  // lowers.
  __device__ void lower(
      unsigned v, unsigned b, unsigned e, unsigned w, unsigned key, unsigned round, unsigned bucket, unsigned limit);
  __device__ void note(unsigned w, unsigned lowered, unsigned round, unsigned bucket, unsigned limit);
  __device__ void keepSteps();
  __device__ void countArcs();

  // --- counts: see counts.cuh

  __device__ int countPaths(unsigned long long first, unsigned count);
  __device__ void settle(unsigned v, unsigned b, unsigned e, unsigned w, int exponent, bool first, unsigned hi,
      unsigned round, unsigned* waits);
  __device__ void counted(unsigned v, unsigned on, bool first, int exponent, T* sum);
  __device__ M lanesReady(unsigned v, M open) const;
  __device__ unsigned pick(unsigned hi, unsigned& waiting, unsigned wait);

  // collect lists the nodes w of those threads of the warp that have lanes in m, and gather adds their rows to sum, in
  // these lanes and times 2^shift. With edges, gather adds own * row to the scores of the arcs.
  __device__ unsigned collect(unsigned w, const M& m, int shift, unsigned arc);
  __device__ void gather(unsigned count, T* sum, const T* own) const;

  // --- shares

  __device__ static float inverse(float x) { return __frcp_rn(x); }
  __device__ static double inverse(double x) { return __drcp_rn(x); }
  __device__ void backward(int rounds);
  __device__ void share(unsigned v, unsigned b, unsigned e, unsigned w, int exponent, int round);
  __device__ void sumUp(unsigned long long first, unsigned count);

#ifdef LINCHPIN_PROFILE
  __device__ void note(Profiled what, unsigned long long x) { atomicAdd(&s.profiled[what], x); }
  // noteBatch notes a batch whose passes began at those clocks.
  __device__ void noteBatch(long long begun, long long turned, int rounds);
  // tell writes what the block has noted since it began.
  __device__ void tell(long long begun);
#endif

  __device__ void batch(unsigned long long first, unsigned most) {
    PROFILED(const long long begun = clock64();)
    unsigned count = 0;
#pragma unroll
    for (unsigned i = 0; i < W; i++)
      count += __popc(__ballot_sync(~0u, 32 * i + t < most && p.sources[first + 32 * i + t] != kNoSource));
    start(first, count);
    distances(count);
    keepSteps();
    __syncthreads();
    countArcs();
    __syncthreads();
    const int rounds = s.tooDeep ? -1 : countPaths(first, count);
    __syncthreads();
    if (rounds < 0 && threadIdx.x < W) s.failed[threadIdx.x] = ~0u;
    __syncthreads();
    PROFILED(const long long turned = clock64();)
    if (rounds > 0) backward(rounds);
    PROFILED(noteBatch(begun, turned, rounds);)
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
      p.failed[first + i] = rounds < 0 ? 2 : s.failed[i / 32] >> (i & 31) & 1;
    sumUp(first, count);
    __syncthreads();
  }
};

// start forgets all distances but those of the sources, which are 0.
template <class T, int W, bool Arcs, bool Masses>
__device__ void Deep<T, W, Arcs, Masses>::start(unsigned long long first, unsigned count) {
  for (unsigned v = threadIdx.x; v < s.n; v += blockDim.x) {
    s.keys[v] = kNoKey;
    s.state[v] = 0;
    store<W>(s.done, v, none<W>());
  }
  if (threadIdx.x < 3) {
    const int i = threadIdx.x;
    s.near[i] = s.far[i] = s.found[i] = s.woken[i] = s.kept[i] = s.picked[i] = 0;
    s.nearest[i] = kNoKey;
  }
  if (threadIdx.x < W) s.failed[threadIdx.x] = 0;
  if (threadIdx.x == 0) s.tooDeep = 0;
  for (unsigned i = threadIdx.x; i < K; i += blockDim.x) {
    s.reach[i] = 0, s.distances[i] = 0;
    if (Masses) s.masses[i] = i < count ? T(p.masses[p.sources[first + i]]) : T(0);
  }
  __syncthreads();
  for (unsigned i = warp; i < count; i += warps) {
    const unsigned v = p.sources[first + i];
    unsigned d[D];
#pragma unroll
    for (int k = 0; k < D; k++) {
      d[k] = kUnreached | kUnreached << 16;
      if (i / W == t && i % W / 2 == k) d[k] &= i & 1 ? 0x0000ffffu : 0xffff0000u;
    }
    storePairs(distancesOf(v), d);
    if (t != 0) continue;
    s.keys[v] = 0;
    s.state[v] = kListed;
    s.lists[i] = v;
  }
  __syncthreads();
}
