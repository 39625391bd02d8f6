// Brandes' algorithm by hops, a block a source: a forward pass finds levels and counts shortest paths, a backward pass
// hands dependencies to the nodes before. Both passes pull sums in the order of the neighbours, so that no float atomics
// are needed and the same run gives the same bits. Visited nodes and the levels at hand are bitmaps, in shared memory
// when they fit. Strategies differ in how threads are given to nodes and arcs; see Policy.
#pragma once
#include "../device/rules.cuh"
#include "rows.cuh"

// Policy is the strategy: which method a level takes.
//
// host: enumeration
enum Policy : long long {
  workEfficient,   // McLaughlin & Bader: threads for the nodes of the level's list only
  vertexParallel,  // Jia et al.: threads for all nodes, every level
  edgeParallel,    // Jia et al.: threads for all arcs, every level
  hybrid,          // McLaughlin & Bader, Algorithm 4
  bigLevels,       // McLaughlin & Bader, Algorithm 5: all arcs for levels of more than beta nodes
  vertexPull       // Sriram et al.: nodes not visited look at their neighbours
};

enum Method { byList, byVertex, byArc };

// Kind says what a kernel is made for, to keep each one small: lists for workEfficient and vertexParallel, withArcs for
// those that may take all arcs of a level, pulls for vertexPull.
enum Kind { lists, withArcs, pulls };

// Paths are the arguments. Every field takes 8 bytes; the host writes them as such.
//
// host: arguments
struct Paths {
  long long n, arcs;
  const long long *outOffsets;
  const unsigned *outTargets, *outRows;  // rows only for strategies that take arcs
  const long long *inOffsets;
  const unsigned *inTargets, *inRows;
  const int* sources;
  void* counts;      // n numbers a block: path counts forwards, shares backwards
  unsigned* stack;   // n a block: the nodes in order of their levels
  unsigned* ends;    // n+2 a block: where levels end in stack
  int* levels;       // n+2 a block: shift and method of every level
  unsigned* bits;    // two bitmaps a block, where they are not in shared memory
  void* nodes;       // n sums a block, or null
  void* edges;       // a sum for every arc that leaves a node, a block, or null
  int* failed;       // a source: 1 when its counts need wider numbers (it has added nothing), else 0
  int* depths;       // a source: its last level
  long long* totals; // pairs and sum of distances, a block
  long long policy, alpha, beta, endpoints;
  long long lanes;   // threads a node, where the kernel does not say
  // For vertexPull: the edge of every arc (null: its own number), a bit for every arc that enters a node, a block, and
  // a number for every edge, a block.
  const unsigned *outEdges, *inEdges;
  unsigned* predecessors;
  void* shares;
  long long m;
  const double* masses;     // how many nodes each node stands for, as source and as target; null for 1
  long long sharedBitmaps;  // how many of the two bitmaps are in shared memory: 0, 1, 2
  long long farthest;       // the last level to be found
};

