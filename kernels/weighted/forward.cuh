// Distances and counts of paths of a batch. See weighted.cuh.
#pragma once
#include "bounds.cuh"

// distances relaxes arcs until nothing changes. The key of a node is its least distance over all lanes, and buckets
// hold nodes by key: a lane that reaches a node late, because its source lies farther back, is passed on at once to
// where the others are, so that beyond the sources a node is done with for all lanes together.
//
// Several warps may lower a row at a time; each reads what was there, or what another has written meanwhile. Either way
// the row ends at its least, and whoever lowered it has listed the node for the next round. Lengths only grow along a
// path, also by rounded addition, so that the end does not depend on the order.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::distances(unsigned count) {
  Key limit = Metric::after(0, p.width);
  unsigned near = count, round = 0, bucket = 0;
  for (;;) {
    if (near > 0) {
      relax(round, near, limit, bucket);
    } else {
      const unsigned far = now(&s.team->far[bucket % 3]);
      PROFILED(if (far == 0 && leads()) note(kSeenRounds, round);)
      const Key least = now(&s.team->least[bucket % 3]);
      if (far == 0 || least > Key(p.farthest)) return cut();
      limit = Metric::after(max(limit, least), p.width);
      refill(round, bucket, far, limit);
      bucket++;
    }
    if (leads()) s.team->near[(round + 2) % 3] = 0;
    sync();
    near = now(&s.team->near[++round % 3]);
  }
}

// cut forgets what lies beyond the range: there distances need not be the least, and nodes may be listed.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::cut() {
  if (p.farthest == ~0ull) return;
  for (unsigned v = firstWarp(); v < s.n; v += allWarps()) {
    Key* d = row(v);
    if (*d > Key(p.farthest)) *d = Metric::none();
    if (lane == 0) s.state[v] = 0;
  }
  sync();
}

template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::relax(unsigned round, unsigned count, Key limit, unsigned bucket) {
  const unsigned* list = s.lists + size_t(round & 1) * s.n;
  eachEntry(0, count, round, [&](unsigned i, Scale scale, unsigned segment) {
    unsigned v = 0, b = 0, e = 0;
    Key from[kOwn];
    bool isLong = false;
    Key low = Metric::none();  // with bounds: the least distance of a lane that is passed on anew
    if (i != ~0u) {
      v = list[i];
      b = p.outOffsets[v], e = p.outOffsets[v + 1];
      isLong = scale == ofGroup && leave(i, e - b, round, toWarps);
      if (!isLong) KeyRow::template load<true>(s.dist + size_t(v) * K, t, from);
      if (scale == ofGroup && t == 0) {
        atomicAnd(&s.state[v], ~(kNear << (round & 1)));
        if constexpr (bounds) {
          low = takeOwed(v, round);
        } else {
          s.reached[v] = round + 1;
          s.when[v] = Metric::none();
        }
      }
      if (bounds && scale != ofGroup) low = s.when[4 * size_t(v) + 3];
    }
    PROFILED(if (i != ~0u && t == 0 && scale == ofGroup) note(kSeenPassed, 1), note(kSeenArcs, e - b);)
    PROFILED(if (!bounds && i != ~0u && t == 0 && scale == ofGroup) note(kSeenRelaxed, e - b);)
    if (isLong) e = b;
    if constexpr (bounds) {
      if (scale == ofGroup) low = __shfl_sync(~0u, low, 0, kGroup);
      relaxBounded(from, low, b, e, part(scale, segment), parts(scale, segments(e - b)), round, limit, bucket);
    } else relaxRow(from, b, e, part(scale, segment), parts(scale, segments(e - b)), round, limit, bucket);
  });
}

