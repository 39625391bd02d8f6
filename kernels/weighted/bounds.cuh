// Bounds by which searches by weights leave out rows that an arc changes nothing of. On dense graphs most are: with
// reals on an R-MAT graph four rows an arc are looked at without, of which few are lowered. See
// docs/design/batches-by-weights.md.
//
// A node v has
//   least, most  the least distance of its lanes, and a bound that none of them is over. Distances only fall, so that a
//                bound that was true once stays true, and one that is read late leaves out less.
//   owed[3]      by rounds modulo 3: the least of the distances that lanes of v were lowered to and that no arc has
//                passed on.
//
// An arc (v, w) of weight x is left out of a pass of v where low + x >= most of w, low being what the pass took from
// owed of v. Sums are monotone also as they are rounded, so that no lane at a distance of low or more lowers anything
// there. Lanes nearer than low were passed on before. For this to be so whatever the order of warps, and what they see
// of one another, holds
//
//   (1) In round r distances are owed in owed[(r+1) % 3] alone, by atomic minimum, for every lane that is lowered in
//       that round.
//   (2) A pass of v in round r takes, and clears, owed[r % 3] and owed[(r+2) % 3] alone: nobody else touches these
//       between the two barriers of the round, for a node is on the list once. All that they hold, and the distances
//       that it is about, were written before the barrier that began the round, so the row that the pass loads after it
//       holds these distances or lesser ones.
//   (3) Rounds that refill lower nothing, and pass nothing on. They gather the three in the one that the next round
//       takes.
//   (4) A node that owes is on the list of the next round (by kNear) or on that of far nodes (by kFar, which refill
//       alone takes away, and never from a node that owes).
//
// So what is owed in a round is taken by a pass that sees the row as it was then, or later; or it stays, with the node
// listed. A pass in round r leaves what was owed in rounds r - 2, r - 5 and so on, which shares its place with what is
// owed now: those lanes are passed on again from the far list. (A single word, cleared by the pass, forgets what
// another warp puts off after the pass has loaded its row: the node is then passed on for other lanes alone, and that
// lane's distances stay infinite at its neighbours. One run in six on delaunay_n16 found NaN that way.)
//
// Bounds, debts and keys have the upper halves of distances alone, those from below rounded down and those from above
// rounded up: one number of 32 bits goes through the registers of a group instead of two.
#pragma once
#include "weighted.cuh"

// upperHalf, roundedDown and roundedUp are of keys of 64 bits; all ones stay what they are.
__device__ inline unsigned upperHalf(unsigned long long x) { return unsigned(x >> 32); }
__device__ inline unsigned long long roundedDown(unsigned high) {
  return high == ~0u ? ~0ull : (unsigned long long)high << 32;
}
__device__ inline unsigned long long roundedUp(unsigned high) { return (unsigned long long)high << 32 | ~0u; }

template <class Metric, class T> __device__ auto WeightedBatch<Metric, T>::rangeOf(unsigned v) const -> Range {
  const ulonglong2 x = __ldcg((const ulonglong2*)s.keys + v);
  return {x.x, x.y};
}

// owesNothing clears a node's bounds and debts.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::owesNothing(unsigned v) {
  s.keys[2 * size_t(v) + 1] = Metric::none();
#pragma unroll
  for (int i = 0; i < 3; i++) s.when[4 * size_t(v) + i] = Metric::none();
}

template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::owe(unsigned v, Key changed, unsigned round) {
  lower(&s.when[4 * size_t(v) + (round + 1) % 3], changed);
}

// takeOwed takes what a pass in this round may, and leaves it, for the warps that get segments of the row, beside the
// debts.
template <class Metric, class T> __device__ auto WeightedBatch<Metric, T>::takeOwed(unsigned v, unsigned round) -> Key {
  Key *owed = s.when + 4 * size_t(v), *mine = owed + round % 3, *older = owed + (round + 2) % 3;
  const Key low = min(now(mine), now(older));
  *mine = *older = Metric::none();
  owed[3] = low;
  return low;
}

