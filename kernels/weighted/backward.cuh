// The backward pass of a batch by weights, folds of its distances, and whole batches. See weighted.cuh.
#pragma once
#include "../device/fold.cuh"
#include "forward.cuh"

// gatherShares adds to sum the shares at the heads of those of the arcs [b, e) that end shortest paths in lanes of m,
// and to the sums of these arcs own times the share. Nobody else has these arcs before the next barrier.
template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::gatherShares(
    unsigned b, unsigned e, unsigned part, unsigned parts, unsigned m, const T* own, double* sum) {
  constexpr int U = CountRow::U;
  for (unsigned base = b + part * kGroup; __any_sync(~0u, base < e); base += parts * kGroup) {
    unsigned w = 0, ending = 0;
    if (base + t < e) ending = s.outPaths[base + t] & m, w = p.outTargets[base + t];
    unsigned left = __ballot_sync(~0u, ending != 0) >> group * kGroup & ((1u << kGroup) - 1);
    while (__any_sync(~0u, left != 0)) {
      T y[U][kOwn];
      unsigned bits[U];
      int arc = -1;  // whose sum this thread gets
#pragma unroll
      for (int q = 0; q < U; q++) {
        const int j = left ? __ffs(left) - 1 : 0;
        const unsigned to = __shfl_sync(~0u, w, j, kGroup), lanes = __shfl_sync(~0u, ending, j, kGroup);
        bits[q] = left ? CountRow::bits(lanes, t) : 0;
        if (left && t == q) arc = j;
        left &= left - 1;
        CountRow::loadIf(bits[q], countRow(to), t, y[q]);
        PROFILED(if (t == 0 && lanes) note(kSeenRows, 1);)
      }
      double share[U];
#pragma unroll
      for (int q = 0; q < U; q++) {
        share[q] = 0;
#pragma unroll
        for (int i = 0; i < kOwn; i++)
          if (bits[q] >> i & 1) {
            sum[i] += double(y[q][i]);
            share[q] += double(own[i]) * double(y[q][i]);
          }
      }
      if (!p.edges) continue;
      const double flow = joined<U>(share, t, [](double a, double b) { return a + b; });
      if (arc >= 0) addArc(base + arc, flow);
    }
  }
}

// loadOwn loads the counts of v, 0 in lanes not of m.
template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::loadOwn(unsigned v, unsigned m, T* own) const {
  const unsigned bits = CountRow::bits(m, t);
  if (bits) CountRow::load(countRow(v), t, own);
#pragma unroll
  for (int i = 0; i < kOwn; i++)
    if (!(bits >> i & 1)) own[i] = 0;
}

// finish turns the counts of the lanes m of v into shares. All threads of the warp call it; m is 0 in groups without a
// node.
template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::finish(unsigned v, unsigned m, const T* own, const double* sum, int round) {
  if (round == 0) return;  // the sources themselves
  const unsigned bits = CountRow::bits(m, t);
  double total = 0;
  T x[kOwn];
#pragma unroll
  for (int i = 0; i < kOwn; i++) {
    x[i] = 0;
    if (!(bits >> i & 1)) continue;
    const int of = CountRow::lane(t, i);
    const double demand = s.demands ? s.demands[size_t(v) * K + of] : p.masses ? p.masses[v] * s.masses[of] : 1;
    total += double(own[i]) * sum[i];
    x[i] = T((p.stress ? 1 : demand / double(own[i])) + sum[i]);
  }
  CountRow::store(countRow(v), t, bits, x);
  if (!p.nodes) return;
#pragma unroll
  for (int k = 1; k < kGroup; k *= 2) total += __shfl_xor_sync(~0u, total, k);
  if (p.endpoints) total += __popc(m);
  if (t == 0 && total != 0) addNode(v, total);
}

template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::backward() {
  const unsigned alive = ~s.rounds[1];
  for (int round = int(s.rounds[0]) - 1; round >= (p.edges ? 0 : 1); round--) {
    eachEntry(s.ends[round], s.ends[round + 1], round, [&](unsigned i, Scale scale, unsigned) {
      unsigned v = 0, m = 0, b = 0, e = 0;
      if (i != ~0u) {
        v = s.stackNodes[i], m = s.stackMasks[i] & alive;
        b = p.outOffsets[v], e = p.outOffsets[v + 1];
      }
      if (!m) e = b;
      if (scale == ofGroup && leave(i, e - b, round, toBlock)) m = 0, e = b;
      T own[kOwn];
      double sum[kOwn] = {};
      loadOwn(v, m, own);
      gatherShares(b, e, part(scale), parts(scale), m, own, sum);
      wholeSum(sum, scale);
      finish(v, part(scale) == 0 ? m : 0, own, sum, round);
    });
    sync();
  }
}