template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::relaxRow(const Key* from, unsigned b, unsigned e, unsigned part,
    unsigned parts, unsigned round, Key limit, unsigned bucket) {
  constexpr int U = KeyRow::U;
  for (unsigned base = b + part * kGroup; __any_sync(~0u, base < e); base += parts * kGroup) {
    unsigned w = 0, state = 0;
    Weight x = Weight(0);
    Key key = 0, changed = Metric::none();  // of this thread's arc: the least of its head's lanes, and of those lowered
    if (base + t < e) {
      w = p.outTargets[base + t], x = outWeights()[base + t];
      key = now(&s.keys[w]), state = now(&s.state[w]);
    }
#pragma unroll
    for (int j = 0; j < kGroup; j += U) {
      if (!__any_sync(~0u, base + j < e)) break;
      Key there[U][kOwn], least[U];
      unsigned at[U];
#pragma unroll
      for (int q = 0; q < U; q++) {
        at[q] = __shfl_sync(~0u, w, j + q, kGroup);
        KeyRow::template loadIf<true>(base + j + q < e, s.dist + size_t(at[q]) * K, t, there[q]);  // zeros are lowered
                                                                                                   // by nothing
      }
#pragma unroll
      for (int q = 0; q < U; q++) {
        const Weight y = __shfl_sync(~0u, x, j + q, kGroup);
        Key* head = KeyRow::own(s.dist + size_t(at[q]) * K, t);
        least[q] = Metric::none();
#pragma unroll
        for (int k = 0; k < kOwn; k++) {
          const Key to = Metric::plus(from[k], y);
          if (to >= there[q][k] || to <= from[k]) continue;  // 32 bits may wrap for paths that are not shortest
          lower(head + KeyRow::place(k), to);
          least[q] = min(least[q], to);
        }
      }
      const Key of = joined<U>(least, t, [](Key a, Key b) { return min(a, b); });
      if ((t & ~(U - 1)) == j) changed = of;
    }
    PROFILED(if (changed != Metric::none()) note(kSeenLowered, 1);)
    note(w, changed, key, state, round, limit, bucket);
  }
}

// note lists the nodes whose rows were lowered. All threads of the warp call it, with a node each, or without a key
// that changed. key and state may be of a while ago: neither puts a node too near, and a bit of a list stays set for
// the round.
template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::note(
    unsigned w, Key changed, Key key, unsigned state, unsigned round, Key limit, unsigned bucket) {
  const bool on = changed != Metric::none();
  if (!__any_sync(~0u, on)) return;
  bool fresh = false, beyond = false;
  if (on) {
    if (changed < key) lower(&keyOf(w), changed);
    key = max(min(key, changed), Metric::before(changed, s.slack));
    beyond = key >= limit;
    if (bounds) {
      owe(w, changed, round);
    } else if (beyond) {
      lower(&s.when[w], changed);
      atomicMax(&s.pending[w], round + 1);
    }
    const unsigned bit = beyond ? kFar : kNear << (round + 1 & 1);
    fresh = !(state & bit) && !(atomicOr(&s.state[w], bit) & bit);
  }
  const unsigned near = __ballot_sync(~0u, fresh && !beyond), far = __ballot_sync(~0u, fresh && beyond);
  if (near | far) {
    unsigned at = 0;
    if (lane < 2 && (lane ? far : near))
      at = atomicAdd(
          lane ? &s.team->far[bucket % 3] : &s.team->near[(round + 1) % 3], unsigned(__popc(lane ? far : near)));
    at = __shfl_sync(~0u, at, beyond) + __popc((beyond ? far : near) & ((1u << lane) - 1));
    if (fresh) s.lists[size_t(beyond ? 2 + (bucket & 1) : round + 1 & 1) * s.n + at] = w;
  }
  if (!__any_sync(~0u, beyond)) return;
  const Key least = leastOfWarp(beyond ? key : Metric::none());
  if (lane == 0) atomicMin(&s.team->least[bucket % 3], least);
}

