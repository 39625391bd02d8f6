// Counts of paths and shares of a batch on a deep graph. See deep.cuh.
#pragma once
#include "distances.cuh"

template <class T, int W, bool Arcs, bool Masses>
__device__ unsigned Deep<T, W, Arcs, Masses>::collect(unsigned w, const M& m, int shift, unsigned arc) {
  auto& rows = s.gathered[warp];
  const unsigned all = __ballot_sync(~0u, m.any());
  if (m.any()) {
    const int at = __popc(all & ((1u << t) - 1));
    rows.nodes[at] = w;
    rows.shifts[at] = shift;
    if (Arcs) rows.arcs[at] = arc;
#pragma unroll
    for (int i = 0; i < W; i++) rows.masks[at][i] = m.w[i];
  }
  __syncwarp();
  PROFILED(if (t == 0) note(kSeenRows, __popc(all));)
  PROFILED(if (t == 0) note(kSeenVectors, __popc(all) * 32);)
  return __popc(all);
}

template <class T, int W, bool Arcs, bool Masses>
__device__ void Deep<T, W, Arcs, Masses>::gather(unsigned count, T* sum, const T* own) const {
  const auto& rows = s.gathered[warp];
  T flow = 0;  // of the arc that is this thread's
  for (unsigned j = 0; j < count; j += U) {
    Vector y[U];
    unsigned on[U];
#pragma unroll
    for (unsigned q = 0; q < U; q++) {
      on[q] = 0;
      if (j + q < count) on[q] = bits(rows.masks[j + q]);
      if (on[q]) y[q] = *(const Vector*)rowOf(rows.nodes[j + q]);
    }
    T part[U];
#pragma unroll
    for (unsigned q = 0; q < U; q++) {
      T z[W];
      unpack(y[q], z);
      part[q] = 0;
      const T factor = j + q < count ? CountSpan<T>::factor(rows.shifts[j + q]) : T(0);
#pragma unroll
      for (int i = 0; i < W; i++) {
        const T a = on[q] >> i & 1 ? z[i] * factor : T(0);
        sum[i] += a;
        if (Arcs && own) part[q] += a * own[i];
      }
    }
    if (!Arcs || !own) continue;
    // Thread q modulo 4 adds up arc q.
    const bool odd = t & 1, upper = t & 2;
    const T a = (odd ? part[1] : part[0]) + __shfl_xor_sync(~0u, odd ? part[0] : part[1], 1);
    const T b = (odd ? part[3] : part[2]) + __shfl_xor_sync(~0u, odd ? part[2] : part[3], 1);
    T x = (upper ? b : a) + __shfl_xor_sync(~0u, upper ? a : b, 2);
#pragma unroll
    for (int k = 4; k < 32; k *= 2) x += __shfl_xor_sync(~0u, x, k);
    if (t / U == j / U) flow = x;
  }
  if (Arcs && own && t < count) addArc(rows.arcs[t], double(flow));
  __syncwarp();
}

