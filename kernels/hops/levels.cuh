// The levels of a batch. See hops.cuh.
#pragma once
#include "hops.cuh"

template <int S, HopFold F> __device__ void Waves<S, F>::start(unsigned long long first, unsigned lanes) {
  bottom = 1;
  if (F == hopWeights && threadIdx.x == 0) s.weights = p.weights + first / (128 * S) * p.bits * S;
  for (size_t i = firstThread(); i < masks * size_t(s.n) * S; i += allThreads()) s.seen[i] = none();
  for (unsigned v = firstThread(); v < s.n; v += allThreads()) s.stamps[v] = ~0u;
  if (s.rank == 0) {
    if (threadIdx.x < 3) s.team->found[threadIdx.x] = 0, s.team->work[threadIdx.x] = 0;
    for (int i = threadIdx.x; i < 96; i += kHopThreads) s.team->alive[i / 32][i % 32] = 0;
  }
  if (threadIdx.x == 0) s.steps[0] = 0, s.steps[1] = stepAt(1);
  sync();
  for (unsigned i = firstThread(); i < lanes; i += allThreads()) {
    const unsigned v = p.sources[first + i], word = i / 32, bit = 1u << (i & 31);
    ((unsigned*)(s.seen + size_t(v) * S))[word] = bit;
    ((unsigned*)(s.levels[0] + size_t(v) * S))[word] = bit;
    s.stamps[v] = 0;
    s.lists[0][i] = v;
  }
  sync();
}

template <int S, HopFold F>
template <class Add>
__device__ void Waves<S, F>::addPairs(unsigned (&counts)[kHopChunk], Add add) {
#pragma unroll
  for (int q = 0; q < kHopChunk; q += 2) {
    const unsigned two = groupSum(counts[q] | counts[q + 1] << 16);
    counts[q] = two & 0xffff, counts[q + 1] = two >> 16;
  }
#pragma unroll
  for (int q = 0; q < kHopChunk; q++)
    if (q % S == t) add(q, counts[q]);
}

template <int S, HopFold F>
__device__ void Waves<S, F>::expand(
    uint4 m, unsigned b, unsigned e, uint4* next, int d, unsigned* list, unsigned* counter) {
  for (unsigned k = b; k < e; k += kHopChunk) {
    unsigned heads[J], hit = 0, counts[F == hopGaps ? kHopChunk : 1] = {};
    lookUp(p.out.targets, k, e, heads);
#pragma unroll
    for (int q0 = 0; q0 < kHopChunk; q0 += kHopRows) {
      uint4 row[kHopRows];
#pragma unroll
      for (int q = 0; q < kHopRows; q++) {
        const unsigned w = head(heads, q0 + q);
        if (k + q0 + q < e) row[q] = s.seen[at(w)];
      }
#pragma unroll
      for (int q = 0; q < kHopRows; q++) {
        const unsigned w = head(heads, q0 + q);
        if (k + q0 + q >= e) continue;
        const uint4 x = without(m, row[q]);
        if constexpr (F == hopGaps) counts[q0 + q] = count(x);
        if (!any(x)) continue;
        add(&next[at(w)], x);
        hit |= 1u << (q0 + q);
      }
    }
    if constexpr (F == hopGaps)
      addPairs(counts, [&](int q, unsigned c) {
        if (c && d > 0) addAt(p.out.sums, p.out.over, k + q, c, gap(d));
      });
    hit = groupOr(hit);
#pragma unroll
    for (int j = 0; j < J; j++) {
      const unsigned w = heads[j], stamp = d + 1;
      if ((hit >> (j * S + t) & 1) && *(volatile unsigned*)&s.stamps[w] != stamp &&
          atomicExch(&s.stamps[w], stamp) != stamp)
        found(w, list, counter);
    }
  }
}

template <int S, HopFold F> __device__ uint4 Waves<S, F>::pull(uint4 open, unsigned b, unsigned e, const uint4* front) {
  uint4 got = none();
  for (unsigned k = b; k < e; k += kHopChunk) {
    unsigned heads[J];
    lookUp(p.in.targets, k, e, heads);
#pragma unroll
    for (int q0 = 0; q0 < kHopChunk; q0 += kHopRows) {
      uint4 row[kHopRows];
#pragma unroll
      for (int q = 0; q < kHopRows; q++) {
        const unsigned u = head(heads, q0 + q);
        row[q] = k + q0 + q < e ? front[at(u)] : none();
      }
#pragma unroll
      for (int q = 0; q < kHopRows; q++) got = either(got, row[q]);
    }
    if (!groupAny(any(without(open, got)))) break;
  }
  return both(got, open);
}

