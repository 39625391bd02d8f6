// What gpu/emulated/device.go calls: libemulate.so, which runs kernels that g++ compiled. Plain C.
#ifndef EMULATE_H
#define EMULATE_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long long EmulateSlot;

// EmulateShape is the shape of a launch. A cooperative grid gets a thread of the machine for each block, all at once;
// the blocks of another run on `workers` of them, one after the other. seed is 0 for the plain order of blocks and
// threads.
typedef struct {
  unsigned grid, block, shared, cooperative, workers;
  EmulateSlot seed;
} EmulateShape;

// Every function returns 0, or what is wrong in `error`.
typedef struct {
  // load opens the compiled kernels of one .cu.
  int (*load)(const char* path, char* error, size_t size);
  // alloc gives memory, full of 0xa5, with pages around it that nothing may touch.
  int (*alloc)(EmulateSlot bytes, EmulateSlot* out, char* error, size_t size);
  // give takes it back, and finds what was written beside it.
  int (*give)(EmulateSlot p, char* error, size_t size);
  // copy and fill stay within one allocation: `in` copies to the device memory at p, otherwise from it.
  int (*copy)(EmulateSlot p, void* host, EmulateSlot bytes, int in, char* error, size_t size);
  int (*fill)(EmulateSlot p, int value, EmulateSlot bytes, char* error, size_t size);
  // launch runs a kernel to its end; 2 means that it began, and failed. kinds has a letter an argument: p pointer, i 4
  // and l 8 bytes, f float, d double.
  int (*launch)(const char* kernel, const EmulateShape* shape, const EmulateSlot* slots, const char* kinds, char* error,
      size_t size);
  // bound gives the most threads of a block of the kernel.
  int (*bound)(const char* kernel, unsigned* threads, char* error, size_t size);
} EmulateApi;

// emulate_api is the one function that libemulate.so is asked for.
const EmulateApi* emulate_api(void);

#ifdef __cplusplus
}
#endif
#endif