// refill moves the far nodes under the new limit to the next round, and drops those that were passed on since they were
// put off. What was put off in the round that passed the node on may have come too late for it.
template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::refill(unsigned round, unsigned bucket, unsigned count, Key limit) {
  const unsigned* from = s.lists + size_t(2 + (bucket & 1)) * s.n;
  unsigned *nearList = s.lists + size_t(round + 1 & 1) * s.n, *farList = s.lists + size_t(2 + (bucket + 1 & 1)) * s.n;
  if (leads()) {
    s.team->far[(bucket + 2) % 3] = 0;
    s.team->least[(bucket + 2) % 3] = Metric::none();
  }
  if (threadIdx.x == 0)
    clearLeft();  // rounds that refill have no list, and three in a row would come back to one in use
  for (unsigned i0 = firstWarp() * 32; i0 < count; i0 += allWarps() * 32) {
    const unsigned i = i0 + lane;
    unsigned v = 0;
    Key key = Metric::none();
    bool near = false, far = false;
    if (i < count) {
      v = from[i];
      key = keyOf(v);
      Key when;
      if constexpr (bounds) when = allOwed(v, round);
      else when = s.when[v];  // none where the round that passed the node on has cleared what it did not see
      if (when != Metric::none()) key = max(key, Metric::before(when, p.slack));
      const bool left = bounds ? when != Metric::none() : s.pending[v] >= s.reached[v];
      near = left && key < limit;
      far = left && key >= limit;
      // Nobody else changes the state of a node between these two barriers.
      if (!far) s.state[v] = s.state[v] & ~unsigned(kFar) | (near ? kNear << (round + 1 & 1) : 0);
    }
    const unsigned nearAt = append(near, &s.team->near[(round + 1) % 3]);
    if (near) nearList[nearAt] = v;
    const unsigned farAt = append(far, &s.team->far[(bucket + 1) % 3]);
    if (far) farList[farAt] = v;
    if (!__any_sync(~0u, far)) continue;
    const Key least = leastOfWarp(far ? key : Metric::none());
    if (lane == 0) atomicMin(&s.team->least[(bucket + 1) % 3], least);
  }
}

// tally finds the lanes that reach each node, and adds up the distances of each lane.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::tally() {
  constexpr int U = 4;  // rows in flight
  double sum = 0;
  unsigned reach = 0;
  if (threadIdx.x == 0) clearLeft();
  for (unsigned v0 = firstWarp(); v0 < s.n; v0 += U * allWarps()) {
    Key d[U];
#pragma unroll
    for (int q = 0; q < U; q++) {
      d[q] = Metric::none();
      if (v0 + q * allWarps() < s.n) d[q] = *row(v0 + q * allWarps());
    }
#pragma unroll
    for (int q = 0; q < U; q++) {
      const unsigned mask = __ballot_sync(~0u, d[q] != Metric::none());
      if (lane == 0 && v0 + q * allWarps() < s.n) s.reached[v0 + q * allWarps()] = mask;
      if constexpr (bounds)
        if (v0 + q * allWarps() < s.n) boundRow(v0 + q * allWarps(), d[q]);
      if (d[q] != Metric::none() && d[q] != 0) sum += Metric::real(d[q], p.mul, p.div), reach++;
    }
  }
  keepLaneSums(sum, reach);
}

// keepLaneSums adds up what the warps of the block have of each lane. Which nodes a thread adds up does not change from
// run to run.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::keepLaneSums(double sum, unsigned reach) {
  s.partial[warp][lane] = sum;
  s.partialCounts[warp][lane] = reach;
  __syncthreads();
  if (warp == 0) {
    for (unsigned k = 1; k < warps; k++) {
      sum += s.partial[k][lane];
      reach += s.partialCounts[k][lane];
    }
    s.laneSums[size_t(s.rank) * 2 * K + lane] = sum;
    s.laneSums[size_t(s.rank) * 2 * K + K + lane] = double(reach);
  }
}

// pathArcs finds the lanes in which an arc ends a shortest path, once, so that what follows reads 4 bytes an arc to
// know which rows it needs.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::pathArcs() {
  if (p.inTargets == p.outTargets) {
    pathRows<true, true>();
  } else {
    pathRows<true, false>();
    __syncthreads();  // the second clears the lists of long rows of the first
    pathRows<false, true>();
  }
}

