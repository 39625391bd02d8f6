// Teams: blocks that work on one batch together.
#pragma once

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
