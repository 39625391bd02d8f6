// Samples of pairs of nodes: a block draws a shortest path by hops between the ends of one pair after another, from
// both ends at once (Borassi and Natale, KADABRA, 2019), and counts the nodes and edges on it. search.Pair
// (kernels/search/pair.go) draws the same paths: nodes are found in another order, which no choice depends on.
//
// Numbers of paths are added up by atomics while they are exact in float64, and from then on in the order of the rows,
// so that the same run gives the same bits.
#include "../device/threads.cuh"

// PairEnds are the ends of a pair, and the key that draws its path.
struct PairEnds {
  unsigned from, to;
  unsigned long long key;
};

// Pairs are the arguments.
//
// host: arguments
struct Pairs {
  long long n;
  const long long* outOffsets;
  const unsigned *outTargets, *outEdges;  // edges null: arc i is edge i
  const long long* inOffsets;
  const unsigned *inTargets, *inEdges;
  const void* ends;  // PairEnds of each pair
  long long count;   // of pairs
  int* levels;       // n a block: 1 + hops from the source, or minus (1 + hops to the target); 0 between pairs
  double* paths;     // n a block: numbers of shortest paths; 0 between pairs
  unsigned* found;  // n a block: the nodes found, those of the source from the front, those of the target from the back
  unsigned long long* counts;    // of nodes, where asked for, and then of edges
  long long nodes, edges;        // the entries of nodes, and whether edges are asked for
  long long endpoints, lanes;    // whether ends of paths count, threads a node
  unsigned long long* progress;  // the number of the next pair, arcs looked at, and whether numbers of paths were too
                                 // far apart
};

constexpr double exactPaths = 9007199254740992.0;  // up to here sums are exact: 2^53
constexpr int mostPaths = 400;                     // the logarithm of the greatest number of paths of a level
constexpr int pairThreads = 256;                   // host: pairThreads; of a block
constexpr int pairBlocks = 5;                      // host: pairBlocks; of a multiprocessor
#if __CUDA_ARCH__ >= 800
constexpr int pairBlocksHeld = pairBlocks;  // that a multiprocessor can hold
#else
constexpr int pairBlocksHeld = 4;
#endif
constexpr unsigned noNode = ~0u;
constexpr int looksAtOnce = 4;  // arcs that a thread follows side by side

// PairSide is the search from one end.
struct PairSide {
  const long long* offsets;
  const unsigned *targets, *edges;
  int sign, depth;
  long long first, last;    // of the frontier, among the nodes found by the side
  unsigned long long arcs;  // that leave the frontier
  bool rough;               // numbers of paths are not exact
};

struct PairShared {
  Pairs p;
  PairSide sides[2];
  PairEnds ends;
  unsigned long long pair, work, key;
  unsigned tail, meetings, inexact, at;
  bool met;  // an arc of the level leads to the other side
  unsigned long long arcs, greatest, least, total, rest;
  unsigned long long bins[256];
  double sums[32];
  long long taken, lastOf;
  unsigned rows[pairThreads];
  // Of the rows of a part of the frontier: where they begin, less the arcs of those before; the arcs up to the end of
  // each; the paths that reach the node; and those of the other side that its arcs lead to.
  long long begins[pairThreads];
  unsigned upTo[pairThreads], warps[32];
  double reaches[pairThreads], leads[pairThreads];
};

struct PairSearch {
  PairShared& s;
  int* levels;
  double* paths;
  unsigned* found;
  Group<0> group;

  __device__ explicit PairSearch(PairShared& shared) : s(shared), group(int(shared.p.lanes)) {
    levels = s.p.levels + blockIdx.x * s.p.n;
    paths = s.p.paths + blockIdx.x * s.p.n;
    found = s.p.found + blockIdx.x * s.p.n;
  }

  __device__ unsigned& node(const PairSide& d, long long i) { return found[d.sign > 0 ? i : s.p.n - 1 - i]; }