template <int S, HopFold F>
template <class Step>
__device__ void Waves<S, F>::each(const HopSide& side, int d, unsigned lanes, Step step) {
  const unsigned* list = s.lists[d & 1];
  const uint4* level = s.levels[d & 1];
  rows(side, lanes, [&](unsigned i) { return list[i]; }, step);
  parts(side, [&](unsigned v) { return groupAny(any(level[at(v)])); }, step);
}

// push finds level d+1 from the nodes of level d.
template <int S, HopFold F> __device__ void Waves<S, F>::push(int d, unsigned lanes) {
  unsigned *then = s.lists[d + 1 & 1], *counter = &s.team->found[d % 3];
  const uint4* front = s.levels[d & 1];
  uint4* next = s.levels[d + 1 & 1];
  each(
      p.out, d, lanes, [&](unsigned v, unsigned b, unsigned e) { expand(front[at(v)], b, e, next, d, then, counter); });
  tell(then, counter);
  sync();
  settle(then, *(volatile unsigned*)counter, next, d + 1);
}

template <int S, HopFold F>
__device__ void Waves<S, F>::settle(const unsigned* list, unsigned lanes, const uint4* level, int d) {
  for (unsigned i = firstGroup(); i < lanes; i += allGroups()) {
    const unsigned w = list[i];
    const uint4 x = level[at(w)];
    s.seen[at(w)] = either(s.seen[at(w)], x);
    reach(w, x, d);
  }
}

// sweep finds level d+1 from the nodes that some lane has not visited.
template <int S, HopFold F> __device__ void Waves<S, F>::sweep(int d, unsigned lanes) {
  unsigned *then = s.lists[d + 1 & 1], *counter = &s.team->found[d % 3];
  const uint4* front = s.levels[d & 1];
  uint4* next = s.levels[d + 1 & 1];
  // Lanes that found nothing at the last level are done, and must not keep nodes looking for them.
  const unsigned* last = s.team->alive[(d + 2) % 3] + 4 * t;
  const uint4 going = make_uint4(((volatile unsigned*)last)[0], ((volatile unsigned*)last)[1],
      ((volatile unsigned*)last)[2], ((volatile unsigned*)last)[3]);
  rows(
      p.in, s.n, [](unsigned i) { return i; },
      [&](unsigned w, unsigned b, unsigned e) {
        const uint4 old = s.seen[at(w)], open = without(going, old);
        if (b == e || !groupAny(any(open))) return;
        const uint4 x = pull(open, b, e, front);
        if (!groupAny(any(x))) return;
        next[at(w)] = x;
        s.seen[at(w)] = either(old, x);
        if (t == 0) s.stamps[w] = d + 1, found(w, then, counter);
        reach(w, x, d + 1);
      });
  parts(
      p.in, [](unsigned) { return true; },
      [&](unsigned w, unsigned b, unsigned e) {
        const uint4 open = without(going, s.seen[at(w)]);
        if (groupAny(any(open))) add(&next[at(w)], pull(open, b, e, front));
      });
  tell(then, counter);
  sync();
  for (unsigned i = firstGroup(); i < p.hubCount; i += allGroups()) {
    const unsigned w = p.hubs[i];
    const uint4 x = next[at(w)];
    if (!groupAny(any(x))) continue;
    s.seen[at(w)] = either(s.seen[at(w)], x);
    if (t == 0) s.stamps[w] = d + 1, found(w, then, counter);
    reach(w, x, d + 1);
  }
  tell(then, counter);
}

template <int S, HopFold F> __device__ void Waves<S, F>::clear(const unsigned* list, unsigned lanes, uint4* level) {
  for (unsigned i = firstGroup(); i < lanes; i += allGroups()) level[at(list[i])] = none();
}

