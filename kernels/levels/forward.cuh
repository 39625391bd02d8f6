// The forward pass of a batch: levels, and counts of paths. See levels.cuh.
#pragma once
#include "row_sums.cuh"

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::forget(unsigned v, const M& seen) {
  store<W>(s.visited, v, seen);
#pragma unroll
  for (int i = 0; i < levels; i++) store<W>(level(i), v, none<W>());
  if (W > 2) s.stamps[v] = 0;
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::start(unsigned first, unsigned count) {
  M absent;
#pragma unroll
  for (int i = 0; i < W; i++)
    absent.w[i] = count >= 32u * (i + 1) ? 0 : count <= 32u * i ? ~0u : ~0u << (count - 32 * i);
  if (s.touched < s.n / 2 && count == K) {
    for (unsigned i = firstThread(); i < s.touched; i += allThreads()) forget(s.stackNodes[i], absent);
  } else {
    for (unsigned v = firstThread(); v < s.n; v += allThreads()) forget(v, absent);
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
  if (threadIdx.x < 2) s.longer[threadIdx.x] = s.shorter[threadIdx.x] = s.taken[threadIdx.x] = 0;
  if constexpr (Masses)
    for (unsigned i = threadIdx.x; i < count; i += kThreads) s.masses[i] = T(p.masses[p.sources[first + i]]);
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

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::expand(
    unsigned lo, unsigned hi, unsigned* next, unsigned* found, unsigned stamp) {
  for (unsigned i0 = lo + firstWarp() * G; i0 < hi; i0 += allWarps() * G) {
    const unsigned i = i0 + group;
    unsigned b = 0, e = 0;
    M m = none<W>();
    if (i < hi) {
      const unsigned v = s.stackNodes[i];
      m = load<W>(s.stackMasks, i);
      b = p.outOffsets[v], e = p.outOffsets[v + 1];
    }
    if (later(e - b, i)) e = b;
    expandRows(b + t, e, S, m, nullptr, next, hi, found, stamp);
  }
  if (hubsWait()) expandHubs(hi, next, found, stamp);
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::expandHubs(unsigned hi, unsigned* next, unsigned* found, unsigned stamp) {
  const unsigned hubs = s.hubCount;
  for (unsigned h = 0; h < hubs; h++) {
    const unsigned i = s.hubs[h], v = s.stackNodes[i];
    expandRows(p.outOffsets[v] + threadIdx.x, p.outOffsets[v + 1], kThreads, load<W>(s.stackMasks, i), nullptr, next,
        hi, found, stamp);
  }
  __syncthreads();
  if (threadIdx.x == 0) s.hubCount = 0;
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::expandRows(unsigned b, unsigned e, unsigned step, const M& m,
    const unsigned* at, unsigned* next, unsigned hi, unsigned* found, unsigned stamp) {
  for (unsigned k = b; __any_sync(~0u, k < e); k += step) {
    bool first = false;
    unsigned w = 0;
    if (k < e) {
      w = p.outTargets[k];
      M x = m & ~load<W>(s.visited, w);
      if (at) x = x & ~load<W>(at, w);
      if (x.any()) first = claim(next, w, x, stamp);
    }
    const unsigned won = __ballot_sync(~0u, first);
    if (!won) continue;
    unsigned place = 0;
    if (lane == 0) place = atomicAdd(found, __popc(won));
    place = hi + __shfl_sync(~0u, place, 0) + __popc(won & ((1u << lane) - 1));
    if (first && place < p.cap) s.stackNodes[place] = w;
  }
}

template <class T, int K, bool Arcs, bool Masses>
__device__ bool Engine<T, K, Arcs, Masses>::claim(unsigned* next, unsigned w, const M& x, unsigned stamp) {
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

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::settle(unsigned w, const M& m, T (*sum)[L], unsigned* big) {
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

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::markBig(unsigned bits, int c, const T* sum, unsigned* big) {
  unsigned over = 0;
#pragma unroll
  for (int i = 0; i < L; i++)
    if ((bits >> i & 1) && sum[i] > Range<T>::high()) over |= 1u << i;
  if (over) atomicOr(&big[(c * S + t) * L / 32], over << ((c * S + t) * L & 31));
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::pull(
    unsigned hi, unsigned count, const unsigned* front, unsigned* next, unsigned* big, unsigned long long* work) {
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

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::advance(unsigned lo, unsigned hi, int d, unsigned* found, unsigned* big) {
  const unsigned *front = level(d + levels - 1), *at = level(d);
  unsigned* next = level(d + 1);
  for (unsigned i0 = lo + firstWarp() * G; i0 < hi; i0 += allWarps() * G) {
    const unsigned i = i0 + group;
    const bool in = i < hi;
    unsigned w = 0, b = 0, e = 0, ob = 0, oe = 0;
    M m = none<W>();
    if (in) {
      w = s.stackNodes[i];
      m = load<W>(at, w);
      b = p.inOffsets[w], e = p.inOffsets[w + 1];
      ob = p.outOffsets[w], oe = p.outOffsets[w + 1];
    }
    if (d < p.farthest) expandRows(ob + t, oe, S, m, at, next, hi, found, d + 1);
    if (d == 0) continue;  // sources are counted
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
  if (hubsWait()) pullHubs(front, level(d), big);
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::addWork(unsigned long long* work, unsigned long long degrees) {
#pragma unroll
  for (int k = 16; k > 0; k /= 2) degrees += __shfl_xor_sync(~0u, degrees, k);
  if (lane == 0 && degrees) atomicAdd(work, degrees);
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::pullHubs(const unsigned* front, unsigned* next, unsigned* big) {
  const unsigned hubs = s.hubCount;
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

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::clear(unsigned* masks, unsigned lo, unsigned hi) {
  for (unsigned i = lo + firstThread(); i < hi; i += allThreads()) store<W>(masks, s.stackNodes[i], none<W>());
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::sweep(
    unsigned hi, const unsigned* front, unsigned* next, unsigned* found, unsigned* big, unsigned long long* work) {
  if constexpr (S < 32) return;
  const unsigned long long arcs =
      p.longer ? sweepListed(hi, front, next, found, big) : sweepInTurn(hi, front, next, found, big);
  for (unsigned h = s.rank + threadIdx.x * s.blocks; h < p.inHubCount; h += allThreads()) {
    const unsigned w = p.inHubs[h];
    if ((~load<W>(s.visited, w)).any()) s.hubs[atomicAdd(&s.hubCount, 1)] = w;
  }
  if (hubsWait()) sweepHubs(hi, front, next, found, big, work);
  addWork(work, arcs);
}

template <class T, int K, bool Arcs, bool Masses>
__device__ unsigned long long Engine<T, K, Arcs, Masses>::sweepInTurn(
    unsigned hi, const unsigned* front, unsigned* next, unsigned* found, unsigned* big) {
  unsigned long long arcs = 0;
  for (unsigned first = firstWarp() * 32; first < s.n; first += allWarps() * 32) {
    const unsigned v = first + lane;
    unsigned b = 0, e = 0;
    M seen = ~none<W>(), got = none<W>();
    if (v < s.n) seen = load<W>(s.visited, v);
    if ((~seen).any()) b = p.inOffsets[v], e = p.inOffsets[v + 1];
    for (unsigned left = __ballot_sync(~0u, e > b); left; left &= left - 1) {
      const int k = __ffs(left) - 1;
      const unsigned from = __shfl_sync(~0u, b, k), to = __shfl_sync(~0u, e, k);
      M open;
#pragma unroll
      for (int i = 0; i < W; i++) open.w[i] = ~__shfl_sync(~0u, seen.w[i], k);
      const M fresh = look(first + k, from, to, open, front, big);
      if (lane == k) got = fresh;
    }
    arcs += reached(v, got, seen, e - b, hi, next, found);
  }
  return arcs;
}

template <class T, int K, bool Arcs, bool Masses>
__device__ unsigned long long Engine<T, K, Arcs, Masses>::sweepListed(
    unsigned hi, const unsigned* front, unsigned* next, unsigned* found, unsigned* big) {
  const unsigned runs = (s.n + 4 * kRun - 1) / (4 * kRun);
  unsigned long long arcs = 0;
  for (unsigned first = s.rank, turn = 0; first < runs; first += allWarps(), turn ^= 1) {
    listOpen(first + warp() * s.blocks, runs, turn);
    const unsigned longer = s.longer[turn], count = longer + s.shorter[turn];
    for (unsigned k = takeNext(turn), ahead; k < count; k = ahead) {
      ahead = takeNext(turn);  // while the sums are made
      Open& listed = s.open[k < longer ? k : kThreads - 1 - (k - longer)];
      const Open open = listed;
      const M fresh = look(open.node, open.begin, open.end, open.lanes, front, big);
      if (lane == 0) listed.lanes = fresh;
    }
    __syncthreads();
    const Open& own = s.open[threadIdx.x];
    const bool isListed = threadIdx.x < longer || threadIdx.x >= kThreads - (count - longer);
    const M got = isListed ? own.lanes : none<W>();
    arcs +=
        reached(own.node, got, got.any() ? load<W>(s.visited, own.node) : got, own.end - own.begin, hi, next, found);
  }
  __syncthreads();
  if (threadIdx.x < 2) s.longer[threadIdx.x] = s.shorter[threadIdx.x] = s.taken[threadIdx.x] = 0;
  return arcs;
}

template <class T, int K, bool Arcs, bool Masses>
__device__ typename Engine<T, K, Arcs, Masses>::M Engine<T, K, Arcs, Masses>::look(
    unsigned w, unsigned b, unsigned e, const M& m, const unsigned* front, unsigned* big) {
  M fresh = none<W>();
  T sum[C][L] = {};
  gather<false>(p.inTargets, b, e, m, front, sum, &fresh, nullptr);
#pragma unroll
  for (int i = 0; i < W; i++) fresh.w[i] = orOfWarp(fresh.w[i]);
  if (fresh.any()) settle(w, fresh, sum, big);
  return fresh;
}

template <class T, int K, bool Arcs, bool Masses>
__device__ unsigned Engine<T, K, Arcs, Masses>::reached(
    unsigned v, const M& m, const M& seen, unsigned arcs, unsigned hi, unsigned* next, unsigned* found) {
  const bool on = m.any();
  append(on, v, m, hi, found);
  if (!on) return 0;
  store<W>(next, v, m);
  store<W>(s.visited, v, seen | m);
  return arcs;
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::listOpen(unsigned run, unsigned runs, unsigned turn) {
  const unsigned v = (lane / kRun * runs + run) * kRun + lane % kRun;
  unsigned b = 0, e = 0;
  M lanes = none<W>();
  if (run < runs && v < s.n) {
    lanes = ~load<W>(s.visited, v);
    if (lanes.any()) b = p.inOffsets[v], e = p.inOffsets[v + 1];
    if (p.inHubCount && e - b > p.hub) e = b;
  }
  const bool isLonger = e - b >= kLongerRow;
  const unsigned longer = __ballot_sync(~0u, isLonger), shorter = __ballot_sync(~0u, e > b && !isLonger),
                 before = (1u << lane) - 1;
  unsigned longerAt = 0, shorterAt = 0;
  if (lane == 0)
    longerAt = atomicAdd(&s.longer[turn], __popc(longer)), shorterAt = atomicAdd(&s.shorter[turn], __popc(shorter));
  longerAt = __shfl_sync(~0u, longerAt, 0) + __popc(longer & before);
  shorterAt = __shfl_sync(~0u, shorterAt, 0) + __popc(shorter & before);
  __syncthreads();  // the list before is done
  if (e > b) s.open[isLonger ? longerAt : kThreads - 1 - shorterAt] = Open{v, b, e, lanes};
  if (threadIdx.x == 0) s.longer[turn ^ 1] = s.shorter[turn ^ 1] = s.taken[turn ^ 1] = 0;
  __syncthreads();
}

template <class T, int K, bool Arcs, bool Masses>
__device__ unsigned Engine<T, K, Arcs, Masses>::takeNext(unsigned turn) {
  unsigned k = 0;
  if (lane == 0) k = atomicAdd(&s.taken[turn], 1);
  return __shfl_sync(~0u, k, 0);
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::append(bool on, unsigned v, const M& m, unsigned hi, unsigned* found) {
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

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::sweepHubs(
    unsigned hi, const unsigned* front, unsigned* next, unsigned* found, unsigned* big, unsigned long long* work) {
  const unsigned hubs = s.hubCount;
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
      const unsigned x = orOfWarp(fresh.w[i]);
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

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::scale(unsigned lo, unsigned hi, const M& over) {
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

template <class T, int K, bool Arcs, bool Masses> __device__ int Engine<T, K, Arcs, Masses>::forward(unsigned count) {
  if constexpr (W == 1) return forwardAtOnce(count);
  unsigned lo = 0, hi = count, before = 0;
  unsigned long long work = p.arcs;
  bool dense = false;
  for (int d = 0;; d++) {
    if (d >= p.farthest) {
      sync();
      return d;
    }
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
    if (s.rank == 0 && threadIdx.x == 0) s.ends[d + 2] = hi + c;
    before = lo, lo = hi, hi += c;
    scaleLevel(d + 1, lo, hi, s.team->big[now]);
    dense = work * p.denseShare > p.arcs;
  }
}

template <class T, int K, bool Arcs, bool Masses>
__device__ int Engine<T, K, Arcs, Masses>::forwardAtOnce(unsigned count) {
  unsigned before = 0, lo = 0, hi = count;
  for (int d = 0;; d++) {
    if (d >= 2) {  // level d + 2 has the place of level d - 2, which is stack[before:end)
      const unsigned end = *(volatile unsigned*)&s.ends[d - 1];
      clear(level(d + 2), before, end);
      before = end;
    }
    if (s.rank == 0) reset((d + 1) % 3);
    advance(lo, hi, d, &s.team->found[d % 3], s.team->big[d % 3]);
    sync();
    const unsigned c = *(volatile unsigned*)&s.team->found[d % 3];
    if (c > 0 && hi + c > p.cap) return -1;
    if (s.rank == 0 && threadIdx.x == 0) s.ends[d + 2] = hi + c;
    scaleLevel(d, lo, hi, s.team->big[d % 3]);
    if (c == 0) return d;
    lo = hi, hi += c;
  }
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::scaleLevel(int d, unsigned lo, unsigned hi, const volatile unsigned* big) {
  M over;
#pragma unroll
  for (int i = 0; i < W; i++) over.w[i] = big[i];
  if (s.rank == 0 && threadIdx.x == 0) store<W>(s.scaled, d, over);
  if (!over.any()) return;
  scale(lo, hi, over);
  sync();
}

template <class T, int K, bool Arcs, bool Masses> __device__ void Engine<T, K, Arcs, Masses>::reset(int k) {
  if (threadIdx.x == 0) s.team->found[k] = 0, s.team->work[k] = 0;
  if (threadIdx.x < W) s.team->big[k][threadIdx.x] = 0;
}