template <class Metric, class T> template <bool Out, bool In> __device__ void WeightedBatch<Metric, T>::pathRows() {
  const unsigned* offsets = Out ? p.outOffsets : p.inOffsets;
  const Long to = p.unique ? toWarp : toWarps;  // with lengths that only 128 bits hold, one warp must see all of the
                                                // node's arcs
  eachEntry(0, s.n, Out ? 0 : 1, [&](unsigned v, Scale scale, unsigned segment) {
    unsigned b = 0, e = 0;
    bool on = false;
    Key from[kOwn];
    if (v != ~0u) {
      b = offsets[v], e = offsets[v + 1];
      if (scale == ofGroup && leave(v, e - b, Out ? 0 : 1, to)) {
        e = b;
      } else {
        KeyRow::load(s.dist + size_t(v) * K, t, from);
#pragma unroll
        for (int k = 0; k < kOwn; k++) on |= from[k] != Metric::none();
      }
      if (In && scale == ofGroup && t == 0) s.pending[v] = 0;
    }
    // Nobody asks for arcs at nodes that no lane reaches.
    if (!(__ballot_sync(~0u, on) >> group * kGroup & ((1u << kGroup) - 1))) e = b;
    __syncwarp();
    if constexpr (bounds)
      pathRowBounded<Out, In>(v, from, b, e, part(scale, segment), parts(scale, to == toWarps ? segments(e - b) : 1));
    else pathRow<Out, In>(v, from, b, e, part(scale, segment), parts(scale, to == toWarps ? segments(e - b) : 1));
  });
}

// pathRow looks at the arcs [b, e) of v, which leave it where Out is set, and enter it where In is.
template <class Metric, class T>
template <bool Out, bool In>
__device__ void WeightedBatch<Metric, T>::pathRow(
    unsigned v, const Key* from, unsigned b, unsigned e, unsigned part, unsigned parts) {
  constexpr int U = KeyRow::U;
  const unsigned* targets = Out ? p.outTargets : p.inTargets;
  const Weight* weights = Out ? outWeights() : inWeights();
  unsigned once = 0, twice = 0, entering = 0;
  for (unsigned base = b + part * kGroup; __any_sync(~0u, base < e); base += parts * kGroup) {
    unsigned w = 0;
    Weight x = Weight(0);
    if (base + t < e) w = targets[base + t], x = weights[base + t];
    PROFILED(if (base + t < e) note(kSeenCompared, 1);)
#pragma unroll
    for (int j = 0; j < kGroup; j += U) {
      if (!__any_sync(~0u, base + j < e)) break;
      Key there[U][kOwn];
#pragma unroll
      for (int q = 0; q < U; q++) {
        const unsigned u = __shfl_sync(~0u, w, j + q, kGroup);
        KeyRow::loadIf(base + j + q < e, s.dist + size_t(u) * K, t, there[q]);
      }
      unsigned bits = 0;  // the thread's lanes in which arc q ends a shortest path: from 4 q on, and entering from 4 (U
                          // + q) on
#pragma unroll
      for (int q = 0; q < U; q++) {
        const Weight y = __shfl_sync(~0u, x, j + q, kGroup);
        const unsigned u = __shfl_sync(~0u, w, j + q, kGroup);
        if (base + j + q >= e) continue;
#pragma unroll
        for (int k = 0; k < kOwn; k++) {
          if (Out && Metric::endsPath(from[k], there[q][k], y, p.tolerance)) bits |= 1u << (4 * q + k);
          if (In && Metric::endsPath(there[q][k], from[k], y, p.tolerance)) bits |= 1u << (4 * (U + q) + k);
          if constexpr (Out && !Metric::exact)
            if (from[k] != Metric::none() && u != v && !Metric::longer(from[k], Metric::plus(from[k], y), y))
              atomicMax(p.lost, (long long)(base + j + q) + 1);
        }
        if constexpr (In && !Metric::exact) {
          const unsigned enters = bits >> 4 * (U + q) & 15;
          twice |= once & enters;
          once |= enters;
        }
      }
      const unsigned mask = KeyRow::mask(transposed(bits, t)), arc = base + j + (t & (U - 1));
      if (arc >= e || t >= 2 * U) continue;
      if (Out && t < U) s.outPaths[arc] = mask;
      if (In && t >= U) s.inPaths[arc] = mask, entering += mask != 0;
    }
  }
  entered<In>(v, entering, once, twice, parts);
}