template <class T, class Rule, int W, Kind kind> struct PathSearch {
  static constexpr bool Arcs = kind == withArcs;
  using Sum = typename Rule::template Sum<T>;
  using A = typename Wider<T>::type;
  struct Shared {
    Paths p;
    double mass;  // of the source
    unsigned tail;  // nodes on the stack; kNoStack before the first search
    int least[2], greatest[2];
    bool overflow;
    RowPieces<A> pieces;
  };
  Shared& s;
  const Paths& p;
  T* counts;
  unsigned *stack, *ends;
  int* levels;
  unsigned *visited, *front;  // backwards: the bitmaps of two neighbouring levels
  Sum *nodes, *edges;
  long long words;

  __device__ PathSearch(Shared& shared, unsigned* bitmaps) : s(shared), p(shared.p) {
    const long long b = blockIdx.x, n = p.n;
    words = (n + 31) / 32;
    counts = (T*)p.counts + b * n;
    stack = p.stack + b * n;
    ends = p.ends + b * (n + 2);
    levels = p.levels + b * (n + 2);
    front = p.sharedBitmaps > 0 ? bitmaps : p.bits + b * 2 * words;
    visited = p.sharedBitmaps > 1 ? bitmaps + words : p.bits + (b * 2 + 1) * words;
    nodes = p.nodes ? (Sum*)p.nodes + b * n : nullptr;
    edges = p.edges ? (Sum*)p.edges + b * p.arcs : nullptr;
  }

  // clear clears a bitmap of nodes on the stack: word by word, or where the nodes are fewer, by these.
  __device__ void clear(unsigned* bitmap) const {
    if (s.tail < words) {
      for (unsigned i = threadIdx.x; i < s.tail; i += blockDim.x) bitmap[stack[i] >> 5] = 0;
    } else {
      for (long long i = threadIdx.x; i < words; i += blockDim.x) bitmap[i] = 0;
    }
  }

  // start forgets the search before, whose nodes are on the stack.
  __device__ void start(unsigned source) {
    clear(visited);
    clear(front);
    if (kind == pulls && Rule::counted) {
      const long long marks = (p.arcs + 31) / 32;
      for (long long i = threadIdx.x; i < marks; i += blockDim.x) p.predecessors[blockIdx.x * marks + i] = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      stack[0] = source;
      if (Rule::counted) counts[source] = number<T>(1);
      ends[0] = 0;
      ends[1] = 1;
      visited[source >> 5] = 1u << (source & 31);
      s.tail = 1;
      s.mass = p.masses ? p.masses[source] : 1;
      s.overflow = false;
      s.least[0] = s.least[1] = 1 << 30;
      s.greatest[0] = s.greatest[1] = -(1 << 30);
    }
    __syncthreads();
  }

  // move makes the bitmap hold the nodes stack[lo:hi) instead of stack[oldLo:oldHi).
  __device__ void move(unsigned* bitmap, unsigned oldLo, unsigned oldHi, unsigned lo, unsigned hi) {
    for (unsigned i = oldLo + threadIdx.x; i < oldHi; i += blockDim.x) unset(bitmap, stack[i]);
    for (unsigned i = lo + threadIdx.x; i < hi; i += blockDim.x) set(bitmap, stack[i]);
  }

  __device__ void push(unsigned v) { stack[atomicAdd(&s.tail, 1)] = v; }

  __device__ void discoverFrom(unsigned v, const Group<W>& g) {
    const unsigned end = unsigned(p.outOffsets[v + 1]);
    for (unsigned e = unsigned(p.outOffsets[v]) + g.lane; e < end; e += g.width) {
      const unsigned w = p.outTargets[e];
      if (!test(visited, w) && claim(visited, w)) push(w);
    }
  }

  // discover appends the nodes after the level stack[lo:hi) to the stack.
  __device__ void discover(Method method, unsigned lo, unsigned hi) {
    const Group<W> g(p.lanes);
    if (method == byList) {
      for (unsigned i = lo + g.index; i < hi; i += g.count) discoverFrom(stack[i], g);
    } else {
      for (unsigned v = g.index; v < p.n; v += g.count)
        if (test(front, v)) discoverFrom(v, g);
    }
  }

  // count sets the counts of stack[lo:hi): sums over the neighbours in front, times factor.
  __device__ void count(unsigned lo, unsigned hi, A factor, int& low, int& high) {
    const Group<W> g(p.lanes);
    const unsigned* __restrict__ targets = p.inTargets;
    for (unsigned i = lo + g.index; i < hi; i += g.count) {
      const unsigned w = stack[i], end = unsigned(p.inOffsets[w + 1]);
      A sum = number<A>(0);
      for (unsigned e = unsigned(p.inOffsets[w]) + g.lane; e < end; e += g.width) {
        const unsigned v = targets[e];
        if (test(front, v)) sum = add(sum, A(counts[v]));
      }
      sum = mul(g.sum(sum), factor);
      if (g.lane == 0) counts[w] = T(sum);
      low = min(low, exponentOf(sum));
      high = max(high, exponentOf(sum));
    }
  }

  // countArcs discovers and counts at once, with a thread an arc.
  __device__ void countArcs(A factor, int& low, int& high) {
    if (p.arcs == 0) return;
    sumRows<A>(
        p.arcs, p.inRows, s.pieces, [&](unsigned w) { return !test(visited, w); },
        [&](unsigned, unsigned e) {
          const unsigned v = p.inTargets[e];
          if (!Rule::counted) return number<A>(test(front, v));
          return test(front, v) ? A(counts[v]) : number<A>(0);
        },
        [&](unsigned w, A sum) {
          if (!positive(sum)) return;
          push(w);
          if (!Rule::counted) return;
          sum = mul(sum, factor);
          counts[w] = T(sum);
          low = min(low, exponentOf(sum));
          high = max(high, exponentOf(sum));
        });
  }

  // countPulling has every node that is not visited look for neighbours in front, and mark the arcs from them.
  __device__ void countPulling(A factor, int& low, int& high) {
    unsigned* marks = p.predecessors + blockIdx.x * ((p.arcs + 31) / 32);
    for (unsigned w = threadIdx.x; w < p.n; w += blockDim.x) {
      if (test(visited, w)) continue;
      const unsigned end = unsigned(p.inOffsets[w + 1]);
      A sum = number<A>(0);
      bool found = false;
      for (unsigned e = unsigned(p.inOffsets[w]); e < end; e++) {
        const unsigned v = p.inTargets[e];
        if (!test(front, v)) continue;
        found = true;
        if (!Rule::counted) break;
        sum = add(sum, A(counts[v]));
        set(marks, e);
      }
      if (!found) continue;
      push(w);
      if (!Rule::counted) continue;
      sum = mul(sum, factor);
      counts[w] = T(sum);
      low = min(low, exponentOf(sum));
      high = max(high, exponentOf(sum));
    }
  }

  __device__ Method first() const {
    if (p.policy == vertexParallel) return byVertex;
    return Arcs && p.policy == edgeParallel ? byArc : byList;
  }

  // next chooses the method for a level of `size` nodes that follows one of `before` nodes.
  __device__ Method next(Method method, unsigned before, unsigned size) const {
    if (!Arcs) return method;
    const long long change = size > before ? size - before : before - size;
    if (p.policy == hybrid && change > p.alpha) return size > p.beta ? byArc : byList;
    if (p.policy == bigLevels) return size > p.beta ? byArc : byList;
    return method;
  }

  // forward returns the last level, or -1 when a level's counts do not fit T.
  __device__ int forward() {
    unsigned before = 0, lo = 0, hi = 1;
    Method method = first();
    int shift = 0;
    for (int depth = 0;; depth++) {
      const A factor = Rule::scaled && shift ? number<A>(powerOfTwo(-shift)) : number<A>(1);
      if (threadIdx.x == 0) levels[depth] = shift * 4 + method;
      move(front, before, lo, lo, hi);
      if (depth >= p.farthest) return depth;
      int low = 1 << 30, high = -(1 << 30);
      unsigned end = hi;
      if (kind == pulls) {
        __syncthreads();
        countPulling(factor, low, high);
      } else if (Arcs && method == byArc) {
        __syncthreads();
        countArcs(factor, low, high);
      } else {
        if (method == byVertex) __syncthreads();
        discover(method, lo, hi);
        __syncthreads();
        end = s.tail;  // before the next barrier: the next level may push as soon as it is passed
        if (Rule::counted) count(hi, end, factor, low, high);
      }
      const int slot = depth & 1;
      if (Rule::counted) widen(low, high, &s.least[slot], &s.greatest[slot]);
      if (threadIdx.x == 0) {
        s.least[slot ^ 1] = 1 << 30;
        s.greatest[slot ^ 1] = -(1 << 30);
      }
      __syncthreads();
      const bool together = kind == pulls || Arcs && method == byArc;  // found and counted at once
      if (together) end = s.tail;
      if (end == hi) return depth;
      if (threadIdx.x == 0) ends[depth + 2] = end;
      if (Rule::counted && (s.least[slot] < Span<T>::low || !Rule::scaled && s.greatest[slot] > 900)) return -1;
      shift = s.greatest[slot] > Span<T>::high ? s.greatest[slot] - Span<T>::target : 0;
      if (together) {
        for (unsigned i = hi + threadIdx.x; i < end; i += blockDim.x) set(visited, stack[i]);
        __syncthreads();
      }
      method = next(method, hi - lo, end - hi);
      before = lo;
      lo = hi;
      hi = end;
    }
  }

  // search is the forward pass of the source number i, counted in p.totals. It returns as forward.
  __device__ int search(long long i) {
    start(p.sources[i]);
    const int depth = forward();
    if (threadIdx.x == 0) {
      p.failed[i] = depth < 0;
      p.depths[i] = depth;
    }
    __syncthreads();
    if (depth < 0 || threadIdx.x != 0) return depth;
    long long* totals = p.totals + 2 * blockIdx.x;
    totals[0] += s.tail - 1;
    for (int level = 1; level <= depth; level++) totals[1] += (long long)level * (ends[level + 1] - ends[level]);
    return depth;
  }

  // finish takes the sum of the shares below v.
  __device__ void finish(unsigned v, A count, A below, int level) {
    if (level == 0) return;
    finishWith(v, count, below, mul(count, below));
  }

  __device__ void finishWith(unsigned v, A count, A below, A dependency) {
    if (!Rule::scaled && exponentOf(dependency) > 1000) s.overflow = true;
    if (nodes) {
      const A gain = p.endpoints ? add(dependency, number<A>(1)) : dependency;
      if (positive(gain)) accumulate(&nodes[v], Rule::sum(gain));
    }
    counts[v] = T(Rule::share(number<A>(p.masses ? s.mass * p.masses[v] : 1), count, below, dependency));
  }

  __device__ void accumulateAt(unsigned v, const Group<W>& g, const unsigned* below, A factor, int level) {
    const A own = A(counts[v]), scaled = mul(own, factor);
    const unsigned end = unsigned(p.outOffsets[v + 1]);
    const unsigned* __restrict__ targets = p.outTargets;
    A sum = number<A>(0);
    for (unsigned e = unsigned(p.outOffsets[v]) + g.lane; e < end; e += g.width) {
      const unsigned w = targets[e];
      if (!test(below, w)) continue;
      const A share = A(counts[w]);
      sum = add(sum, share);
      if (edges) accumulate(&edges[e], Rule::sum(mul(scaled, share)));
    }
    sum = mul(g.sum(sum), factor);
    if (g.lane == 0) finish(v, own, sum, level);
  }

  __device__ void accumulateArcs(const unsigned* at, const unsigned* below, A factor, unsigned lo, unsigned hi, int level) {
    if (p.arcs > 0)
      sumRows<A>(
          p.arcs, p.outRows, s.pieces, [&](unsigned v) { return test(at, v); },
          [&](unsigned v, unsigned e) {
            const unsigned w = p.outTargets[e];
            if (!test(below, w)) return number<A>(0);
            const A share = A(counts[w]);
            if (edges) accumulate(&edges[e], Rule::sum(mul(mul(A(counts[v]), factor), share)));
            return share;
          },
          [&](unsigned v, A sum) { finish(v, A(counts[v]), mul(sum, factor), level); });
    for (unsigned i = lo + threadIdx.x; i < hi; i += blockDim.x) {
      const unsigned v = stack[i];
      if (p.outOffsets[v] == p.outOffsets[v + 1]) finish(v, A(counts[v]), number<A>(0), level);
    }
  }

  __device__ void backward(int depth) {
    unsigned *below = front, *at = visited;
    clear(at);
    for (unsigned i = ends[depth] + threadIdx.x; i < ends[depth + 1]; i += blockDim.x)
      finish(stack[i], A(counts[stack[i]]), number<A>(0), depth);
    __syncthreads();
    const Group<W> g(p.lanes);
    for (int level = depth - 1; level >= (edges ? 0 : 1); level--) {
      const unsigned lo = ends[level], hi = ends[level + 1];
      const bool stale = level + 2 <= depth;
      move(at, stale ? ends[level + 2] : 0, stale ? ends[level + 3] : 0, lo, hi);
      const int mark = levels[level];
      const Method method = Method(mark & 3);
      const int shift = mark >> 2;
      const A factor = Rule::scaled && shift ? number<A>(powerOfTwo(-shift)) : number<A>(1);
      if (method != byList) __syncthreads();
      if (Arcs && method == byArc) {
        accumulateArcs(at, below, factor, lo, hi, level);
      } else if (method == byVertex) {
        for (unsigned v = g.index; v < p.n; v += g.count)
          if (test(at, v)) accumulateAt(v, g, below, factor, level);
      } else {
        for (unsigned i = lo + g.index; i < hi; i += g.count) accumulateAt(stack[i], g, below, factor, level);
      }
      __syncthreads();
      unsigned* t = below;
      below = at;
      at = t;
    }
  }

  // shareArcs writes what each path to a node of stack[lo:hi) hands to the edges before it.
  __device__ void shareArcs(unsigned lo, unsigned hi, A factor) {
    const unsigned* marks = p.predecessors + blockIdx.x * ((p.arcs + 31) / 32);
    T* shares = (T*)p.shares + blockIdx.x * p.m;
    for (unsigned i = lo + threadIdx.x; i < hi; i += blockDim.x) {
      const unsigned w = stack[i], end = unsigned(p.inOffsets[w + 1]);
      const A share = A(counts[w]);
      for (unsigned e = unsigned(p.inOffsets[w]); e < end; e++)
        if (test(marks, e)) shares[p.inEdges ? p.inEdges[e] : e] = T(mul(mul(A(counts[p.inTargets[e]]), factor), share));
    }
  }

  // gatherArcs sums over the arcs from v to the level `below`.
  __device__ void gatherArcs(unsigned v, const unsigned* below, int level) {
    const T* shares = (const T*)p.shares + blockIdx.x * p.m;
    const unsigned end = unsigned(p.outOffsets[v + 1]);
    A sum = number<A>(0);
    for (unsigned e = unsigned(p.outOffsets[v]); e < end; e++) {
      if (!test(below, p.outTargets[e])) continue;
      const A x = A(shares[p.outEdges ? p.outEdges[e] : e]);
      sum = add(sum, x);
      if (edges) accumulate(&edges[e], Rule::sum(x));
    }
    if (level == 0) return;
    const A own = A(counts[v]);
    finishWith(v, own, over(sum, own), sum);
  }

  // backwardPulling is Sriram et al.'s reverse pass: edges of a level first, then the nodes before it, without atomics.
  __device__ void backwardPulling(int depth) {
    unsigned *below = front, *at = visited;
    clear(at);
    for (unsigned i = ends[depth] + threadIdx.x; i < ends[depth + 1]; i += blockDim.x)
      finish(stack[i], A(counts[stack[i]]), number<A>(0), depth);
    __syncthreads();
    for (int level = depth - 1; level >= (edges ? 0 : 1); level--) {
      const int shift = levels[level] >> 2;
      const A factor = Rule::scaled && shift ? number<A>(powerOfTwo(-shift)) : number<A>(1);
      shareArcs(ends[level + 1], ends[level + 2], factor);
      const bool stale = level + 2 <= depth;
      move(at, stale ? ends[level + 2] : 0, stale ? ends[level + 3] : 0, ends[level], ends[level + 1]);
      __syncthreads();
      for (unsigned v = threadIdx.x; v < p.n; v += blockDim.x)
        if (test(at, v)) gatherArcs(v, below, level);
      __syncthreads();
      unsigned* t = below;
      below = at;
      at = t;
    }
  }

  // source adds the dependencies of one source.
  __device__ void source(long long i) {
    const int depth = search(i);
    if (depth < 0) return;
    const unsigned from = p.sources[i];
    if (threadIdx.x == 0 && nodes && p.endpoints) accumulate(&nodes[from], Rule::sum(number<T>(s.tail - 1)));
    if (depth > 0) {
      if constexpr (kind == pulls) backwardPulling(depth);
      else backward(depth);
    }
    if (!Rule::scaled) {
      __syncthreads();
      if (threadIdx.x == 0 && s.overflow) p.failed[i] = 1;
    }
  }
};

// searchPaths runs the sources first + blockIdx.x, first + blockIdx.x + gridDim.x, ... under last.
template <class T, class Rule, int W, Kind kind> __device__ void searchPaths(const Paths* args, long long first, long long last) {
  using Search = PathSearch<T, Rule, W, kind>;
  __shared__ typename Search::Shared shared;
  extern __shared__ unsigned bitmaps[];
  if (threadIdx.x == 0) {
    shared.p = *args;
    shared.tail = kNoStack;
  }
  __syncthreads();
  Search search(shared, bitmaps);
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    search.source(i);
    __syncthreads();
  }
}

#define PATHS_KERNEL(name, T, rule, W, kind)                                                                      \
  extern "C" __global__ void __launch_bounds__(1024, 1) name(const Paths* args, long long first, long long last) {   \
    searchPaths<T, rule, W, kind>(args, first, last);                                                             \
  }
