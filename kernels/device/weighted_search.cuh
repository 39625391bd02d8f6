// Brandes' algorithm by weights, a block a source, after Fan, Xu & Zhao 2017: relax the arcs of the nodes settled last;
// Delta = the least, over the nodes not settled, of distance plus lightest arc; settle every node nearer than Delta,
// and besides those nearer than the least distance plus the lightest arc that enters them (the in-criterion of Crauser,
// Mehlhorn, Meyer & Sanders 1998), which one node with a light arc does not hold up. A node settled in one round has no
// shortest path to another of that round, so rounds are levels: counts are pulled at settling, dependencies level by
// level in the backward pass. Every sum is in the order of the arcs: the same bits every time. Distances are integer
// ticks, or float64 with a relative tolerance for ties.
#pragma once
#include "metrics.cuh"
#include "pairs.cuh"
#include "rules.cuh"
#include "threads.cuh"

// Weighted are the arguments. Every field takes 8 bytes.
//
// host: arguments
struct Weighted {
  long long n, arcs;
  const long long* outOffsets;
  const unsigned* outTargets;
  const void* outWeights;
  const long long* inOffsets;
  const unsigned* inTargets;
  const void* inWeights;
  const void* lightest;    // a node: the least weight of an arc that leaves it for another, all ones when none does
  const void* lightestIn;  // the same of arcs that enter it
  const int* sources;
  void* distances;   // n keys a block
  void* counts;      // n numbers a block: path counts forwards, shares backwards
  unsigned* stack;   // n a block: nodes in the order of settling
  unsigned* open;    // 4n a block: nodes reached and not settled: two lists of near ones, two of far ones
  unsigned* ends;    // n+2 a block: where rounds end in stack
  unsigned* bits;    // two bitmaps a block, for strategies that look at all nodes
  void* nodes;       // n sums a block, or null
  void* edges;       // a sum for every arc, a block, or null
  int* failed;       // a source: 1 when its counts need wider numbers, else 0
  long long* lost;   // one: 1 + an arc that does not lengthen a path, 0 for none
  long long* pairs;  // a block
  double* totals;    // sum of distances, a block
  double tolerance, mul, div;
  long long unique;  // not 0: as many arcs a path the tolerance is right for; a source of longer ones, or with two arcs
                     // within it into a node, fails
  long long endpoints;
  double width;      // how much farther than the nearest of them near nodes may lie, to begin with
  long long listed;  // nodes reached and not settled are listed (work-efficient), not looked for (vertex-parallel)
  long long lanes;   // threads a node: 1, 4, 8, 16, 32
  long long sharedBitmaps;
  long long longRow;   // rows of so many arcs are left to the whole block
  unsigned* longRows;  // longRowsEach a block: nodes with such rows
  long long longRowsEach;
  const double *sourceMasses, *targetMasses;  // a pair counts the product of its source's and its target's; null for 1
  long long farthest;                         // the key of the greatest distance that counts; all ones for any
  double whole;      // of which distances are added up as multiples; 0 without a greatest distance
  long long chosen;  // Chosen
  double* demands;   // of chosen pairs, and of these times their distances, a block
  // Lists of pairs: those of source s are number tripOffsets[s] to tripOffsets[s + 1] - 1. Null for none.
  const long long* tripOffsets;
  const unsigned* tripTargets;
  const double* amounts;
  double* tripMasses;     // n a block: those of the source at hand, in place of targetMasses
  unsigned* tripSources;  // a block: 1 + the source that these are of
  // For several ranges: farthest and whole of each, ascending, and how many there are. Of each range there are sums of
  // nodes and edges of all blocks, pairs and totals, one range after the other.
  const long long* limits;
  const double* wholes;
  long long ranges;
  void* sharesOfRange;  // n a block: the counts stay for the next range
};

// RowArgs are the further arguments of rules with rows.
struct RowArgs {
  const double* mults;    // paths of every arc; null when all are 1
  const double* demands;  // of the source at hand, for every node
};

