// Sums of rows over arcs, by a group of threads or by a block. See levels.cuh.
#pragma once
#include "levels.cuh"

template <class T, int K, bool Arcs, bool Masses>
template <bool Out, bool Long>
__device__ void Engine<T, K, Arcs, Masses>::gather(const unsigned* targets, unsigned b, unsigned e, const M& wanted,
    const unsigned* front, T (*sum)[L], M* pulled, const T (*own)[L]) {
  unsigned* us = s.neighbours[warp()] + group * S;
  unsigned* as = s.arcs[warp()] + group * S;
  // Of the arc that is each thread's: in registers, they would take those of the loop. The group's part of s.partial is
  // free until gatherShare writes it.
  T* flows = &s.partial[(warp() * G + group) * K];
  unsigned base = b;
  unsigned u = 0;
  // Long sums of float32 drift: every 32 arcs are summed apart, and in long rows added with what rounding loses
  // (Kahan).
  constexpr bool parted = sizeof(T) == sizeof(float) && S == 32, compensated = sizeof(T) == sizeof(float) && Long;
  T lost[C][L] = {};
  M x = none<W>();
  PROFILED(unsigned rows = 0, vectors = 0;)
  bool in = base + t < e;
  if (in) {
    u = targets[base + t];
    x = load<W>(front, u) & wanted;
  }
  while (__any_sync(~0u, base < e)) {
    const bool on = x.any();
    if (pulled) *pulled = *pulled | x;
    const unsigned act = __ballot_sync(~0u, on) >> (group * S) & (S == 32 ? ~0u : (1u << (S & 31)) - 1);
    const int count = __popc(act);
    PROFILED(rows += t == 0 ? count : 0;)
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
    if (in) {
      u = targets[base + t];
      x = load<W>(front, u) & wanted;
    }
    T apart[C][L] = {};
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
          PROFILED(vectors += bits[q][c] != 0;)
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
            if (parted || compensated) apart[c][i] += a;
            else sum[c][i] += a;
            if (Arcs && Out && (bits[q][c] >> i & 1)) part[q] += a * own[c][i];  // own of other lanes may be anything
          }
        }
      }
      if (Arcs && Out) {
        const T sum = flowOf(part);
        if (t / U == j / U) flows[t] = sum;
      }
    }
    if (Arcs && Out && t < count) addArc(as[t], double(flows[t]));
    if constexpr (compensated) {
#pragma unroll
      for (int c = 0; c < C; c++)
#pragma unroll
        for (int i = 0; i < L; i++) {
          const T more = apart[c][i] - lost[c][i], total = sum[c][i] + more;
          lost[c][i] = (total - sum[c][i]) - more;
          sum[c][i] = total;
        }
    }
    if constexpr (parted && !compensated) {
#pragma unroll
      for (int c = 0; c < C; c++)
#pragma unroll
        for (int i = 0; i < L; i++) sum[c][i] += apart[c][i];
    }
    __syncwarp();
  }
  PROFILED(noteSum(kSeenRows, rows);)
  PROFILED(noteSum(kSeenVectors, vectors);)
}

template <class T, int K, bool Arcs, bool Masses> __device__ T Engine<T, K, Arcs, Masses>::flowOf(const T* part) const {
  const bool odd = t & 1, upper = t & 2;
  T x = (odd ? part[1] : part[0]) + __shfl_xor_sync(~0u, odd ? part[0] : part[1], 1);
  if constexpr (U == 4) {
    const T y = (odd ? part[3] : part[2]) + __shfl_xor_sync(~0u, odd ? part[2] : part[3], 1);
    x = (upper ? y : x) + __shfl_xor_sync(~0u, upper ? x : y, 2);
  }
#pragma unroll
  for (int k = U; k < S; k *= 2) x += __shfl_xor_sync(~0u, x, k);
  return x;
}

template <class T, int K, bool Arcs, bool Masses>
template <bool Out>
__device__ void Engine<T, K, Arcs, Masses>::gatherShare(const unsigned* targets, unsigned b, unsigned e, const M& m,
    const unsigned* front, T (*sum)[L], M* pulled, const T (*own)[L]) {
  const unsigned parts = warps * G, part = warp() * G + group;
  const unsigned step = ((e - b + parts - 1) / parts + S - 1) / S * S;
  const unsigned from = min(e, b + part * step), to = min(e, from + step);
  gather<Out, true>(targets, from, to, m, front, sum, pulled, own);
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
