// Whose memory a pointer is in, where the compiler cannot tell: it then takes generic instructions, which look it up,
// and of 64 bits try both ways.
#pragma once

#ifdef __CUDACC__
// isShared says that p is in shared memory.
__device__ inline void isShared(const void* p) { __builtin_assume(__isShared(p)); }
// inGlobal returns p, which is in global memory.
template <class T> __device__ inline T* inGlobal(T* p) {
  __builtin_assume(__isGlobal(p));
  return p;
}
// lower makes *p, in global memory, no more than x. The memory does, and the thread does not wait for it.
__device__ inline void lower(unsigned* p, unsigned x) {
  asm volatile("red.relaxed.gpu.global.min.u32 [%0], %1;" : : "l"(__cvta_generic_to_global(p)), "r"(x) : "memory");
}
__device__ inline void lower(unsigned long long* p, unsigned long long x) {
  asm volatile("red.relaxed.gpu.global.min.u64 [%0], %1;" : : "l"(__cvta_generic_to_global(p)), "l"(x) : "memory");
}
// addGlobal adds x to *p, in global memory, in the same way.
__device__ inline void addGlobal(double* p, double x) {
  asm volatile("red.relaxed.gpu.global.add.f64 [%0], %1;" : : "l"(__cvta_generic_to_global(p)), "d"(x) : "memory");
}
// readFour reads four words at once, from an address that is a multiple of 16 and that nobody writes to.
__device__ inline void readFour(const unsigned* p, unsigned* words) {
  const uint4 all = __ldg((const uint4*)p);
  words[0] = all.x, words[1] = all.y, words[2] = all.z, words[3] = all.w;
}
#else  // the emulated device has one memory
inline void readFour(const unsigned* p, unsigned* words) {
  for (int k = 0; k < 4; k++) words[k] = p[k];
}
inline void isShared(const void*) {}
template <class T> T* inGlobal(T* p) { return p; }
template <class Key> void lower(Key* p, Key x) { atomicMin(p, x); }
inline void addGlobal(double* p, double x) { atomicAdd(p, x); }
#endif
