// Volume of radius up to 2, for volume-bitmap: a ball is then the node, its row, and the rows of its row, all of it
// known without a search, so that there is no queue and no barrier a level. volume_small, by how many arcs a ball may
// have, gives a warp to a node whose rows hold few arcs, with a hash set of the ball in shared memory, and lists the
// others; volume_large gives a block to each of those, with a bitmap, and the whole block to the rows that are long. A
// ball of radius 2 around a leaf is the ball of radius 1 around its neighbour, which writes the volumes of all of its
// leaves at once.
#include "../device/threads.cuh"

// NearVolumes are the arguments. Every field takes 8 bytes.
//
// host: arguments
struct NearVolumes {
  long long n;
  const long long* offsets;
  const unsigned* targets;
  const int* sources;  // null for all nodes in their order
  double* volumes;     // a source
  long long radius;    // 0, 1 or 2
  unsigned* queue;     // how many volume_large took and volume_small listed, 0 before it; then what it listed
  unsigned* bits;      // a bitmap a block, where it is not in shared memory
  long long sharedBitmaps;
  long long lanes;      // threads a short row
  long long smallBall;  // arcs that are too many for volume_small
  long long leaves;     // whether neighbours write the volumes of leaves: radius 2, undirected, and all nodes in their
                        // order are sources
};

constexpr unsigned kNone = ~0u;
constexpr unsigned kLongRow = 256;  // arcs from which a block shares a row
constexpr unsigned kLongRows = 64;  // of a node; what is over that is done as the short ones are

__device__ inline unsigned sourceOf(const NearVolumes& p, long long i) {
  return p.sources ? p.sources[i] : unsigned(i);
}

__device__ inline unsigned rowLength(const NearVolumes& p, unsigned v) {
  return unsigned(p.offsets[v + 1] - p.offsets[v]);
}

__device__ inline unsigned long long warpSum(unsigned long long x) {
  for (int k = 16; k > 0; k /= 2) x += __shfl_xor_sync(~0u, x, k);
  return x;
}

// leavesVolume says whether the neighbour of s writes the volume of s: s has one arc, to another node that has more
// than that one.
__device__ inline bool leavesVolume(const NearVolumes& p, unsigned s) {
  if (!p.leaves || rowLength(p, s) != 1) return false;
  const unsigned u = p.targets[p.offsets[s]];
  return u != s && rowLength(p, u) > 1;
}

// neighbourDegrees returns the calling thread's part of the degrees of the neighbours of s, each once: rows are sorted.
// Of `threads` threads it is number `thread`.
__device__ inline unsigned long long neighbourDegrees(
    const NearVolumes& p, unsigned s, unsigned thread, unsigned threads) {
  const long long row = p.offsets[s], end = p.offsets[s + 1];
  unsigned long long sum = 0;
  for (long long j = row + thread; j < end; j += threads) {
    const unsigned u = p.targets[j];
    if (u != s && (j == row || p.targets[j - 1] != u)) sum += rowLength(p, u);
  }
  return sum;
}

// writeLeaves gives the leaves among the neighbours of s the volume of its ball of radius 1.
__device__ inline void writeLeaves(
    const NearVolumes& p, unsigned s, unsigned long long volume, unsigned thread, unsigned threads) {
  for (long long j = p.offsets[s] + thread; j < p.offsets[s + 1]; j += threads) {
    const unsigned u = p.targets[j];
    if (u != s && rowLength(p, u) == 1) p.volumes[u] = double(volume);
  }
}

// insert adds v to the hash set of mask+1 slots and says whether it is new. A slot stays free: the set is at most half
// full.
__device__ inline bool insert(unsigned* slots, unsigned mask, unsigned v) {
  for (unsigned at = v * 2654435769u >> 7 & mask;; at = at + 1 & mask) {
    const unsigned was = atomicCAS(&slots[at], kNone, v);
    if (was == kNone) return true;
    if (was == v) return false;
  }
}

// ballArcs returns how many arcs a walk over the ball reads, or some number of at least smallBall when there are more.
__device__ inline unsigned long long ballArcs(const NearVolumes& p, unsigned s) {
  const long long row = p.offsets[s];
  const unsigned length = rowLength(p, s);
  unsigned long long arcs = length;
  if (p.radius < 2) return arcs;
  for (unsigned base = 0; base < length && arcs < p.smallBall; base += 32) {
    const unsigned j = base + threadIdx.x % 32;
    arcs += warpSum(j < length ? rowLength(p, p.targets[row + j]) : 0);
  }
  return arcs;
}

