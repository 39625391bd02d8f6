// cuda-start prints the seconds that a bare program takes until it has a CUDA context on the first device: what no
// other program on this machine can do without.
#include <cuda.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

int main(void) {
  CUdevice device;
  CUcontext context;
  double begun = now();
  int failed = cuInit(0);
  double ready = now();
  if (!failed) failed = cuDeviceGet(&device, 0);
  if (!failed) failed = cuCtxCreate_v2(&context, 0, device);
  if (failed) {
    fprintf(stderr, "cuda-start: CUDA error %d\n", failed);
    return 1;
  }
  double made = now();
  printf("{\"cuInit\": %.4f, \"context\": %.4f, \"start\": %.4f}\n", ready - begun, made - ready, made - begun);
  return cuCtxDestroy_v2(context) != 0;
}
