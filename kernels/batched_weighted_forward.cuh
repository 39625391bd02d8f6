// Distances and counts of paths of a batch. See batched_weighted.cuh.
#pragma once
#include "batched_weighted.cuh"

// distances relaxes arcs until nothing changes. The key of a node is its least distance over all lanes, and buckets hold
// nodes by key: a lane that reaches a node late, because its source lies farther back, is passed on at once to where the
// others are, so that beyond the sources a node is done with for all lanes together.
//
// Several warps may lower a row at a time; each reads what was there, or what another has written meanwhile. Either way the
// row ends at its least, and whoever lowered it has listed the node for the next round. Lengths only grow along a path, also
// by rounded addition, so that the end does not depend on the order.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::distances(unsigned count) {
  Key limit = Metric::after(0, p.width);
  unsigned near = count, round = 0, bucket = 0;
  for (;;) {
    if (near > 0) {
      relax(round, near, limit, bucket);
    } else {
      const unsigned far = now(&s.team->far[bucket % 3]);
      if (far == 0) return;
      limit = Metric::after(max(limit, now(&s.team->least[bucket % 3])), p.width);
      refill(round, bucket, far, limit);
      bucket++;
    }
    if (leads()) s.team->near[(round + 2) % 3] = 0;
    sync();
    near = now(&s.team->near[++round % 3]);
  }
}

template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::relax(unsigned round, unsigned count, Key limit, unsigned bucket) {
  const unsigned* list = s.lists + size_t(round & 1) * s.n;
  for (unsigned i = firstWarp(); i < count; i += allWarps()) {
    const unsigned v = list[i], b = p.outOffsets[v], e = p.outOffsets[v + 1];
    if (lane == 0) {
      atomicAnd(&s.state[v], ~(kNear << (round & 1)));
      s.reached[v] = round + 1;
      s.when[v] = Metric::none();
    }
    if (!later(e - b, v)) relaxRow(v, b, e, round, limit, bucket);
  }
  eachHub([&](unsigned v) {
    unsigned b = p.outOffsets[v], e = p.outOffsets[v + 1];
    share(b, e);
    relaxRow(v, b, e, round, limit, bucket);
  });
}

template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::relaxRow(unsigned v, unsigned b, unsigned e, unsigned round, Key limit, unsigned bucket) {
  const Key from = now(row(v));
  for (unsigned base = b; base < e; base += 32) {
    const int count = int(min(32u, e - base));
    unsigned w = 0;
    Weight x = Weight(0);
    if (int(lane) < count) w = p.outTargets[base + lane], x = outWeights[base + lane];
    Key mine = Metric::none(), changed = Metric::none();  // of this thread's arc: the least of all lanes, and of those lowered
    for (int j = 0; j < count; j += U) {
      Key to[U], there[U];
      Key* at[U];
#pragma unroll
      for (int q = 0; q < U; q++) {
        at[q] = row(__shfl_sync(~0u, w, j + q));
        to[q] = Metric::plus(from, __shfl_sync(~0u, x, j + q));
        if (from == Metric::none()) to[q] = from;
        there[q] = 0;
        if (j + q < count) there[q] = now(at[q]);
      }
#pragma unroll
      for (int q = 0; q < U; q++) {
        const bool better = to[q] < there[q] && to[q] > from;  // 32 bits may wrap for paths that are not shortest
        if (!__any_sync(~0u, better)) continue;
        if (better) atomicMin(at[q], to[q]);
        const Key key = leastOfWarp(better ? to[q] : there[q]), lowered = leastOfWarp(better ? to[q] : Metric::none());
        if (int(lane) == j + q) mine = key, changed = lowered;
      }
    }
    note(w, mine, changed, round, limit, bucket);
  }
}