// entered counts the arcs that enter v, and finds lanes with two of them where these may not be of the same length.
template <class Metric, class T>
template <bool In>
__device__ void WeightedBatch<Metric, T>::entered(
    unsigned v, unsigned entering, unsigned once, unsigned twice, unsigned parts) {
  if constexpr (In) {
#pragma unroll
    for (int k = 1; k < kGroup; k *= 2) entering += __shfl_xor_sync(~0u, entering, k);
    if (t == 0 && entering) atomicAdd(&s.pending[v], entering);
  }
  if constexpr (In && !Metric::exact) {
    if (!p.unique) return;
    if (parts > 1)
#pragma unroll
      for (int k = kGroup; k < 32; k *= 2) {
        const unsigned other = __shfl_xor_sync(~0u, once, k);
        twice |= __shfl_xor_sync(~0u, twice, k) | once & other;
        once |= other;
      }
    const unsigned doubtful = KeyRow::mask(orOfGroup(twice << kOwn * t));
    if (t == 0 && doubtful) atomicOr(&s.team->failed, doubtful);
  }
}

// countPaths counts the paths of all lanes and returns the number of rounds, -1 when the stack or the list of rounds is
// too short. A node is counted when all the lanes that reach it are ready, that is, when all shortest-path arcs that
// enter it come from counted (node, lane)s; so most nodes make one entry for all lanes. Between the sources, lanes wait
// for one another in a circle: then, or when few nodes are to be counted anyway, those nearest to the sources are
// counted for the lanes that are ready.
template <class Metric, class T> __device__ int WeightedBatch<Metric, T>::countPaths(unsigned count) {
  unsigned lo = 0, mid = 0, hi = count, wait = 0, waiting = 0;
  for (unsigned round = 0;; round++) {
    if (leads()) {
      s.ends[round + 1] = hi;
      s.team->found[(round + 1) % 3] = s.team->woken[(round + 1) % 3] = 0;
    }
    settle(lo, mid, hi, round, wait, waiting);
    sync();
    const unsigned full = now(&s.team->found[round % 3]);
    waiting += now(&s.team->woken[round % 3]);
    unsigned c = full;
    PROFILED(const long long begun = clock64();)
    if (full <= p.few && waiting > 0) c += pick(hi + full, waiting, wait++);
    PROFILED(spent(kSpentPicking, begun); if (c > full && leads()) note(kSeenPicks, 1);)
    if (c == 0) return int(round) + 1;
    if (hi + c > p.cap || round + 1 >= p.roundCap) return -1;
    lo = hi, mid = hi + full, hi += c;
  }
}

// settle counts the entries [lo, hi), whose lanes are on the stack from mid on and all that are left before, and puts
// what gets ready on the stack. No two entries of a round are of one node.
template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::settle(
    unsigned lo, unsigned mid, unsigned hi, unsigned round, unsigned wait, unsigned waiting) {
  unsigned* list = s.lists + size_t(2 + (wait & 1)) * s.n + waiting;
  eachEntry(lo, hi, round + 2, [&](unsigned i, Scale scale, unsigned) {
    unsigned v = 0;
    Entry x = {};
    if (i != ~0u) {
      v = s.stackNodes[i];
      x.all = s.done[v];
      x.m = i >= mid || scale != ofGroup ? s.stackMasks[i] : s.reached[v] & ~x.all;
      x.all |= x.m;
      if (round > 0) x.ib = p.inOffsets[v], x.ie = p.inOffsets[v + 1];
      x.ob = p.outOffsets[v], x.oe = p.outOffsets[v + 1];
    }
    __syncwarp();
    if (i != ~0u && scale == ofGroup && t == 0) {
      if (i < mid) s.stackMasks[i] = x.m;
      if (round > 0) s.done[v] = x.all;
    }
    if (scale == ofGroup && leave(i, max(x.ie - x.ib, x.oe - x.ob), round + 2, toBlock)) x.ie = x.ib, x.oe = x.ob;
    double sum[kOwn] = {};
    settleRow(x, part(scale), parts(scale), sum, hi, round, list);
    wholeSum(sum, scale);
    if (round > 0 && x.ie > x.ib && part(scale) == 0) counted(v, x.m, sum);
  });
}