  // next is the next number of the key; for one thread.
  __device__ unsigned long long next() {
    unsigned long long x = s.key += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
  }

  // sum adds up the numbers of all threads of the block, always in the same order.
  __device__ double sum(double x) {
    x = Group<32>(32).sum(x);
    __syncthreads();
    if (threadIdx.x % 32 == 0) s.sums[threadIdx.x / 32] = x;
    __syncthreads();
    double all = 0;
    for (unsigned w = 0; w < blockDim.x / 32; w++) all += s.sums[w];
    return all;
  }

  __device__ void start() {
    if (threadIdx.x != 0) return;
    const Pairs& p = s.p;
    s.ends = static_cast<const PairEnds*>(p.ends)[s.pair];
    s.key = s.ends.key;
    s.meetings = 0;
    s.sides[0] = PairSide{p.outOffsets, p.outTargets, p.outEdges, 1, 1, 0, 1, 0, false};
    s.sides[1] = PairSide{p.inOffsets, p.inTargets, p.inEdges, -1, 1, 0, 1, 0, false};
    for (int k = 0; k < 2; k++) {
      const unsigned v = k == 0 ? s.ends.from : s.ends.to;
      PairSide& d = s.sides[k];
      d.arcs = d.offsets[v + 1] - d.offsets[v];
      node(d, 0) = v;
      levels[v] = d.sign;
      paths[v] = 1;
    }
  }

  // look follows an arc of a node of the frontier that so many paths reach. level is that of the other end, as it was a
  // moment ago. It returns how many paths reach that end if it is of the other side.
  __device__ double look(const PairSide& d, unsigned w, int level, double reach) {
    const int to = d.sign * (d.depth + 1);
    if (level == 0 && !*(volatile bool*)&s.met) {
      level = atomicCAS(&levels[w], 0, to);
      if (level == 0) {
        node(d, atomicAdd(&s.tail, 1u)) = w;
        level = to;
      }
    }
    if (level == to) atomicAdd(&paths[w], reach);
    return level * d.sign < 0 ? paths[w] : 0;
  }

  // meet notes how many paths take the arcs of a node of the frontier to the other side: below 0 in place of the paths
  // that reach it, which are not needed any more.
  __device__ void meet(unsigned v, double reach, double met) {
    if (!(met > 0)) return;
    paths[v] = -__dmul_rn(reach, met);
    atomicAdd(&s.meetings, 1u);
  }