// countPaths counts the paths of all lanes and returns the number of rounds, -1 when the stack or the list of rounds is
// too short. See WeightedBatch::countPaths.
template <class T, int W, bool Arcs, bool Masses>
__device__ int Deep<T, W, Arcs, Masses>::countPaths(unsigned long long first, unsigned count) {
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
    const unsigned v = p.sources[first + i];
    M m = none<W>();
#pragma unroll
    for (int k = 0; k < W; k++)
      if (int(i / 32) == k) m.w[k] = 1u << (i & 31);
    s.stackNodes[i] = v;
    store<W>(s.stackMasks, i, m);
    store<W>(s.done, v, m);
    s.exponents[v] = 0;
    s.rows[size_t(v) * K + i] = 1;
  }
  if (threadIdx.x == 0) s.ends[0] = 0;
  __syncthreads();
  const auto list = [&](unsigned i) { return s.stackNodes[i]; };
  const auto ahead = [&](unsigned v) { return s.exponents[v]; };
  unsigned lo = 0, mid = 0, hi = count, wait = 0, waiting = 0;
  for (unsigned round = 0;; round++) {
    if (threadIdx.x == 0) {
      s.ends[round + 1] = hi;
      s.found[(round + 1) % 3] = s.woken[(round + 1) % 3] = 0;
    }
    unsigned* waits = s.lists + size_t(2 + (wait & 1)) * s.n + waiting;
    eachNode(list, lo, hi, ahead, [&](unsigned i, unsigned v, unsigned b, unsigned e, unsigned w, int exponent) {
      auto& rows = s.gathered[warp];
      unsigned before = 0;
      __syncwarp();  // all are done with the lanes of the entry before
      if (t < W) {
        before = round > 0 ? s.done[size_t(v) * W + t] : 0;
        unsigned m = 0;
        if (round > 0 && i < mid) s.stackMasks[size_t(i) * W + t] = m = s.reached[size_t(v) * W + t] & ~before;
        else m = s.stackMasks[size_t(i) * W + t];
        if (round > 0) s.done[size_t(v) * W + t] = before | m;
        rows.lanes[t] = m, rows.before[t] = before;
      }
      const bool first = !__any_sync(~0u, before);
      __syncwarp();
      settle(v, b, e, w, exponent, first, hi, round, waits);
    });
    sync();
    const unsigned full = now(&s.found[round % 3]);
    waiting += now(&s.woken[round % 3]);
    unsigned c = full;
    if (full <= p.few && waiting > 0) c += pick(hi + full, waiting, wait++);
    if (c == 0) return int(round) + 1;
    if (hi + c > p.cap || round + 1 >= p.roundCap) return -1;
    lo = hi, mid = hi + full, hi += c;
  }
}

// settle counts the lanes of v that are in the warp's `lanes`, and tells the nodes after it; those that get ready go on
// the stack. No two entries of a round are of one node. Those of round 0 are the sources, whose count is 1.
template <class T, int W, bool Arcs, bool Masses>
__device__ void Deep<T, W, Arcs, Masses>::settle(unsigned v, unsigned b, unsigned e, unsigned w, int exponent,
    bool first, unsigned hi, unsigned round, unsigned* waits) {
  constexpr int least = -(1 << 30);
  if (first) exponent = least;
  T sum[W] = {};
  for (unsigned base = b; base < e; base += 32) {
    int there = least;
    M in = none<W>();
    unsigned arcs = 0;  // that are left to count for w; 0 when this one does not end it
    bool after = false;
    if (base + t < e) {
      if (base > b) w = p.targets[base + t];
      const Steps own = stepsOf(v), other = stepsOf(w);
      const M m = load<W>(s.gathered[warp].lanes, 0), out = follows(own, other);
      if (round > 0) in = follows(other, own) & m;
      if (in.any()) there = s.exponents[w];
      after = (out & m).any();
      if (after && !(out & ~(load<W>(s.gathered[warp].before, 0) | m)).any()) arcs = atomicSub(&s.pending[w], 1);
    }
    if (first) {  // the greatest exponent of all so far
      int most = there;
#pragma unroll
      for (int k = 16; k > 0; k /= 2) most = max(most, __shfl_xor_sync(~0u, most, k));
      if (most > exponent) {
#pragma unroll
        for (int i = 0; i < W; i++) sum[i] *= CountSpan<T>::factor(exponent - most);
        exponent = most;
      }
    }
    const unsigned count = collect(w, in, there - exponent, 0);
    const bool full = arcs == 1;
    bool woken = false;
    if (after && !full) woken = !(atomicOr(&s.state[w], kWaitsForLanes | kAwakened) & kWaitsForLanes);
    const unsigned fullAt = append(full, &s.found[round % 3]);
    if (full && hi + fullAt < p.cap) s.stackNodes[hi + fullAt] = w;
    const unsigned wokenAt = append(woken, &s.woken[round % 3]);
    if (woken) waits[wokenAt] = w;
    gather(count, sum, nullptr);
  }
  if (round > 0) counted(v, bits(s.gathered[warp].lanes), first, exponent, sum);
}

