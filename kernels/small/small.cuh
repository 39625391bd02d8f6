// Betweenness and folds of distances by weights on small graphs: strategy batched where all that a source needs fits
// into shared memory, see docs/design/batches-by-weights.md. A block has a source at a time:
//   distances  the nodes that were lowered pass theirs on, each at most once a round, a group of threads or a warp a
//              row, or where they are many all arcs do, a thread an arc: several arcs in flight a thread, and no row to
//              wait for;
//   path arcs  one look at all arcs: a bit says that an arc ends a shortest path, and its target is kept in shared
//              memory, of which the shortest-path graph with hardly more arcs than nodes takes little;
//   counts     nodes that have the counts of all shortest-path arcs into them pass theirs on: rounds are levels of the
//              shortest-path graph. Counts are whole, so that atomic additions give the same in any order;
//   shares     the same levels backwards, pulled: sums are in the order of the arcs.
// Every block has the same sources each time: the same bits.
#pragma once
#include "../batches/team.cuh"
#include "../device/metrics.cuh"
#include "../device/rules.cuh"
#include "../device/threads.cuh"

constexpr int kSmallThreads = 640;  // host: sharedThreads; of a block, at most
#if __CUDA_ARCH__ >= 800
constexpr int kSmallBlocks = 2;  // that a multiprocessor can hold
#else
constexpr int kSmallBlocks = 1;
#endif
constexpr int kSmallGroup = 8;  // threads of a short row
constexpr unsigned kLongRow = 5;

// BatchedSmall are the arguments. Every field takes 8 bytes.
//
// host: arguments
struct BatchedSmall {
  long long n, arcs;
  const unsigned* rows;  // n+1: where the arcs of a node begin
  const void* outArcs;   // as loadArc reads them
  const int* sources;
  double* nodes;                  // n sums a block, or null
  double* edges;                  // a sum for every arc a block, for folds for every edge; or null
  unsigned* nodeCounts;           // n a block: how many sources reach the node, without itself; for folds
  unsigned* edgeCounts;           // m a block
  const unsigned *heads, *tails;  // the ends of every edge, for folds of edges
  long long m;
  unsigned* ends;        // n+2 a block: where levels end in the order of counting
  int* failed;           // a source: 1 when its counts need wider numbers, else 0
  long long* lost;       // 1 + an arc that does not lengthen a path, 0 for none
  long long* pairs;      // a block
  double* totals;        // sum of distances, a block
  const double* masses;  // how many nodes each node stands for, as source and as target; null for 1
  double tolerance, mul, div;
  long long unique;  // not 0: as many arcs a path the tolerance is right for; a source of longer ones, or with two arcs
                     // within it into a node, fails
  long long endpoints;
  double width;       // of a bucket
  long long longRow;  // rows of more arcs are a warp's
  long long sweep;    // a round is of all arcs from so many short rows on; a long one counts as kLongRow of them
  long long room;     // for targets of shortest-path arcs
  long long fold;     // SmallFold
  Control* control;
};

enum SmallFold : long long { smallSum, smallInverse, smallGreatest };

// SmallArc is an arc as it is loaded at once: its ends, 16 bits each, and its weight.
template <class W> struct SmallArc {
  unsigned tail, target;
  W weight;
};

__device__ inline unsigned endsOf(unsigned tail, unsigned target) { return tail | target << 16; }

__device__ inline SmallArc<unsigned> loadArc(const void* arcs, unsigned e, unsigned) {
  const uint2 x = ((const uint2*)arcs)[e];
  return {x.x & 0xffff, x.x >> 16, x.y};
}
__device__ inline SmallArc<unsigned long long> loadArc(const void* arcs, unsigned e, unsigned long long) {
  const ulonglong2 x = ((const ulonglong2*)arcs)[e];
  return {unsigned(x.x) & 0xffff, unsigned(x.x) >> 16, x.y};
}
__device__ inline SmallArc<double> loadArc(const void* arcs, unsigned e, double) {
  const ulonglong2 x = ((const ulonglong2*)arcs)[e];
  return {unsigned(x.x) & 0xffff, unsigned(x.x) >> 16, __longlong_as_double(x.y)};
}