  // rowOf is the row of a part of the frontier that has an arc. The threads of a block are a power of two.
  __device__ unsigned rowOf(unsigned arc) {
    unsigned row = 0;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2)
      if (s.upTo[row + half - 1] <= arc) row += half;
    return row;
  }

  // expand goes one level further: it notes the meetings with the other side, or finds the next frontier.
  __device__ void expand(PairSide& d, const PairSide& other) {
    // The first thread to leave may go on and change the side.
    const long long first = d.first, last = d.last;
    const int rows = d.arcs >> 31 == 0 ? blockDim.x : 1;  // whose arcs 32 bits count
    if (threadIdx.x == 0) {
      s.tail = unsigned(last);
      s.meetings = 0;
      s.met = false;
      s.work += d.arcs;
    }
    for (long long base = first; base < last; base += rows) {
      const int here = int(min((long long)rows, last - base));
      const unsigned arcs = list(d, base, here);
      for (unsigned arc = 0; arc < arcs; arc += looksAtOnce * blockDim.x) follow(d, arc + threadIdx.x, arcs);
      __syncthreads();
      const double leads = s.leads[threadIdx.x];
      if (leads > 0) {
        if (d.rough || other.rough || leads >= exactPaths) s.rows[atomicAdd(&s.inexact, 1u)] = threadIdx.x;
        else meet(node(d, base + threadIdx.x), s.reaches[threadIdx.x], leads);
      }
      __syncthreads();
      for (unsigned k = 0; k < s.inexact; k++) {
        const unsigned row = s.rows[k];
        const double reach = s.reaches[row], inOrder = leadsInOrder(d, node(d, base + row));
        if (threadIdx.x == 0) meet(node(d, base + row), reach, inOrder);
      }
    }
  }

  // list puts so many rows of the frontier where all threads find them, and returns how many arcs these have.
  __device__ unsigned list(const PairSide& d, long long base, int rows) {
    long long from = 0;
    unsigned degree = 0, arcs;
    if (threadIdx.x < rows) {
      const unsigned v = node(d, base + threadIdx.x);
      from = d.offsets[v];
      degree = unsigned(d.offsets[v + 1] - from);
      s.reaches[threadIdx.x] = paths[v];
    }
    const unsigned before = sumBefore(degree, s.warps, arcs);
    s.begins[threadIdx.x] = from - before;
    s.upTo[threadIdx.x] = before + degree;
    s.leads[threadIdx.x] = 0;
    if (threadIdx.x == 0) s.inexact = 0;
    __syncthreads();
    return arcs;
  }

  // follow follows some arcs of the rows side by side: most of the time is the wait for levels.
  __device__ void follow(const PairSide& d, unsigned arc, unsigned arcs) {
    unsigned w[looksAtOnce], row[looksAtOnce];
    int level[looksAtOnce];
#pragma unroll
    for (int k = 0; k < looksAtOnce; k++) {
      const unsigned at = arc + k * blockDim.x;
      row[k] = at < arcs ? rowOf(at) : 0;
      w[k] = at < arcs ? d.targets[s.begins[row[k]] + at] : noNode;
    }
#pragma unroll
    for (int k = 0; k < looksAtOnce; k++) level[k] = w[k] != noNode ? *(volatile int*)&levels[w[k]] : 0;
#pragma unroll
    for (int k = 0; k < looksAtOnce; k++) {
      const double met = w[k] != noNode ? look(d, w[k], level[k], s.reaches[row[k]]) : 0;
      if (met > 0) s.met = true;
      lead(row[k], met);
    }
  }

  // lead adds up what the arcs of a row lead to. Whole warps call it. Sums are exact, or made again in order.
  __device__ void lead(unsigned row, double met) {
    if (!__any_sync(~0u, met > 0)) return;
    if (__all_sync(~0u, row == __shfl_sync(~0u, row, 0))) {
      met = Group<32>(32).sum(met);
      if (threadIdx.x % 32 == 0) atomicAdd(&s.leads[row], met);
    } else if (met > 0) {
      atomicAdd(&s.leads[row], met);
    }
  }

  // leadsInOrder is how many paths of the other side the arcs of a node of the frontier lead to, always added up in the
  // same order.
  __device__ double leadsInOrder(const PairSide& d, unsigned v) {
    double mine = 0;
    for (long long arc = d.offsets[v] + threadIdx.x; arc < d.offsets[v + 1]; arc += blockDim.x) {
      const unsigned w = d.targets[arc];
      if (levels[w] * d.sign < 0) mine += paths[w];
    }
    return sum(mine);
  }

  // measure finds the arcs that leave the frontier, and the greatest and the least number of paths in it.
  __device__ void measure(const PairSide& d) {
    if (threadIdx.x == 0) s.arcs = s.greatest = 0, s.least = ~0ull;
    __syncthreads();
    unsigned long long arcs = 0, greatest = 0, least = ~0ull;
    for (long long i = d.first + threadIdx.x; i < d.last; i += blockDim.x) {
      const unsigned v = node(d, i);
      const unsigned long long reach = __double_as_longlong(paths[v]);  // numbers over 0 are in the order of their bits
      arcs += d.offsets[v + 1] - d.offsets[v];
      greatest = max(greatest, reach);
      least = min(least, reach);
    }
    if (greatest > 0) {
      atomicAdd(&s.arcs, arcs);
      atomicMax(&s.greatest, greatest);
      atomicMin(&s.least, least);
    }
    __syncthreads();
  }

  // again adds up the numbers of paths of the frontier in the order of the rows that lead to it.
  __device__ void again(const PairSide& d, const PairSide& other) {
    const int before = d.sign * (d.depth - 1);
    for (long long i = d.first + group.index; i < d.last; i += group.count) {
      const unsigned v = node(d, i);
      double reach = 0;
      for (long long arc = other.offsets[v] + group.lane; arc < other.offsets[v + 1]; arc += group.width) {
        const unsigned u = other.targets[arc];
        if (levels[u] == before) reach += paths[u];
      }
      reach = group.sum(reach);
      if (group.lane == 0) paths[v] = reach;
    }
    __syncthreads();
  }

  // advance makes what was found the frontier. It reports whether its numbers of paths fit.
  __device__ bool advance(PairSide& d, const PairSide& other) {
    if (threadIdx.x == 0) d.first = d.last, d.last = s.tail, d.depth++;
    __syncthreads();
    measure(d);
    if (d.rough || __longlong_as_double(s.greatest) >= exactPaths) {
      again(d, other);
      measure(d);
      if (threadIdx.x == 0) d.rough = true;
    }
    const double least = __longlong_as_double(s.least), limit = ldexp(1.0, mostPaths);
    const bool rescale = __longlong_as_double(s.greatest) >= limit;
    if (threadIdx.x == 0) d.arcs = s.arcs;
    if (rescale && ldexp(least, -mostPaths) < ldexp(1.0, -mostPaths)) return false;
    for (long long i = d.first + threadIdx.x; rescale && i < d.last; i += blockDim.x)
      paths[node(d, i)] = ldexp(paths[node(d, i)], -mostPaths);
    __syncthreads();
    return true;
  }

  // meeting draws a node of the frontier by the paths that take its arcs to the other side: Pair.meeting.
  __device__ unsigned meeting(const PairSide& d) {
    if (threadIdx.x == 0) s.greatest = s.total = 0;
    __syncthreads();
    for (long long i = d.first + threadIdx.x; i < d.last; i += blockDim.x) {
      const double x = -paths[node(d, i)];
      if (x > 0) atomicMax(&s.greatest, (unsigned long long)__double_as_longlong(x));
    }
    __syncthreads();
    int exponent;
    frexp(__longlong_as_double(s.greatest), &exponent);
    const int shift = 62 - (32 - __clz(int(s.meetings))) - exponent;
    for (long long i = d.first + threadIdx.x; i < d.last; i += blockDim.x) {
      const unsigned long long x = inUnits(d, i, shift);
      if (x > 0) atomicAdd(&s.total, x);
    }
    __syncthreads();
    if (threadIdx.x == 0) s.rest = __umul64hi(next(), s.total), s.at = 0;
    for (int digit = 24; digit >= 0; digit -= 8) {
      if (digit > 0 && (unsigned long long)(s.p.n - 1) >> digit == 0) continue;
      choose(d, shift, digit);
    }
    return s.at;
  }

  __device__ unsigned long long inUnits(const PairSide& d, long long i, int shift) {
    const double x = -paths[node(d, i)];
    return x > 0 ? (unsigned long long)__double2ll_rn(ldexp(x, shift)) : 0;
  }

  // choose appends to s.at the eight bits from a digit on of the node that s.rest falls on.
  __device__ void choose(const PairSide& d, int shift, int digit) {
    for (int b = threadIdx.x; b < 256; b += blockDim.x) s.bins[b] = 0;
    __syncthreads();
    for (long long i = d.first + threadIdx.x; i < d.last; i += blockDim.x) {
      const unsigned v = node(d, i);
      if ((unsigned long long)v >> (digit + 8) != s.at) continue;
      const unsigned long long x = inUnits(d, i, shift);
      if (x > 0) atomicAdd(&s.bins[v >> digit & 255], x);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned b = 0;
      while (b < 255 && s.rest >= s.bins[b]) s.rest -= s.bins[b++];
      s.at = s.at << 8 | b;
    }
    __syncthreads();
  }

  // step draws an arc of v to a node of a level by the paths that reach that, counts its edge, and returns the node:
  // Pair.step.
  __device__ unsigned step(const PairSide& rows, unsigned v, int level) {
    const long long from = rows.offsets[v], to = rows.offsets[v + 1];
    double mine = 0;
    for (long long arc = from + threadIdx.x; arc < to; arc += blockDim.x) mine += of(rows, arc, level);
    const double total = sum(mine);
    if (threadIdx.x == 0) {
      s.rest = __double_as_longlong(__dmul_rn(ldexp(double(next() >> 11), -53), total));
      s.taken = 1ll << 62;
      s.lastOf = -1;
      s.work += to - from;
    }
    double before = 0;
    for (long long base = from; base < to; base += blockDim.x) {
      const long long arc = base + threadIdx.x;
      const double x = arc < to ? of(rows, arc, level) : 0;
      double upTo = x;
      for (int k = 1; k < 32; k *= 2) {
        const double left = __shfl_up_sync(~0u, upTo, k);
        if (threadIdx.x % 32 >= k) upTo += left;
      }
      __syncthreads();
      if (threadIdx.x % 32 == 31) s.sums[threadIdx.x / 32] = upTo;
      __syncthreads();
      for (unsigned w = 0; w < threadIdx.x / 32; w++) upTo += s.sums[w];
      if (x > 0) {
        atomicMax(&s.lastOf, arc);
        if (before + upTo > __longlong_as_double(s.rest)) atomicMin(&s.taken, arc);
      }
      for (unsigned w = 0; w < blockDim.x / 32; w++) before += s.sums[w];
      __syncthreads();
      if (s.taken < to) break;
    }
    const long long arc = s.taken < to ? s.taken : s.lastOf;
    if (threadIdx.x == 0 && s.p.edges) atomicAdd(&s.p.counts[s.p.nodes + (rows.edges ? rows.edges[arc] : arc)], 1ull);
    __syncthreads();
    return rows.targets[arc];
  }

  __device__ double of(const PairSide& rows, long long arc, int level) {
    const unsigned u = rows.targets[arc];
    return levels[u] == level ? paths[u] : 0;
  }

  // walk counts the nodes from v to the end of the side that found it: Pair.walk.
  __device__ void walk(const PairSide& d, const PairSide& other, unsigned v) {
    for (;; v = step(other, v, levels[v] - d.sign)) {
      const bool end = v == s.ends.from || v == s.ends.to;
      if (threadIdx.x == 0 && s.p.nodes && (s.p.endpoints || !end)) atomicAdd(&s.p.counts[v], 1ull);
      if (levels[v] == d.sign) return;
    }
  }

  // draw draws the path of a pair. It reports false where numbers of paths do not fit.
  __device__ bool draw() {
    for (;;) {
      const int k = s.sides[1].arcs < s.sides[0].arcs ? 1 : 0;
      PairSide &near = s.sides[k], &far = s.sides[1 - k];
      if (near.arcs == 0) return true;
      expand(near, far);
      if (s.meetings > 0) {
        const unsigned from = meeting(near);
        const unsigned to = step(near, from, far.sign * far.depth);
        walk(near, far, from);
        walk(far, near, to);
        return true;
      }
      if (!advance(near, far)) return false;
    }
  }

  __device__ void clear(const PairSide& d) {
    for (long long i = threadIdx.x; i < d.last; i += blockDim.x) {
      levels[node(d, i)] = 0;
      paths[node(d, i)] = 0;
    }
  }
};

