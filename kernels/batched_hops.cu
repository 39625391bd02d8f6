// The closeness family by hops, up to 1,024 sources at a time: strategy batched, see docs/batched.md. What is folded is that
// of closeness.cu.
#include "batched_hops.cuh"

#define HOPS_BATCHED(name, S, Edges)                                                                                             \
  extern "C" __global__ void __launch_bounds__(kHopThreads, 3) name(const Hops* args, unsigned long long first, unsigned long long last) { \
    waves<S, Edges>(args, first, last);                                                                                          \
  }

HOPS_BATCHED(batched_hops_256, 2, false)
HOPS_BATCHED(batched_hops_1024, 8, false)
HOPS_BATCHED(batched_hops_256_edges, 2, true)
HOPS_BATCHED(batched_hops_1024_edges, 8, true)