template <class Metric, class T> __device__ double WeightedBatch<Metric, T>::folded(double d) const {
  return p.fold == foldInverse ? 1 / d : d;
}

// standingFor folds the distances to all that the lane's source stands for, at a node at distance d.
template <class Metric, class T> __device__ double WeightedBatch<Metric, T>::standingFor(double d) const {
  return (p.fold == foldGreatest ? d : s.masses[lane] * d) + s.insides[lane];
}

template <class Metric, class T> __device__ double WeightedBatch<Metric, T>::foldOfWarp(double x) const {
  if (p.fold != foldGreatest) return sumOfWarp(x);
#pragma unroll
  for (int k = 16; k > 0; k /= 2) x = fmax(x, __shfl_xor_sync(~0u, x, k));
  return x;
}

// addFold joins what the batch folds to, from so many sources, to the fold of node or arc i.
template <class Metric, class T>
template <bool Arcs>
__device__ void WeightedBatch<Metric, T>::addFold(unsigned i, double x, unsigned many) const {
  if (p.fold == foldGreatest)
    atomicMax((Arcs ? p.edges : (unsigned long long*)p.nodes) + i, (unsigned long long)__double_as_longlong(x));
  else if (Arcs) addArc(i, x);
  else addNode(i, x);
  atomicAdd(&(Arcs ? p.edgeCounts : p.nodeCounts)[i], many);
}

// fold adds the batch's distances to the sums of nodes, and of the arcs of edges; the lane whose source is the node
// itself, at distance 0, is left out. Lane q of a warp adds to the sum of the q-th of the nodes at hand, so that they
// wait for memory together. Rows are those of the sources of a launch from the first source on.
template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::fold(unsigned long long first, unsigned count) {
  constexpr int U = KeyRow::U;  // nodes at hand
  double sum = 0;
  unsigned reach = 0;
  for (unsigned v0 = firstWarp(); v0 < s.n; v0 += U * allWarps()) {
    Key own[U];
#pragma unroll
    for (int q = 0; q < U; q++) own[q] = v0 + q * allWarps() < s.n ? *row(v0 + q * allWarps()) : Metric::none();
    double mine = 0;
    unsigned many = 0;
#pragma unroll
    for (int q = 0; q < U; q++) {
      const unsigned v = v0 + q * allWarps();
      const bool on = own[q] != Metric::none() && own[q] != 0;
      const double d = Metric::real(own[q], p.mul, p.div);
      if (on) sum += d, reach++;
      if (p.rows && lane < count && v < s.n)
        p.rows[(first + lane) * p.n + p.order[v]] = own[q] == Metric::none() ? infinite() : d;
      if (!p.nodes) continue;
      const double x = foldOfWarp(!on ? 0 : p.masses ? standingFor(d) : folded(d));
      const unsigned lanes = __ballot_sync(~0u, on),
                     sources = p.masses ? unsigned(sumOfWarp(on ? s.masses[lane] : 0)) : __popc(lanes);
      if (lane == q) mine = x, many = sources;
    }
    if (lane < U && many) addFold<false>(v0 + lane * allWarps(), mine, many);
    if (!Metric::exact || p.edges)
#pragma unroll 1
      for (unsigned v = v0; v < min(s.n, v0 + U * allWarps()); v += allWarps()) foldArcs(v, *row(v));
  }
  keepLaneSums(sum, reach);
  sync();
  if (s.rank == 0) sumUp(first, count);
}

