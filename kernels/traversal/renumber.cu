// Numbers the nodes of a graph in the order of one breadth-first search, so that what a level reads lies close together:
// neighbours get numbers, and with them places and rows, near one another. One thread block does it, for graphs without hubs.
#include "../device/threads.cuh"

constexpr int kRenumberThreads = 1024;  // host: renumberThreads
// While a node waits for its number it has this plus the thread whose node has an arc to it, the first one of several;
// once that thread has counted it, kRenumberThreads more.
constexpr unsigned kWaiting = 1u << 31;

// renumber_search numbers the nodes in the order in which a search from start reaches them, and those it does not reach
// after them. from gets the old number of each new one, to the new number of each old one.
extern "C" __global__ void __launch_bounds__(1024, 1) renumber_search(const long long* offsets, const unsigned* targets, long long n,
                                                                  long long start, unsigned* from, unsigned* to) {
  __shared__ unsigned warps[32];
  const unsigned mine = kWaiting + threadIdx.x, counted = mine + kRenumberThreads;
  for (long long v = threadIdx.x; v < n; v += blockDim.x) to[v] = ~0u;
  __syncthreads();
  if (threadIdx.x == 0) {
    to[start] = 0;
    from[0] = unsigned(start);
  }
  __syncthreads();
  unsigned lo = 0, hi = 1, found;
  for (; lo < hi; lo = min(lo + blockDim.x, hi), hi += found) {
    const unsigned i = lo + threadIdx.x;
    const long long v = i < hi ? from[i] : 0, begin = i < hi ? offsets[v] : 0, end = i < hi ? offsets[v + 1] : 0;
    for (long long e = begin; e < end; e++)
      if (to[targets[e]] > mine) atomicMin(&to[targets[e]], mine);
    __syncthreads();
    unsigned own = 0;
    for (long long e = begin; e < end; e++) {
      if (to[targets[e]] != mine) continue;
      to[targets[e]] = counted;
      own++;
    }
    unsigned number = hi + sumBefore(own, warps, found);
    for (long long e = begin; e < end && own > 0; e++) {
      const unsigned w = targets[e];
      if (to[w] != counted) continue;
      to[w] = number;
      from[number++] = w;
    }
    __syncthreads();
  }
  for (long long first = 0; first < n; first += blockDim.x) {
    const long long v = first + threadIdx.x;
    const bool left = v < n && to[v] == ~0u;
    const unsigned number = hi + sumBefore(left, warps, found);
    hi += found;
    if (!left) continue;
    to[v] = number;
    from[number] = unsigned(v);
  }
}

// renumber_offsets sets the offsets of the rows in the new order, with one thread block.
extern "C" __global__ void __launch_bounds__(1024, 1) renumber_offsets(const long long* offsets, long long n, const unsigned* from,
                                                                   long long* newOffsets) {
  __shared__ unsigned warps[32];
  long long sum = 0;
  for (long long first = 0; first < n; first += blockDim.x) {
    const long long i = first + threadIdx.x;
    const unsigned degree = i < n ? unsigned(offsets[from[i] + 1] - offsets[from[i]]) : 0;
    unsigned all;
    const unsigned before = sumBefore(degree, warps, all);
    if (i < n) newOffsets[i] = sum + before;
    sum += all;
  }
  if (threadIdx.x == 0) newOffsets[n] = sum;
}

// arc_ranges writes where the arcs of every node begin, and 2^32 times where they end.
extern "C" __global__ void arc_ranges(const long long* offsets, long long n, unsigned long long* ranges) {
  for (long long v = blockIdx.x * (long long)blockDim.x + threadIdx.x; v < n; v += (long long)gridDim.x * blockDim.x)
    ranges[v] = (unsigned long long)offsets[v + 1] << 32 | (unsigned long long)offsets[v];
}

// renumber_rows writes the rows in the new order, their arcs in the order that they had. newEdges, unless null, gets the
// edge of each arc: edges[arc], or arc where edges is null.
extern "C" __global__ void renumber_rows(const long long* offsets, const unsigned* targets, const unsigned* edges, long long n,
                                         const unsigned* from, const unsigned* to, const long long* newOffsets, unsigned* newTargets,
                                         unsigned* newEdges) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    const long long begin = offsets[from[i]], length = offsets[from[i] + 1] - begin, at = newOffsets[i];
    for (long long k = 0; k < length; k++) {
      newTargets[at + k] = to[targets[begin + k]];
      if (newEdges) newEdges[at + k] = edges ? edges[begin + k] : unsigned(begin + k);
    }
  }
}
