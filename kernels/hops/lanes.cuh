// What each lane of a batch adds up, for hopLanes. See hops.cuh.
#pragma once
#include "hops.cuh"

// addTimes adds x so many times to a sum that other threads may add to at the same time. unit and fine are powers of
// two.
__device__ inline void addTimes(Exact* sum, double x, unsigned times, double unit, double fine) {
  double rest = x * unit;
#pragma unroll
  for (int i = 0; i < 3; i++) {
    const long long digit = __double2ll_rz(rest);
    if (digit) atomicAdd(&sum->digits[i], (unsigned long long)digit * times);
    rest = (rest - double(digit)) * fine;
    if (rest == 0) return;
  }
}

template <int S, HopFold F> __device__ void Waves<S, F>::clearLanes() {
  for (int i = 0; i < kHopPlanes; i++) s.planes[i][threadIdx.x] = none();
  for (unsigned i = threadIdx.x; i < 128 * S; i += kHopThreads) s.seenLanes[i] = 0;
}

// countLanes counts the calling thread's lanes x: plane i has bit i of how often it saw each.
template <int S, HopFold F> __device__ void Waves<S, F>::countLanes(uint4 x) {
  if (!any(x)) return;
  for (int i = 0; i < kHopPlanes && any(x); i++) {
    uint4& plane = s.planes[i][threadIdx.x];
    const uint4 carry = both(plane, x);
    plane = differ(plane, x);
    x = carry;
  }
  if (++held == (1u << kHopPlanes) - 1) tellLanes();
}

// tellLanes adds what the calling thread counted to what the block has.
template <int S, HopFold F> __device__ void Waves<S, F>::tellLanes() {
  held = 0;
  for (int word = 0; word < 4; word++) tellLanesOf(32 * word, word);
}

// tellLanesOf is tellLanes for one word of the masks, whose first lane is `first` of the thread's.
template <int S, HopFold F> __device__ void Waves<S, F>::tellLanesOf(unsigned first, int word) {
  unsigned bits[kHopPlanes], all = 0;
#pragma unroll
  for (int i = 0; i < kHopPlanes; i++) {
    unsigned& x = ((unsigned*)&s.planes[i][threadIdx.x])[word];
    all |= bits[i] = x;
    x = 0;
  }
  for (; all; all &= all - 1) {
    const int k = __ffs(all) - 1;
    unsigned count = 0;
#pragma unroll
    for (int i = 0; i < kHopPlanes; i++) count |= ((bits[i] >> k) & 1) << i;
    atomicAdd(&s.seenLanes[(first + k) * S + t], count);
  }
}

// foldLanes folds level d at the lanes, whose sources are numbered from `first` on.
template <int S, HopFold F> __device__ void Waves<S, F>::foldLanes(unsigned long long first, int d) {
  tellLanes();
  __syncthreads();
  const double distance = d, x = p.fold == foldInverse ? 1 / distance : distance;
  for (unsigned i = threadIdx.x; i < 128 * S; i += kHopThreads) {
    const unsigned count = s.seenLanes[i];
    if (count == 0) continue;
    s.seenLanes[i] = 0;
    const unsigned long long source = first + 128 * (i % S) + i / S;
    atomicAdd(&p.laneCounts[source], count);
    addTimes(&p.laneSums[source], x, count, p.unit, p.fine);
  }
}