template <int S, HopFold F>
__device__ void Waves<S, F>::arcsOf(
    const HopSide& side, unsigned v, unsigned b, unsigned e, const uint4* level, int d, bool ties) {
  const uint4 m = level[at(v)];
  for (unsigned k = b; k < e; k += kHopChunk) {
    unsigned heads[J], counts[kHopChunk];
    lookUp(side.targets, k, e, heads);
#pragma unroll
    for (int q0 = 0; q0 < kHopChunk; q0 += kHopRows) {
      uint4 row[kHopRows];
#pragma unroll
      for (int q = 0; q < kHopRows; q++) {
        const unsigned u = head(heads, q0 + q);
        row[q] = m;
        if (k + q0 + q >= e || u == v) continue;
        row[q] = s.seen[at(u)];
        if (ties) row[q] = without(row[q], level[at(u)]);
      }
#pragma unroll
      for (int q = 0; q < kHopRows; q++) counts[q0 + q] = count(without(m, row[q]));
    }
    addPairs(counts, [&](int q, unsigned c) {
      if (c) foldAt(side.sums, side.over, side.counts, k + q, c, d);
    });
  }
}

// fold folds each edge and lane of hopArcs once, at the tail where both ends are equally near.
template <int S, HopFold F> __device__ void Waves<S, F>::fold(int d, unsigned lanes) {
  const uint4* level = s.levels[d & 1];
  each(p.out, d, lanes, [&](unsigned v, unsigned b, unsigned e) { arcsOf(p.out, v, b, e, level, d, true); });
  each(p.in, d, lanes, [&](unsigned v, unsigned b, unsigned e) { arcsOf(p.in, v, b, e, level, d, false); });
}

// report adds what the threads of the warp saw at level d to the team's.
template <int S, HopFold F> __device__ void Waves<S, F>::report(int d) {
  const unsigned long long c = warpSum(reached);
  if (lane == 0 && c) {
    atomicAdd(&s.pairs, c);
    atomicAdd(&s.distance, c * d);
    if (s.plot) atomicAdd(&s.plot[d], double(c));  // whole numbers, so that their order does not matter
  }
  if (!p.sweepShare) return;
  const unsigned long long arcs = warpSum(work);
  if (lane == 0 && arcs) atomicAdd(&s.team->work[(d + 2) % 3], arcs);
  unsigned words[4] = {alive.x, alive.y, alive.z, alive.w};
#pragma unroll
  for (int i = 0; i < 4; i++) {
#pragma unroll
    for (int k = S; k < 32; k *= 2) words[i] |= __shfl_xor_sync(~0u, words[i], k);
    unsigned* all = &s.team->alive[(d + 2) % 3][4 * t + i];
    if (lane < S && (words[i] & ~*(volatile unsigned*)all)) atomicOr(all, words[i]);
  }
}

template <int S, HopFold F> __device__ void Waves<S, F>::batch(unsigned long long first, unsigned lanes) {
  start(first, lanes);
  unsigned count = lanes;
  int d = 0;
  bool wide = false;
  for (; count > 0 && d < (long long)p.levels; d++) {
    alive = none(), reached = work = 0;
    if (threadIdx.x == 0) s.steps[(d + 2) % 3] = stepAt(d + 2);  // nobody looks at it before the next level
    if constexpr (F == hopTurns) turn(d);
    if (F == hopArcs && d > 0) {
      fold(d, count);
      sync();
    }
    if (wide) sweep(d, count);
    else push(d, count);
    report(d + 1);
    if constexpr (F == hopLanes) foldLanes(first, d + 1);
    clear(s.lists[d & 1], count, s.levels[d & 1]);
    if (s.rank == 0) {
      const int then = (d + 1) % 3;
      if (threadIdx.x == 0) s.team->found[then] = 0, s.team->work[then] = 0;
      if (threadIdx.x < 32) s.team->alive[then][threadIdx.x] = 0;
    }
    sync();
    count = *(volatile unsigned*)&s.team->found[d % 3];
    wide = *(volatile unsigned long long*)&s.team->work[d % 3] * p.sweepShare > p.arcs;
  }
  if constexpr (marks > 0) {
    if (F == hopTurns && d <= bottom + 1) return;  // nothing is marked
    foldPairs(s, bottom, min(4, d - 1 - bottom));
    sync();
  }
}

// waves runs the sources numbered first to last: batch i by team i modulo their number.
template <int S, HopFold F> __device__ void waves(const Hops* args, unsigned long long first, unsigned long long last) {
  using W = Waves<S, F>;
  constexpr unsigned K = 128 * S;
  __shared__ typename W::Shared shared;
  W w(shared);
  w.join(args);
  const unsigned long long teams = gridDim.x / shared.blocks;
  for (unsigned long long at = first + K * shared.teamIndex; at < last; at += K * teams)
    w.batch(at, unsigned(min((unsigned long long)K, last - at)));
  w.addTotals();
}
