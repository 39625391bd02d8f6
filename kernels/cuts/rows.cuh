// The row of a source: distances, numbers of paths and shares of all nodes of a block, and what changes when an edge is
// cut. A thread block works on a row. See hopRows in kernels/communities, which does the same on the CPU.
#pragma once
#include "../device/threads.cuh"

namespace {
constexpr int kCutThreads = 128;    // host: cutThreads; of a block that works on rows
constexpr int kCutBlocks = 8;       // host: cutBlocks; of them work on a multiprocessor
constexpr int kBestThreads = 1024;  // host: bestThreads
constexpr int kLanes = 8;           // of a node
constexpr int kUnreached = 0xffff;
constexpr double kMostPaths = 0x1p1000;  // as mostPaths on the CPU

// Marks of nodes while a row is brought up to date.
enum : unsigned { kChanged = 1, kOrphan = 2, kQueued = 4 };

// Shared is what the threads of a block share.
struct Shared {
  unsigned tail, orphans, most, least, onward[2];
  int again;
};
}  // namespace

// Cuts are the arguments. Every field takes 8 bytes.
//
// host: arguments
struct Cuts {
  long long n;               // nodes of the block, and the stride of rows
  long long m;               // its edges
  const long long* offsets;  // n + 1: where the arcs of each node begin, by target, then edge
  unsigned* targets;         // an arc: where it leads; its own node once its edge is gone
  const unsigned* edges;     // an arc: its edge
  const unsigned* places;    // an edge: its two arcs
  unsigned* alive;           // the nodes that are left
  long long* masses;         // a node: how many nodes it stands for
  double unit;               // how many units of a sum make 1
  long long shift;           // how many bits ranks drop
  unsigned short* dist;      // a pair: see Row
  double* sigma;
  double* share;
  unsigned long long* sums;      // an edge: its score in units, of all ordered pairs
  unsigned char* gone;           // an edge: whether it was dropped
  const unsigned char* leaving;  // an edge: whether it is to be dropped
  const unsigned* listed;        // nodes that an operation is about, and what their masses gain
  const long long* more;
  long long slot;     // nodes that the following arrays have room for, per thread block
  unsigned* marks;    // a node; 0 between operations
  unsigned* queue;    // nodes whose numbers of paths change
  unsigned* sorted;   // the queue, nearer nodes first
  unsigned* onward;   // 2 lists of nodes whose shares change, of one level and of the next
  unsigned* orphans;  // nodes whose distances change
  unsigned* starts;   // slot + 2: where each level of the sorted queue begins
  long long* best;    // the edge of the highest rank, its sum, and whether a number of paths was too great
};

namespace {
// drop has the arcs of an edge lead nowhere, so that no search follows them.
__device__ inline void drop(const Cuts& p, unsigned edge) {
  if (p.gone[edge]) return;
  p.gone[edge] = 1;
  const unsigned a = p.places[2 * (size_t)edge], b = p.places[2 * (size_t)edge + 1], to = p.targets[a];
  p.targets[a] = p.targets[b];
  p.targets[b] = to;
}

// term rounds a product, given in units, as the CPU does.
__device__ inline long long term(double sigma, double carried) {
  return __double2ll_rz(__dadd_rn(__dmul_rn(sigma, carried), 0.5));
}

struct Row {
  const Cuts& p;
  const Group<kLanes> g;
  Shared* const shared;
  const unsigned s;
  unsigned short* const dist;  // a node: how far it is from s
  double* const sigma;         // a node: the number of shortest paths to it
  double* const share;         // a node: what each of these carries
  unsigned *const marks, *const queue, *const sorted, *const onward, *const orphans, *const starts;

  __device__ Row(const Cuts& cuts, unsigned source, Shared* of)
      : p(cuts), g(kLanes), shared(of), s(source), dist(cuts.dist + source * (size_t)cuts.n),
        sigma(cuts.sigma + source * (size_t)cuts.n), share(cuts.share + source * (size_t)cuts.n),
        marks(cuts.marks + blockIdx.x * (size_t)cuts.slot), queue(cuts.queue + blockIdx.x * (size_t)cuts.slot),
        sorted(cuts.sorted + blockIdx.x * (size_t)cuts.slot), onward(cuts.onward + 2 * blockIdx.x * (size_t)cuts.slot),
        orphans(cuts.orphans + blockIdx.x * (size_t)cuts.slot),
        starts(cuts.starts + blockIdx.x * (size_t)(cuts.slot + 2)) {}

  // each calls visit(v) for nodes of a list: eight threads per node.
  template <class Visit> __device__ void each(const unsigned* list, unsigned first, unsigned last, Visit visit) const {
    for (unsigned i = first + g.index; i < last; i += g.count) visit(list[i]);
  }

  // arcs calls visit(to, edge) for the arcs of a node, each by one thread.
  template <class Visit> __device__ void arcs(unsigned v, Visit visit) const {
    for (long long i = p.offsets[v] + g.lane; i < p.offsets[v + 1]; i += kLanes) visit(p.targets[i], p.edges[i]);
  }

