// Betweenness on what trees, blocks and chains leave of a graph: see chains.cuh and demand.cuh.
#include "demand.cuh"

#define CHAIN_KERNEL(name, body, T, threads)                                                                           \
  extern "C" __global__ void __launch_bounds__(threads, 1) name(const Chains* args, long long first, long long last) { \
    body<T>(args, first, last);                                                                                        \
  }

CHAIN_KERNEL(chain_forward_f64, chainForward, double, 1024)
CHAIN_KERNEL(chain_forward_wide, chainForward, Wide, 1024)
CHAIN_KERNEL(chain_demand_f64, chainDemand, double, 512)
CHAIN_KERNEL(chain_demand_wide, chainDemand, Wide, 512)
CHAIN_KERNEL(chain_backward_f64, chainBackward, double, 1024)
CHAIN_KERNEL(chain_backward_wide, chainBackward, Wide, 1024)

namespace {
// chainAcross writes how far apart the ends of every chain are that starts in one of the given slots, and by how many
// paths.
template <class T> __device__ void chainAcross(const Chains& c, long long slots, int* around, T* paths) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < slots;
      i += (long long)gridDim.x * blockDim.x) {
    const int node = c.search.sources[i];
    for (int k = c.firstHalf[node]; k < c.firstHalf[node + 1]; k++) {
      const int half = c.halves[k];
      if (half & 1) continue;
      const long long at = c.rowAt[i] + c.chains[half >> 1].v;
      around[half >> 1] = int(c.dist[at]);
      paths[half >> 1] = ((const T*)c.counts)[at];
    }
  }
}
}  // namespace

extern "C" __global__ void chain_across_f64(const Chains* args, long long slots, int* around, double* paths) {
  chainAcross(*args, slots, around, paths);
}
extern "C" __global__ void chain_across_wide(const Chains* args, long long slots, int* around, Wide* paths) {
  chainAcross(*args, slots, around, paths);
}
