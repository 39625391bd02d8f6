// Betweenness by hops of K neighbouring sources at a time: a lane a source. See docs/batched.md.
#pragma once
#include "lanes.cuh"

// Team is what the blocks that work on one batch share; counters are for levels modulo 3.
template <int K> struct Team {
  unsigned found[3];        // entries of the next level
  unsigned big[3][K / 32];  // lanes with counts that are to be scaled
  unsigned long long work[3];
  unsigned failed[K / 32];
  unsigned arrived;
  unsigned reach[K];
  unsigned pad[31];
};

// Batched is what a launch gets. Arrays marked "team" start at team * their size.
struct Batched {
  unsigned long long n, arcs;
  const unsigned *outOffsets, *outTargets, *inOffsets, *inTargets;
  const unsigned* sources;
  unsigned long long sourceCount;
  void* rows;        // team: n * K counts, then shares
  unsigned* masks;   // team: 4 * n * K/32: visited and three levels
  unsigned* stamps;  // team: n, for K > 64
  unsigned* stackNodes;  // team: cap
  unsigned* stackMasks;  // team: cap * K/32
  unsigned* ends;        // team: n + 2
  unsigned* scaled;      // team: (n + 2) * K/32
  double* nodes;         // team: n, or null
  double* edges;         // team: arcs, or null
  unsigned* failed;      // a source
  unsigned long long* totals;  // team: 2
  void* teams;
  unsigned long long cap, blocks, endpoints, denseShare, hub, hubs;
};


constexpr int kThreads = 512;  // of a block: 2 blocks a multiprocessor leave 64 registers a thread
constexpr int kHubs = 64;      // nodes of high degree that a block keeps for all its threads; more are handled by a warp each