extern "C" __global__ void __launch_bounds__(pairThreads, pairBlocksHeld) pairs_draw(const Pairs* arguments) {
  __shared__ PairShared s;
  if (threadIdx.x == 0) s.p = *arguments, s.work = 0;
  __syncthreads();
  PairSearch search(s);
  for (;;) {
    if (threadIdx.x == 0) s.pair = atomicAdd(&s.p.progress[0], 1ull);
    __syncthreads();
    if (s.pair >= (unsigned long long)s.p.count) break;
    search.start();
    __syncthreads();
    if (!search.draw() && threadIdx.x == 0) atomicMax(&s.p.progress[2], 1ull);
    __syncthreads();
    if (threadIdx.x == 0 && s.meetings > 0) {  // what the last level found before it met
      PairSide& d = s.sides[s.sides[1].arcs < s.sides[0].arcs ? 1 : 0];
      d.last = s.tail;
    }
    __syncthreads();
    search.clear(s.sides[0]);
    search.clear(s.sides[1]);
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(&s.p.progress[1], s.work);
}

// pairs_sort takes the counts as classes and begins again. sizes has how many nodes, and then how many edges, are in
// each class.
extern "C" __global__ void pairs_sort(unsigned long long* counts, int* classes, long long nodes, long long entries,
    long long size, unsigned long long* sizes) {
  unsigned long long zeros[2] = {0, 0};
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < entries;
      i += (long long)gridDim.x * blockDim.x) {
    const unsigned long long c = counts[i];
    classes[i] = int(c);
    counts[i] = 0;
    if (c == 0) zeros[i >= nodes]++;
    else atomicAdd(&sizes[(i >= nodes ? size + 1 : 0) + c], 1ull);
  }
  if (zeros[0] > 0) atomicAdd(&sizes[0], zeros[0]);
  if (zeros[1] > 0) atomicAdd(&sizes[size + 1], zeros[1]);
}

