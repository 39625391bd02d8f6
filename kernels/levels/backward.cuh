// The backward pass of a batch, and whole batches. See levels.cuh.
#pragma once
#include "forward.cuh"

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::loadOwn(unsigned v, const M& m, const M& over, T (*own)[L], T (*down)[L]) {
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

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::finish(
    unsigned v, const M& m, const M& over, T (*own)[L], T (*sum)[L], int depth) {
  T total = 0;
  const T mass = Masses ? T(p.masses[v]) : T(1);
#pragma unroll
  for (int c = 0; c < C; c++) {
    const unsigned bits = bitsOf(m, c), scaledBits = bitsOf(over, c);
    T out[L];
#pragma unroll
    for (int i = 0; i < L; i++) {
      const T below = (scaledBits >> i & 1) ? sum[c][i] * Range<T>::down() : sum[c][i];
      const bool on = bits >> i & 1;
      if (on) total += own[c][i] * below;
      out[i] = on ? share(own[c][i], below, mass, c, i) : own[c][i];
    }
    if (bits && depth > 0) *(Vector*)rowOf(v, c) = pack(out);
  }
  if (!p.nodes || depth == 0) return;
#pragma unroll
  for (int k = S / 2; k > 0; k /= 2)
    total += __shfl_xor_sync(S == 32 ? ~0u : ((1u << (S & 31)) - 1) << (group * S), total, k);
  if (p.endpoints) total += m.count();
  keep(v, total);
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::accumulate(unsigned lo, unsigned hi, const unsigned* below, unsigned* at,
    const M& alive, const M& over, int depth, bool last) {
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
    if (Arcs) loadOwn(v, m, over, own, down);  // once more: next to down, own would take registers of gather
    if (in && !put) finish(v, m, over, own, sum, depth);
  }
  if (hubsWait()) accumulateHubs(below, alive, over, depth);
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::accumulateHubs(
    const unsigned* below, const M& alive, const M& over, int depth) {
  const unsigned hubs = s.hubCount;
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

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::tally(
    unsigned lo, unsigned hi, const M& alive, int depth, unsigned long long& pairs, unsigned long long& distance) {
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

template <class T, int K, bool Arcs, bool Masses> __device__ void Engine<T, K, Arcs, Masses>::backward(int depth) {
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
  addKept();
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

// batches runs the sources numbered first to last.
template <class T, int K, bool Arcs, bool Masses>
__device__ void batches(const Batched* args, unsigned long long first, unsigned long long last) {
  using E = Engine<T, K, Arcs, Masses>;
  __shared__ typename E::Shared shared;
  E engine(shared);
  engine.join(args);
  PROFILED(const long long begun = clock64();)
  eachBatch<K>(engine, first, last);
  PROFILED(engine.tell(begun);)
}

#define BATCHED_KERNEL(name, T, K, Arcs, Masses)                                     \
  extern "C" __global__ void __launch_bounds__(kThreads, 2)                          \
      name(const Batched* args, unsigned long long first, unsigned long long last) { \
    batches<T, K, Arcs, Masses>(args, first, last);                                  \
  }