// foldArcs adds to the sums of the arcs of v, of the two of an undirected edge to that which leaves the lesser node,
// and looks for arcs that do not lengthen a path.
template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::foldArcs(unsigned v, Key own) {
  constexpr int U = KeyRow::U;  // arcs at hand
  const bool both = p.inTargets == p.outTargets;
  const unsigned end = p.outOffsets[v + 1];
  Key most = own == Metric::none() ? 0 : own;  // of all lanes, unless lengths are exact
  if constexpr (!Metric::exact)
#pragma unroll
    for (int k = 16; k > 0; k /= 2) most = max(most, __shfl_xor_sync(~0u, most, k));
  for (unsigned base = p.outOffsets[v]; base < end; base += 32) {
    unsigned w = v;
    if (base + lane < end) w = p.outTargets[base + lane];
    if constexpr (!Metric::exact) {
      const Weight x = base + lane < end ? outWeights()[base + lane] : Weight(0);
      for (unsigned doubtful = __ballot_sync(~0u, w != v && !Metric::lengthens(most, x)); doubtful;
          doubtful &= doubtful - 1) {
        const int j = __ffs(doubtful) - 1;
        const Weight y = __shfl_sync(~0u, x, j);
        if (own != Metric::none() && !Metric::longer(own, Metric::plus(own, y), y))
          atomicMax(p.lost, (long long)(base + j) + 1);
      }
    }
    if (!p.edges) continue;
    for (unsigned left = __ballot_sync(~0u, w != v && !(both && w < v)); left;) {
      Key there[U];
      int arc[U];
#pragma unroll
      for (int q = 0; q < U; q++) {
        arc[q] = __ffs(left) - 1;
        left &= left - 1;
        const unsigned u = __shfl_sync(~0u, w, max(arc[q], 0));
        there[q] = arc[q] < 0 ? 0 : *row(u);
      }
      double mine = 0;
      unsigned many = 0, at = 0;
#pragma unroll
      for (int q = 0; q < U; q++) {
        const Key nearer = min(own, there[q]);
        const bool counts = own != 0 && there[q] != 0 && nearer != Metric::none();
        const double x = foldOfWarp(counts ? folded(Metric::real(nearer, p.mul, p.div)) : 0);
        const unsigned sources = __popc(__ballot_sync(~0u, counts));
        if (lane == q) mine = x, many = sources, at = base + arc[q];
      }
      if (lane < U && many) addFold<true>(at, mine, many);
    }
  }
}

template <class Metric, class T>
__device__ void WeightedBatch<Metric, T>::batch(unsigned long long first, unsigned count) {
  take(first / K);
  PROFILED(const long long begun = clock64();)
  if (p.passes & kForward) {
    forward(first, count);
  } else {
    if (p.masses && threadIdx.x < count) s.masses[threadIdx.x] = p.masses[p.sources[first + threadIdx.x]];
    if (threadIdx.x == 0) clearLeft();
    __syncthreads();
  }
  PROFILED(spent(kSpentForward, begun); const long long turned = clock64();)
  if (p.passes & kBackward) backwardApart<WeightedBatch>(s);
  PROFILED(spent(kSpentBackward, turned); noteBatch();)
}

// WeightedFolds has batches whose distances are folded.
template <class Metric> struct WeightedFolds : WeightedBatch<Metric, float> {
  using WeightedBatch<Metric, float>::WeightedBatch;
  __device__ void batch(unsigned long long first, unsigned count) {
    this->take(first / this->K);
    this->start(first, count);
    this->distances(count);
    this->fold(first, count);
  }
};

// weightedBatches runs the sources numbered first to last.
template <class Batch>
__device__ void weightedBatches(const BatchedWeighted* args, unsigned long long first, unsigned long long last) {
  __shared__ typename Batch::Shared shared;
  Batch batch(shared);
  batch.join(args);
  PROFILED(const long long begun = clock64();)
  eachBatch<Batch::K>(batch, first, last);
  PROFILED(batch.tell(begun);)
}

#define BATCHED_WEIGHTED_KERNEL(name, metric, T)                                             \
  extern "C" __global__ void __launch_bounds__(kWeightedThreads, 1)                          \
      name(const BatchedWeighted* args, unsigned long long first, unsigned long long last) { \
    weightedBatches<WeightedBatch<metric, T>>(args, first, last);                            \
  }

#define BATCHED_FOLD_KERNEL(name, metric)                                                    \
  extern "C" __global__ void __launch_bounds__(kWeightedThreads, 1)                          \
      name(const BatchedWeighted* args, unsigned long long first, unsigned long long last) { \
    weightedBatches<WeightedFolds<metric>>(args, first, last);                               \
  }
