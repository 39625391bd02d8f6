// The backward pass of a batch by weights, folds of its distances, and whole batches. See batched_weighted.cuh.
#pragma once
#include "batched_weighted_forward.cuh"
#include "folds.cuh"

// addArcs adds the sums over the warp of part[q] to the sums of edges[arcs[q]], of four arcs at a time: thread q of the warp
// ends with that of arc q. Nobody else has these arcs before the next barrier.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::addArcs(const double* part, const unsigned* arcs, int count) {
  const bool odd = lane & 1, upper = lane & 2;
  const double a = (odd ? part[1] : part[0]) + __shfl_xor_sync(~0u, odd ? part[0] : part[1], 1);
  const double b = (odd ? part[3] : part[2]) + __shfl_xor_sync(~0u, odd ? part[2] : part[3], 1);
  double sum = (upper ? b : a) + __shfl_xor_sync(~0u, upper ? a : b, 2);
#pragma unroll
  for (int k = 4; k < 32; k *= 2) sum += __shfl_xor_sync(~0u, sum, k);
  const unsigned arc = upper ? (odd ? arcs[3] : arcs[2]) : (odd ? arcs[1] : arcs[0]);
  if (int(lane) < count) accumulate(&s.edges[arc], sum);
}

// gatherShares adds up, in the order of the arcs, the shares at the heads of those of [b, e) that are tight in lanes of m.
template <class Metric, class T> __device__ double WeightedBatch<Metric, T>::gatherShares(unsigned b, unsigned e, unsigned m, double own) {
  static_assert(U == 4, "addArcs takes four");
  double sum = 0;
  for (unsigned base = b; base < e; base += 32) {
    unsigned w = 0, tight = 0;
    if (base + lane < e) {
      tight = s.outTight[base + lane] & m;
      if (tight) w = p.outTargets[base + lane];
    }
    unsigned left = __ballot_sync(~0u, tight != 0);
    while (left) {
      T x[U];
      unsigned arcs[U];
      const int count = min(U, __popc(left));
#pragma unroll
      for (int q = 0; q < U; q++) {
        const int j = left ? __ffs(left) - 1 : 0;
        const unsigned to = __shfl_sync(~0u, w, j), lanes = left ? __shfl_sync(~0u, tight, j) : 0;
        left &= left - 1;
        arcs[q] = base + j;
        x[q] = 0;
        if (lanes >> lane & 1) x[q] = *countRow(to);
      }
      double part[U];
#pragma unroll
      for (int q = 0; q < U; q++) {
        sum += double(x[q]);
        part[q] = own * double(x[q]);
      }
      if (s.edges) addArcs(part, arcs, count);
    }
  }
  return sum;
}

// finish turns the counts of the lanes m of v into shares.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::finish(unsigned v, unsigned m, double own, double sum, int round) {
  if (round == 0) return;  // the sources themselves
  const bool on = m >> lane & 1;
  double dependency = 0;
  if (on) {
    const double demand = s.demands ? s.demands[size_t(v) * K + lane] : p.masses ? p.masses[v] * s.masses[lane] : 1;
    dependency = own * sum;
    *countRow(v) = T((p.stress ? 1 : demand / own) + sum);
  }
  if (!s.nodes) return;
  double total = sumOfWarp(dependency);
  if (p.endpoints) total += __popc(m);
  if (lane == 0 && total != 0) accumulate(&s.nodes[v], total);
}

template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::backward() {
  const unsigned alive = ~s.rounds[1];
  for (int round = int(s.rounds[0]) - 1; round >= (s.edges ? 0 : 1); round--) {
    const unsigned lo = s.ends[round], hi = s.ends[round + 1];
    for (unsigned i = lo + firstWarp(); i < hi; i += allWarps()) {
      const unsigned m = s.stackMasks[i] & alive;
      if (!m) continue;
      const unsigned v = s.stackNodes[i], b = p.outOffsets[v], e = p.outOffsets[v + 1];
      if (later(e - b, i)) continue;
      const double own = m >> lane & 1 ? double(*countRow(v)) : 0;
      finish(v, m, own, gatherShares(b, e, m, own), round);
    }
    eachHub([&](unsigned i) {
      const unsigned m = s.stackMasks[i] & alive, v = s.stackNodes[i];
      unsigned b = p.outOffsets[v], e = p.outOffsets[v + 1];
      share(b, e);
      const double own = m >> lane & 1 ? double(*countRow(v)) : 0;
      const double sum = blockSum(gatherShares(b, e, m, own));
      if (warp == 0) finish(v, m, own, sum, round);
    });
    sync();
  }
}

template <class Metric, class T> __device__ double WeightedBatch<Metric, T>::folded(double d) const {
  return p.fold == foldInverse ? 1 / d : d;
}