// settleRow adds to sum the counts at the tails of arcs that enter an entry and end shortest paths in its lanes, and
// tells the heads of those that leave it that these are counted. It does both at a time, for either is a chain of
// loads.
template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::settleRow(
    const Entry& x, unsigned part, unsigned parts, double* sum, unsigned hi, unsigned round, unsigned* list) {
  constexpr int U = CountRow::U;
  for (unsigned k = part * kGroup; __any_sync(~0u, x.ib + k < x.ie || x.ob + k < x.oe); k += parts * kGroup) {
    unsigned u = 0, in = 0, w = 0, out = 0;
    if (x.ib + k + t < x.ie) in = s.inPaths[x.ib + k + t] & x.m, u = p.inTargets[x.ib + k + t];
    if (x.ob + k + t < x.oe) out = s.outPaths[x.ob + k + t], w = p.outTargets[x.ob + k + t];
    unsigned arcs = 0;  // that are left to count for w; 0 when this one does not end it
    if ((out & x.m) && !(out & ~x.all)) arcs = atomicSub(&s.pending[w], 1);
    unsigned left = __ballot_sync(~0u, in != 0) >> group * kGroup & ((1u << kGroup) - 1);
    while (__any_sync(~0u, left != 0)) {
      T y[U][kOwn];
      unsigned bits[U];
#pragma unroll
      for (int q = 0; q < U; q++) {
        const int j = left ? __ffs(left) - 1 : 0;
        const unsigned from = __shfl_sync(~0u, u, j, kGroup), lanes = __shfl_sync(~0u, in, j, kGroup);
        bits[q] = left ? CountRow::bits(lanes, t) : 0;
        left &= left - 1;
        CountRow::loadIf(bits[q], countRow(from), t, y[q]);
        PROFILED(if (t == 0 && lanes) note(kSeenRows, 1);)
      }
#pragma unroll
      for (int q = 0; q < U; q++)
#pragma unroll
        for (int i = 0; i < kOwn; i++)
          if (bits[q] >> i & 1) sum[i] += double(y[q][i]);
    }
    const bool full = arcs == 1;
    bool woken = false;
    if ((out & x.m) && !full) woken = !(atomicOr(&s.state[w], kWaits | kAwake) & kWaits);
    const unsigned fulls = __ballot_sync(~0u, full), wokens = __ballot_sync(~0u, woken);
    if (!(fulls | wokens)) continue;
    unsigned at = 0;
    if (lane < 2 && (lane ? wokens : fulls))
      at = atomicAdd(
          lane ? &s.team->woken[round % 3] : &s.team->found[round % 3], unsigned(__popc(lane ? wokens : fulls)));
    at = __shfl_sync(~0u, at, woken) + __popc((woken ? wokens : fulls) & ((1u << lane) - 1));
    if (woken) list[at] = w;
    if (full && hi + at < p.cap) s.stackNodes[hi + at] = w;
  }
}

// counted writes the counts of the lanes m of v. The threads of a group call it.
template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::counted(unsigned v, unsigned m, const double* sum) {
  const unsigned bits = CountRow::bits(m, t);
  const double most = p.stress ? p.mostPaths : CountRange<T>::high();
  T x[kOwn];
#pragma unroll
  for (int i = 0; i < kOwn; i++) {
    x[i] = T(sum[i]);
    if ((bits >> i & 1) && !(sum[i] <= most)) atomicOr(&s.team->failed, 1u << CountRow::lane(t, i));
  }
  CountRow::store(countRow(v), t, bits, x);
}