// smallBall returns the calling lane's part of a volume. The lanes share the arcs of 32 rows at a time evenly.
__device__ inline unsigned long long smallBall(const NearVolumes& p, unsigned s, unsigned* slots, unsigned mask) {
  const unsigned lane = threadIdx.x % 32, length = rowLength(p, s);
  const long long row = p.offsets[s];
  unsigned long long sum = 0;
  for (unsigned base = 0; base < length; base += 32) {
    const unsigned j = base + lane;
    long long start = 0;
    unsigned end = 0;
    if (j < length) {
      const unsigned u = p.targets[row + j];
      start = p.offsets[u];
      end = rowLength(p, u);
      if (insert(slots, mask, u)) sum += end;
      if (p.radius < 2) end = 0;
    }
    const unsigned own = end;
    for (int k = 1; k < 32; k *= 2) {
      const unsigned before = __shfl_up_sync(~0u, end, k);
      if (lane >= k) end += before;
    }
    start -= end - own;  // arc i of the 32 rows lies at start + i of its row
    const unsigned arcs = __shfl_sync(~0u, end, 31);
    for (unsigned first = 0; first < arcs; first += 32) {
      const unsigned i = first + lane;
      unsigned which = 0;  // the first row that ends after i
      for (unsigned step = 16; step > 0; step /= 2) {
        if (__shfl_sync(~0u, end, which + step - 1) <= i) which += step;
      }
      const long long from = __shfl_sync(~0u, start, which);
      if (i >= arcs) continue;
      const unsigned w = p.targets[from + i];
      if (insert(slots, mask, w)) sum += rowLength(p, w);
    }
  }
  return sum;
}

// smallBalls takes balls of under Ball arcs, which is p.smallBall; half of a warp's slots stay empty.
template <unsigned Ball> __device__ inline void smallBalls(const NearVolumes* args, long long first, long long last) {
  __shared__ unsigned sets[4][2 * Ball];
  const NearVolumes p = *args;
  const unsigned lane = threadIdx.x % 32, warps = blockDim.x / 32;
  unsigned* slots = sets[threadIdx.x / 32];
  for (long long i = first + (long long)blockIdx.x * warps + threadIdx.x / 32; i < last;
      i += (long long)gridDim.x * warps) {
    const unsigned s = sourceOf(p, i);
    if (p.radius == 0) {
      if (lane == 0) p.volumes[i] = double(rowLength(p, s));
      continue;
    }
    if (leavesVolume(p, s)) continue;
    if (p.leaves && rowLength(p, s) > 1 && rowLength(p, s) < p.smallBall) {
      writeLeaves(p, s, rowLength(p, s) + warpSum(neighbourDegrees(p, s, lane, 32)), lane, 32);
    }
    const unsigned long long arcs = ballArcs(p, s);
    if (arcs >= p.smallBall) {
      if (lane == 0) p.queue[2 + (long long)atomicAdd(&p.queue[1], 1)] = unsigned(i);
      continue;
    }
    unsigned size = 32;
    while (size < 2 * (arcs + 1)) size *= 2;
    __syncwarp();
    for (unsigned j = lane; j < size; j += 32) slots[j] = kNone;
    __syncwarp();
    if (lane == 0) insert(slots, size - 1, s);
    __syncwarp();
    unsigned long long sum = (lane == 0 ? rowLength(p, s) : 0) + smallBall(p, s, slots, size - 1);
    sum = warpSum(sum);
    if (lane == 0) p.volumes[i] = double(sum);
  }
}

extern "C" __global__ void __launch_bounds__(128)
    volume_small_512(const NearVolumes* args, long long first, long long last) {
  smallBalls<512>(args, first, last);
}

extern "C" __global__ void __launch_bounds__(128)
    volume_small_1024(const NearVolumes* args, long long first, long long last) {
  smallBalls<1024>(args, first, last);
}

// LongRows are the rows that a block shares.
struct LongRows {
  unsigned count;
  unsigned nodes[kLongRows];
};

// mark reads the arcs from `from` to `to`, step apart, and returns the degrees of the targets that nobody had marked.
// It reads four arcs at a time, so that their latencies overlap.
__device__ inline unsigned long long mark(
    const NearVolumes& p, unsigned* seen, long long from, long long to, int step) {
  unsigned long long sum = 0;
  for (long long e = from; e < to; e += 4 * (long long)step) {
    unsigned w[4];
#pragma unroll
    for (int k = 0; k < 4; k++) w[k] = e + k * (long long)step < to ? p.targets[e + k * (long long)step] : kNone;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      if (w[k] != kNone && (test(seen, w[k]) || !claim(seen, w[k]))) w[k] = kNone;
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
      if (w[k] != kNone) sum += rowLength(p, w[k]);
    }
  }
  return sum;
}

// Part is a thread's part of a volume, and of the arcs read for it.
struct Part { unsigned long long sum, arcs; };