// note lists the nodes whose rows were lowered. All threads of the warp call it, with a node each, or with no key.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::note(unsigned w, Key key, Key changed, unsigned round, Key limit, unsigned bucket) {
  const bool on = key != Metric::none();
  if (!__any_sync(~0u, on)) return;
  bool near = false, far = false, beyond = false;
  if (on) {
    atomicMin(&s.keys[w], key);
    key = max(key, Metric::before(changed, p.slack));
    beyond = key >= limit;
    if (beyond) {
      atomicMin(&s.when[w], changed);
      atomicMax(&s.pending[w], round + 1);
    }
    const unsigned bit = beyond ? kFar : kNear << (round + 1 & 1);
    const bool fresh = !(atomicOr(&s.state[w], bit) & bit);
    near = fresh && !beyond;
    far = fresh && beyond;
  }
  const unsigned nearAt = append(near, &s.team->near[(round + 1) % 3]);
  if (near) s.lists[size_t(round + 1 & 1) * s.n + nearAt] = w;
  const unsigned farAt = append(far, &s.team->far[bucket % 3]);
  if (far) s.lists[size_t(2 + (bucket & 1)) * s.n + farAt] = w;
  if (!__any_sync(~0u, beyond)) return;
  const Key least = leastOfWarp(beyond ? key : Metric::none());
  if (lane == 0) atomicMin(&s.team->least[bucket % 3], least);
}

