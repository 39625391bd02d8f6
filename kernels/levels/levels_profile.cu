// The kernels of levels.cu for node scores in float32, with counters: see batches/profile.cuh.
#define LINCHPIN_PROFILE
#include "backward.cuh"

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::noteSum(Profiled what, unsigned long long x) {
#pragma unroll
  for (int k = 16; k > 0; k /= 2) x += __shfl_xor_sync(~0u, x, k);
  if (lane == 0) atomicAdd(&s.profiled[what], x);
}

template <class T, int K, bool Arcs, bool Masses>
__device__ void Engine<T, K, Arcs, Masses>::noteBatch(long long begun, long long turned, int depth) {
  const long long ended = clock64();
  const unsigned entries = depth < 0 ? 0 : s.ends[depth + 1];
  unsigned long long arcs = 0;  // forward in both directions, backward out
  for (unsigned i = firstThread(); i < entries; i += allThreads()) {
    const unsigned v = s.stackNodes[i];
    arcs += p.inOffsets[v + 1] - p.inOffsets[v] + 2 * (p.outOffsets[v + 1] - p.outOffsets[v]);
  }
  noteSum(kSeenArcs, arcs);
  if (threadIdx.x != 0) return;
  note(kSpentForward, turned - begun);
  note(kSpentBackward, ended - turned);
  note(kSpentCounting, clock64() - ended);
  if (s.rank != 0) return;
  note(kSeenBatches, 1);
  note(kSeenLevels, depth + 1);
  note(kSeenEntries, entries);
}

template <class T, int K, bool Arcs, bool Masses> __device__ void Engine<T, K, Arcs, Masses>::tell(long long begun) {
  __syncthreads();
  if (threadIdx.x == 0) note(kSpentTotal, clock64() - begun);
  __syncthreads();
  if (threadIdx.x < kProfiled) p.profile[blockIdx.x * kProfiled + threadIdx.x] += s.profiled[threadIdx.x];
}

BATCHED_KERNEL(batched_f32_32_profile, float, 32, false, false)
BATCHED_KERNEL(batched_f32_128_profile, float, 128, false, false)