// counted writes the counts of the thread's lanes `on` of v. A node's first counts say by which exponent all are kept.
template <class T, int W, bool Arcs, bool Masses>
__device__ void Deep<T, W, Arcs, Masses>::counted(unsigned v, unsigned on, bool first, int exponent, T* sum) {
  if (first) {
    bool over = false;
#pragma unroll
    for (int i = 0; i < W; i++) over |= sum[i] > CountSpan<T>::full();
    if (__any_sync(~0u, over)) {
      exponent += CountSpan<T>::shift;
#pragma unroll
      for (int i = 0; i < W; i++) sum[i] *= CountSpan<T>::factor(-CountSpan<T>::shift);
    }
    if (t == 0) s.exponents[v] = exponent;
  }
#pragma unroll
  for (int i = 0; i < W; i++)
    if ((on >> i & 1) && !(sum[i] >= CountSpan<T>::low() && sum[i] <= CountSpan<T>::high()))
      atomicOr(&s.failed[t * W / 32], 1u << (t * W % 32 + i));
  keep(v, first ? ~0u : on, sum);
}

// lanesReady returns which of the open lanes of v can be counted.
template <class T, int W, bool Arcs, bool Masses>
__device__ Mask<W> Deep<T, W, Arcs, Masses>::lanesReady(unsigned v, M open) const {
  const Steps own = stepsOf(v);
  const unsigned e = p.offsets[v + 1];
  M blocked = none<W>();
  for (unsigned arc = p.offsets[v] + t; arc < e; arc += 32) {
    const unsigned w = p.targets[arc];
    blocked = blocked | (follows(stepsOf(w), own) & ~load<W>(s.done, w));
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < W; i++) open.w[i] &= ~orOfWarp(blocked.w[i]);
  return open;
}

// pick puts on the stack the nodes that wait, have lanes that are ready, and are nearest to the sources. It returns how
// many. Only nodes with lanes that are ready stay listed; the others come back when something changes for them.
template <class T, int W, bool Arcs, bool Masses>
__device__ unsigned Deep<T, W, Arcs, Masses>::pick(unsigned hi, unsigned& waiting, unsigned wait) {
  const unsigned* from = s.lists + size_t(2 + (wait & 1)) * s.n;
  unsigned* kept = s.lists + size_t(2 + (wait + 1 & 1)) * s.n;
  if (threadIdx.x == 0) {
    s.kept[(wait + 2) % 3] = s.picked[(wait + 2) % 3] = 0;
    s.nearest[(wait + 2) % 3] = kNoKey;
  }
  for (unsigned i0 = warp * 32; i0 < waiting; i0 += warps * 32) {
    unsigned v = 0, key = kNoKey;
    M m = none<W>();
    bool awake = false;
    if (i0 + t < waiting) {
      v = from[i0 + t];
      if (s.pending[v])
        m = load<W>(s.reached, v) & ~load<W>(s.done, v);  // without arcs that are left, it is on the stack
      awake = s.state[v] & kAwakened;
      if (!awake) m = m & load<W>(s.ready, v);
      key = s.keys[v];
    }
    for (unsigned left = __ballot_sync(~0u, awake && m.any()); left; left &= left - 1) {
      const int j = __ffs(left) - 1;
      const M ready = lanesReady(__shfl_sync(~0u, v, j), fromThread(m, j));
      if (int(t) == j) m = ready;
    }
    const bool on = m.any();
    if (i0 + t < waiting) s.state[v] = on ? kWaitsForLanes : 0;  // nobody else changes it between these barriers
    const unsigned at = append(on, &s.kept[wait % 3]);
    if (on) kept[at] = v, store<W>(s.ready, v, m);
    if (!__any_sync(~0u, on)) continue;
    const unsigned nearest = leastOfWarp(on ? key : kNoKey);
    if (t == 0) atomicMin(&s.nearest[wait % 3], nearest);
  }
  __syncthreads();
  waiting = now(&s.kept[wait % 3]);
  const unsigned limit = now(&s.nearest[wait % 3]) + unsigned(p.patience);
  for (unsigned i0 = warp * 32; i0 < waiting; i0 += warps * 32) {
    const unsigned v = i0 + t < waiting ? kept[i0 + t] : 0;
    const bool on = i0 + t < waiting && s.keys[v] < limit;
    const unsigned at = hi + append(on, &s.picked[wait % 3]);
    if (!on || at >= p.cap) continue;
    s.stackNodes[at] = v;
    store<W>(s.stackMasks, at, load<W>(s.ready, v));
  }
  __syncthreads();
  return now(&s.picked[wait % 3]);
}