// refill moves the far nodes under the new limit to the next round, and drops those that were passed on since they were put
// off. What was put off in the round that passed the node on may have come too late for it.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::refill(unsigned round, unsigned bucket, unsigned count, Key limit) {
  const unsigned* from = s.lists + size_t(2 + (bucket & 1)) * s.n;
  unsigned *nearList = s.lists + size_t(round + 1 & 1) * s.n, *farList = s.lists + size_t(2 + (bucket + 1 & 1)) * s.n;
  if (leads()) {
    s.team->far[(bucket + 2) % 3] = 0;
    s.team->least[(bucket + 2) % 3] = Metric::none();
  }
  for (unsigned i0 = firstWarp() * 32; i0 < count; i0 += allWarps() * 32) {
    const unsigned i = i0 + lane;
    unsigned v = 0;
    Key key = Metric::none();
    bool near = false, far = false;
    if (i < count) {
      v = from[i];
      key = s.keys[v];
      const Key when = s.when[v];  // none where the round that passed the node on has cleared what it did not see
      if (when != Metric::none()) key = max(key, Metric::before(when, p.slack));
      const bool left = s.pending[v] >= s.reached[v];
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

// tightArcs finds the lanes in which an arc ends a shortest path, once, so that what follows reads 4 bytes an arc to know
// which rows it needs.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::tightArcs() {
  if (p.inTargets == p.outTargets) {
    tightRows<true, true>(true);
  } else {
    tightRows<true, false>(true);
    tightRows<false, true>(false);
  }
}

template <class Metric, class T> template <bool Out, bool In> __device__ void WeightedBatch<Metric, T>::tightRows(bool totals) {
  const unsigned* offsets = Out ? p.outOffsets : p.inOffsets;
  double sum = 0;
  unsigned reach = 0;
  for (unsigned v = firstWarp(); v < s.n; v += allWarps()) {
    const Key from = *row(v);
    const bool on = from != Metric::none();
    const unsigned mask = __ballot_sync(~0u, on);
    if (In && lane == 0) s.pending[v] = 0;
    if (totals) {
      if (lane == 0) s.reached[v] = mask;
      if (on && from != 0) {
        sum += Metric::real(from, p.mul, p.div);
        reach++;
      }
    }
    if (!mask) continue;
    const unsigned b = offsets[v], e = offsets[v + 1];
    // With lengths that only 128 bits hold, one warp must see all of the node's arcs.
    if (p.unique || !later(e - b, v)) tightRow<Out, In>(v, b, e, from);
  }
  if (!p.unique)
    eachHub([&](unsigned v) {
      unsigned b = offsets[v], e = offsets[v + 1];
      share(b, e);
      tightRow<Out, In>(v, b, e, *row(v));
    });
  if (!totals) return;
  // Which nodes a thread adds up does not change from run to run.
  s.partial[warp][lane] = sum;
  s.partialCounts[warp][lane] = reach;
  __syncthreads();
  if (warp != 0) return;
  for (unsigned k = 1; k < warps; k++) {
    sum += s.partial[k][lane];
    reach += s.partialCounts[k][lane];
  }
  s.laneSums[size_t(s.rank) * 2 * K + lane] = sum;
  s.laneSums[size_t(s.rank) * 2 * K + K + lane] = double(reach);
}

// tightRow looks at the arcs [b, e) of v, which leave it and, where In is set, enter it.
template <class Metric, class T> template <bool Out, bool In> __device__ void WeightedBatch<Metric, T>::tightRow(unsigned v, unsigned b, unsigned e, Key from) {
  const unsigned* targets = Out ? p.outTargets : p.inTargets;
  const Weight* weights = Out ? outWeights : inWeights;
  const bool on = from != Metric::none();
  unsigned once = 0, twice = 0, entering = 0;
  for (unsigned base = b; base < e; base += 32) {
    const int count = int(min(32u, e - base));
    unsigned w = 0, outMask = 0, inMask = 0;
    Weight x = Weight(0);
    if (int(lane) < count) w = targets[base + lane], x = weights[base + lane];
    for (int j = 0; j < count; j += U) {
      Key there[U];
#pragma unroll
      for (int q = 0; q < U; q++) {
        there[q] = Metric::none();
        const unsigned u = __shfl_sync(~0u, w, j + q);
        if (j + q < count) there[q] = *row(u);
      }
#pragma unroll
      for (int q = 0; q < U; q++) {
        const Weight y = __shfl_sync(~0u, x, j + q);
        if (Out) {
          const unsigned m = __ballot_sync(~0u, j + q < count && on && Metric::tight(from, there[q], y, p.tolerance));
          if (int(lane) == j + q) outMask = m;
          if constexpr (!Metric::exact) {
            const unsigned u = __shfl_sync(~0u, w, j + q);
            const bool lost = j + q < count && on && u != v && !Metric::longer(from, Metric::plus(from, y), y);
            if (lost) atomicMax(p.lost, (long long)(base + j + q) + 1);
          }
        }
        if (In) {
          const unsigned m = __ballot_sync(~0u, j + q < count && on && Metric::tight(there[q], from, y, p.tolerance));
          if (int(lane) == j + q) inMask = m;
          twice |= once & m;
          once |= m;
        }
      }
    }
    if (int(lane) < count) {
      if (Out) s.outTight[base + lane] = outMask;
      if (In) s.inTight[base + lane] = inMask;
    }
    if (In) entering += __popc(__ballot_sync(~0u, inMask != 0));
  }
  if (!In || lane != 0) return;
  if (entering) atomicAdd(&s.pending[v], entering);
  if (p.unique && twice) atomicOr(&s.team->failed, twice);
}

// countPaths counts the paths of all lanes and returns the number of rounds, -1 when the stack or the list of rounds is too
// short. A node is counted when all the lanes that reach it are ready, that is, when all tight arcs that enter it come from
// counted (node, lane)s; so most nodes make one entry for all lanes. Between the sources, lanes wait for one another in a
// circle: then those nearest to the sources are counted for the lanes that are ready.
template <class Metric, class T> __device__ int WeightedBatch<Metric, T>::countPaths(unsigned count) {
  unsigned lo = 0, hi = count, wait = 0;
  bool given = true;
  for (unsigned round = 0;; round++) {
    if (leads()) {
      s.ends[round + 1] = hi;
      s.team->found[(round + 1) % 3] = 0;
    }
    settle(lo, hi, given, round, wait);
    sync();
    unsigned c = now(&s.team->found[round % 3]);
    given = c == 0;
    if (given) c = pick(hi, wait++);
    if (c == 0) return int(round) + 1;
    if (hi + c > p.cap || round + 1 >= p.roundCap) return -1;
    lo = hi, hi += c;
  }
}

// settle counts the entries [lo, hi), whose lanes are on the stack where they are given, and puts what gets ready on the
// stack. An entry is a warp's, or a block's, alone, and no two entries of a round are of one node.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::settle(unsigned lo, unsigned hi, bool given, unsigned round, unsigned wait) {
  for (unsigned i = lo + firstWarp(); i < hi; i += allWarps()) {
    const unsigned v = s.stackNodes[i], before = s.done[v], m = given ? s.stackMasks[i] : s.reached[v] & ~before;
    const unsigned ib = p.inOffsets[v], ie = p.inOffsets[v + 1], ob = p.outOffsets[v], oe = p.outOffsets[v + 1];
    __syncwarp();
    if (lane == 0) {
      if (!given) s.stackMasks[i] = m;
      if (round > 0) s.done[v] = before | m;
    }
    if (later(max(ie - ib, oe - ob), i)) continue;
    if (round > 0) counted(v, m, gatherCounts(ib, ie, m));
    notify(ob, oe, m, before | m, hi, round, wait);
  }
  eachHub([&](unsigned i) {
    const unsigned v = s.stackNodes[i], m = s.stackMasks[i], all = s.done[v];
    unsigned b = p.inOffsets[v], e = p.inOffsets[v + 1];
    share(b, e);
    if (round > 0) {
      const double sum = blockSum(gatherCounts(b, e, m));
      if (warp == 0) counted(v, m, sum);
    }
    b = p.outOffsets[v], e = p.outOffsets[v + 1];
    share(b, e);
    notify(b, e, m, all, hi, round, wait);
  });
}