// raise and lower are atomicMax and atomicMin that mostly only look.
__device__ inline void raise(long long* at, long long x) {
  if (*(volatile long long*)at < x) atomicMax(at, x);
}
__device__ inline void lower(long long* at, long long x) {
  if (*(volatile long long*)at > x) atomicMin(at, x);
}

// pairs_nearest finds, for each class, the counts next to the two of `at`: adaptive.Around.
extern "C" __global__ void pairs_nearest(
    const unsigned long long* counts, const int* classes, long long entries, const long long* at, long long* around) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < entries;
      i += (long long)gridDim.x * blockDim.x) {
    const long long c = counts[i], k = classes[i];
    for (int side = 0; side < 2; side++) {
      if (c <= at[2 * k + side]) raise(&around[4 * k + 2 * side], c);
      else lower(&around[4 * k + 2 * side + 1], c);
    }
  }
}

// pairs_digit counts, among the entries whose value has the bits above a digit in common with `prefix`, the eight bits
// from the digit on. The value is the count, or the number of an entry where the count is `tied`.
extern "C" __global__ void pairs_digit(const unsigned long long* counts, long long entries, long long tied,
    long long digit, unsigned long long prefix, unsigned long long* bins) {
  __shared__ unsigned mine[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < entries;
      i += (long long)gridDim.x * blockDim.x) {
    if (tied >= 0 && counts[i] != (unsigned long long)tied) continue;
    const unsigned long long x = tied >= 0 ? (unsigned long long)i : counts[i];
    if (x >> digit >> 8 == prefix) atomicAdd(&mine[x >> digit & 255], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    if (mine[b] > 0) atomicAdd(&bins[b], (unsigned long long)mine[b]);
}

// pairs_best finds, for each class, the least count of the best entries and the greatest of the others:
// adaptive.Parted. The best are those with more than `least`, and those with that much up to the entry `last`.
extern "C" __global__ void pairs_best(const unsigned long long* counts, const int* classes, long long entries,
    long long least, long long last, long long* parted) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < entries;
      i += (long long)gridDim.x * blockDim.x) {
    const long long c = counts[i], k = classes[i];
    if (c > least || (c == least && i <= last)) lower(&parted[2 * k], c);
    else raise(&parted[2 * k + 1], c);
  }
}