// ready returns those of the lanes m that the parts's arcs of [b, e) do not keep waiting, for each group.
template <class Metric, class T>
__device__ unsigned WeightedBatch<Metric, T>::ready(
    unsigned b, unsigned e, unsigned m, unsigned part, unsigned parts) const {
  for (unsigned base = b + part * kGroup; __any_sync(~0u, m && base < e); base += parts * kGroup) {
    unsigned blocked = 0;
    if (m && base + t < e) {
      const unsigned ending = s.inPaths[base + t] & m, u = p.inTargets[base + t];
      if (ending) blocked = ending & ~s.done[u];
    }
    m &= ~(parts == 1 ? orOfGroup(blocked) : orOfWarp(blocked));
  }
  return m;
}

// lanesReady returns which of the open lanes of v can be counted. All threads of the warp call it, with a node each.
template <class Metric, class T> __device__ unsigned WeightedBatch<Metric, T>::lanesReady(unsigned v, unsigned open) {
  unsigned b = 0, e = 0;
  if (open) b = p.inOffsets[v], e = p.inOffsets[v + 1];
  const bool isLong = e - b > 4 * kShortRow;
  unsigned left = __ballot_sync(~0u, open && !isLong) & 0x11111111u << group;  // a group has every fourth thread's node
  while (__any_sync(~0u, left != 0)) {
    const int j = left ? __ffs(left) - 1 : 32;
    left &= left - 1;
    unsigned m = __shfl_sync(~0u, open, j & 31);
    const unsigned rb = __shfl_sync(~0u, b, j & 31), re = __shfl_sync(~0u, e, j & 31);
    m = ready(rb, j < 32 ? re : rb, m, 0, 1);
    const int leader = int(lane % kGroups * kGroup);
    const unsigned mine = __shfl_sync(~0u, m, leader);
    if (__shfl_sync(~0u, j, leader) == int(lane)) open = mine;
  }
  for (left = __ballot_sync(~0u, open && isLong); left; left &= left - 1) {
    const int j = __ffs(left) - 1;
    const unsigned m = ready(__shfl_sync(~0u, b, j), __shfl_sync(~0u, e, j), __shfl_sync(~0u, open, j), group, kGroups);
    if (int(lane) == j) open = m;
  }
  return open;
}

// pick puts on the stack the nodes that wait, have lanes that are ready, and are nearest to the sources. It returns how
// many. Only nodes with lanes that are ready stay listed; the others come back when something changes for them.
template <class Metric, class T>
__device__ unsigned WeightedBatch<Metric, T>::pick(unsigned hi, unsigned& waiting, unsigned wait) {
  const unsigned *from = s.lists + size_t(2 + (wait & 1)) * s.n, *were = s.lists + size_t(wait & 1) * s.n;  // the lists
                                                                                                            // of near
                                                                                                            // nodes are
                                                                                                            // free by
                                                                                                            // now
  unsigned *kept = s.lists + size_t(2 + (wait + 1 & 1)) * s.n, *masks = s.lists + size_t(wait + 1 & 1) * s.n;
  if (leads()) {
    s.team->kept[(wait + 2) % 3] = s.team->picked[(wait + 2) % 3] = 0;
    s.team->nearest[(wait + 2) % 3] = Metric::none();
  }
  // A warp takes few nodes at a time, one a group, where there are few: looks at their arcs are what takes long.
  const unsigned each = waiting > 2 * kGroups * allWarps() ? 32 : kGroups;
  for (unsigned i0 = firstWarp() * each; i0 < waiting; i0 += allWarps() * each) {
    const unsigned i = lane < each ? i0 + lane : waiting;
    unsigned v = 0, m = 0;
    bool awake = false;
    if (i < waiting) {
      v = from[i];
      m = s.pending[v] ? s.reached[v] & ~s.done[v] : 0;  // without arcs that are left, it is on the stack
      awake = s.state[v] & kAwake;
      if (!awake) m &= were[i];
    }
    const unsigned ready = lanesReady(v, awake ? m : 0);
    PROFILED(if (awake && m) note(kSeenLooks, 1), note(kSeenArcs, p.inOffsets[v + 1] - p.inOffsets[v]);)
    if (awake) m = ready;
    if (i < waiting) s.state[v] = m ? kWaits : 0;  // nobody else changes it between these barriers
    const unsigned at = append(m, &s.team->kept[wait % 3]);
    if (m) kept[at] = v, masks[at] = m;
    if (!__any_sync(~0u, m != 0)) continue;
    const Key least = leastOfWarp(m ? keyOf(v) : Metric::none());
    if (lane == 0) atomicMin(&s.team->nearest[wait % 3], least);
  }
  sync();
  waiting = now(&s.team->kept[wait % 3]);
  const Key limit = Metric::after(now(&s.team->nearest[wait % 3]), p.patience);
  for (unsigned i0 = firstWarp() * 32; i0 < waiting; i0 += allWarps() * 32) {
    unsigned v = 0, m = 0;
    if (i0 + lane < waiting) v = kept[i0 + lane], m = masks[i0 + lane];
    const bool on = m && keyOf(v) < limit;
    const unsigned at = hi + append(on, &s.team->picked[wait % 3]);
    if (on && at < p.cap) s.stackNodes[at] = v, s.stackMasks[at] = m;
  }
  sync();
  return now(&s.team->picked[wait % 3]);
}

