// Teams: blocks that work on one batch together.
#pragma once
#include "profile.cuh"

// acquire loads *p, and lets the calling thread see what was written before it. Other threads go on meanwhile.
__device__ inline unsigned acquire(const unsigned* p) {
#ifdef __CUDACC__
  unsigned now;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(p) : "memory");
  return now;
#else  // the emulated device
  emulate::relax();
  return __atomic_load_n(p, __ATOMIC_ACQUIRE);
#endif
}

// meet has the blocks of a team wait for one another, and makes what any thread of them wrote known to all. arrived is
// in global memory; generation, of the block, counts the meetings. A single block needs neither.
__device__ inline void meet(unsigned* arrived, unsigned blocks, unsigned* generation) {
  __syncthreads();
  if (blocks == 1) return;
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    const unsigned goal = ++*generation * blocks;
    while (int(acquire(arrived) - goal) < 0) {}
    __threadfence();
  }
  __syncthreads();
}

// Control is what the teams of a launch share among themselves, and with the host, which may look at it and write it
// meanwhile.
struct Control {
  unsigned taken;  // batches handed out by this launch
  unsigned stop;   // not 0: take no more
  unsigned done;   // sources
};

// eachBatch has the calling team do batches of K sources of those numbered first to last, one after the other, until
// none is left or the host says stop. All teams add to the same exact sums, so it does not matter which team is quick.
// first is a multiple of K.
template <unsigned K, class Team>
__device__ void eachBatch(Team& t, unsigned long long first, unsigned long long last) {
  const bool leads = t.s.rank == 0 && threadIdx.x == 0;
  Control* control = (Control*)t.p.control;
  for (;;) {
    if (leads) {
      const volatile unsigned* stop = &control->stop;
      unsigned long long i = first / K + atomicAdd(&control->taken, 1);
      if (*stop) i = last;
      t.s.team->batch = unsigned(min(i, last));
    }
    t.sync();
    const unsigned long long at = K * (unsigned long long)*(volatile unsigned*)&t.s.team->batch;
    if (at >= last) return;
    const unsigned count = unsigned(min((unsigned long long)K, last - at));
    t.batch(at, count);
    t.sync();
    if (leads) atomicAdd(&control->done, count);
  }
}