// largeBall returns the calling thread's part. `rows` comes empty; all threads of the block call it.
__device__ inline Part largeBall(const NearVolumes& p, unsigned s, unsigned* seen, LongRows& rows) {
  const Group<0> g(int(p.lanes));
  const long long row = p.offsets[s], end = p.offsets[s + 1];
  Part part = {
      mark(p, seen, row + threadIdx.x, end, blockDim.x), threadIdx.x == 0 ? (unsigned long long)(end - row) : 0};
  if (p.radius < 2) return part;
  for (long long j = row + g.index; j < end; j += g.count) {
    const unsigned u = p.targets[j];
    const long long from = p.offsets[u], to = p.offsets[u + 1];
    if (g.lane == 0) part.arcs += to - from;
    unsigned at = kLongRows;
    if (to - from >= kLongRow) {
      if (g.lane == 0) at = atomicAdd(&rows.count, 1);
      at = __shfl_sync(g.mask, at, 0, g.width);
    }
    if (at >= kLongRows) part.sum += mark(p, seen, from + g.lane, to, g.width);
    else if (g.lane == 0) rows.nodes[at] = u;
  }
  __syncthreads();
  const unsigned count = min(rows.count, kLongRows);
  for (unsigned k = 0; k < count; k++) {
    const unsigned u = rows.nodes[k];
    part.sum += mark(p, seen, p.offsets[u] + threadIdx.x, p.offsets[u + 1], blockDim.x);
  }
  return part;
}

// unmark clears the words of the ball, by another walk over its rows where that is less than all of the bitmap.
__device__ inline void unmark(const NearVolumes& p, unsigned s, unsigned* seen, unsigned long long arcs) {
  const long long words = (p.n + 31) / 32;
  if (4 * arcs >= words) {
    for (long long j = threadIdx.x; j < words; j += blockDim.x) seen[j] = 0;
    return;
  }
  const Group<0> g(int(p.lanes));
  if (threadIdx.x == 0) seen[s / 32] = 0;
  for (long long j = p.offsets[s] + g.index; j < p.offsets[s + 1]; j += g.count) {
    const unsigned u = p.targets[j];
    if (g.lane == 0) seen[u / 32] = 0;
    if (p.radius < 2) continue;
    for (long long e = p.offsets[u] + g.lane; e < p.offsets[u + 1]; e += g.width) seen[p.targets[e] / 32] = 0;
  }
}

// shareLeaves is writeLeaves by the whole block. `sum` comes as 0 and is left as 0.
__device__ inline void shareLeaves(const NearVolumes& p, unsigned s, unsigned long long& sum) {
  const unsigned long long part = warpSum(neighbourDegrees(p, s, threadIdx.x, blockDim.x));
  if (threadIdx.x % 32 == 0 && part) atomicAdd(&sum, part);
  __syncthreads();
  writeLeaves(p, s, rowLength(p, s) + sum, threadIdx.x, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 0) sum = 0;
}

extern "C" __global__ void __launch_bounds__(1024, 1) volume_large(const NearVolumes* args) {
  __shared__ NearVolumes p;
  __shared__ LongRows rows;
  __shared__ unsigned at;
  __shared__ unsigned long long volume, arcs, near;
  extern __shared__ unsigned bitmap[];
  if (threadIdx.x == 0) {
    p = *args;
    near = 0;
  }
  __syncthreads();
  const long long words = (p.n + 31) / 32;
  unsigned* seen = p.sharedBitmaps ? bitmap : p.bits + blockIdx.x * words;
  const unsigned listed = p.queue[1];
  if (blockIdx.x >= listed) return;
  for (long long j = threadIdx.x; j < words; j += blockDim.x) seen[j] = 0;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) at = atomicAdd(&p.queue[0], 1);
    __syncthreads();
    if (at >= listed) return;
    const unsigned i = p.queue[2 + (long long)at], s = sourceOf(p, i);
    if (threadIdx.x == 0) {
      rows.count = 0;
      arcs = 0;
      volume = rowLength(p, s);
      set(seen, s);
    }
    __syncthreads();
    if (p.leaves && rowLength(p, s) >= p.smallBall) shareLeaves(p, s, near);
    Part part = largeBall(p, s, seen, rows);
    part = {warpSum(part.sum), warpSum(part.arcs)};
    if (threadIdx.x % 32 == 0) {
      if (part.sum) atomicAdd(&volume, part.sum);
      if (part.arcs) atomicAdd(&arcs, part.arcs);
    }
    __syncthreads();
    if (threadIdx.x == 0) p.volumes[i] = double(volume);
    unmark(p, s, seen, arcs);
  }
}
