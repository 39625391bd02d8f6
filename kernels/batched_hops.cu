// The closeness family by hops, up to 1,024 sources at a time, and volumes: strategy batched, see docs/batched.md. What is
// folded is that of closeness.cu and volume.cu.
#include "batched_hops.cuh"

#define HOPS_BATCHED(name, S, F)                                                                                                 \
  extern "C" __global__ void __launch_bounds__(kHopThreads, kHopBlocks) name(const Hops* args, unsigned long long first, unsigned long long last) { \
    waves<S, F>(args, first, last);                                                                                              \
  }

HOPS_BATCHED(batched_hops_256, 2, hopNodes)
HOPS_BATCHED(batched_hops_512, 4, hopNodes)
HOPS_BATCHED(batched_hops_1024, 8, hopNodes)
HOPS_BATCHED(batched_hops_256_ends, 2, hopEnds)
HOPS_BATCHED(batched_hops_512_ends, 4, hopEnds)
HOPS_BATCHED(batched_hops_1024_ends, 8, hopEnds)
HOPS_BATCHED(batched_hops_256_gaps, 2, hopGaps)
HOPS_BATCHED(batched_hops_512_gaps, 4, hopGaps)
HOPS_BATCHED(batched_hops_1024_gaps, 8, hopGaps)
HOPS_BATCHED(batched_hops_256_arcs, 2, hopArcs)
HOPS_BATCHED(batched_hops_1024_arcs, 8, hopArcs)
HOPS_BATCHED(batched_hops_256_weights, 2, hopWeights)
HOPS_BATCHED(batched_hops_1024_weights, 8, hopWeights)

// HopEdges are the arguments of hop_edges. Every field takes 8 bytes.
struct HopEdges {
  unsigned long long n, fold, teams, arcs;
  const unsigned *offsets, *targets, *edges;  // of arcs
  const double *nodes, *counts;               // what was folded at the nodes, and from how many sources
  const unsigned* isSource;                   // of nodes
  const unsigned* ends;                       // of teams: of arcs, as hopEnds leaves them
  double *sums, *edgeCounts;                  // of edges; for hopGaps, sums come with what was folded at the arcs
};

// hop_edges makes the folds at the edges of an undirected graph of those at the nodes: see HopFold. A source that is an end
// of the edge counts at the other, at 1, and must not here. Edges from a node to itself are left out.
extern "C" __global__ void hop_edges(const HopEdges* args) {
  const HopEdges p = *args;
  const unsigned lane = threadIdx.x & 31, warps = gridDim.x * blockDim.x / 32;
  for (unsigned v = (blockIdx.x * blockDim.x + threadIdx.x) / 32; v < p.n; v += warps) {
    const unsigned own = p.isSource[v];
    for (unsigned long long k = p.offsets[v] + lane; k < p.offsets[v + 1]; k += 32) {
      const unsigned u = p.targets[k], e = p.edges[k];
      if (u >= v) continue;
      const unsigned other = p.isSource[u];
      p.edgeCounts[e] = p.counts[v] - other;
      if (p.fold == foldInverse) {
        p.sums[e] = (p.nodes[v] + p.nodes[u] + p.sums[e] - own - other) / 2;
        continue;
      }
      unsigned long long all = 0, most = 0;
      for (unsigned long long i = 0; i < p.teams; i++) {
        const unsigned c = p.ends[i * p.arcs + k];
        all += c, most = max(most, (unsigned long long)c);
      }
      p.sums[e] = p.fold == foldGreatest ? double(most) : (p.nodes[v] + p.nodes[u] - double(all)) / 2;
    }
  }
}
