// The kernel of deep.cu for node scores in float32, with counters: see batches/profile.cuh.
#define LINCHPIN_PROFILE
#include "counts.cuh"

template <class T, int W, bool Arcs, bool Masses>
__device__ void Deep<T, W, Arcs, Masses>::noteBatch(long long begun, long long turned, int rounds) {
  const long long ended = clock64();
  const unsigned entries = rounds < 0 ? 0 : s.ends[rounds];
  for (unsigned i = threadIdx.x; i < entries; i += blockDim.x) {
    const unsigned v = s.stackNodes[i];
    note(kSeenArcs, 2 * (p.offsets[v + 1] - p.offsets[v]));  // forwards and backwards
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  note(kSpentForward, turned - begun);
  note(kSpentBackward, ended - turned);
  note(kSpentCounting, clock64() - ended);
  note(kSeenBatches, 1);
  note(kSeenLevels, max(rounds, 0));
  note(kSeenEntries, entries);
}

template <class T, int W, bool Arcs, bool Masses> __device__ void Deep<T, W, Arcs, Masses>::tell(long long begun) {
  __syncthreads();
  if (threadIdx.x == 0) note(kSpentTotal, clock64() - begun);
  __syncthreads();
  if (threadIdx.x < kProfiled) p.profile[blockIdx.x * kProfiled + threadIdx.x] += s.profiled[threadIdx.x];
}

BATCHED_DEEP_KERNEL(batched_deep_f32_128_profile, float, 4, false, false)
