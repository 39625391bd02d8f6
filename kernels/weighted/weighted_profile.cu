// The kernels of weighted.cu for scores in float32, with counters: see batches/profile.cuh.
#define LINCHPIN_PROFILE
#include "backward.cuh"

template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::noteBatch() {
  const long long begun = clock64();
  const unsigned rounds = s.rounds[0], entries = s.ends[rounds];
  for (unsigned i = firstThread(); i < entries; i += allThreads()) {
    const unsigned v = s.stackNodes[i];
    note(kSeenArcs, p.inOffsets[v + 1] - p.inOffsets[v] + 2 * (p.outOffsets[v + 1] - p.outOffsets[v]));
  }
  __syncthreads();
  spent(kSpentCounting, begun);
  if (!leads()) return;
  note(kSeenBatches, 1);
  note(kSeenLevels, rounds);
  note(kSeenEntries, entries);
}

template <class Metric, class T> __device__ void WeightedBatch<Metric, T>::tell(long long begun) {
  __syncthreads();
  spent(kSpentTotal, begun);
  __syncthreads();
  if (threadIdx.x < kProfiled) p.profile[size_t(blockIdx.x) * kProfiled + threadIdx.x] += s.profiled[threadIdx.x];
}

BATCHED_WEIGHTED_KERNEL(batched_ticks32_f32_profile, Ticks<unsigned>, float)
BATCHED_WEIGHTED_KERNEL(batched_ticks64_f32_profile, Ticks<unsigned long long>, float)
BATCHED_WEIGHTED_KERNEL(batched_reals_f32_profile, Reals, float)
BATCHED_WEIGHTED_KERNEL(batched_bounded_reals_f32_profile, Bounded<Reals>, float)