// allOwed gathers the debts of a node in a round that refills.
template <class Metric, class T> __device__ auto WeightedBatch<Metric, T>::allOwed(unsigned v, unsigned round) -> Key {
  Key* owed = s.when + 4 * size_t(v);
  const Key all = min(min(now(owed), now(owed + 1)), now(owed + 2));
#pragma unroll
  for (unsigned i = 0; i < 3; i++) owed[i] = i == (round + 1) % 3 ? all : Metric::none();
  return all;
}

// relaxBounded is relaxRow for lanes at low or beyond.
template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::relaxBounded(const Key* from, Key low, unsigned b, unsigned e, unsigned part,
    unsigned parts, unsigned round, Key limit, unsigned bucket) {
  constexpr int U = KeyRow::U;
  if (low == Metric::none()) e = b;
  for (unsigned base = b + part * kGroup; __any_sync(~0u, base < e); base += parts * kGroup) {
    unsigned w = 0, state = 0, key = 0, cap = 0, changed = ~0u;  // of this thread's arc: of its head's lanes the least,
                                                                 // a bound, and the least of those lowered
    Weight x = Weight(0);
    bool on = false;
    if (base + t < e) {
      w = p.outTargets[base + t], x = outWeights()[base + t];
      const Range there = rangeOf(w);
      on = Metric::plus(low, x) < there.most;
      if (on) state = now(&s.state[w]);
      key = upperHalf(there.least), cap = upperHalf(there.most);
    }
    unsigned left = __ballot_sync(~0u, on) >> group * kGroup & ((1u << kGroup) - 1);
    PROFILED(if (on) note(kSeenRelaxed, 1);)
    const int rank = __popc(left & ((1u << t) - 1));  // of this thread's arc among those that are on
#pragma unroll 1
    for (int first = 0; __any_sync(~0u, left != 0); first += U) {
      Key row[U][kOwn];
      unsigned at[U], least[U], most[U];
      int arc[U];
#pragma unroll
      for (int q = 0; q < U; q++) {
        arc[q] = __ffs(left) - 1;
        left &= left - 1;
        at[q] = __shfl_sync(~0u, w, arc[q], kGroup);
        KeyRow::template loadIf<true>(arc[q] >= 0, s.dist + size_t(at[q]) * K, t, row[q]);  // zeros are lowered by
                                                                                            // nothing
      }
#pragma unroll
      for (int q = 0; q < U; q++) {
        const Weight y = __shfl_sync(~0u, x, arc[q], kGroup);
        Key* head = KeyRow::own(s.dist + size_t(at[q]) * K, t);
        least[q] = ~0u, most[q] = 0;
#pragma unroll
        for (int k = 0; k < kOwn; k++) {
          const Key to = Metric::plus(from[k], y);
          const bool lowers = to < row[q][k] && to > from[k];  // NaN is over all distances, and none over NaN
          if (lowers) lower(head + KeyRow::place(k), to);
          if (lowers) least[q] = min(least[q], upperHalf(to));
          most[q] = max(most[q], upperHalf(lowers ? to : row[q][k]));
        }
      }
      const unsigned lowered =
          __shfl_sync(~0u, joined<U>(least, t, [](unsigned a, unsigned b) { return min(a, b); }), rank % U, kGroup);
      const unsigned bound =
          __shfl_sync(~0u, joined<U>(most, t, [](unsigned a, unsigned b) { return max(a, b); }), rank % U, kGroup);
      if (!on || rank < first || rank >= first + U) continue;
      changed = lowered;
      if (bound < cap) lower(&s.keys[2 * size_t(w) + 1], roundedUp(bound));
    }
    PROFILED(if (changed != ~0u) note(kSeenLowered, 1);)
    note(w, roundedDown(changed), roundedDown(key), state, round, limit, bucket);
  }
}

// boundRow sets the bound of a row whose distances d the lanes of a warp have. Lanes that do not reach the node count
// for nothing.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::boundRow(unsigned v, Key d) {
  static_assert(sizeof(Key) == 8, "halves of 32 bits");
  unsigned high = d == Metric::none() ? 0 : upperHalf(d);