template <class T, int W, bool Arcs, bool Masses> __device__ void Deep<T, W, Arcs, Masses>::backward(int rounds) {
  const auto list = [&](unsigned i) { return s.stackNodes[i]; };
  const auto ahead = [&](unsigned v) { return s.exponents[v]; };
  for (int round = rounds - 1; round >= (Arcs ? 0 : 1); round--) {
    eachNode(list, s.ends[round], s.ends[round + 1], ahead,
        [&](unsigned i, unsigned v, unsigned b, unsigned e, unsigned w, int exponent) {
          unsigned m = 0;
          __syncwarp();
          if (t < W) s.gathered[warp].lanes[t] = m = s.stackMasks[size_t(i) * W + t] & ~s.failed[t];
          if (__any_sync(~0u, m)) share(v, b, e, w, exponent, round);
        });
    sync();
  }
  addKept();
}

// share turns the counts of the lanes of v that are in the warp's `lanes` into shares, (1 + dependency) / count, and
// adds the dependencies to its score.
template <class T, int W, bool Arcs, bool Masses>
__device__ void Deep<T, W, Arcs, Masses>::share(
    unsigned v, unsigned b, unsigned e, unsigned w, int exponent, int round) {
  __syncwarp();
  const unsigned on = bits(s.gathered[warp].lanes);
  T own[W], sum[W] = {};
  if (on) unpack(*(const Vector*)rowOf(v), own);
#pragma unroll
  for (int i = 0; i < W; i++)
    if (!(on >> i & 1)) own[i] = 0;
  for (unsigned base = b; base < e; base += 32) {
    int shift = 0;
    M out = none<W>();
    if (base + t < e) {
      if (base > b) w = p.targets[base + t];
      out = follows(stepsOf(v), stepsOf(w)) & load<W>(s.gathered[warp].lanes, 0);
      if (out.any()) shift = exponent - s.exponents[w];
    }
    gather(collect(w, out, shift, base + t), sum, own);
  }
  if (round == 0) return;  // the sources themselves
  T total = 0, out[W];
#pragma unroll
  for (int i = 0; i < W; i++) {
    total += own[i] * sum[i];
    out[i] = sum[i];
    if (!(on >> i & 1)) continue;
    out[i] += (Masses ? T(p.masses[v]) * s.masses[W * t + i] : T(1)) * inverse(own[i]);
  }
  keep(v, on, out);
  if (!p.nodes) return;
#pragma unroll
  for (int k = 16; k > 0; k /= 2) total += __shfl_xor_sync(~0u, total, k);
  if (p.endpoints) total += load<W>(s.gathered[warp].lanes, 0).count();
  keepSum(v, total);
}

// sumUp adds up pairs and distances of the lanes that did not fail.
template <class T, int W, bool Arcs, bool Masses>
__device__ void Deep<T, W, Arcs, Masses>::sumUp(unsigned long long first, unsigned count) {
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
    if (s.failed[i / 32] >> (i & 31) & 1) continue;
    atomicAdd(&p.totals[2 * blockIdx.x], (unsigned long long)s.reach[i]);
    atomicAdd(&p.totals[2 * blockIdx.x + 1], s.distances[i]);
    if (p.endpoints && p.nodes) addNode(p.sources[first + i], double(s.reach[i]));
  }
}

// deepBatches runs the sources numbered first to last.
template <class T, int W, bool Arcs, bool Masses>
__device__ void deepBatches(const BatchedDeep* args, unsigned long long first, unsigned long long last) {
  using Batch = Deep<T, W, Arcs, Masses>;
  __shared__ typename Batch::Shared shared;
  Batch batch(shared);
  batch.join(args);
  PROFILED(const long long begun = clock64();)
  eachBatch<Batch::K>(batch, first, last);
  PROFILED(batch.tell(begun);)
}

#define BATCHED_DEEP_KERNEL(name, T, W, Arcs, Masses)                                    \
  extern "C" __global__ void __launch_bounds__(kDeepThreads, 1)                          \
      name(const BatchedDeep* args, unsigned long long first, unsigned long long last) { \
    deepBatches<T, W, Arcs, Masses>(args, first, last);                                  \
  }