// gatherCounts adds up, in the order of the arcs, the counts at the tails of those of [b, e) that are tight in lanes of m.
template <class Metric, class T> __device__ double WeightedBatch<Metric, T>::gatherCounts(unsigned b, unsigned e, unsigned m) const {
  double sum = 0;
  for (unsigned base = b; base < e; base += 32) {
    unsigned u = 0, tight = 0;
    if (base + lane < e) {
      tight = s.inTight[base + lane] & m;
      if (tight) u = p.inTargets[base + lane];
    }
    unsigned left = __ballot_sync(~0u, tight != 0);
    while (left) {
      T x[U];
#pragma unroll
      for (int q = 0; q < U; q++) {
        const int j = left ? __ffs(left) - 1 : 0;
        const unsigned from = __shfl_sync(~0u, u, j), lanes = left ? __shfl_sync(~0u, tight, j) : 0;
        left &= left - 1;
        x[q] = 0;
        if (lanes >> lane & 1) x[q] = *countRow(from);
      }
#pragma unroll
      for (int q = 0; q < U; q++) sum += double(x[q]);
    }
  }
  return sum;
}

template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::counted(unsigned v, unsigned m, double sum) {
  const bool on = m >> lane & 1;
  if (on) *countRow(v) = T(sum);
  const unsigned over = __ballot_sync(~0u, on && !(sum <= CountRange<T>::high()));
  if (over && lane == 0) atomicOr(&s.team->failed, over);
}

// notify tells the heads of arcs [b, e) of a node that its lanes m are counted; all are those that are now.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::notify(unsigned b, unsigned e, unsigned m, unsigned all, unsigned hi, unsigned round, unsigned wait) {
  for (unsigned base = b; base < e; base += 32) {
    unsigned w = 0, tight = 0;
    if (base + lane < e) tight = s.outTight[base + lane];
    bool full = false, waits = false;
    if (tight & m) {
      w = p.outTargets[base + lane];
      if (!(tight & ~all)) full = atomicSub(&s.pending[w], 1) == 1;
      if (!full) waits = !(atomicOr(&s.state[w], kWaits) & kWaits);
    }
    const unsigned at = hi + append(full, &s.team->found[round % 3]);
    if (full && at < p.cap) s.stackNodes[at] = w;
    const unsigned place = append(waits, &s.team->waits[wait % 3]);
    if (waits) s.lists[size_t(2 + (wait & 1)) * s.n + place] = w;
  }
}

// ready returns the lanes of v that can be counted.
template <class Metric, class T> __device__ unsigned WeightedBatch<Metric, T>::ready(unsigned v) const {
  unsigned m = s.reached[v] & ~s.done[v];
  for (unsigned k = p.inOffsets[v]; m && k < p.inOffsets[v + 1]; k++) {
    const unsigned tight = s.inTight[k] & m;
    if (tight) m &= ~(tight & ~s.done[p.inTargets[k]]);
  }
  return m;
}

