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

// meet has the blocks of a team wait for one another, and makes what any thread of them wrote known to all. arrived is in
// global memory; generation, of the block, counts the meetings. A single block needs neither.
__device__ inline void meet(unsigned* arrived, unsigned blocks, unsigned* generation) {
  __syncthreads();
  if (blocks == 1) return;
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    const unsigned goal = ++*generation * blocks;
    while (int(acquire(arrived) - goal) < 0) {
    }
    __threadfence();
  }
  __syncthreads();
}

// Control is what the teams of a launch share among themselves, and with the host, which may look at it and write it meanwhile.
struct Control {
  unsigned taken;    // batches handed out by this launch
  unsigned stop;     // not 0: take no more
  unsigned done;     // sources
  unsigned turns[1];  // a slot: batches that have added to it
};

// eachBatch has the calling team do batches of K sources of those numbered first to last, one after the other, until none is left
// or the host says stop. Batch i adds to the sums of slot i modulo the number of slots, after all of a lesser number have: so sums
// have a fixed order, whichever team is quick. Batches are handed out in their order, so that a team waits for others that work,
// and seldom, as there are several slots a team. first is a multiple of K.
template <unsigned K, class Team> __device__ void eachBatch(Team& t, unsigned long long first, unsigned long long last) {
  const bool leads = t.s.rank == 0 && threadIdx.x == 0;
  const unsigned slots = unsigned(t.p.slots);
  Control* control = (Control*)t.p.control;
  for (;;) {
    if (leads) {
      // A team that stops leaves its batch undone, so that who waits for its turn must look as well.
      const volatile unsigned* stop = &control->stop;
      PROFILED(const long long begun = clock64();)
      unsigned long long i = first / K + atomicAdd(&control->taken, 1);
      while (i * K < last && !*stop && acquire(&control->turns[i % slots]) < i / slots) {
      }
      PROFILED(t.note(kSpentTurn, clock64() - begun);)
      if (*stop) i = last;
      __threadfence();
      t.s.team->batch = unsigned(min(i, last));
    }
    t.sync();
    const unsigned long long at = K * (unsigned long long)*(volatile unsigned*)&t.s.team->batch;
    if (at >= last) return;
    const unsigned slot = unsigned(at / K % slots), count = unsigned(min((unsigned long long)K, last - at));
    t.use(slot);
    t.batch(at, count);
    t.sync();
    if (!leads) continue;
    __threadfence();
    atomicAdd(&control->done, count);
    atomicAdd(&control->turns[slot], 1);
  }
}