// sumUp adds up the batch's pairs and distances, and says which sources failed. The leading block calls it.
template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::sumUp(unsigned long long first, unsigned count) {
  if (warp != 0) return;
  const unsigned failed = now(&s.team->failed);
  const bool on = lane < count && !(failed >> lane & 1);
  double sum = 0, reach = 0;
  for (unsigned k = 0; on && k < s.blocks; k++) {
    sum += now(&s.laneSums[size_t(k) * 2 * K + lane]);
    reach += now(&s.laneSums[size_t(k) * 2 * K + K + lane]);
  }
  if (p.endpoints && p.nodes && on) addNode(p.sources[first + lane], reach);
  sum = sumOfWarp(sum);
  reach = sumOfWarp(reach);
  if (lane != 0) return;
  addExact(p.totals, sum, p.totalUnit, p.totalFine);
  atomicAdd(p.pairs, (unsigned long long)reach);
}

// The parts of a batch are functions of their own, so that each has all 64 registers of a thread, and spills none for
// the others.
template <class Batch> __device__ __noinline__ void distancesApart(typename Batch::Shared& s, unsigned count) {
  isShared(&s);
  Batch(s).distances(count);
}
template <class Batch> __device__ __noinline__ void pathArcsApart(typename Batch::Shared& s) {
  isShared(&s);
  Batch(s).pathArcs();
}
template <class Batch> __device__ __noinline__ int countPathsApart(typename Batch::Shared& s, unsigned count) {
  isShared(&s);
  return Batch(s).countPaths(count);
}
template <class Batch> __device__ __noinline__ void backwardApart(typename Batch::Shared& s) {
  isShared(&s);
  Batch(s).backward();
}

// forward finds distances, counts and the order of a batch.
template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::forward(unsigned long long first, unsigned count) {
  PROFILED(long long begun = clock64();)
  start(first, count);
  if (leads()) s.ends[0] = 0;
  PROFILED(spent(kSpentStarting, begun); begun = clock64();)
  distancesApart<WeightedBatch>(s, count);
  PROFILED(spent(kSpentDistances, begun); begun = clock64();)
  tally();
  if (bounds) sync();
  pathArcsApart<WeightedBatch>(s);
  sync();
  PROFILED(spent(kSpentPathArcs, begun); begun = clock64();)
  const int rounds = countPathsApart<WeightedBatch>(s, count);
  PROFILED(spent(kSpentCounts, begun);)
  if (leads()) {
    unsigned failed = now(&s.team->failed);
    if (rounds < 0 || !Metric::exact && p.unique && unsigned(rounds) > p.unique) failed = s.team->failed = ~0u;
    s.rounds[0] = unsigned(max(rounds, 0));
    s.rounds[1] = failed;
    for (unsigned i = 0; i < count; i++) p.failed[first + i] = rounds < 0 ? 2 : failed >> i & 1;
  }
  sync();
  if (s.rank == 0) sumUp(first, count);
}