#pragma unroll
  for (int k = 16; k > 0; k /= 2) high = max(high, __shfl_xor_sync(~0u, high, k));
  if (lane == 0) s.keys[2 * size_t(v) + 1] = roundedUp(high);
}

// pathRowBounded is pathRow; it loads rows that an arc may end, or begin, a shortest path at.
template <class Metric, class T>
template <bool Out, bool In>
__device__ void WeightedBatch<Metric, T>::pathRowBounded(
    unsigned v, const Key* from, unsigned b, unsigned e, unsigned part, unsigned parts) {
  constexpr int U = KeyRow::U;
  const unsigned* targets = Out ? p.outTargets : p.inTargets;
  const Weight* weights = Out ? outWeights() : inWeights();
  unsigned once = 0, twice = 0, entering = 0;
  Range own = {};
  if (b < e) own = rangeOf(v);
  for (unsigned base = b + part * kGroup; __any_sync(~0u, base < e); base += parts * kGroup) {
    unsigned w = 0, out = 0, in = 0;  // of this thread's arc: its head, and the lanes in which it ends a shortest path
    Weight x = Weight(0);
    bool on = false;
    if (base + t < e) {
      w = targets[base + t], x = weights[base + t];
      const Range there = rangeOf(w);
      if (Out) on = Metric::within(own.least, there.most, x, p.tolerance) || !Metric::lengthens(own.most, x);
      if (In) on |= Metric::within(there.least, own.most, x, p.tolerance);
      PROFILED(if (on) note(kSeenCompared, 1);)
    }
    unsigned left = __ballot_sync(~0u, on) >> group * kGroup & ((1u << kGroup) - 1);
    const int rank = __popc(left & ((1u << t) - 1));
#pragma unroll 1
    for (int first = 0; __any_sync(~0u, left != 0); first += U) {
      Key row[U][kOwn];
      int arc[U];
#pragma unroll
      for (int q = 0; q < U; q++) {
        arc[q] = __ffs(left) - 1;
        left &= left - 1;
        const unsigned u = __shfl_sync(~0u, w, arc[q], kGroup);
        KeyRow::loadIf(arc[q] >= 0, s.dist + size_t(u) * K, t, row[q]);
      }
      unsigned bits = 0;  // the thread's lanes in which arc q ends a shortest path: from 4 q on, and entering from 4 (U
                          // + q) on
#pragma unroll
      for (int q = 0; q < U; q++) {
        const Weight y = __shfl_sync(~0u, x, arc[q], kGroup);
        const unsigned u = __shfl_sync(~0u, w, arc[q], kGroup);
        if (arc[q] < 0) continue;
#pragma unroll
        for (int k = 0; k < kOwn; k++) {
          if (Out && Metric::endsPath(from[k], row[q][k], y, p.tolerance)) bits |= 1u << (4 * q + k);
          if (In && Metric::endsPath(row[q][k], from[k], y, p.tolerance)) bits |= 1u << (4 * (U + q) + k);
          if (Out && from[k] != Metric::none() && u != v && !Metric::longer(from[k], Metric::plus(from[k], y), y))
            atomicMax(p.lost, (long long)(base + arc[q]) + 1);
        }
        const unsigned enters = bits >> 4 * (U + q) & 15;
        twice |= once & enters;
        once |= enters;
      }
      const unsigned mask = KeyRow::mask(transposed(bits, t));  // thread q has that of arc q, thread U + q the lanes
                                                                // that enter along it
      const unsigned leaves = __shfl_sync(~0u, mask, rank - first, kGroup),
                     enters = __shfl_sync(~0u, mask, U + rank - first, kGroup);
      if (on && rank >= first && rank < first + U) out = leaves, in = enters;
    }
    if (base + t >= e) continue;
    if (Out) s.outPaths[base + t] = out;
    if (In) s.inPaths[base + t] = in, entering += in != 0;
  }
  entered<In>(v, entering, once, twice, parts);
}
