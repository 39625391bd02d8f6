// Keeps the edge betweenness of a biconnected block by hops up to date while its edges are cut: kernels/communities on
// a device, with the same bits. For each pair of nodes there are the distance, the number of shortest paths, and what
// each of them carries. A thread block takes a source, and eight threads take a node; they add up what its arcs lead to
// in the order of the arcs. What a source contributes to an edge is its mass times a whole number of units, so the
// order of atomic additions does not matter.
#include "rows.cuh"

// cuts_fill searches from living nodes, from the first to before the last, and adds their contributions.
extern "C" __global__ void __launch_bounds__(kCutThreads, kCutBlocks)
    cuts_fill(const Cuts* args, long long alive, long long first, long long last) {
  __shared__ Shared shared;
  const Cuts p = *args;
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    const Row r(p, p.alive[i], &shared);
    r.backward(r.search(alive), 0);
  }
}

// cuts_drop takes an edge out of the rows of its ends.
extern "C" __global__ void cuts_drop(const Cuts* args, unsigned edge) {
  if (threadIdx.x == 0) drop(*args, edge);
}

// cuts_leave takes all edges out of the rows of their ends that are marked in p.leaving.
extern "C" __global__ void cuts_leave(const Cuts* args) {
  const Cuts p = *args;
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < p.m; e += gridDim.x * (long long)blockDim.x)
    if (p.leaving[e]) drop(p, unsigned(e));
}

// cuts_cut brings the rows of the living sources up to date after the edge of u and v was dropped: those with a
// shortest path along it.
extern "C" __global__ void __launch_bounds__(kCutThreads, kCutBlocks)
    cuts_cut(const Cuts* args, long long alive, unsigned u, unsigned v) {
  __shared__ Shared shared;
  const Cuts p = *args;
  for (long long i = blockIdx.x; i < alive; i += gridDim.x) {
    const Row r(p, p.alive[i], &shared);
    const int du = r.dist[u], dv = r.dist[v];
    __syncthreads();  // before one of the two changes
    if (du != dv) r.cut(du < dv ? u : v, du < dv ? v : u);
  }
}

// cuts_pass adds p.more times the contributions of the first so many nodes of p.listed, for each node of their masses.
// Items are a listed node and a part of the living ones.
extern "C" __global__ void cuts_pass(const Cuts* args, long long alive, long long listed) {
  const Cuts p = *args;
  const Group<kLanes> g(kLanes);
  const long long parts = (alive + kCutThreads - 1) / kCutThreads;
  for (long long item = blockIdx.x; item < parts * listed; item += gridDim.x) {
    const long long at = item / parts, first = item % parts * kCutThreads;
    const Row r(p, p.listed[at], nullptr);
    for (long long i = first + g.index; i < alive && i < first + kCutThreads; i += g.count) {
      const unsigned v = p.alive[i];
      if (v != r.s) r.contribute(v, r.share[v], p.more[at]);
    }
  }
}

// cuts_weigh adds p.more to the masses of the first so many nodes of p.listed.
extern "C" __global__ void cuts_weigh(const Cuts* args, long long listed) {
  const Cuts p = *args;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < listed;
      i += gridDim.x * (long long)blockDim.x)
    p.masses[p.listed[i]] += p.more[i];
}

// cuts_reseed brings all rows up to date after the masses of the first so many nodes of p.listed changed.
extern "C" __global__ void __launch_bounds__(kCutThreads, kCutBlocks)
    cuts_reseed(const Cuts* args, long long alive, long long listed) {
  __shared__ Shared shared;
  const Cuts p = *args;
  for (long long i = blockIdx.x; i < alive; i += gridDim.x) Row(p, p.alive[i], &shared).reseed(listed);
}

// cuts_best finds the edge of the highest rank, of those the first: one thread block of 1,024.
extern "C" __global__ void __launch_bounds__(kBestThreads) cuts_best(const Cuts* args) {
  __shared__ long long ranks[kBestThreads];
  __shared__ unsigned edges[kBestThreads];
  const Cuts p = *args;
  long long rank = -1;
  unsigned edge = 0;
  for (long long e = threadIdx.x; e < p.m; e += kBestThreads) {
    const long long x = ((long long)p.sums[e] + (1ll << (p.shift - 1))) >> p.shift;
    if (!p.gone[e] && x > rank) {
      rank = x;
      edge = unsigned(e);
    }
  }
  ranks[threadIdx.x] = rank;
  edges[threadIdx.x] = edge;
  for (unsigned half = kBestThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    const unsigned other = threadIdx.x + half;
    if (threadIdx.x < half &&
        (ranks[other] > ranks[threadIdx.x] ||
            (ranks[other] == ranks[threadIdx.x] && edges[other] < edges[threadIdx.x]))) {
      ranks[threadIdx.x] = ranks[other];
      edges[threadIdx.x] = edges[other];
    }
  }
  if (threadIdx.x > 0) return;
  p.best[0] = edges[0];
  p.best[1] = (long long)p.sums[edges[0]];
}