template <class Metric, class T> __device__ double WeightedBatch<Metric, T>::foldOfWarp(double x) const {
  if (p.fold != foldGreatest) return sumOfWarp(x);
#pragma unroll
  for (int k = 16; k > 0; k /= 2) x = fmax(x, __shfl_xor_sync(~0u, x, k));
  return x;
}

// fold adds the batch's distances to the sums of nodes, and of the arcs of edges: of the two of an undirected one, that
// which leaves the lesser node. Each sum is a warp's alone; the lane whose source is the node itself, at distance 0, is left out.
// Sources of the launch before this batch are so many.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::fold(unsigned long long first, unsigned count, unsigned long long before) {
  const bool both = p.inTargets == p.outTargets;
  const auto put = [&](double* sum, unsigned* many, double x, unsigned lanes) {
    if (lane != 0 || !lanes) return;
    *sum = p.fold == foldGreatest ? fmax(*sum, x) : *sum + x;
    *many += __popc(lanes);
  };
  double sum = 0;
  unsigned reach = 0;
  for (unsigned v = firstWarp(); v < s.n; v += allWarps()) {
    const Key own = *row(v);
    const bool on = own != Metric::none() && own != 0;
    const double d = Metric::real(own, p.mul, p.div);
    if (on) sum += d, reach++;
    if (p.rows && lane < count) p.rows[(before + lane) * p.n + p.order[v]] = own == Metric::none() ? infinite() : d;
    const unsigned lanes = __ballot_sync(~0u, on);
    if (s.nodes) put(&s.nodes[v], &s.nodeCounts[v], foldOfWarp(on ? folded(d) : 0), lanes);
    if (!Metric::exact || s.edges) {
      for (unsigned base = p.outOffsets[v]; base < p.outOffsets[v + 1]; base += 32) {
        const int arcs = int(min(32u, p.outOffsets[v + 1] - base));
        unsigned w = 0;
        Weight x = Weight(0);
        if (int(lane) < arcs) w = p.outTargets[base + lane], x = outWeights[base + lane];
        for (int j = 0; j < arcs; j++) {
          const unsigned u = __shfl_sync(~0u, w, j);
          const Weight y = __shfl_sync(~0u, x, j);
          if constexpr (!Metric::exact) {
            const bool lost = own != Metric::none() && u != v && !Metric::longer(own, Metric::plus(own, y), y);
            if (lost) atomicMax(p.lost, (long long)(base + j) + 1);
          }
          if (!s.edges || u == v || both && u < v) continue;
          const Key there = *row(u), nearer = min(own, there);
          const bool counts = own != 0 && there != 0 && nearer != Metric::none();
          const unsigned ends = __ballot_sync(~0u, counts);
          put(&s.edges[base + j], &s.edgeCounts[base + j], foldOfWarp(counts ? folded(Metric::real(nearer, p.mul, p.div)) : 0), ends);
        }
      }
    }
  }
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
  sync();
  if (s.rank == 0) sumUp(first, count);
}

// weightedBatches runs the sources numbered first to last: batch i by team i modulo their number.
template <class Metric, class T> __device__ void weightedBatches(const BatchedWeighted* args, unsigned long long first, unsigned long long last) {
  using B = WeightedBatch<Metric, T>;
  __shared__ typename B::Shared shared;
  B batch(shared);
  batch.join(args);
  const unsigned long long teams = gridDim.x / shared.blocks;
  for (unsigned long long at = first + B::K * shared.teamIndex; at < last; at += B::K * teams) {
    batch.take(at / B::K);
    if (shared.p.passes & kForward) {
      batch.forward(at, unsigned(min((unsigned long long)B::K, last - at)));
    } else {
      if (shared.p.masses && threadIdx.x < min((unsigned long long)B::K, last - at)) shared.masses[threadIdx.x] = shared.p.masses[shared.p.sources[at + threadIdx.x]];
      __syncthreads();
    }
    if (shared.p.passes & kBackward) batch.backward();
    batch.sync();
  }
}

// weightedFolds does the same for folds of distances.
template <class Metric> __device__ void weightedFolds(const BatchedWeighted* args, unsigned long long first, unsigned long long last) {
  using B = WeightedBatch<Metric, float>;
  __shared__ typename B::Shared shared;
  B batch(shared);
  batch.join(args);
  const unsigned long long teams = gridDim.x / shared.blocks;
  for (unsigned long long at = first + B::K * shared.teamIndex; at < last; at += B::K * teams) {
    const unsigned count = unsigned(min((unsigned long long)B::K, last - at));
    batch.take(at / B::K);
    batch.start(at, count);
    batch.distances(count);
    batch.fold(at, count, at - first);
    batch.sync();
  }
}