  // sum adds up values of the nodes at a distance that arcs of v lead to, in the order of the arcs. Others count 0.
  __device__ double sum(unsigned v, const double* values, int at) const {
    double all = 0;
    for (long long first = p.offsets[v]; first < p.offsets[v + 1]; first += kLanes) {
      double x = 0;
      if (first + g.lane < p.offsets[v + 1]) {
        const unsigned to = p.targets[first + g.lane];
        if (dist[to] == at) x = values[to];
      }
#pragma unroll
      for (int k = 0; k < kLanes; k++) all += __shfl_sync(g.mask, x, k, kLanes);
    }
    return all;
  }

  // contribute adds factor times what paths to v, each of which carries so much, add to the edges that they reach v by.
  __device__ void contribute(unsigned v, double carries, long long factor) const {
    const int before = dist[v] - 1;
    const double carried = carries * p.unit;
    arcs(v, [&](unsigned to, unsigned edge) {
      if (dist[to] == before) atomicAdd(&p.sums[edge], (unsigned long long)(factor * term(sigma[to], carried)));
    });
  }

  // count adds up the number of paths to v.
  __device__ void count(unsigned v) const {
    const double paths = sum(v, sigma, dist[v] - 1);
    if (g.lane > 0) return;
    sigma[v] = paths;
    if (!(paths <= kMostPaths)) p.best[2] = 1;
  }

  // search finds distances and numbers of paths to all nodes. It lists the nodes by level, marks them, and returns the
  // number of levels.
  __device__ unsigned search(long long alive) const {
    for (long long i = threadIdx.x; i < alive; i += blockDim.x) dist[p.alive[i]] = kUnreached;
    __syncthreads();
    if (threadIdx.x == 0) {
      dist[s] = 0;
      sigma[s] = 1;
      marks[s] = kChanged;
      sorted[0] = s;
      shared->tail = 1;
      starts[0] = 0;
    }
    __syncthreads();
    unsigned first = 0, level = 0;
    for (unsigned last = 1; first < last; level++) {
      each(sorted, first, last, [&](unsigned v) {
        if (level > 0) count(v);
        arcs(v, [&](unsigned to, unsigned) {
          if (to == v || marks[to] || atomicCAS(&marks[to], 0u, unsigned(kChanged))) return;
          dist[to] = (unsigned short)(level + 1);
          sorted[atomicAdd(&shared->tail, 1u)] = to;
        });
      });
      __syncthreads();
      first = last;
      last = shared->tail;
      if (threadIdx.x == 0) starts[level + 1] = first;
      __syncthreads();
    }
    return level;
  }

  // cut brings the row up to date after an edge left that was on a path from s to far through near.
  __device__ void cut(unsigned near, unsigned far) const {
    const int base = dist[near];
    unsigned levels = collect(near, far);
    if (shared->orphans > 0) {
      relocate();
      levels = sort(queue, shared->tail);
    }
    for (unsigned k = 1; k < levels; k++) {
      each(sorted, starts[k], starts[k + 1], [&](unsigned v) { count(v); });
      __syncthreads();
    }
    if (threadIdx.x == 0 && near != s) marks[near] = kQueued;
    backward(levels, base);
  }

  // collect lists near and the nodes that paths from far lead to, level by level: their numbers of paths change. It
  // takes back what paths contributed to the edges that lead to them, and lists those that no shortest path of the old
  // length leads to any more. It returns the number of levels.
  __device__ unsigned collect(unsigned near, unsigned far) const {
    if (threadIdx.x == 0) {
      queue[0] = sorted[0] = near;
      queue[1] = sorted[1] = far;
      marks[far] = kChanged;
      starts[0] = 0;
      starts[1] = 1;
      shared->tail = 2;
      shared->orphans = 0;
    }
    __syncthreads();
    const long long factor = p.masses[s];
    unsigned first = 1, levels = 1;
    for (unsigned last = 2; first < last; levels++) {
      each(sorted, first, last, [&](unsigned v) { takeBack(v, factor); });
      __syncthreads();
      first = last;
      last = shared->tail;
      if (threadIdx.x == 0) starts[levels + 1] = first;
      __syncthreads();
    }
    return levels;
  }

  __device__ void takeBack(unsigned v, long long factor) const {
    const int d = dist[v];
    const double carried = share[v] * p.unit;
    bool alone = true;
    arcs(v, [&](unsigned to, unsigned edge) {
      const int there = dist[to];
      if (there == d - 1) {
        atomicAdd(&p.sums[edge], (unsigned long long)(-factor * term(sigma[to], carried)));
        alone = alone && (marks[to] & kOrphan);
      } else if (there == d + 1 && !marks[to] && !atomicCAS(&marks[to], 0u, unsigned(kChanged))) {
        const unsigned at = atomicAdd(&shared->tail, 1u);
        queue[at] = sorted[at] = to;
      }
    });
    if (!__all_sync(g.mask, alone) || g.lane > 0) return;
    marks[v] = kChanged | kOrphan;
    orphans[atomicAdd(&shared->orphans, 1u)] = v;
  }