// WeightedSearch does one source at a time. several says that it is for several ranges: one forward pass to the end of
// the greatest, and a backward pass over the nodes within each.
template <class Metric, class T, class Rule, bool several = false> struct WeightedSearch {
  using Key = typename Metric::Key;
  using Weight = typename Metric::Weight;
  using Sum = typename Rule::template Sum<T>;
  using A = typename Wider<T>::type;
  struct Shared {
    Weighted p;
    RowArgs rows;
    unsigned tail;  // nodes on the stack; kNoStack before the first search
    unsigned open, far;
    unsigned most;  // most near nodes since the last refill
    double width;
    Key delta, least, limit;
    int low, greatest;
    bool overflow;
    double mass;  // of the source
    const double* targetMasses;
    // How many nodes are listed in longRows. Backwards, levels take turns: a warp that is at the next level already
    // must not make another one find nodes at this one.
    unsigned longs[2];
    A sums[32];
    double partial[32];
    unsigned long long wholes;  // sum of the distances, as multiples of p.whole, or of that of a range
    unsigned held, end;         // nodes within a range, and how much of the stack has them all
    ChosenPairs chosen;
  };
  Shared& s;
  const Weighted& p;
  const Weight *outWeights, *inWeights, *lightest, *lightestIn;
  Key* dist;
  T* counts;
  T* shares;  // where the counts were, unless those are kept
  unsigned *stack, *open, *ends, *settled, *front, *longRows;
  Sum *nodes, *edges;
  long long words;
  bool list;
  Key within;     // the greatest distance of the range at hand
  bool together;  // undirected: the arcs that enter a node are those that leave it, so that one look at them relaxes
                  // and counts

  __device__ WeightedSearch(Shared& shared, unsigned* bitmaps) : s(shared), p(shared.p) {
    const long long b = blockIdx.x, n = p.n;
    words = (n + 31) / 32;
    outWeights = (const Weight*)p.outWeights;
    inWeights = (const Weight*)p.inWeights;
    lightest = (const Weight*)p.lightest;
    lightestIn = (const Weight*)p.lightestIn;
    dist = (Key*)p.distances + b * n;
    counts = (T*)p.counts + b * n;
    shares = several && Rule::counted ? (T*)p.sharesOfRange + b * n : counts;
    stack = p.stack + b * n;
    list = p.listed;
    together = Rule::counted && p.inTargets == p.outTargets;
    open = list ? p.open + 4 * b * n : nullptr;
    ends = p.ends + b * (n + 2);
    longRows = p.longRows + b * p.longRowsEach;
    front = list ? nullptr : p.sharedBitmaps > 0 ? bitmaps : p.bits + b * 2 * words;
    settled = list ? nullptr : p.sharedBitmaps > 1 ? bitmaps + words : p.bits + (b * 2 + 1) * words;
    nodes = p.nodes ? (Sum*)p.nodes + b * n : nullptr;
    edges = p.edges ? (Sum*)p.edges + b * p.arcs : nullptr;
  }

  // ways is how many paths an arc adds that has so many at its end.
  __device__ A ways(unsigned arc, A paths) const {
    if constexpr (Rule::rows) {
      if (s.rows.mults) return mul(paths, number<A>(s.rows.mults[arc]));
    }
    return paths;
  }

  __device__ A mass(unsigned v) const {
    if constexpr (Rule::rows) return number<A>(s.rows.demands[v]);
    return number<A>(massOf(v));
  }

  // holds says that the range at hand has a distance. One range alone ends the search.
  __device__ bool holds(Key d) const { return !several || d <= within; }

  // massOf is how much the pair of the source and v counts.
  __device__ double massOf(unsigned v) const { return s.targetMasses ? s.mass * s.targetMasses[v] : s.mass; }

  // mostExponent is that of the greatest counts that fit.
  __device__ int mostExponent() const { return Most<T>::exponent - (p.chosen == pairsByMasses ? kDemandBits : 0); }

  // start forgets the search before, whose nodes are on the stack.
  __device__ void start(unsigned source) {
    if (p.tripOffsets) listTrips(p, source, p.tripMasses + blockIdx.x * p.n, &p.tripSources[blockIdx.x]);
    if (s.tail < p.n / 4) {
      for (unsigned i = threadIdx.x; i < s.tail; i += blockDim.x) dist[stack[i]] = Metric::none();
    } else {
      for (long long v = threadIdx.x; v < p.n; v += blockDim.x) dist[v] = Metric::none();
    }
    if (!list)
      for (long long i = threadIdx.x; i < words; i += blockDim.x) front[i] = settled[i] = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
      dist[source] = 0;
      if (Rule::counted) counts[source] = number<T>(1);
      stack[0] = source;
      ends[0] = 0;
      ends[1] = 1;
      if (!list) settled[source >> 5] = front[source >> 5] = 1u << (source & 31);
      s.tail = 1;
      s.wholes = 0;
      s.open = s.far = s.most = s.longs[0] = s.longs[1] = 0;
      s.limit = list ? Metric::after(0, s.width) : Metric::none();
      s.delta = s.least = Metric::none();
      s.greatest = 0;
      s.low = 1 << 30;
      s.overflow = false;
      s.mass = p.sourceMasses ? p.sourceMasses[source] : 1;
      s.targetMasses = p.tripOffsets ? p.tripMasses + blockIdx.x * p.n : p.targetMasses;
    }
    __syncthreads();
  }

  // Rows are worked on by the threads of a virtual warp or of the block: lane is the calling thread's number among
  // width. relaxRow returns what countRow does, where `counting` says so.
  __device__ A relaxRow(
      unsigned v, unsigned* near, unsigned* far, unsigned lane, unsigned width, bool counting, double& arcs) {
    const Key from = dist[v], limit = s.limit, farthest = Key(p.farthest);
    const unsigned end = unsigned(p.outOffsets[v + 1]);
    A sum = number<A>(0);
    for (unsigned e = unsigned(p.outOffsets[v]) + lane; e < end; e += width) {
      const unsigned w = p.outTargets[e];
      const Weight weight = outWeights[e];
      const Key to = Metric::plus(from, weight);
      if (!Metric::longer(from, to, weight)) {
        if (w != v) atomicMax(p.lost, (long long)e + 1);
        continue;
      }
      const Key there = dist[w];
      if (to >= there) {
        if (!counting || !(there < from && Metric::endsPath(there, from, weight, p.tolerance))) continue;
        sum = add(sum, ways(e, A(counts[w])));
        arcs++;
        continue;
      }
      if (to > farthest) continue;
      const Key before = atomicMin(&dist[w], to);
      if (!list) continue;
      // A node goes to each pile once: to the far one when first reached, to the near one when first nearer than limit.
      if (to < limit && before >= limit) near[atomicAdd(&s.open, 1)] = w;
      else if (before == Metric::none()) far[atomicAdd(&s.far, 1)] = w;
    }
    return sum;
  }

  __device__ bool isLong(const long long* offsets, unsigned v) const {
    return offsets[v + 1] - offsets[v] >= p.longRow;
  }

  // leave lists a node for the whole block.
  __device__ void leave(unsigned v, const Group<0>& g, int slot = 0) {
    if (g.lane == 0) longRows[atomicAdd(&s.longs[slot], 1)] = v;
  }

  __device__ void relaxFrom(unsigned v, unsigned* near, unsigned* far, const Group<0>& g, bool counting) {
    if (isLong(p.outOffsets, v)) {
      leave(v, g);
      return;
    }
    double arcs = 0;
    A sum = relaxRow(v, near, far, g.lane, g.width, counting, arcs);
    if (!counting) return;
    sum = g.sum(sum);
    const bool doubtful = !Metric::exact && p.unique && g.sum(arcs) > 1;
    if (g.lane == 0) counted(v, sum, doubtful);
  }

  // blockSum adds the threads' numbers, always in the same order, for thread 0. All threads of the block call it.
  __device__ A blockSum(A x) {
    for (int k = 16; k > 0; k /= 2) x = add(x, shuffleXor(~0u, x, k, 32));
    if (threadIdx.x % 32 == 0) s.sums[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0)
      for (int w = 1; w < blockDim.x / 32; w++) x = add(x, s.sums[w]);
    __syncthreads();
    return x;
  }

  // longForward relaxes and counts the nodes with long rows, with all threads.
  __device__ void longForward(bool counting, unsigned* near, unsigned* far) {
    const unsigned listed = s.longs[0];
    for (unsigned k = 0; k < listed; k++) {
      const unsigned v = longRows[k];
      double arcs = 0;
      A sum = number<A>(0);
      if (isLong(p.outOffsets, v)) sum = relaxRow(v, near, far, threadIdx.x, blockDim.x, counting && together, arcs);
      if (!Rule::counted || !counting || !isLong(p.inOffsets, v)) continue;
      if (!together) sum = countRow(v, threadIdx.x, blockDim.x, arcs);
      sum = blockSum(sum);
      const bool doubtful =
          !Metric::exact && p.unique && (__syncthreads_count(arcs > 0) > 1 || __syncthreads_or(arcs > 1));
      if (threadIdx.x == 0) counted(v, sum, doubtful);
    }
    __syncthreads();
    if (threadIdx.x == 0) s.longs[0] = 0;
  }

  // relax looks at the arcs of the nodes settled last, and lists the nodes reached by them.
  __device__ void relax(unsigned lo, unsigned hi, unsigned* near, unsigned* far, bool counting) {
    const Group<0> g(int(p.lanes));
    if (list) {
      for (unsigned i = lo + g.index; i < hi; i += g.count) relaxFrom(stack[i], near, far, g, counting);
    } else {
      for (unsigned v = g.index; v < p.n; v += g.count)
        if (test(front, v)) relaxFrom(v, near, far, g, counting);
    }
  }

  // count sets the counts of stack[lo:hi).
  __device__ void count(unsigned lo, unsigned hi) {
    const Group<0> g(int(p.lanes));
    for (unsigned i = lo + g.index; i < hi; i += g.count) {
      const unsigned w = stack[i];
      if (isLong(p.inOffsets, w)) {
        if (!isLong(p.outOffsets, w)) leave(w, g);  // otherwise relax has listed it
        continue;
      }
      double arcs = 0;
      const A sum = g.sum(countRow(w, g.lane, g.width, arcs));
      const bool doubtful = !Metric::exact && p.unique && g.sum(arcs) > 1;
      if (g.lane == 0) counted(w, sum, doubtful);
    }
  }

  // countRow returns the calling thread's part of the paths to w, and how many shortest-path arcs they are of.
  __device__ A countRow(unsigned w, unsigned lane, unsigned width, double& arcs) const {
    const unsigned end = unsigned(p.inOffsets[w + 1]);
    const Key to = dist[w];
    A sum = number<A>(0);
    for (unsigned e = unsigned(p.inOffsets[w]) + lane; e < end; e += width) {
      const unsigned v = p.inTargets[e];
      const Key from = dist[v];
      if (!(from < to && Metric::endsPath(from, to, inWeights[e], p.tolerance))) continue;
      sum = add(sum, ways(e, A(counts[v])));
      arcs++;
    }
    return sum;
  }

  __device__ void counted(unsigned w, A sum, bool doubtful) {
    counts[w] = T(sum);
    const int exponent = doubtful ? uncertain : exponentOf(sum);
    if (exponent > mostExponent()) atomicMax(&s.greatest, exponent);
  }

  __device__ void reach(unsigned v, Key& delta, Key& least) const {
    const Key d = dist[v];
    const Weight light = lightest[v];
    least = min(least, d);
    if (isNone(light)) return;
    delta = min(delta, Metric::plus(d, light));
  }

  __device__ static bool isNone(unsigned w) { return w == ~0u; }
  __device__ static bool isNone(unsigned long long w) { return w == ~0ull; }
  __device__ static bool isNone(double w) { return !(w == w); }

  // bound sets s.delta, and s.least to the least distance, over the nodes reached and not settled.
  __device__ void bound(const unsigned* reachedNodes, unsigned opens) {
    Key delta = Metric::none(), least = Metric::none();
    if (list) {
      for (unsigned i = threadIdx.x; i < opens; i += blockDim.x) reach(reachedNodes[i], delta, least);
    } else {
      for (unsigned v = threadIdx.x; v < p.n; v += blockDim.x)
        if (!test(settled, v) && dist[v] != Metric::none()) reach(v, delta, least);
    }
#pragma unroll
    for (int k = 16; k > 0; k /= 2) {
      delta = min(delta, __shfl_xor_sync(~0u, delta, k));
      least = min(least, __shfl_xor_sync(~0u, least, k));
    }
    if (threadIdx.x % 32 == 0) {
      if (delta != Metric::none()) atomicMin(&s.delta, delta);
      if (least != Metric::none()) atomicMin(&s.least, least);
    }
  }

  // near says whether node v at distance d can be settled. With a tolerance, both bounds give way by twice as much, so
  // that no arc between two nodes of a round ends a shortest path; the nearest nodes are settled in any case.
  __device__ bool near(unsigned v, Key d, Key delta, Key least) const {
    if (under(d, delta) || !Metric::exact && d == least) return true;
    const Weight in = lightestIn[v];
    return !isNone(in) && under(d, Metric::plus(least, in));
  }

  __device__ bool under(Key d, Key bound) const {
    if (Metric::exact) return d < bound;
    if (bound == Metric::none()) return true;
    return __longlong_as_double(d) < __longlong_as_double(bound) * (1 - 2 * p.tolerance);
  }

  // settle appends the near nodes to the stack; the others go on to the list `rest`.
  __device__ void settle(const unsigned* reachedNodes, unsigned opens, unsigned* rest, Key delta, Key least) {
    if (list) {
      for (unsigned i = threadIdx.x; i < opens; i += blockDim.x) {
        const unsigned v = reachedNodes[i];
        if (near(v, dist[v], delta, least)) stack[atomicAdd(&s.tail, 1)] = v;
        else rest[atomicAdd(&s.open, 1)] = v;
      }
      return;
    }
    for (unsigned v = threadIdx.x; v < p.n; v += blockDim.x) {
      const Key d = dist[v];
      if (test(settled, v) || d == Metric::none() || !near(v, d, delta, least)) continue;
      stack[atomicAdd(&s.tail, 1)] = v;
      set(settled, v);
      set(front, v);
    }
  }

  // refill raises the limit past the least distance of the far nodes, and moves those now near. It returns false when
  // there are none left. Distances under the old limit belong to nodes that became near, or settled, since.
  __device__ bool refill(unsigned*& far, unsigned*& spare, unsigned* near) {
    const unsigned count = s.far;
    const Key old = s.limit;
    Key least = Metric::none();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
      if (dist[far[i]] >= old) least = min(least, dist[far[i]]);
#pragma unroll
    for (int k = 16; k > 0; k /= 2) least = min(least, __shfl_xor_sync(~0u, least, k));
    if (threadIdx.x % 32 == 0 && least != Metric::none()) atomicMin(&s.least, least);
    __syncthreads();
    least = s.least;
    const Key limit = least == Metric::none() ? least : Metric::after(least, s.width);
    __syncthreads();
    if (threadIdx.x == 0) {
      s.far = 0;
      s.limit = limit;
      // A pile of a few nodes a thread is cheap to look through and fills rounds well enough.
      if (s.most > 4 * blockDim.x) s.width *= 0.5;
      else if (s.most < blockDim.x && s.width < 1e300) s.width *= 2;
      s.most = 0;
      s.least = Metric::none();
    }
    if (least == Metric::none()) return false;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
      const unsigned v = far[i];
      const Key d = dist[v];
      if (d < old) continue;
      if (d < limit) near[atomicAdd(&s.open, 1)] = v;
      else spare[atomicAdd(&s.far, 1)] = v;
    }
    unsigned* t = far;
    far = spare;
    spare = t;
    __syncthreads();
    return true;
  }

  // forward returns the last round. Delta is the least over the near nodes, or the limit when that is less: far nodes
  // are past the limit, so they cannot make Delta less than that.
  __device__ int forward() {
    unsigned lo = 0, hi = 1;
    unsigned *now = open, *rest = open + p.n, *far = rest + p.n, *spare = far + p.n;
    for (int round = 0;; round++) {
      relax(lo, hi, now, far, together && round > 0);
      if (Rule::counted && !together && round > 0) count(lo, hi);
      __syncthreads();
      if (s.longs[0]) {
        longForward(round > 0, now, far);
        __syncthreads();
      }
      if (list && s.open == 0 && !refill(far, spare, now)) return round;
      const unsigned opens = s.open;
      if (threadIdx.x == 0) s.most = max(s.most, opens);
      if (!list)
        for (unsigned i = lo + threadIdx.x; i < hi; i += blockDim.x) unset(front, stack[i]);
      bound(now, opens);
      __syncthreads();
      const Key delta = min(s.delta, s.limit), least = s.least;
      if (threadIdx.x == 0) s.open = 0;
      __syncthreads();
      if (threadIdx.x == 0) s.delta = s.least = Metric::none();
      settle(now, opens, rest, delta, least);
      __syncthreads();
      const unsigned end = s.tail;
      if (threadIdx.x == 0) ends[round + 2] = end;
      if (end == hi) return round;
      unsigned* t = now;
      now = rest;
      rest = t;
      lo = hi;
      hi = end;
      // The barrier after relax comes before the next change of s.tail.
    }
  }

  __device__ void finish(unsigned v, A count, A below, int level) {
    if (level == 0) return;
    const A dependency = mul(count, below);
    if (!Rule::scaled && exponentOf(dependency) > 1000) s.overflow = true;
    const A own = mass(v);
    if (nodes) {
      const A gain = p.endpoints ? add(dependency, own) : dependency;
      if (positive(gain)) accumulate(&nodes[v], Rule::sum(gain));
    }
    shares[v] = T(Rule::share(own, count, below, dependency));
  }

  // accumulateRow returns the calling thread's part of the shares of the nodes after v, and adds to the edges there.
  __device__ A accumulateRow(unsigned v, unsigned lane, unsigned width) {
    const A own = A(counts[v]);
    const Key from = dist[v];
    const unsigned end = unsigned(p.outOffsets[v + 1]);
    A sum = number<A>(0);
    for (unsigned e = unsigned(p.outOffsets[v]) + lane; e < end; e += width) {
      const unsigned w = p.outTargets[e];
      const Key to = dist[w];
      if (!holds(to) || !Metric::endsPath(from, to, outWeights[e], p.tolerance)) continue;
      const A share = ways(e, A(shares[w]));
      sum = add(sum, share);
      if (edges) accumulate(&edges[e], Rule::sum(mul(own, share)));
    }
    return sum;
  }

  // longBackward accumulates at the nodes of a level that have long rows, with all threads.
  __device__ void longBackward(int level) {
    const unsigned listed = s.longs[level & 1];
    for (unsigned k = 0; k < listed; k++) {
      const unsigned v = longRows[k];
      const A sum = blockSum(accumulateRow(v, threadIdx.x, blockDim.x));
      if (threadIdx.x == 0) finish(v, A(counts[v]), sum, level);
    }
    __syncthreads();
    if (threadIdx.x == 0) s.longs[level & 1] = 0;
    __syncthreads();
  }

  __device__ void backward(int last) {
    const Group<0> g(int(p.lanes));
    for (int level = last; level >= (edges ? 0 : 1); level--) {
      const unsigned hi = ends[level + 1];
      for (unsigned i = ends[level] + g.index; i < hi; i += g.count) {
        const unsigned v = stack[i];
        if (!holds(dist[v])) continue;
        if (isLong(p.outOffsets, v)) {
          leave(v, g, level & 1);
          continue;
        }
        const A sum = g.sum(accumulateRow(v, g.lane, g.width));
        if (g.lane == 0) finish(v, A(counts[v]), sum, level);
      }
      __syncthreads();
      if (s.longs[level & 1]) longBackward(level);
    }
  }

  // tallyWithin is tally for searches that end at a greatest distance. It looks at the stack alone, and adds up
  // multiples, since the order of the stack is a matter of chance.
  __device__ void tallyWithin() {
    unsigned long long sum = 0;
    for (unsigned i = threadIdx.x; i < s.tail; i += blockDim.x)
      sum += (unsigned long long)(Metric::real(dist[stack[i]], p.mul, p.div) / p.whole);
    if (sum) atomicAdd(&s.wholes, sum);
    __syncthreads();
    if (threadIdx.x != 0) return;
    p.totals[blockIdx.x] += double(s.wholes) * p.whole;
    p.pairs[blockIdx.x] += s.tail - 1;
  }

  // tallyChosen is tally of the pairs that are chosen.
  __device__ void tallyChosen() {
    const auto distance = [&](unsigned k) { return Metric::real(dist[stack[k]], p.mul, p.div); };
    s.chosen.tally(s.tail, [&](unsigned k) { return massOf(stack[k]) > 0; }, [](unsigned) { return 0; });
    const double all = s.chosen.sum(s.tail, [&](unsigned k) { return massOf(stack[k]) > 0 ? distance(k) : 0; });
    const bool byMasses = p.chosen == pairsByMasses;
    double demand = 0, both = 0;
    if (byMasses) {
      demand = s.chosen.sum(s.tail, [&](unsigned k) { return massOf(stack[k]); });
      both = s.chosen.sum(s.tail, [&](unsigned k) { return massOf(stack[k]) * distance(k); });
    }
    if (threadIdx.x != 0) return;
    p.pairs[blockIdx.x] += s.chosen.count;
    p.totals[blockIdx.x] += all;
    s.chosen.demand = byMasses ? demand : double(s.chosen.count);
    if (!byMasses) return;
    p.demands[2 * blockIdx.x] += demand;
    p.demands[2 * blockIdx.x + 1] += both;
  }

  // tally adds the pairs and distances of the source, in the order of the nodes.
  __device__ void tally() {
    if (p.chosen != allPairs) return tallyChosen();
    if (p.whole > 0) return tallyWithin();
    double sum = 0;
    for (long long v = threadIdx.x; v < p.n; v += blockDim.x)
      if (dist[v] != Metric::none()) sum += Metric::real(dist[v], p.mul, p.div);
#pragma unroll
    for (int k = 16; k > 0; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
    if (threadIdx.x % 32 == 0) s.partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    sum = 0;
    for (int i = 0; i < blockDim.x / 32; i++) sum += s.partial[i];
    p.totals[blockIdx.x] += sum;
    p.pairs[blockIdx.x] += s.tail - 1;
  }

  // take has what follows add to the sums of a range.
  __device__ void take(long long range) {
    const long long block = range * gridDim.x + blockIdx.x;
    nodes = p.nodes ? (Sum*)p.nodes + block * p.n : nullptr;
    edges = p.edges ? (Sum*)p.edges + block * p.arcs : nullptr;
    within = Key(p.limits[range]);
  }

  // tallyRange is tallyWithin for the range at hand, whose nodes are all in stack[0:end). It sets s.held and s.end.
  __device__ void tallyRange(long long range, unsigned end) {
    __syncthreads();
    if (threadIdx.x == 0) s.wholes = s.held = s.end = 0;
    __syncthreads();
    const double whole = p.wholes[range];
    unsigned long long sum = 0;
    unsigned held = 0, mine = 0;
    for (unsigned i = threadIdx.x; i < end; i += blockDim.x) {
      const Key d = dist[stack[i]];
      if (!holds(d)) continue;
      sum += (unsigned long long)(Metric::real(d, p.mul, p.div) / whole);
      held++;
      mine = i + 1;
    }
    if (sum) atomicAdd(&s.wholes, sum);
    if (held) {
      atomicAdd(&s.held, held);
      atomicMax(&s.end, mine);
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    const long long block = range * gridDim.x + blockIdx.x;
    p.totals[block] += double(s.wholes) * whole;
    p.pairs[block] += s.held - 1;
  }

  // tallyRanges adds the pairs and distances of the source within each range.
  __device__ void tallyRanges() {
    unsigned end = s.tail;
    for (long long range = p.ranges - 1; range >= 0; range--) {
      take(range);
      tallyRange(range, end);
      end = s.end;
    }
  }

  // addRanges adds the dependencies of the source in each range, the greatest first. Of the rounds up to `last`, those
  // after the last node within a range have none of it.
  __device__ void addRanges(unsigned from, int last) {
    unsigned end = s.tail;
    for (long long range = p.ranges - 1; range >= 0; range--) {
      take(range);
      tallyRange(range, end);
      end = s.end;
      while (ends[last] >= end) last--;
      if (threadIdx.x == 0 && nodes && p.endpoints && s.held > 1)
        accumulate(&nodes[from], Rule::sum(number<T>(s.held - 1)));
      backward(last);
    }
  }

  __device__ void source(long long i) {
    const unsigned from = p.sources[i];
    start(from);
    const int last = forward();
    if (!Metric::exact && p.unique && last > p.unique && threadIdx.x == 0) s.greatest = uncertain;
    __syncthreads();
    const bool fits = !(Rule::counted && s.greatest > mostExponent());
    if (threadIdx.x == 0) p.failed[i] = !fits;
    if (!fits) return;
    if constexpr (several) {
      addRanges(from, last);
    } else {
      tally();
      if (threadIdx.x == 0 && nodes && p.endpoints) {
        const double own = p.chosen == allPairs ? s.tail - 1 : s.chosen.demand;
        if (own > 0) accumulate(&nodes[from], Rule::sum(number<T>(own)));
      }
      backward(last);
    }
    if (!Rule::scaled) {
      __syncthreads();
      if (threadIdx.x == 0 && s.overflow) p.failed[i] = 1;
    }
  }
};

template <class Metric, class T, class Rule, bool several = false>
__device__ void searchWeighted(const Weighted* args, long long first, long long last) {
  using Search = WeightedSearch<Metric, T, Rule, several>;
  __shared__ typename Search::Shared shared;
  extern __shared__ unsigned bitmaps[];
  if (threadIdx.x == 0) {
    shared.p = *args;
    shared.width = args->width;
    shared.tail = kNoStack;
  }
  __syncthreads();
  Search search(shared, bitmaps);
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    search.source(i);
    __syncthreads();
  }
}

#define WEIGHTED_KERNEL(name, metric, T, rule)                                                                        \
  extern "C" __global__ void __launch_bounds__(1024, 1) name(const Weighted* args, long long first, long long last) { \
    searchWeighted<metric, T, rule>(args, first, last);                                                               \
  }
#define WEIGHTED_RANGES_KERNEL(name, metric, T, rule)                                                                 \
  extern "C" __global__ void __launch_bounds__(1024, 1) name(const Weighted* args, long long first, long long last) { \
    searchWeighted<metric, T, rule, true>(args, first, last);                                                         \
  }