template <class T, int K, bool Arcs> struct Engine {
  static constexpr int L = 16 / sizeof(T);                    // lanes of a vector of 16 bytes
  static constexpr int S = K / L < 32 ? K / L : 32;           // threads of a group, which handles an entry
  static constexpr int C = K / (S * L);                       // vectors of a thread
  static constexpr int W = K / 32;                            // words of a mask
  static constexpr int G = 32 / S;                            // groups of a warp
  static constexpr int U = C == 1 ? 4 : 2;                    // rows in flight
  static constexpr int warps = kThreads / 32;
  typedef typename Range<T>::Vector Vector;
  typedef Mask<W> M;

  struct Shared {
    Batched p;
    Team<K> own;
    Team<K>* team;
    T* rows;
    unsigned *visited, *stackNodes, *stackMasks, *ends, *scaled, *stamps;
    double *nodes, *edges;
    unsigned n, rank, blocks, teamIndex, generation;
    unsigned neighbours[warps][32];
    unsigned arcs[warps][32];
    unsigned overlaps[warps][W][32];
    unsigned hubs[kHubs];
    unsigned hubCount;
    unsigned hubMasks[warps * G][W];
    alignas(16) T partial[warps * G * K];
  };

  Shared& s;
  const Batched& p;
  const int lane, t, group;  // thread in warp, thread in group, group in warp

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
      s.visited = p.masks + k * 4 * p.n * W;
      s.stackNodes = p.stackNodes + k * p.cap;
      s.stackMasks = p.stackMasks + k * p.cap * W;
      s.ends = p.ends + k * (p.n + 2);
      s.scaled = p.scaled + k * (p.n + 2) * W;
      s.stamps = p.stamps + k * p.n;
      s.nodes = p.nodes ? p.nodes + k * p.n : nullptr;
      s.edges = p.edges ? p.edges + k * p.arcs : nullptr;
      s.team = s.blocks == 1 ? &s.own : (Team<K>*)p.teams + k;
      s.generation = 0;
    }
    __syncthreads();
  }

  __device__ int warp() const { return threadIdx.x >> 5; }
  // level returns the masks of level d.
  __device__ unsigned* level(int d) const { return s.visited + size_t(d % 3 + 1) * s.n * W; }

  __device__ void sync() {
    __syncthreads();
    if (s.blocks == 1) return;
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(&s.team->arrived, 1);
      const unsigned goal = ++s.generation * s.blocks;
      unsigned now;
      do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(&s.team->arrived) : "memory");
      while (int(now - goal) < 0);
      __threadfence();
    }
    __syncthreads();
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

  // gather adds to sum the rows of the heads of arcs [b, e) whose masks in `front` overlap `wanted`. With pulled set, it
  // adds the overlaps to *pulled. With Arcs, it adds own * row to the scores of the arcs.
  template <bool Out> __device__ void gather(const unsigned* targets, unsigned b, unsigned e, const M& wanted, const unsigned* front, T (*sum)[L], M* pulled, const T (*own)[L]) {
    unsigned* us = s.neighbours[warp()] + group * S;
    unsigned* as = s.arcs[warp()] + group * S;
    unsigned base = b;
    unsigned u = 0;
    M x = none<W>();
    bool in = base + t < e;
    if (in) { u = targets[base + t]; x = load<W>(front, u) & wanted; }
    while (__any_sync(~0u, base < e)) {
      const bool on = x.any();
      if (pulled) *pulled = *pulled | x;
      const unsigned act = __ballot_sync(~0u, on) >> (group * S) & (S == 32 ? ~0u : (1u << (S & 31)) - 1);
      const int count = __popc(act);
      if (on) {
        const int at = __popc(act & ((1u << t) - 1));
        us[at] = u;
        if (Arcs && Out) as[at] = base + t;
#pragma unroll
        for (int i = 0; i < W; i++) s.overlaps[warp()][i][group * S + at] = x.w[i];
      }
      base += S;
      in = base + t < e;
      x = none<W>();
      if (in) { u = targets[base + t]; x = load<W>(front, u) & wanted; }
      int most = count;
#pragma unroll
      for (int k = S; k < 32; k *= 2) most = max(most, __shfl_xor_sync(~0u, most, k));
      __syncwarp();
      for (int j = 0; j < most; j += U) {
        Vector y[U][C];
        unsigned bits[U][C];
#pragma unroll
        for (int q = 0; q < U; q++) {
          const bool ok = j + q < count;
          const unsigned v = ok ? us[j + q] : 0;
#pragma unroll
          for (int c = 0; c < C; c++) {
            const int first = (c * S + t) * L;
            bits[q][c] = ok ? s.overlaps[warp()][first >> 5][group * S + j + q] >> (first & 31) & ((1u << L) - 1) : 0;
            if (bits[q][c]) y[q][c] = *(const Vector*)rowOf(v, c);
          }
        }
        T part[U];
#pragma unroll
        for (int q = 0; q < U; q++) {
          part[q] = 0;
#pragma unroll
          for (int c = 0; c < C; c++) {
            T z[L];
            unpack(y[q][c], z);
#pragma unroll
            for (int i = 0; i < L; i++) {
              const T a = bits[q][c] >> i & 1 ? z[i] : T(0);
              sum[c][i] += a;
              if (Arcs && Out) part[q] += a * own[c][i];
            }
          }
        }
        if (Arcs && Out) addArcs(part, as, j, count);
      }
      __syncwarp();
    }
  }

  // addArcs adds the sums over the group of part[q] to the scores of arcs as[j + q].
  __device__ void addArcs(T* part, const unsigned* as, int j, int count) {
    T r;
    int q;
    int from;
    if constexpr (U == 4) {
      const bool b0 = t & 1, b1 = t & 2;
      T a0 = (b0 ? part[2] : part[0]) + __shfl_xor_sync(~0u, b0 ? part[0] : part[2], 1);
      T a1 = (b0 ? part[3] : part[1]) + __shfl_xor_sync(~0u, b0 ? part[1] : part[3], 1);
      r = (b1 ? a1 : a0) + __shfl_xor_sync(~0u, b1 ? a0 : a1, 2);
      q = (b0 ? 2 : 0) + (b1 ? 1 : 0);
      from = 4;
    } else {
      const bool b0 = t & 1;
      r = (b0 ? part[1] : part[0]) + __shfl_xor_sync(~0u, b0 ? part[0] : part[1], 1);
      q = b0 ? 1 : 0;
      from = 2;
    }
#pragma unroll
    for (int k = from; k < S; k *= 2) r += __shfl_xor_sync(~0u, r, k);
    if (t < from && j + q < count) atomicAdd(&s.edges[as[j + q]], double(r));
  }

  // --- forward

  __device__ void start(unsigned first, unsigned count) {
    M absent;
#pragma unroll
    for (int i = 0; i < W; i++) absent.w[i] = count >= 32u * (i + 1) ? 0 : count <= 32u * i ? ~0u : ~0u << (count - 32 * i);
    for (unsigned v = firstThread(); v < s.n; v += allThreads()) {
      store<W>(s.visited, v, absent);
#pragma unroll
      for (int i = 0; i < 3; i++) store<W>(level(i), v, none<W>());
      if (W > 2) s.stamps[v] = 0;
    }
    if (s.rank == 0) {
      if (threadIdx.x < 3) {
        s.team->found[threadIdx.x] = 0;
        s.team->work[threadIdx.x] = 0;
        for (int i = 0; i < W; i++) s.team->big[threadIdx.x][i] = 0;
      }
      if (threadIdx.x < W) s.team->failed[threadIdx.x] = 0;
      for (int i = threadIdx.x; i < K; i += kThreads) s.team->reach[i] = 0;
    }
    if (threadIdx.x == 0) s.hubCount = 0;
    sync();
    if (s.rank == 0) {
      for (unsigned i = threadIdx.x; i < count; i += kThreads) {
        const unsigned v = p.sources[first + i];
        M m = none<W>();
#pragma unroll
        for (int k = 0; k < W; k++)
          if (k == i / 32) m.w[k] = 1u << (i & 31);
        store<W>(s.visited, v, m | absent);
        store<W>(level(0), v, m);
        s.stackNodes[i] = v;
        store<W>(s.stackMasks, i, m);
        s.rows[size_t(v) * K + i] = 1;
      }
      if (threadIdx.x == 0) s.ends[0] = 0, s.ends[1] = count;
      if (threadIdx.x < W) s.scaled[threadIdx.x] = 0;
    }
    sync();
  }

  // expand puts the nodes after stack[lo:hi) on the stack, once each, and their lanes into next.
  __device__ void expand(unsigned lo, unsigned hi, unsigned* next, unsigned* found, unsigned stamp) {
    for (unsigned i0 = lo + firstWarp() * G; i0 < hi; i0 += allWarps() * G) {
      const unsigned i = i0 + group;
      unsigned b = 0, e = 0;
      M m = none<W>();
      if (i < hi) {
        const unsigned v = s.stackNodes[i];
        m = load<W>(s.stackMasks, i);
        b = p.outOffsets[v], e = p.outOffsets[v + 1];
      }
      for (unsigned k = b + t; __any_sync(~0u, k < e); k += S) {
        bool first = false;
        unsigned w = 0;
        if (k < e) {
          w = p.outTargets[k];
          const M x = m & ~load<W>(s.visited, w);
          if (x.any()) first = claim(next, w, x, stamp);
        }
        const unsigned won = __ballot_sync(~0u, first);
        if (!won) continue;
        unsigned at = 0;
        if (lane == 0) at = atomicAdd(found, __popc(won));
        at = __shfl_sync(~0u, at, 0) + __popc(won & ((1u << lane) - 1));
        if (first && hi + at < p.cap) s.stackNodes[hi + at] = w;
      }
    }
  }

  __device__ bool claim(unsigned* next, unsigned w, const M& x, unsigned stamp) {
    if constexpr (W == 1) {
      return atomicOr(&next[w], x.w[0]) == 0;
    } else if constexpr (W == 2) {
      return atomicOr((unsigned long long*)next + w, (unsigned long long)x.w[1] << 32 | x.w[0]) == 0;
    } else {
      bool fresh = false;
#pragma unroll
      for (int i = 0; i < W; i++)
        if (x.w[i] && atomicOr(&next[size_t(w) * W + i], x.w[i]) == 0) fresh = true;
      return fresh && atomicExch(&s.stamps[w], stamp) != stamp;
    }
  }

  // settle writes the counts of the lanes m of w, and notes those that are to be scaled.
  __device__ void settle(unsigned w, const M& m, T (*sum)[L], unsigned* big) {
#pragma unroll
    for (int c = 0; c < C; c++) {
      const unsigned bits = bitsOf(m, c);
      T* row = rowOf(w, c);
      if (bits == (1u << L) - 1) {
        *(Vector*)row = pack(sum[c]);
      } else {
#pragma unroll
        for (int i = 0; i < L; i++)
          if (bits >> i & 1) row[i] = sum[c][i];
      }
      T most = sum[c][0];  // lanes not wanted are 0
#pragma unroll
      for (int i = 1; i < L; i++) most = most > sum[c][i] ? most : sum[c][i];
      if (most > Range<T>::high()) markBig(bits, c, sum[c], big);
    }
  }

  __device__ void markBig(unsigned bits, int c, const T* sum, unsigned* big) {
    unsigned over = 0;
#pragma unroll
    for (int i = 0; i < L; i++)
      if ((bits >> i & 1) && sum[i] > Range<T>::high()) over |= 1u << i;
    if (over) atomicOr(&big[(c * S + t) * L / 32], over << ((c * S + t) * L & 31));
  }

  __device__ bool later(unsigned degree, unsigned i) {  // leaves an entry to the whole block
    if (!p.hubs || !__any_sync(~0u, degree > unsigned(p.hub))) return false;
    unsigned at = kHubs;
    if (degree > p.hub && t == 0) at = atomicAdd(&s.hubCount, 1);
    at = __shfl_sync(~0u, at, group * S);
    if (at < kHubs && t == 0) s.hubs[at] = i;
    return at < kHubs;
  }

  // pull counts paths to the nodes stack[hi : hi+count).
  __device__ void pull(unsigned hi, unsigned count, const unsigned* front, unsigned* next, unsigned* big, unsigned long long* work) {
    unsigned long long degrees = 0;
    for (unsigned i0 = firstWarp() * G; i0 < count; i0 += allWarps() * G) {
      const unsigned i = hi + i0 + group;
      const bool in = i0 + group < count;
      unsigned w = 0, b = 0, e = 0;
      M m = none<W>();
      if (in) {
        w = s.stackNodes[i];
        m = load<W>(next, w);
        b = p.inOffsets[w], e = p.inOffsets[w + 1];
        degrees += t == 0 ? e - b : 0;
      }
      const bool put = later(e - b, i);
      T sum[C][L] = {};
      gather<false>(p.inTargets, b, put ? b : e, m, front, sum, nullptr, nullptr);
      if (!in) continue;
      if (t == 0) {
        store<W>(s.stackMasks, i, m);
        store<W>(s.visited, w, load<W>(s.visited, w) | m);
      }
      if (!put) settle(w, m, sum, big);
    }
    if (hubsWait()) pullHubs(front, next, big);
    addWork(work, degrees);
  }

  __device__ void addWork(unsigned long long* work, unsigned long long degrees) {
#pragma unroll
    for (int k = 16; k > 0; k /= 2) degrees += __shfl_xor_sync(~0u, degrees, k);
    if (lane == 0 && degrees) atomicAdd(work, degrees);
  }

  // hubsWait says whether the block left entries for later.
  __device__ bool hubsWait() {
    if (!p.hubs) return false;
    __syncthreads();
    return s.hubCount > 0;
  }

  // pullHubs has the block count paths to the nodes that it left for later.
  __device__ void pullHubs(const unsigned* front, unsigned* next, unsigned* big) {
    const unsigned hubs = min(s.hubCount, unsigned(kHubs));
    for (unsigned h = 0; h < hubs; h++) {
      const unsigned w = s.stackNodes[s.hubs[h]];
      const M m = load<W>(next, w);
      T sum[C][L] = {};
      gatherShare<false>(p.inTargets, p.inOffsets[w], p.inOffsets[w + 1], m, front, sum, nullptr, nullptr);
      if (warp() == 0 && group == 0) settle(w, m, sum, big);
      __syncthreads();
    }
    if (threadIdx.x == 0) s.hubCount = 0;
  }

  // gatherShare is gather by all groups of the block; the sum is known to group 0 of warp 0.
  template <bool Out> __device__ void gatherShare(const unsigned* targets, unsigned b, unsigned e, const M& m, const unsigned* front, T (*sum)[L], M* pulled, const T (*own)[L]) {
    const unsigned parts = warps * G, part = warp() * G + group;
    const unsigned step = ((e - b + parts - 1) / parts + S - 1) / S * S;
    const unsigned from = min(e, b + part * step), to = min(e, from + step);
    gather<Out>(targets, from, to, m, front, sum, pulled, own);
#pragma unroll
    for (int c = 0; c < C; c++) *(Vector*)&s.partial[part * K + (c * S + t) * L] = pack(sum[c]);
    __syncthreads();
    if (warp() != 0) return;
    for (unsigned k = 1; k < parts; k++)
#pragma unroll
      for (int c = 0; c < C; c++) {
        T z[L];
        unpack(*(Vector*)&s.partial[k * K + (c * S + t) * L], z);
#pragma unroll
        for (int i = 0; i < L; i++) sum[c][i] += z[i];
      }
  }

  __device__ void clear(unsigned* masks, unsigned lo, unsigned hi) {
    for (unsigned i = lo + firstThread(); i < hi; i += allThreads()) store<W>(masks, s.stackNodes[i], none<W>());
  }

  // sweep has every node that some lane has not reached look for lanes among its neighbours.
  __device__ void sweep(unsigned hi, const unsigned* front, unsigned* next, unsigned* found, unsigned* big, unsigned long long* work) {
    if constexpr (S < 32) return;
    unsigned long long degrees = 0;
    for (unsigned first = firstWarp() * 32; first < s.n; first += allWarps() * 32) {
      const unsigned v = first + lane;
      unsigned b = 0, e = 0;
      M open = none<W>(), got = none<W>();
      if (v < s.n) {
        open = ~load<W>(s.visited, v);
        if (open.any()) b = p.inOffsets[v], e = p.inOffsets[v + 1];
      }
      unsigned left = __ballot_sync(~0u, e > b);
      while (left) {
        const int k = __ffs(left) - 1;
        left &= left - 1;
        const unsigned w = first + k, from = __shfl_sync(~0u, b, k), to = __shfl_sync(~0u, e, k);
        if (later(to - from, w)) continue;
        M m, fresh = none<W>();
#pragma unroll
        for (int i = 0; i < W; i++) m.w[i] = __shfl_sync(~0u, open.w[i], k);
        T sum[C][L] = {};
        gather<false>(p.inTargets, from, to, m, front, sum, &fresh, nullptr);
#pragma unroll
        for (int i = 0; i < W; i++) fresh.w[i] = __reduce_or_sync(~0u, fresh.w[i]);
        if (!fresh.any()) continue;
        settle(w, fresh, sum, big);
        if (lane == k) got = fresh;
      }
      const bool on = got.any();
      append(on, v, got, hi, found);
      if (on) {
        store<W>(next, v, got);
        store<W>(s.visited, v, got | ~open);
        degrees += e - b;
      }
    }
    if (hubsWait()) sweepHubs(hi, front, next, found, big, work);
    addWork(work, degrees);
  }

  __device__ void append(bool on, unsigned v, const M& m, unsigned hi, unsigned* found) {
    const unsigned won = __ballot_sync(~0u, on);
    if (!won) return;
    unsigned at = 0;
    if (lane == 0) at = atomicAdd(found, __popc(won));
    at = __shfl_sync(~0u, at, 0) + __popc(won & ((1u << lane) - 1)) + hi;
    if (on && at < p.cap) {
      s.stackNodes[at] = v;
      store<W>(s.stackMasks, at, m);
    }
  }

  __device__ void sweepHubs(unsigned hi, const unsigned* front, unsigned* next, unsigned* found, unsigned* big, unsigned long long* work) {
    const unsigned hubs = min(s.hubCount, unsigned(kHubs));
    for (unsigned h = 0; h < hubs; h++) {
      const unsigned w = s.hubs[h], b = p.inOffsets[w], e = p.inOffsets[w + 1];
      const M seen = load<W>(s.visited, w);
      M fresh = none<W>();
      T sum[C][L] = {};
      if (threadIdx.x < W) s.hubMasks[0][threadIdx.x] = 0;
      __syncthreads();
      gatherShare<false>(p.inTargets, b, e, ~seen, front, sum, &fresh, nullptr);
#pragma unroll
      for (int i = 0; i < W; i++) {
        const unsigned x = __reduce_or_sync(~0u, fresh.w[i]);
        if (lane == 0 && x) atomicOr(&s.hubMasks[0][i], x);
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < W; i++) fresh.w[i] = s.hubMasks[0][i];
      if (warp() == 0 && fresh.any()) {
        settle(w, fresh, sum, big);
        append(lane == 0, w, fresh, hi, found);
        if (lane == 0) {
          store<W>(next, w, fresh);
          store<W>(s.visited, w, seen | fresh);
          atomicAdd(work, (unsigned long long)(e - b));
        }
      }
      __syncthreads();
    }
    if (threadIdx.x == 0) s.hubCount = 0;
  }

  // scale multiplies the counts of the lanes `over` of stack[lo:hi) by down, and gives up lanes that get too small.
  __device__ void scale(unsigned lo, unsigned hi, const M& over) {
    M lost = none<W>();
    for (unsigned i0 = lo + firstWarp() * G; i0 < hi; i0 += allWarps() * G) {
      const unsigned i = i0 + group;
      if (i >= hi) continue;
      const unsigned w = s.stackNodes[i];
      const M m = load<W>(s.stackMasks, i) & over;
#pragma unroll
      for (int c = 0; c < C; c++) {
        const unsigned bits = bitsOf(m, c);
        T* row = rowOf(w, c);
        unsigned small = 0;
#pragma unroll
        for (int k = 0; k < L; k++)
          if (bits >> k & 1) {
            const T x = row[k] * Range<T>::down();
            row[k] = x;
            if (!(x >= Range<T>::low() && x <= Range<T>::high())) small |= 1u << k;
          }
        if (small) atomicOr(&s.team->failed[(c * S + t) * L / 32], small << ((c * S + t) * L & 31));
      }
    }
  }

  // forward returns the last level, or -1 when the stack is too small.
  __device__ int forward(unsigned count) {
    unsigned lo = 0, hi = count, before = 0;
    unsigned long long work = p.arcs;
    bool dense = false;
    for (int d = 0;; d++) {
      const int now = d % 3, then = (d + 1) % 3;
      unsigned* found = &s.team->found[now];
      if (S == 32 && dense) {
        clear(level(d + 2), before, lo);
        if (s.rank == 0) reset(then);
        sweep(hi, level(d), level(d + 1), found, s.team->big[now], &s.team->work[now]);
        sync();
      } else {
        expand(lo, hi, level(d + 1), found, d + 1);
        sync();
        const unsigned c = *(volatile unsigned*)found;
        if (c == 0) return d;
        if (hi + c > p.cap) return -1;
        clear(level(d + 2), before, lo);
        if (s.rank == 0) reset(then);
        pull(hi, c, level(d), level(d + 1), s.team->big[now], &s.team->work[now]);
        sync();
      }
      const unsigned c = *(volatile unsigned*)found;
      if (c == 0) return d;
      if (hi + c > p.cap) return -1;
      work = *(volatile unsigned long long*)&s.team->work[now];
      M over;
#pragma unroll
      for (int i = 0; i < W; i++) over.w[i] = ((volatile unsigned*)s.team->big[now])[i];
      if (s.rank == 0 && threadIdx.x == 0) {
        s.ends[d + 2] = hi + c;
        store<W>(s.scaled, d + 1, over);
      }
      before = lo, lo = hi, hi += c;
      if (over.any()) {
        scale(lo, hi, over);
        sync();
      }
      dense = work * p.denseShare > p.arcs;
    }
  }

  __device__ void reset(int k) {
    if (threadIdx.x == 0) s.team->found[k] = 0, s.team->work[k] = 0;
    if (threadIdx.x < W) s.team->big[k][threadIdx.x] = 0;
  }

  // --- backward

  __device__ void loadOwn(unsigned v, const M& m, const M& over, T (*own)[L], T (*down)[L]) {
#pragma unroll
    for (int c = 0; c < C; c++) {
      const unsigned bits = bitsOf(m, c), scaledBits = bitsOf(over, c);
#pragma unroll
      for (int i = 0; i < L; i++) own[c][i] = 1;
      if (bits) unpack(*(const Vector*)rowOf(v, c), own[c]);
#pragma unroll
      for (int i = 0; i < L; i++) down[c][i] = (scaledBits >> i & 1) ? own[c][i] * Range<T>::down() : own[c][i];
    }
  }

  __device__ static float inverse(float x) { return __frcp_rn(x); }
  __device__ static double inverse(double x) { return __drcp_rn(x); }

  // finish turns the counts of the lanes m of v into shares.
  __device__ void finish(unsigned v, const M& m, const M& over, T (*own)[L], T (*sum)[L], int depth) {
    T total = 0;
#pragma unroll
    for (int c = 0; c < C; c++) {
      const unsigned bits = bitsOf(m, c), scaledBits = bitsOf(over, c);
      T out[L];
#pragma unroll
      for (int i = 0; i < L; i++) {
        const T below = (scaledBits >> i & 1) ? sum[c][i] * Range<T>::down() : sum[c][i];
        const bool on = bits >> i & 1;
        if (on) total += own[c][i] * below;
        out[i] = on ? inverse(own[c][i]) + below : own[c][i];
      }
      if (bits && depth > 0) *(Vector*)rowOf(v, c) = pack(out);
    }
    if (!s.nodes || depth == 0) return;
#pragma unroll
    for (int k = S / 2; k > 0; k /= 2) total += __shfl_xor_sync(S == 32 ? ~0u : ((1u << (S & 31)) - 1) << (group * S), total, k);
    if (t == 0) {
      if (p.endpoints) total += m.count();
      if (total != 0) atomicAdd(&s.nodes[v], double(total));
    }
  }

  __device__ void accumulate(unsigned lo, unsigned hi, const unsigned* below, unsigned* at, const M& alive, const M& over, int depth, bool last) {
    for (unsigned i0 = lo + firstWarp() * G; i0 < hi; i0 += allWarps() * G) {
      const unsigned i = i0 + group;
      const bool in = i < hi;
      unsigned v = 0, b = 0, e = 0;
      M m = none<W>();
      if (in) {
        v = s.stackNodes[i];
        m = load<W>(s.stackMasks, i) & alive;
        if (!last) b = p.outOffsets[v], e = p.outOffsets[v + 1];
        if (t == 0) store<W>(at, v, m);
      }
      const bool put = later(e - b, i);
      T own[C][L], down[C][L], sum[C][L] = {};
      loadOwn(v, m, over, own, down);
      gather<true>(p.outTargets, b, put ? b : e, m, below, sum, nullptr, down);
      if (in && !put) finish(v, m, over, own, sum, depth);
    }
    if (hubsWait()) accumulateHubs(below, alive, over, depth);
  }

  __device__ void accumulateHubs(const unsigned* below, const M& alive, const M& over, int depth) {
    const unsigned hubs = min(s.hubCount, unsigned(kHubs));
    for (unsigned h = 0; h < hubs; h++) {
      const unsigned i = s.hubs[h], v = s.stackNodes[i];
      const M m = load<W>(s.stackMasks, i) & alive;
      T own[C][L], down[C][L], sum[C][L] = {};
      loadOwn(v, m, over, own, down);
      gatherShare<true>(p.outTargets, p.outOffsets[v], p.outOffsets[v + 1], m, below, sum, nullptr, down);
      if (warp() == 0 && group == 0) finish(v, m, over, own, sum, depth);
      __syncthreads();
    }
    if (threadIdx.x == 0) s.hubCount = 0;
  }

  __device__ void tally(unsigned lo, unsigned hi, const M& alive, int depth, unsigned long long& pairs, unsigned long long& distance) {
    for (unsigned i = lo + firstThread(); i < hi; i += allThreads()) {
      const M m = load<W>(s.stackMasks, i) & alive;
      pairs += m.count();
      distance += (unsigned long long)depth * m.count();
      if (!p.endpoints) continue;
#pragma unroll
      for (int k = 0; k < W; k++)
        for (unsigned x = m.w[k]; x; x &= x - 1) atomicAdd(&s.team->reach[32 * k + __ffs(x) - 1], 1);
    }
  }

  __device__ void backward(int depth) {
    M alive, zero = none<W>();
#pragma unroll
    for (int i = 0; i < W; i++) alive.w[i] = ~((volatile unsigned*)s.team->failed)[i];
    unsigned long long pairs = 0, distance = 0;
    for (int d = depth; d >= (Arcs ? 0 : 1); d--) {
      const unsigned lo = s.ends[d], hi = s.ends[d + 1];
      if (d + 2 <= depth) clear(level(d + 2), s.ends[d + 2], s.ends[d + 3]);
      const M over = d < depth ? load<W>(s.scaled, d + 1) : zero;
      accumulate(lo, hi, level(d + 1), level(d), alive, over, d, d == depth);
      if (d > 0) tally(lo, hi, alive, d, pairs, distance);
      sync();
    }
#pragma unroll
    for (int k = 16; k > 0; k /= 2) {
      pairs += __shfl_xor_sync(~0u, pairs, k);
      distance += __shfl_xor_sync(~0u, distance, k);
    }
    if (lane == 0 && pairs) {
      atomicAdd(&p.totals[2 * s.teamIndex], pairs);
      atomicAdd(&p.totals[2 * s.teamIndex + 1], distance);
    }
  }

  __device__ void batch(unsigned long long first, unsigned count) {
    start(first, count);
    const int depth = forward(count);
    if (depth >= 0) backward(depth);
    if (s.rank == 0)
      for (unsigned i = threadIdx.x; i < count; i += kThreads) {
        p.failed[first + i] = depth < 0 ? 2 : s.team->failed[i / 32] >> (i & 31) & 1;
        if (p.endpoints && s.nodes && depth >= 0) atomicAdd(&s.nodes[p.sources[first + i]], double(s.team->reach[i]));
      }
    sync();
  }
};

// batches runs the sources numbered first to last: batch i by team i modulo their number.
template <class T, int K, bool Arcs> __device__ void batches(const Batched* args, unsigned long long first, unsigned long long last) {
  using E = Engine<T, K, Arcs>;
  __shared__ typename E::Shared shared;
  E engine(shared);
  engine.join(args);
  const unsigned long long teams = gridDim.x / shared.blocks;
  for (unsigned long long at = first + K * shared.teamIndex; at < last; at += K * teams)
    engine.batch(at, unsigned(min((unsigned long long)K, last - at)));
}
