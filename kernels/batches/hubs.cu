// Distances to a few nodes, by which sources of a shallow graph make batches.
#include "team.cuh"
#include "../device/threads.cuh"

constexpr unsigned kEnds = 32;         // host: ends; the nodes, a bit each
constexpr unsigned kHubFar = 255;      // the distance of a source that is as far or farther, or does not reach the node
constexpr unsigned kHubThreads = 512;  // host: hubThreads; of a block
constexpr unsigned kHubSide = 8;       // nodes of a block that lie side by side; their neighbours are another block's
constexpr unsigned kWarpRow = 32, kBlockRow = 1024;  // longer rows have a warp, and a block
constexpr unsigned kHubAhead = 4;                    // targets that a thread reads before it uses the first

// HubSearch is what the blocks share.
struct HubSearch {
  unsigned arrived;   // blocks at the barrier
  unsigned found[3];  // how many nodes a level found, by the level modulo 3
};

// HubRows are the rows of a graph, with the masks of its nodes.
struct HubRows {
  const long long* offsets;
  const unsigned* targets;
  const unsigned* masks;
  // length is that of the row of a node.
  __device__ unsigned length(unsigned v) const { return unsigned(offsets[v + 1] - offsets[v]); }
  // joined returns x and the masks of every so-many-th target of a row from a place on, or as many as it takes to have
  // all bits.
  __device__ unsigned joined(unsigned v, unsigned first, unsigned step, unsigned x) const {
    const unsigned *row = targets + offsets[v], end = length(v);
    for (unsigned k = first; k < end && x != ~0u; k += kHubAhead * step) {
#pragma unroll
      for (unsigned i = 0; i < kHubAhead; i++)
        if (k + i * step < end) x |= masks[row[k + i * step]];
    }
    return x;
  }
};

// joinRows calls put with each node, its mask, and that joined with those of its neighbours. A block has as many nodes
// as threads at a time.
template <class Put> __device__ void joinRows(const HubRows& rows, unsigned n, Put put) {
  __shared__ unsigned listed[kHubThreads], count, whole;
  const unsigned lane = threadIdx.x % 32, sides = kHubThreads / kHubSide * gridDim.x;
  for (unsigned first = 0; first < n; first += sides * kHubSide) {
    const unsigned v = first + (threadIdx.x / kHubSide * gridDim.x + blockIdx.x) * kHubSide + threadIdx.x % kHubSide;
    const unsigned x = v < n ? rows.masks[v] : ~0u, length = x == ~0u ? 0 : rows.length(v);
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (v < n && length <= kWarpRow) put(v, x, rows.joined(v, 0, 1, x));
    if (length > kBlockRow) listed[atomicAdd(&count, 1)] = v;
    for (unsigned left = __ballot_sync(~0u, length > kWarpRow && length <= kBlockRow); left; left &= left - 1) {
      const int from = __ffs(int(left)) - 1;
      const unsigned w = __shfl_sync(~0u, v, from), had = __shfl_sync(~0u, x, from);
      const unsigned y = Group<32>(32).unite(rows.joined(w, lane, 32, had));
      if (lane == 0) put(w, had, y);
    }
    __syncthreads();
    for (unsigned i = 0; i < count; i++) {
      const unsigned w = listed[i], had = rows.masks[w];
      if (threadIdx.x == 0) whole = had;
      __syncthreads();
      const unsigned y = rows.joined(w, threadIdx.x, kHubThreads, had);
      if (y != had) atomicOr(&whole, y);
      __syncthreads();
      if (threadIdx.x == 0) put(w, had, whole);
      __syncthreads();
    }
  }
}

// hub_distances writes how many hops along arcs lead from each of count sources to each of kEnds nodes, kEnds bytes a
// source. A node has a bit for each of these that it reaches within the levels so far; masks has two words for each
// node, known one for each source. The search ends when a level finds fewer nodes than enough, and than the one before.
extern "C" __global__ void __launch_bounds__(512, 2) hub_distances(unsigned n, const long long* offsets,
    const unsigned* targets, const unsigned* ends, unsigned enough, unsigned* masks, HubSearch* search,
    const unsigned* sources, unsigned count, unsigned* known, unsigned char* distances) {
  const unsigned thread = blockIdx.x * kHubThreads + threadIdx.x, threads = gridDim.x * kHubThreads;
  __shared__ unsigned found;
  unsigned generation = 0;
  const auto note = [&](unsigned i, unsigned level) {
    const unsigned y = masks[level % 2 * (size_t)n + sources[i]];
    for (unsigned left = y & ~known[i]; left; left &= left - 1)
      distances[kEnds * (size_t)i + __ffs(int(left)) - 1] = level;
    known[i] = y;
  };
  for (unsigned v = thread; v < n; v += threads) masks[v] = 0;
  meet(&search->arrived, gridDim.x, &generation);
  if (thread < kEnds) atomicOr(&masks[ends[thread]], 1u << thread);
  meet(&search->arrived, gridDim.x, &generation);
  for (unsigned i = thread; i < count; i += threads) {
    for (unsigned e = 0; e < kEnds; e++) distances[kEnds * (size_t)i + e] = kHubFar;
    known[i] = 0;
    note(i, 0);
  }
  unsigned before = 0;
  for (unsigned level = 1; level < kHubFar; level++) {
    unsigned* then = masks + level % 2 * (size_t)n;
    unsigned fresh = 0;
    if (threadIdx.x == 0) found = 0;
    joinRows(HubRows{offsets, targets, masks + (level + 1) % 2 * (size_t)n}, n,
        [&](unsigned v, unsigned had, unsigned mask) {
          then[v] = mask;
          fresh += mask != had;
        });
    if (fresh) atomicAdd(&found, fresh);
    __syncthreads();
    if (threadIdx.x == 0 && found) atomicAdd(&search->found[level % 3], found);
    if (thread == 0) search->found[(level + 1) % 3] = 0;
    meet(&search->arrived, gridDim.x, &generation);
    for (unsigned i = thread; i < count; i += threads) note(i, level);
    const unsigned all = *(volatile unsigned*)&search->found[level % 3];
    if (all == 0 || (all < enough && all < before)) return;
    before = all;
  }
}
