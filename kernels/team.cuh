// Teams: blocks that work on one batch together.
#pragma once

// meet has the blocks of a team wait for one another, and makes what any thread of them wrote known to all. arrived is in
// global memory; generation, of the block, counts the meetings. A single block needs neither.
__device__ inline void meet(unsigned* arrived, unsigned blocks, unsigned* generation) {
  __syncthreads();
  if (blocks == 1) return;
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    const unsigned goal = ++*generation * blocks;
    unsigned now;
    do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
    while (int(now - goal) < 0);
    __threadfence();
  }
  __syncthreads();
}
