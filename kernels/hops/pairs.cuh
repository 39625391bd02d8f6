// What the edges of undirected graphs take from the marks that a batch leaves at their ends. See hops.cuh.
#pragma once
#include "hops.cuh"

// multiprocessor is the number of that which the calling thread runs on.
__device__ inline unsigned multiprocessor() {
#ifdef __CUDACC__
  unsigned id;
  asm("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
#else  // the emulated device
  return blockIdx.x / kHopBlocks;
#endif
}

// HopFolded is what a pair keeps.
template <HopFold F> struct HopFolded { using Type = unsigned; };
template <> struct HopFolded<hopTurns> { using Type = unsigned long long; };

// meetNeighbours finds out which blocks of the team share a multiprocessor, and so its first-level cache.
template <int S, HopFold F> __device__ void Waves<S, F>::meetNeighbours() {
  static_assert(kHopPlaces <= kHopThreads);
  if (threadIdx.x == 0) s.residents = 1, s.before = s.turn = 0;
  if (s.blocks > 1) {
    const unsigned place = multiprocessor() % kHopPlaces;
    if (threadIdx.x == 0) s.turn = atomicAdd(&s.team->residents[place], 1);
    sync();
    const volatile unsigned* all = s.team->residents;
    if (threadIdx.x == 0) s.residents = all[place];
    if (threadIdx.x < place) atomicAdd(&s.before, all[threadIdx.x]);
  }
  __syncthreads();
}

// foldPairs folds at all pairs. Each multiprocessor has a piece of the list, whose chunks its blocks take in turn.
template <int S, HopFold F> __device__ void Waves<S, F>::foldPairs() {
  if (F == hopTurns && threadIdx.x < 4)
    s.gaps[threadIdx.x] = stepAt(bottom + threadIdx.x) - stepAt(bottom + threadIdx.x + 1);
  __syncthreads();
  constexpr unsigned long long size = warps * G * kHopChunk;  // of what a block does in one go
  const unsigned long long rounds = (p.pairCount + size - 1) / size,
                           last = rounds * (s.before + s.residents) / s.blocks;
  const unsigned first = ((threadIdx.x / 32) * G + group) * kHopChunk;
  const auto load = [&](unsigned long long round, uint2(&ends)[J]) {
#pragma unroll
    for (int j = 0; j < J; j++) ends[j] = p.pairs[min(round * size + first + t * J + j, p.pairCount - 1)];
  };
  unsigned long long round = rounds * s.before / s.blocks + s.turn;
  if (round >= last) return;
  const uint4* own = s.marks + t;
  uint2 ends[J], next[J];
  for (load(round, ends); round < last; round += s.residents) {
    load(round + s.residents, next);
    foldChunk(round * size + first, ends, own);
#pragma unroll
    for (int j = 0; j < J; j++) ends[j] = next[j];
  }
}

// foldChunk folds at the pairs from number k on; the calling thread has the ends of those from t J on, and folds at
// these. own are its lanes of the marks.
template <int S, HopFold F>
__device__ void Waves<S, F>::foldChunk(unsigned long long k, const uint2 (&ends)[J], const uint4* own) {
  constexpr int classes = F == hopTurns ? 4 : 1, rows = kHopRows / (marks ? marks : 1);
  const unsigned long long mine = k + t * J;
  const int some = int(min((long long)J, max(0ll, (long long)(p.pairCount - mine))));
  auto* at = (typename HopFolded<F>::Type*)p.pairFolds + mine;
  typename HopFolded<F>::Type before[J] = {};  // loaded early, as nothing waits for it meanwhile
#pragma unroll
  for (int j = 0; j < J; j++)
    if (j < some) before[j] = at[j];
  const unsigned greatest = p.fold == foldGreatest ? ~0u : 0;
  const auto folded = [&](unsigned a, unsigned b) { return (a & b & greatest) | ((a ^ b) & ~greatest); };
  unsigned words[classes][kHopChunk / 2] = {}, counts[classes][J];
  if (F == hopTurns && bottom > 1) {  // most nodes are done
    bool on = false;
    for (int j = 0; j < some; j++) on |= int(s.stamps[ends[j].x]) > bottom || int(s.stamps[ends[j].y]) > bottom;
    if (!__any_sync(~0u, on)) return;
  }
#pragma unroll
  for (int q0 = 0; q0 < kHopChunk; q0 += rows) {
    uint4 a[rows][marks ? marks : 1], b[rows][marks ? marks : 1];
#pragma unroll
    for (int q = 0; q < rows; q++) {
      const int from = group * S + (q0 + q) / J;
      const unsigned u = __shfl_sync(~0u, ends[(q0 + q) % J].x, from), v = __shfl_sync(~0u, ends[(q0 + q) % J].y, from);
#pragma unroll
      for (int i = 0; i < marks; i++)
        a[q][i] = own[(size_t(u) * marks + i) * S], b[q][i] = own[(size_t(v) * marks + i) * S];
    }
#pragma unroll
    for (int q = 0; q < rows; q++) {
      const auto tell = [&](int i, uint4 x) { words[i][(q0 + q) / 2] += sum(x) << (q0 + q & 1) * 16; };
      if constexpr (F == hopTurns) {
        const uint4 low = differ(a[q][0], b[q][0]), high = differ(a[q][marks - 1], b[q][marks - 1]);
        tell(0, without(low, a[q][marks - 1]));
        if (steps > 1) tell(1, both(high, a[q][0]));
        if (steps > 2) tell(2, both(low, a[q][marks - 1]));
        if (steps > 3) tell(3, without(high, a[q][0]));
      } else {
        const uint4 x = a[q][0], y = b[q][0];
        tell(0, make_uint4(folded(x.x, y.x), folded(x.y, y.y), folded(x.z, y.z), folded(x.w, y.w)));
      }
    }
  }
#pragma unroll
  for (int i = 0; i < classes; i++) tally(words[i], counts[i]);
#pragma unroll
  for (int j = 0; j < J; j++) {
    if (j >= some) continue;
    if constexpr (F == hopTurns) {
      unsigned long long sum = 0;
#pragma unroll
      for (int i = 0; i < classes; i++) sum += counts[i][j] * s.gaps[i];
      at[j] = before[j] + sum;
    } else if (!greatest) {
      at[j] = before[j] + counts[0][j];
    } else {
      // The lanes that reach one end at its last level are at the other a level before, or reach it then, too.
      const unsigned last = s.stamps[ends[j].x], other = s.stamps[ends[j].y];
      if (last != ~0u) at[j] = max(before[j], last == other && counts[0][j] ? last : max(last, other) - 1);
    }
  }
}

// tally adds up what the threads of a group counted for the pairs of a chunk, two to a word; each gets the sums of its
// own pairs.
template <int S, HopFold F>
__device__ void Waves<S, F>::tally(unsigned (&words)[kHopChunk / 2], unsigned (&counts)[J]) const {
  int held = kHopChunk / 2;
#pragma unroll
  for (int k = S / 2; k > 0; k /= 2) {
    const bool upper = t & k;
    if (held == 1) {  // the threads of two pairs that share a word
      words[0] += __shfl_xor_sync(~0u, words[0], k);
      counts[0] = upper ? words[0] >> 16 : words[0] & 0xffff;
      return;
    }
    held /= 2;
#pragma unroll
    for (int i = 0; i < kHopChunk / 4; i++) {
      if (i >= held) continue;
      const unsigned given = upper ? words[i] : words[i + held], kept = upper ? words[i + held] : words[i];
      words[i] = kept + __shfl_xor_sync(~0u, given, k);
    }
  }
#pragma unroll
  for (int j = 0; j < J; j++) counts[j] = j & 1 ? words[j / 2] >> 16 : words[j / 2] & 0xffff;
}

// turn folds what the marks tell for hopTurns and begins anew, where they can tell no more levels than d. At the ends
// of an edge, a mark differs in the lanes of which one end is at a level, and the other at the next; the other mark
// tells which levels. Lanes past the last level that is marked look like those of the fourth, but have not reached
// either end, as all of the fourth are found.
template <int S, HopFold F> __device__ void Waves<S, F>::turn(int d) {
  if (d != bottom + 4) return;
  foldPairs(s, bottom, 4);
  sync();
  for (size_t i = firstThread(); i < marks * size_t(s.n) * S; i += allThreads()) s.marks[i] = none();
  bottom = d;
  sync();
}