// SmallShared is the shared memory of a block besides the arrays.
struct SmallShared {
  BatchedSmall p;
  // How many nodes are listed in three consecutive rounds, or in shorts alone at levels: one is read, the next counts,
  // the one after is cleared.
  unsigned shorts[3], longs[3];
  unsigned pathArcs;  // how many arcs end a shortest path
  unsigned long long least;
  bool tooMany, doubtful;  // counts of paths, ties
  bool stop;
  double mass;  // of the source
  double partial[kSmallThreads / 32];
};

// Whole are counts of paths in as many bytes as shares of type T, which take their place. Under limit, adding one to
// another cannot overflow.
template <class T> struct Whole;
template <> struct Whole<float> {
  using type = unsigned;
  static constexpr unsigned limit = 1u << 31;
  __device__ static unsigned kept(double share) { return __float_as_uint(float(share)); }
  __device__ static double share(unsigned kept) { return __uint_as_float(kept); }
};
template <> struct Whole<double> {
  using type = unsigned long long;
  static constexpr unsigned long long limit = 1ull << 63;
  __device__ static unsigned long long kept(double share) { return __double_as_longlong(share); }
  __device__ static double share(unsigned long long kept) { return __longlong_as_double(kept); }
};

// SmallSearch does one source at a time. Its arrays, in shared memory: keys of all nodes, then in the same place counts
// of paths, then shares; bits of nodes with long rows, and of nodes listed for the next round, in turns; two lists of
// nodes, short rows from the front and long ones from the back. In the place of the lists lie later the bits of
// shortest-path arcs, where the targets of each 32 of them begin, how many such arcs into each node are left, the nodes
// in the order of counting, and the targets. sharedBytes in kernels/small/shape.go is their size.
template <class Metric, class T> struct SmallSearch {
  using Key = typename Metric::Key;
  using Weight = typename Metric::Weight;
  using Count = typename Whole<T>::type;
  static constexpr unsigned kAtOnce = sizeof(Weight) == 4 ? 8 : 4;  // arcs in flight a thread
  SmallShared& s;
  const BatchedSmall& p;
  const unsigned n, words, lane, warp;
  Key* dist;
  Count* counts;
  unsigned *longRows, *flags, *pathBits, *pending;
  unsigned short *lists, *begins, *order, *targets;
  unsigned* ends;
  double *nodes, *edges;
  bool kept;  // the targets of all shortest-path arcs

  __device__ SmallSearch(SmallShared& shared, char* memory, bool counting)
      : s(shared), p(shared.p), n(unsigned(shared.p.n)), words((n + 31) / 32), lane(threadIdx.x % 32),
        warp(threadIdx.x / 32), kept(false) {
    const long long b = blockIdx.x;
    const unsigned bits = unsigned((p.arcs + 31) / 32);
    dist = (Key*)memory;
    counts = (Count*)memory;
    memory += (n * (counting && sizeof(Count) > sizeof(Key) ? sizeof(Count) : sizeof(Key)) + 7) / 8 * 8;
    longRows = (unsigned*)memory;
    flags = longRows + words;
    pathBits = flags + 2 * words;
    pending = pathBits + bits;
    begins = (unsigned short*)(pending + (n + 1) / 2);
    order = begins + bits;
    targets = order + n;
    lists = (unsigned short*)pathBits;
    ends = p.ends + b * (n + 2);
    nodes = p.nodes ? p.nodes + b * n : nullptr;
    edges = p.edges ? p.edges + b * p.arcs : nullptr;
  }

  // begin notes which rows are long.
  __device__ void begin() {
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x) longRows[i] = 0;
    __syncthreads();
    for (unsigned v = threadIdx.x; v < n; v += blockDim.x)
      if (p.rows[v + 1] - p.rows[v] > p.longRow) set(longRows, v);
  }

  __device__ void start(unsigned source) {
    for (unsigned v = threadIdx.x; v < n; v += blockDim.x) dist[v] = v == source ? 0 : Metric::none();
    for (unsigned i = threadIdx.x; i < 2 * words; i += blockDim.x) flags[i] = 0;
    if (threadIdx.x == 0) {
      for (int k = 0; k < 3; k++) s.shorts[k] = s.longs[k] = 0;
      s.least = Metric::none();
      s.tooMany = s.doubtful = false;
      s.mass = p.masses ? p.masses[source] : 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) list(source, lists, 0);
    __syncthreads();
  }

  __device__ void list(unsigned v, unsigned short* to, unsigned slot) {
    if (test(longRows, v)) to[n - 1 - atomicAdd(&s.longs[slot], 1)] = v;
    else to[atomicAdd(&s.shorts[slot], 1)] = v;
  }

  // relaxRow passes the distance of u on, by the threads of a group; lane is the calling thread's number among width.
  __device__ void relaxRow(
      unsigned u, unsigned lane, unsigned width, Key limit, unsigned* listed, unsigned short* next, unsigned slot) {
    const Key from = dist[u];
    const unsigned end = p.rows[u + 1];
    for (unsigned e = p.rows[u] + lane; e < end; e += width)
      relaxArc(from, loadArc(p.outArcs, e, Weight()), limit, listed, next, slot);
  }

  __device__ void relaxArc(
      Key from, const SmallArc<Weight>& a, Key limit, unsigned* listed, unsigned short* next, unsigned slot) {
    const Key to = Metric::plus(from, a.weight);
    if (!Metric::longer(from, to, a.weight) || to >= dist[a.target]) return;
    if (to >= atomicMin(&dist[a.target], to)) return;
    if (to < limit && claim(listed, a.target)) list(a.target, next, slot);
  }

  // eachArc calls one(e, arc, there) for every arc, from all threads of a warp at a time, the one of the first lane of
  // which is a multiple of 32; there says that there is such an arc.
  template <class One> __device__ void eachArc(One one) {
    const unsigned arcs = unsigned(p.arcs);
    for (unsigned base = threadIdx.x - lane; base < arcs; base += kAtOnce * blockDim.x) {
      SmallArc<Weight> a[kAtOnce];
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; k++)
        a[k] = loadArc(p.outArcs, min(base + k * blockDim.x + lane, arcs - 1), Weight());
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; k++) {
        const unsigned first = base + k * blockDim.x;
        if (first < arcs) one(first + lane, a[k], first + lane < arcs);
      }
    }
  }

  // search sets the distances. Nodes under the limit that were lowered are on the list of the round; the others are
  // found when that is empty.
  __device__ void search() {
    Key limit = Metric::after(0, p.width);
    unsigned now = 0;  // round modulo 3
    for (unsigned round = 0;; round++) {
      const unsigned next = now == 2 ? 0 : now + 1;
      unsigned short *list = lists + (round & 1) * n, *to = lists + (~round & 1) * n;
      unsigned *read = flags + (round & 1) * words, *listed = flags + (~round & 1) * words;
      if (s.shorts[now] + s.longs[now] == 0 && !refill(limit, list, now)) return;
      const unsigned shorts = s.shorts[now], longs = s.longs[now];
      if (threadIdx.x == 0) s.shorts[3 - now - next] = s.longs[3 - now - next] = 0;
      for (unsigned i = threadIdx.x; i < words; i += blockDim.x) read[i] = 0;
      if (shorts + kLongRow * longs >= p.sweep) {
        eachArc([&](unsigned, const SmallArc<Weight>& a, bool there) {
          const Key from = dist[a.tail];
          if (there && from != Metric::none()) relaxArc(from, a, limit, listed, to, next);
        });
        __syncthreads();
        now = next;
        continue;
      }
      for (unsigned i = warp; i < longs; i += blockDim.x / 32)
        relaxRow(list[n - 1 - i], lane, 32, limit, listed, to, next);
      for (unsigned i = threadIdx.x / kSmallGroup; i < shorts; i += blockDim.x / kSmallGroup)
        relaxRow(list[i], threadIdx.x % kSmallGroup, kSmallGroup, limit, listed, to, next);
      __syncthreads();
      now = next;
    }
  }

  // refill raises the limit past the least distance that is not under it, and lists the nodes between. It returns false
  // where there are none.
  __device__ bool refill(Key& limit, unsigned short* to, unsigned slot) {
    const Key old = limit;
    Key least = Metric::none();
    for (unsigned v = threadIdx.x; v < n; v += blockDim.x)
      if (dist[v] >= old) least = min(least, dist[v]);
#pragma unroll
    for (int k = 16; k > 0; k /= 2) least = min(least, __shfl_xor_sync(~0u, least, k));
    if (lane == 0 && least != Metric::none()) atomicMin(&s.least, (unsigned long long)least);
    __syncthreads();
    least = Key(s.least);
    if (least == Metric::none()) return false;
    limit = Metric::after(least, p.width);
    for (unsigned v = threadIdx.x; v < n; v += blockDim.x)
      if (dist[v] >= old && dist[v] < limit) list(v, to, slot);
    __syncthreads();
    if (threadIdx.x == 0) s.least = Metric::none();
    return true;
  }

  // blockSum adds the threads' numbers, always in the same order, for thread 0, which must pass a barrier before the
  // next call.
  __device__ double blockSum(double x) {
    for (int k = 16; k > 0; k /= 2) x += __shfl_xor_sync(~0u, x, k);
    if (lane == 0) s.partial[warp] = x;
    __syncthreads();
    if (threadIdx.x == 0)
      for (unsigned w = 1; w < blockDim.x / 32; w++) x += s.partial[w];
    return x;
  }

  // tally returns the sum of the distances of the source, in the order of the nodes, to thread 0.
  __device__ double tally() {
    double sum = 0;
    if (sizeof(Key) == 4) {
      unsigned long long ticks = 0;
      for (unsigned v = threadIdx.x; v < n; v += blockDim.x)
        if (dist[v] != Metric::none()) ticks += dist[v];
      sum = double(ticks) * p.mul / p.div;
    } else {
      for (unsigned v = threadIdx.x; v < n; v += blockDim.x)
        if (dist[v] != Metric::none()) sum += Metric::real(dist[v], p.mul, p.div);
    }
    return blockSum(sum);
  }

  // look finds the shortest-path arcs, and counts those into each node.
  __device__ void look() {
    for (unsigned i = threadIdx.x; i < (n + 1) / 2; i += blockDim.x) pending[i] = 0;
    if (threadIdx.x == 0) s.pathArcs = 0;
    __syncthreads();
    eachArc([&](unsigned e, const SmallArc<Weight>& a, bool there) {
      const Key from = dist[a.tail];
      const bool reached = there && from != Metric::none(),
                 isPathArc = reached && Metric::endsPath(from, dist[a.target], a.weight, p.tolerance);
      const unsigned bits = __ballot_sync(~0u, isPathArc);
      unsigned at = 0;
      if (bits) {
        if (lane == 0) at = atomicAdd(&s.pathArcs, __popc(bits));
        at = __shfl_sync(~0u, at, 0);
      }
      if (lane == 0) {
        pathBits[e / 32] = bits;
        begins[e / 32] = at;
      }
      if (isPathArc) {
        at += __popc(bits & ((1u << lane) - 1));
        if (at < p.room) targets[at] = a.target;
        enter(a.target);
      }
      if (!Metric::exact && reached && a.tail != a.target &&
          !Metric::longer(from, Metric::plus(from, a.weight), a.weight))
        atomicMax(p.lost, (long long)e + 1);
    });
  }

  __device__ void enter(unsigned v) {
    const unsigned shift = v % 2 * 16, before = atomicAdd(&pending[v / 2], 1u << shift) >> shift & 0xffff;
    if (!Metric::exact && p.unique && before > 0) s.doubtful = true;
  }

  // leave has one shortest-path arc less into v, and says whether it was the last.
  __device__ bool leave(unsigned v) {
    const unsigned shift = v % 2 * 16;
    return (atomicSub(&pending[v / 2], 1u << shift) >> shift & 0xffff) == 1;
  }

  // eachPathArc calls f(arc, target) for the shortest-path arcs of v, of those that mask leaves in each 32 arcs: all,
  // or a lane's.
  template <class F> __device__ void eachPathArc(unsigned v, unsigned mask, F f) const {
    const unsigned begin = p.rows[v], end = p.rows[v + 1];
    for (unsigned w = begin / 32; w * 32 < end; w++) {
      const unsigned all = pathBits[w];
      unsigned x = all & mask;
      if (w * 32 < begin) x &= ~0u << begin % 32;
      if (end - w * 32 < 32) x &= (1u << end % 32) - 1;
      for (; x; x &= x - 1) {
        const unsigned k = __ffs(int(x)) - 1, e = w * 32 + k;
        f(e, kept ? targets[begins[w] + __popc(all & ((1u << k) - 1))] : loadArc(p.outArcs, e, Weight()).target);
      }
    }
  }

  // eachOf calls one(node, whole) for the nodes order[lo:hi): from a thread, or where rows are long from all threads of
  // a warp, with whole.
  template <class One> __device__ void eachOf(unsigned lo, unsigned hi, One one) {
    for (unsigned base = lo + warp * 32; base < hi; base += blockDim.x) {
      const bool there = base + lane < hi;
      const unsigned v = there ? order[base + lane] : 0;
      const bool far = there && test(longRows, v);
      if (there && !far) one(v, false);
      for (unsigned left = __ballot_sync(~0u, far); left; left &= left - 1)
        one(__shfl_sync(~0u, v, __ffs(int(left)) - 1), true);
    }
  }

  // count sets the counts of all nodes, and returns the last level.
  __device__ int count(unsigned source) {
    __syncthreads();
    kept = s.pathArcs <= p.room;
    for (unsigned v = threadIdx.x; v < n; v += blockDim.x) counts[v] = v == source;
    if (threadIdx.x == 0) {
      for (int k = 0; k < 3; k++) s.shorts[k] = 0;
      order[0] = source;
      ends[0] = 0;
    }
    __syncthreads();
    unsigned lo = 0, hi = 1, next = 1;  // level + 1 modulo 3
    for (int level = 0;; level++) {
      if (threadIdx.x == 0) {
        ends[level + 1] = hi;
        s.shorts[next == 2 ? 0 : next + 1] = 0;
      }
      eachOf(lo, hi, [&](unsigned v, bool whole) {
        const Count own = counts[v];
        eachPathArc(v, whole ? 1u << lane : ~0u, [&](unsigned, unsigned w) {
          if (atomicAdd(&counts[w], own) + own >= Whole<T>::limit) s.tooMany = true;
          if (leave(w)) order[hi + atomicAdd(&s.shorts[next], 1)] = w;
        });
      });
      __syncthreads();
      const unsigned found = s.shorts[next];
      if (found == 0) return level;
      lo = hi;
      hi += found;
      next = next == 2 ? 0 : next + 1;
    }
  }

  __device__ static double warpSum(double x) {
    for (int k = 16; k > 0; k /= 2) x += __shfl_xor_sync(~0u, x, k);
    return x;
  }

  // share goes through the levels backwards.
  __device__ void share(int last) {
    unsigned hi = ends[last + 1], lo = ends[last];
    for (int level = last; level >= (edges ? 0 : 1); level--) {
      const unsigned before = level > 0 ? ends[level - 1] : 0;
      eachOf(lo, hi, [&](unsigned v, bool whole) {
        const double own = double(counts[v]);
        double below = 0;
        eachPathArc(v, whole ? 1u << lane : ~0u, [&](unsigned e, unsigned w) {
          const double part = Whole<T>::share(counts[w]);
          below += part;
          if (edges) accumulate(&edges[e], own * part);
        });
        if (whole) below = warpSum(below);
        if (level == 0 || whole && lane > 0) return;
        const double dependency = own * below, gain = p.endpoints ? dependency + 1 : dependency;
        if (nodes && gain > 0) accumulate(&nodes[v], gain);
        counts[v] = Whole<T>::kept(Betweenness::share(p.masses ? s.mass * p.masses[v] : 1.0, own, below, dependency));
      });
      __syncthreads();
      hi = lo;
      lo = before;
    }
  }

  // betweenness adds the dependencies of the source number i.
  __device__ void betweenness(long long i) {
    const unsigned source = p.sources[i];
    start(source);
    search();
    const double distances = tally();
    look();
    const int last = count(source);
    if (!Metric::exact && p.unique && last > p.unique && threadIdx.x == 0) s.doubtful = true;
    __syncthreads();
    const bool fits = !s.tooMany && !s.doubtful;
    if (threadIdx.x == 0) p.failed[i] = !fits;
    if (fits) {
      const unsigned reached = ends[last + 1] - 1;
      if (threadIdx.x == 0) {
        p.pairs[blockIdx.x] += reached;
        p.totals[blockIdx.x] += distances;
        if (nodes && p.endpoints) accumulate(&nodes[source], double(reached));
      }
      share(last);
    }
    __syncthreads();
  }

  __device__ double folded(double sum, double d) const {
    if (p.fold == smallSum) return sum + d;
    if (p.fold == smallInverse) return sum + 1 / d;
    return sum > d ? sum : d;
  }

  // fold folds the distances from the source number i at nodes and edges.
  __device__ void fold(long long i) {
    const unsigned source = p.sources[i];
    start(source);
    search();
    const double distances = tally();
    if (threadIdx.x == 0) p.totals[blockIdx.x] += distances;
    unsigned* nodeCounts = p.nodeCounts + (long long)blockIdx.x * n;
    unsigned reached = 0;
    for (unsigned v = threadIdx.x; v < n; v += blockDim.x) {
      if (dist[v] == Metric::none() || v == source) continue;
      nodes[v] = folded(nodes[v], Metric::real(dist[v], p.mul, p.div));
      nodeCounts[v]++;
      reached++;
    }
    atomicAdd((unsigned long long*)&p.pairs[blockIdx.x], (unsigned long long)reached);
    if (p.edges) foldEdges(source);
    if (!Metric::exact) findLost();
    __syncthreads();
  }

  // foldEdges folds the distance of the nearer end at the edges that do not end at the source.
  __device__ void foldEdges(unsigned source) {
    double* sums = p.edges + blockIdx.x * p.m;
    unsigned* sumCounts = p.edgeCounts + blockIdx.x * p.m;
    for (long long e = threadIdx.x; e < p.m; e += blockDim.x) {
      const unsigned u = p.tails[e], v = p.heads[e];
      if (u == v || u == source || v == source) continue;
      const Key nearest = min(dist[u], dist[v]);
      if (nearest == Metric::none()) continue;
      sums[e] = folded(sums[e], Metric::real(nearest, p.mul, p.div));
      sumCounts[e]++;
    }
  }

  // findLost looks for arcs that do not lengthen a path. Ticks all do.
  __device__ void findLost() {
    eachArc([&](unsigned e, const SmallArc<Weight>& a, bool there) {
      const Key d = dist[a.tail];
      if (there && d != Metric::none() && a.tail != a.target && !Metric::longer(d, Metric::plus(d, a.weight), a.weight))
        atomicMax(p.lost, (long long)e + 1);
    });
  }
};

// eachSmall has the calling block do the sources first + blockIdx.x, first + blockIdx.x + gridDim.x, ... under last,
// until the host says stop.
template <class Metric, class T, bool counting>
__device__ void eachSmall(const BatchedSmall* args, unsigned long long first, unsigned long long last) {
  __shared__ SmallShared shared;
  extern __shared__ ulonglong2 memory[];
  if (threadIdx.x == 0) shared.p = *args;
  __syncthreads();
  SmallSearch<Metric, T> search(shared, (char*)memory, counting);
  search.begin();
  for (unsigned long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    if (threadIdx.x == 0) shared.stop = *(const volatile unsigned*)&shared.p.control->stop;
    __syncthreads();
    if (shared.stop) return;
    if (counting) search.betweenness(i);
    else search.fold(i);
    if (threadIdx.x == 0) atomicAdd(&shared.p.control->done, 1);
  }
}

#define SMALL_KERNEL(name, metric, T, counting)                                           \
  extern "C" __global__ void __launch_bounds__(kSmallThreads, kSmallBlocks)               \
      name(const BatchedSmall* args, unsigned long long first, unsigned long long last) { \
    eachSmall<metric, T, counting>(args, first, last);                                    \
  }
