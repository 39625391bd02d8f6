// Numbers the nodes of a graph in the order of a breadth-first search, so that what a level reads lies close together:
// neighbours get numbers, and with them places and rows, near one another. One thread block does it, because blocks
// would wait for one another longer than for what one reads. A thread has a row, so there must be no hubs.
#include "../device/threads.cuh"

constexpr int kRenumberThreads = 1024;  // host: renumberThreads
constexpr int kRenumberDegree = 64;     // host: renumberDegree; arcs of a node, at most
// While a node waits for its number it has this plus the thread whose node has an arc to it, the first one of several;
// once that thread has counted it, kRenumberThreads more.
constexpr unsigned kWaiting = 1u << 31;

// ShortRow is a row of 64 arcs at most. A set of its arcs has a bit for each.
struct ShortRow {
  using Arcs = unsigned long long;
  static constexpr unsigned ahead = 8;  // a thread reads so many targets before it uses the first
  const unsigned* targets;
  unsigned degree;
  __device__ Arcs all() const { return degree == 0 ? 0 : ~0ull >> (64 - degree); }
  // each calls what(w, arc) for the targets w of some arcs, in order.
  template <class Do> __device__ void each(Arcs arcs, Do what) const {
    for (unsigned first = 0; first < degree && arcs >> first; first += ahead) {
      unsigned w[ahead];
#pragma unroll
      for (unsigned k = 0; k < ahead; k++) w[k] = arcs >> first >> k & 1 ? __ldg(&targets[first + k]) : 0;
#pragma unroll
      for (unsigned k = 0; k < ahead; k++)
        if (arcs >> first >> k & 1) what(w[k], Arcs(1) << first << k);
    }
  }
};

// renumber_search numbers the nodes in the order in which a search from start reaches them, and those it does not reach
// after them. from gets the old number of each new one, to the new number of each old one. reached has a bit for each
// node; where it is null, shared memory has room for them.
extern "C" __global__ void __launch_bounds__(1024, 1) renumber_search(const long long* offsets, const unsigned* targets,
    unsigned n, unsigned start, unsigned* from, unsigned* to, unsigned* reached) {
  __shared__ unsigned warps[32];
  extern __shared__ unsigned bitmaps[];
  const unsigned mine = kWaiting + threadIdx.x, counted = mine + kRenumberThreads;
  if (!reached) reached = bitmaps;
  for (unsigned i = threadIdx.x; i < (n + 31) / 32; i += blockDim.x) reached[i] = 0;
  for (unsigned v = threadIdx.x; v < n; v += blockDim.x) to[v] = v == start ? 0 : ~0u;
  __syncthreads();
  if (threadIdx.x == 0) {
    from[0] = start;
    set(reached, start);
  }
  __syncthreads();
  unsigned lo = 0, hi = 1, found;
  for (; lo < hi; lo = min(lo + blockDim.x, hi), hi += found) {
    const unsigned i = lo + threadIdx.x, v = i < hi ? from[i] : 0;
    const long long begin = offsets[v];
    const ShortRow row{targets + begin, i < hi ? unsigned(offsets[v + 1] - begin) : 0};
    ShortRow::Arcs fresh = 0, first = 0, own = 0;
    row.each(row.all(), [&](unsigned w, ShortRow::Arcs arc) {
      if (test(reached, w)) return;
      fresh |= arc;
      atomicMin(&to[w], mine);
    });
    __syncthreads();
    row.each(fresh, [&](unsigned w, ShortRow::Arcs arc) { first |= to[w] == mine ? arc : 0; });
    row.each(first, [&](unsigned w, ShortRow::Arcs arc) {
      if (atomicExch(&to[w], counted) == mine) own |= arc;  // of parallel edges, one
    });
    unsigned number = hi + sumBefore(__popcll(own), warps, found);
    row.each(own, [&](unsigned w, ShortRow::Arcs) {
      set(reached, w);
      to[w] = number;
      from[number++] = w;
    });
    __syncthreads();
  }
  for (unsigned first = 0; hi < n; first += blockDim.x) {
    const unsigned v = first + threadIdx.x;
    const bool left = v < n && !test(reached, v);
    const unsigned number = hi + sumBefore(left, warps, found);
    hi += found;
    if (!left) continue;
    to[v] = number;
    from[number] = v;
  }
}

// arc_ranges writes where the arcs of every node begin, and 2^32 times where they end.
extern "C" __global__ void arc_ranges(const long long* offsets, long long n, unsigned long long* ranges) {
  for (long long v = blockIdx.x * (long long)blockDim.x + threadIdx.x; v < n; v += (long long)gridDim.x * blockDim.x)
    ranges[v] = (unsigned long long)offsets[v + 1] << 32 | (unsigned long long)offsets[v];
}

// renumber_ranges is arc_ranges of rows in the new order.
extern "C" __global__ void renumber_ranges(const unsigned* offsets, long long n, unsigned long long* ranges) {
  for (long long v = blockIdx.x * (long long)blockDim.x + threadIdx.x; v < n; v += (long long)gridDim.x * blockDim.x)
    ranges[v] = (unsigned long long)offsets[v + 1] << 32 | offsets[v];
}

// InOrder is the rows of nodes that are named in order: from, unless null, gives the node that comes i-th.
struct InOrder {
  const long long* offsets;
  const unsigned* from;
  unsigned quads;
  __device__ unsigned node(unsigned i) const { return from ? from[i] : i; }
  __device__ unsigned degree(unsigned i) const { return unsigned(offsets[node(i) + 1] - offsets[node(i)]); }
  // cells is how many the row takes: there is room for a kNoNode.
  __device__ unsigned cells(unsigned i) const { return (degree(i) / 4 + quads) / quads; }
};

// cell_sums writes how many cells the nodes of each block take.
extern "C" __global__ void cell_sums(
    unsigned n, const long long* offsets, const unsigned* from, unsigned quads, unsigned* sums) {
  const InOrder rows{offsets, from, quads};
  sumShare(n, sums, [&](unsigned i) { return rows.cells(i); });
}

// cell_nodes names the nodes by their first cells, by the sums of the blocks: to gets the names, and ranges where the
// arcs of each begin, and 2^32 times where they end.
extern "C" __global__ void cell_nodes(unsigned n, const long long* offsets, const unsigned* from, unsigned quads,
    const unsigned* sums, unsigned* to, unsigned long long* ranges) {
  const InOrder rows{offsets, from, quads};
  eachStart(
      n, sums, [&](unsigned i) { return rows.cells(i); },
      [&](unsigned i, unsigned name) {
        const unsigned long long begin = 4ull * quads * name;
        to[rows.node(i)] = name;
        ranges[name] = begin + rows.degree(i) << 32 | begin;
      });
}

// cell_rows writes the rows into their cells.
extern "C" __global__ void cell_rows(
    unsigned n, const long long* offsets, const unsigned* targets, const unsigned* to, unsigned quads, unsigned* rows) {
  for (unsigned v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
    const long long begin = offsets[v], degree = offsets[v + 1] - begin,
                    room = (degree / 4 + quads) / quads * quads * 4;
    unsigned* row = rows + 4ull * quads * to[v];
    for (long long k = 0; k < room; k++) row[k] = k < degree ? to[targets[begin + k]] : ~0u;
  }
}