  // relocate finds the distances of orphans: each is 1 more than the least of its neighbours, once that holds for all
  // of them.
  __device__ void relocate() const {
    const unsigned count = shared->orphans;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) dist[orphans[i]] = kUnreached;
    do {
      __syncthreads();
      if (threadIdx.x == 0) shared->again = 0;
      __syncthreads();
      each(orphans, 0, count, [&](unsigned v) {
        int nearest = kUnreached;
        arcs(v, [&](unsigned to, unsigned) { nearest = min(nearest, dist[to] + 1); });
        for (int k = kLanes / 2; k > 0; k /= 2) nearest = min(nearest, __shfl_xor_sync(g.mask, nearest, k, kLanes));
        if (g.lane > 0 || nearest >= dist[v]) return;
        dist[v] = (unsigned short)nearest;
        shared->again = 1;
      });
      __syncthreads();
    } while (shared->again);
  }

  // sort puts nodes of a list into levels, nearer ones first, and returns the number of levels. The first level is that
  // of the nearest.
  __device__ unsigned sort(const unsigned* list, unsigned count) const {
    __syncthreads();
    if (threadIdx.x == 0) {
      shared->least = ~0u;
      shared->most = 0;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
      atomicMin(&shared->least, unsigned(dist[list[i]]));
      atomicMax(&shared->most, unsigned(dist[list[i]]));
    }
    __syncthreads();
    const unsigned base = shared->least, levels = shared->most - base + 1;
    for (unsigned k = threadIdx.x; k < levels; k += blockDim.x) onward[k] = 0;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) atomicAdd(&onward[dist[list[i]] - base], 1u);
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned sum = 0;
      for (unsigned k = 0; k < levels; k++) {
        starts[k] = sum;
        sum += onward[k];
        onward[k] = starts[k];
      }
      starts[levels] = sum;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
      sorted[atomicAdd(&onward[dist[list[i]] - base], 1u)] = list[i];
    __syncthreads();
    return levels;
  }

  // reseed computes shares again after the masses of the first so many listed nodes changed.
  __device__ void reseed(long long listed) const {
    if (threadIdx.x == 0) {
      unsigned count = 0;
      for (long long i = 0; i < listed; i++) {
        const unsigned v = p.listed[i];
        if (v == s) continue;
        marks[v] = kQueued;
        queue[count++] = v;
      }
      shared->tail = count;
    }
    __syncthreads();
    const unsigned count = shared->tail;
    if (count > 0) {
      const unsigned levels = sort(queue, count);
      backward(levels, int(shared->least));
    }
    __syncthreads();
  }

  // backward computes the shares of the nodes in sorted levels again, the first of which is so far from s, and of those
  // before them whose shares change by that. It leaves all nodes without marks.
  __device__ void backward(unsigned levels, int base) const {
    const long long factor = p.masses[s];
    if (threadIdx.x == 0) shared->onward[0] = shared->onward[1] = 0;
    __syncthreads();
    int turn = 0;
    for (int level = base + int(levels) - 1; level > 0; level--, turn ^= 1) {
      const unsigned waiting = shared->onward[turn];
      if (level < base && waiting == 0) break;
      unsigned* const next = onward + (turn ^ 1) * (size_t)p.slot;
      const auto visit = [&](unsigned v) { renew(v, level, factor, next, &shared->onward[turn ^ 1]); };
      if (level >= base) each(sorted, starts[level - base], starts[level - base + 1], visit);
      each(onward + turn * (size_t)p.slot, 0, waiting, visit);
      __syncthreads();
      if (threadIdx.x == 0) shared->onward[turn] = 0;
      __syncthreads();
    }
    if (threadIdx.x == 0) marks[s] = 0;
    __syncthreads();
  }

  // renew computes the share of a node again, and adds the difference that this makes to the edges before it. Nodes
  // before it go onto a list if their shares change.
  __device__ void renew(unsigned v, int level, long long factor, unsigned* next, unsigned* waiting) const {
    const unsigned mark = marks[v];
    const double old = share[v], now = sum(v, share, level + 1) + double(p.masses[v]) / sigma[v];
    __syncwarp(g.mask);
    if (g.lane == 0) {
      share[v] = now;
      marks[v] = 0;
    }
    if (now == old && !(mark & kChanged)) return;
    const double carried = now * p.unit, taken = mark & kChanged ? 0 : old * p.unit;
    const bool on = level > 1 && (now != old || (mark & kOrphan));
    arcs(v, [&](unsigned to, unsigned edge) {
      if (dist[to] != level - 1) return;
      const long long more = term(sigma[to], carried) - term(sigma[to], taken);
      if (more) atomicAdd(&p.sums[edge], (unsigned long long)(factor * more));
      if (on && !marks[to] && !atomicCAS(&marks[to], 0u, unsigned(kQueued))) next[atomicAdd(waiting, 1u)] = to;
    });
  }
};
}  // namespace
