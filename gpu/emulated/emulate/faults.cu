// Kernels with the faults that the emulated device finds; for its own tests, and for no device. out has 64 numbers.

// A barrier in a branch that half of the threads take.
extern "C" __global__ void fault_divergent(int* out) {
  if (threadIdx.x < 32) __syncthreads();
  else out[threadIdx.x] = __shfl_xor_sync(~0u, int(threadIdx.x), 1), __syncthreads();
}

// A mask that names lanes which have gone another way.
extern "C" __global__ void fault_mask(int* out) {
  if (threadIdx.x % 32 < 16) __syncwarp();
  __syncthreads();
  out[threadIdx.x] = 1;
}

// A mask without the lane that calls.
extern "C" __global__ void fault_stranger(int* out) { out[threadIdx.x] = __ballot_sync(0xffff, 1); }

// Lanes that meet by accident.
extern "C" __global__ void fault_places(int* out) {
  int x;
  if (threadIdx.x & 1) x = __any_sync(~0u, 1);
  else x = __any_sync(~0u, 0);
  out[threadIdx.x] = x;
}

extern "C" __global__ void fault_past(int* out) { out[64 + threadIdx.x] = 1; }

// A write that only the marks beside the allocation show.
extern "C" __global__ void fault_beside(int* out) { out[int(threadIdx.x) - 64] = 1; }

extern "C" __global__ void fault_shared(int* out) {
  extern __shared__ int numbers[];
  numbers[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = numbers[63 - threadIdx.x];
}

// A loop that waits for what nobody writes.
extern "C" __global__ void fault_wait(int* out) {
  if (threadIdx.x == 0)
    while (__atomic_load_n(&out[0], __ATOMIC_ACQUIRE) != 12345) __nanosleep(10);
}

extern "C" __global__ void fault_stack(int* out) {
  volatile int many[1 << 15];
  for (int i = (1 << 15) - 1; i >= 0; i--) many[i] = i;
  out[threadIdx.x] = many[threadIdx.x];
}

// A missing barrier: what thread 63 writes is read by others. Only some orders of the threads show it.
extern "C" __global__ void fault_race(int* out) {
  __shared__ int number;
  if (threadIdx.x == 0) number = 1;
  __syncthreads();
  out[threadIdx.x] = number;
  if (threadIdx.x == 63) number = 2;
}

// Every collective, used well.
extern "C" __global__ void fault_none(int* out) {
  const int lane = threadIdx.x % 32;
  const unsigned half = lane < 16 ? 0xffffu : 0xffff0000u;
  int wrong = __ballot_sync(~0u, lane & 1) != 0xaaaaaaaau;
  wrong |= __any_sync(half, lane == 3) != (lane < 16) || __all_sync(half, lane < 16) != (lane < 16);
  wrong |= __shfl_sync(~0u, lane, 5) != 5 || __shfl_sync(~0u, lane, 5, 8) != (lane & ~7) + 5;
  wrong |= __shfl_up_sync(~0u, lane, 3) != (lane < 3 ? lane : lane - 3) ||
      __shfl_down_sync(~0u, lane, 3, 16) != (lane % 16 > 12 ? lane : lane + 3);
  wrong |= __shfl_xor_sync(half, 1.5 * lane, 9) != 1.5 * (lane ^ 9) ||
      __shfl_xor_sync(~0u, 1ull << lane, 1) != 1ull << (lane ^ 1);
  wrong |= __reduce_add_sync(half, lane) != (lane < 16 ? 120 : 376) || __reduce_min_sync(~0u, lane - 16) != -16;
  wrong |= __reduce_max_sync(~0u, unsigned(lane) - 1) != ~0u || __reduce_or_sync(half, 1u << lane) != half;
  wrong |= __match_any_sync(~0u, lane / 4) != 0xfu << lane / 4 * 4;
  wrong |= __syncthreads_count(threadIdx.x > 3) != 60 || __syncthreads_or(threadIdx.x == 9) == 0 ||
      __syncthreads_and(threadIdx.x != 9) != 0;
  out[threadIdx.x] = wrong;
}