// pick puts on the stack the nodes that wait, have lanes that are ready, and are nearest to the sources. It returns how many.
template <class Metric, class T> __device__ unsigned WeightedBatch<Metric, T>::pick(unsigned hi, unsigned wait) {
  const unsigned count = now(&s.team->waits[wait % 3]);
  if (count == 0) return 0;
  const unsigned* from = s.lists + size_t(2 + (wait & 1)) * s.n;
  unsigned *kept = s.lists + size_t(2 + (wait + 1 & 1)) * s.n, *masks = s.lists;  // the lists of near nodes are free by now
  if (leads()) {
    s.team->waits[(wait + 2) % 3] = s.team->picked[(wait + 2) % 3] = 0;
    s.team->nearest[(wait + 2) % 3] = Metric::none();
  }
  for (unsigned i0 = firstWarp() * 32; i0 < count; i0 += allWarps() * 32) {
    unsigned v = 0, m = 0;
    bool keep = false;
    if (i0 + lane < count) {
      v = from[i0 + lane];
      keep = s.reached[v] & ~s.done[v];
      if (keep) m = ready(v);
      else s.state[v] = 0;  // nobody else changes it between these barriers
    }
    const unsigned at = append(keep, &s.team->waits[(wait + 1) % 3]);
    if (keep) kept[at] = v, masks[at] = m;
    if (!__any_sync(~0u, m != 0)) continue;
    const Key least = leastOfWarp(m ? s.keys[v] : Metric::none());
    if (lane == 0) atomicMin(&s.team->nearest[wait % 3], least);
  }
  sync();
  const unsigned left = now(&s.team->waits[(wait + 1) % 3]);
  const Key nearest = now(&s.team->nearest[wait % 3]), limit = Metric::after(nearest, p.patience);
  for (unsigned i0 = firstWarp() * 32; i0 < left; i0 += allWarps() * 32) {
    unsigned v = 0, m = 0;
    if (i0 + lane < left) v = kept[i0 + lane], m = masks[i0 + lane];
    const bool on = m && s.keys[v] < limit;
    const unsigned at = hi + append(on, &s.team->picked[wait % 3]);
    if (on && at < p.cap) s.stackNodes[at] = v, s.stackMasks[at] = m;
  }
  sync();
  return now(&s.team->picked[wait % 3]);
}

// sumUp adds up the batch's pairs and distances, and says which sources failed. The leading block calls it.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::sumUp(unsigned long long first, unsigned count) {
  if (warp != 0) return;
  const unsigned failed = now(&s.team->failed);
  const bool on = lane < count && !(failed >> lane & 1);
  double sum = 0, reach = 0;
  for (unsigned k = 0; on && k < s.blocks; k++) {
    sum += now(&s.laneSums[size_t(k) * 2 * K + lane]);
    reach += now(&s.laneSums[size_t(k) * 2 * K + K + lane]);
  }
  if (p.endpoints && s.nodes && on) accumulate(&s.nodes[p.sources[first + lane]], reach);
  sum = sumOfWarp(sum);
  reach = sumOfWarp(reach);
  if (lane != 0) return;
  p.totals[s.teamIndex] += sum;
  p.pairs[s.teamIndex] += (unsigned long long)reach;
}

// forward finds distances, counts and the order of a batch.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::forward(unsigned long long first, unsigned count) {
  start(first, count);
  if (leads()) s.ends[0] = 0;
  distances(count);
  tightArcs();
  sync();
  const int rounds = countPaths(count);
  if (leads()) {
    unsigned failed = now(&s.team->failed);
    if (rounds < 0 || !Metric::exact && p.unique && rounds > certainRounds) failed = s.team->failed = ~0u;
    s.rounds[0] = unsigned(max(rounds, 0));
    s.rounds[1] = failed;
    for (unsigned i = 0; i < count; i++) p.failed[first + i] = rounds < 0 ? 2 : failed >> i & 1;
  }
  sync();
  if (s.rank == 0) sumUp(first, count);
  if (p.endpoints) sync();  // it adds to scores, and so does the backward pass
}
