// The closeness family by hops, up to 1,024 sources at a time, and volumes: see docs/design/batches-by-hops.md. What is
// folded is that of traversal/closeness.cu and volume/volume.cu.
#include "hops.cuh"

#define HOPS_BATCHED(name, S, F)                                                  \
  extern "C" __global__ void __launch_bounds__(kHopThreads, kHopBlocks)           \
      name(const Hops* args, unsigned long long first, unsigned long long last) { \
    waves<S, F>(args, first, last);                                               \
  }

HOPS_BATCHED(batched_hops_256, 2, hopNodes)
HOPS_BATCHED(batched_hops_512, 4, hopNodes)
HOPS_BATCHED(batched_hops_1024, 8, hopNodes)
HOPS_BATCHED(batched_hops_256_ends, 2, hopEnds)
HOPS_BATCHED(batched_hops_512_ends, 4, hopEnds)
HOPS_BATCHED(batched_hops_1024_ends, 8, hopEnds)
HOPS_BATCHED(batched_hops_256_turns, 2, hopTurns)
HOPS_BATCHED(batched_hops_1024_turns, 8, hopTurns)
HOPS_BATCHED(batched_hops_256_gaps, 2, hopGaps)
HOPS_BATCHED(batched_hops_512_gaps, 4, hopGaps)
HOPS_BATCHED(batched_hops_256_arcs, 2, hopArcs)
HOPS_BATCHED(batched_hops_1024_arcs, 8, hopArcs)
HOPS_BATCHED(batched_hops_256_weights, 2, hopWeights)
HOPS_BATCHED(batched_hops_1024_weights, 8, hopWeights)
HOPS_BATCHED(batched_hops_256_lanes, 2, hopLanes)
HOPS_BATCHED(batched_hops_512_lanes, 4, hopLanes)
HOPS_BATCHED(batched_hops_1024_lanes, 8, hopLanes)

// HopPairs are the arguments of hop_pairs. Every field takes 8 bytes.
//
// host: arguments
struct HopPairs {
  unsigned long long n, arcs, segments, section;
  const unsigned *offsets, *targets, *edges;  // of arcs
  unsigned* cursors;                          // section: segments
  uint2* pairs;                               // or null, to count
  unsigned* pairEdges;
};

// hop_pairs lists the edges of an undirected graph by their ends, the lesser one first, by sections of so many lesser
// ends, each by the other end: so few masks make up for both ends of a stretch of the list. Edges from a node to itself
// are left out. Each warp has a segment of the rows, as much work as any, for which a row is like 32 arcs; it counts
// the pairs of each section, or has a place for each there.
extern "C" __global__ void hop_pairs(const HopPairs* args) {
  const HopPairs p = *args;
  const unsigned lane = threadIdx.x & 31, warps = gridDim.x * blockDim.x / 32;
  const auto firstRow = [&](unsigned long long segment) {
    const unsigned long long begin = (p.arcs + 32 * p.n) * segment / p.segments;
    unsigned long long low = 0, high = p.n;
    while (low < high) {
      const unsigned long long v = (low + high) / 2;
      if (p.offsets[v] + 32 * v < begin) low = v + 1;
      else high = v;
    }
    return segment < p.segments ? low : p.n;
  };
  for (unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < p.segments; i += warps) {
    const unsigned last = unsigned(firstRow(i + 1));
    for (unsigned v = unsigned(firstRow(i)); v < last; v++) {
      for (unsigned long long k = p.offsets[v] + lane; k < p.offsets[v + 1]; k += 32) {
        const unsigned u = p.targets[k];
        if (u >= v) continue;
        const unsigned at = atomicAdd(&p.cursors[u / p.section * p.segments + i], 1);
        if (p.pairs) p.pairs[at] = make_uint2(u, v), p.pairEdges[at] = p.edges[k];
      }
      __syncwarp();
    }
  }
}
