// Brandes' algorithm by hops, a block a source: a forward pass finds levels and counts shortest paths, a backward pass
// hands dependencies to the nodes before. Both passes pull sums in the order of the neighbours, so that no float
// atomics are needed and the same run gives the same bits. The nodes of a search stand on a stack, level by level, and
// every node has its place there: one look at the place of a neighbour tells whether it was reached, in which level,
// and where its numbers are. Strategies differ in how threads are given to nodes and arcs; see Policy.
#pragma once
#include "../device/pairs.cuh"
#include "../device/rules.cuh"
#include "halves.cuh"
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
// those that may take all arcs of a level, pulls for vertexPull. Of workEfficient on rows in cells there are cells, and
// manyCells for graphs of more nodes; see cells.cuh.
enum Kind { lists, withArcs, pulls, cells, manyCells };

constexpr int kAhead = 4;           // arcs of a node that a thread loads at a time: it waits for all of them once
constexpr unsigned kClaimed = ~0u;  // the place of a node that a thread is putting on the stack
#ifdef __CUDACC__
constexpr unsigned kLastOrigin = ~0u;
#else  // tests on the emulated device come to the last origin
constexpr unsigned kLastOrigin = 100;
#endif

// Paths are the arguments. Every field takes 8 bytes; the host writes them as such.
//
// host: arguments
struct Paths {
  long long n, arcs;
  const long long* outOffsets;
  const unsigned *outTargets, *outRows;  // rows only for strategies that take arcs
  const long long* inOffsets;
  const unsigned *inTargets, *inRows;
  // A node: where its arcs begin, and 2^32 times where they end: one read has both.
  const unsigned long long *outRanges, *inRanges;
  const int* sources;
  void* counts;       // n numbers a block, in the order of stack: path counts forwards, shares backwards
  unsigned* stack;    // n a block: the nodes in order of their levels
  unsigned* places;   // n a block: where every node is on the stack
  unsigned* leads;    // n a block, in the order of stack: a bit for each of the first 32 arcs that leave the node, set
                      // where it leads to the next level; for manyCells 2n, of the first 64
  unsigned* ends;     // n+2 a block: where levels end in stack
  int* levels;        // n+2 a block: shift and method of every level
  void* nodes;        // n sums a block, or null
  void* edges;        // a sum for every arc that leaves a node, a block, or null
  int* failed;        // a source: 1 when its counts need wider numbers (it has added nothing), else 0
  int* depths;        // a source: its last level
  long long* totals;  // pairs and sum of distances, a block
  long long policy, alpha, beta, endpoints;
  long long lanes;  // threads a node, where the kernel does not say
  // For vertexPull: the edge of every arc (null: its own number), a bit for every arc that enters a node, a block, and
  // a number for every edge, a block.
  const unsigned *outEdges, *inEdges;
  unsigned* predecessors;
  void* shares;
  long long m;
  const double *sourceMasses, *targetMasses;  // a pair counts the product of its source's and its target's; null for 1
  long long farthest;                         // the last level to be found
  // For cells: how many times four targets a cell has, and the counts and shares by node, n a block.
  long long quads;
  void* countsOfNodes;
  long long chosen;  // Chosen
  double* demands;   // of chosen pairs, and of these times their distances, a block
  // Lists of pairs: those of source s are number tripOffsets[s] to tripOffsets[s + 1] - 1. Null for none.
  const long long* tripOffsets;
  const unsigned* tripTargets;
  const double* amounts;
  double* tripMasses;     // n a block: those of the source at hand, in place of targetMasses
  unsigned* tripSources;  // a block: 1 + the source that these are of
  // For several ranges: the last level of each, ascending, and how many there are. Of each range there are sums of
  // nodes and edges of all blocks, and totals, one range after the other.
  const long long* limits;
  long long ranges;
  void* sharesOfRange;  // n a block, in the order of stack: the counts stay for the next range
  void* halves;         // n Halves a block, of its last source, or null; only where searches have them
};

// Places are those of a level, which are consecutive.
struct Places {
  unsigned first, count;
  __device__ bool have(unsigned place) const { return place - first < count; }
};

// Extent is that of the counts of a level: the exponents of the least and of the greatest.
struct Extent {
  int least, greatest;
  __device__ static Extent none() { return Extent{1 << 30, -(1 << 30)}; }
  template <class A> __device__ void add(A count) {
    least = min(least, exponentOf(count));
    greatest = max(greatest, exponentOf(count));
  }
};

// several says that a search is for several ranges: one forward pass to the last level of the greatest, and a backward
// pass from the last level of each.
template <class T, class Rule, int W, Kind kind, bool several = false> struct PathSearch {
  static constexpr bool Arcs = kind == withArcs;
  static_assert(!several || kind == lists || kind == cells, "a backward pass leaves no counts for the next");
  // By lists alone, one look at the arcs of a level counts the paths to it and finds the next level. Otherwise paths
  // are counted as soon as nodes are found, for the methods that do both at once.
  static constexpr bool inCells = kind == cells || kind == manyCells;
  static constexpr bool countsLate = (kind == lists || inCells) && Rule::counted;
  // Betweenness of one range may leave halves.
  static constexpr bool hasHalves = countsLate && Rule::scaled && !several;
  using Sum = typename Rule::template Sum<T>;
  using A = typename Wider<T>::type;
  // Step is what the threads find together in one step forward. Three take turns, so that one barrier is enough: while
  // one is filled, the next is emptied, and slow threads may still read the one before.
  struct Step {
    unsigned found;  // nodes put on the stack
    Extent counted;
    __device__ void empty() {
      found = 0;
      counted = Extent::none();
    }
  };
  struct Shared {
    Paths p;
    double mass;  // of the source
    const double* targetMasses;
    unsigned tail;  // nodes on the stack; kNoStack before the first search
    Step steps[3];
    bool overflow;
    ChosenPairs chosen;
    RowPieces<A> pieces;
  };
  // Visit is what a look at a node's arcs is for.
  struct Visit {
    bool counting, finding;
    Places before;  // the level that paths are counted from
    A factor;       // what the counts are multiplied by
    unsigned next;  // where the nodes that are found begin on the stack
    Step& step;
  };
  // Row is the arcs of a node.
  struct Row {
    const unsigned* targets;
    unsigned degree;
  };
  Shared& s;
  const Paths& p;
  T *counts, *countOf, *shares;  // shares in the order of stack
  unsigned *stack, *place, *leads, *ends, *marks;
  int* levels;
  Sum *nodes, *edges;
  Halves<T>* halves;
  // What place has for the source. It grows from search to search by the nodes found, so that all places of former
  // searches, which are less, are those of nodes not reached.
  unsigned origin = 0;

  __device__ PathSearch(Shared& shared, unsigned* marks = nullptr) : s(shared), p(shared.p), marks(marks) {
    const long long b = blockIdx.x, n = p.n;
    counts = inGlobal((T*)p.counts + b * n);
    countOf = inGlobal((T*)p.countsOfNodes + b * n);
    shares = several && kind == lists && Rule::counted ? inGlobal((T*)p.sharesOfRange + b * n) : counts;
    stack = inGlobal(p.stack + b * n);
    place = inGlobal(p.places + b * n);
    leads = inGlobal(p.leads + (kind == manyCells ? 2 : 1) * b * n);
    ends = inGlobal(p.ends + b * (n + 2));
    levels = inGlobal(p.levels + b * (n + 2));
    nodes = p.nodes ? (Sum*)p.nodes + b * n : nullptr;
    edges = p.edges ? (Sum*)p.edges + b * p.arcs : nullptr;
    halves = p.halves ? (Halves<T>*)p.halves + b * n : nullptr;
  }

  // start forgets the search before.
  __device__ void start(unsigned source) {
    const unsigned tail = s.tail, last = min(kLastOrigin, kClaimed - unsigned(p.n));
    if (p.tripOffsets) listTrips(p, source, p.tripMasses + blockIdx.x * p.n, &p.tripSources[blockIdx.x]);
    if constexpr (inCells) {
      unmark();
    } else if (tail > last || origin > last - tail) {  // the first search, or out of places
      for (long long v = threadIdx.x; v < p.n; v += blockDim.x) place[v] = 0;
      origin = 1;
    } else {
      origin += tail;
    }
    if (kind == pulls && Rule::counted) {
      const long long marks = (p.arcs + 31) / 32;
      for (long long i = threadIdx.x; i < marks; i += blockDim.x) p.predecessors[blockIdx.x * marks + i] = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      stack[0] = source;
      if constexpr (inCells) markSource(source);
      else place[source] = origin;
      if (Rule::counted) counts[0] = number<T>(1);
      ends[0] = 0;
      ends[1] = 1;
      s.tail = 1;
      s.steps[0].empty();
      s.mass = p.sourceMasses ? p.sourceMasses[source] : 1;
      s.targetMasses = p.tripOffsets ? p.tripMasses + blockIdx.x * p.n : p.targetMasses;
      s.overflow = false;
    }
    __syncthreads();
  }

  // placesOf is the places of stack[lo:hi).
  __device__ Places placesOf(unsigned lo, unsigned hi) const { return Places{origin + lo, hi - lo}; }

  // countAt is the number of a node at this place: its count, or after a backward pass over one range, its share.
  __device__ A countAt(unsigned place) const { return A(counts[place - origin]); }

  __device__ A shareAt(unsigned place) const { return A(shares[place - origin]); }

  __device__ static Row rowOf(const unsigned long long* ranges, const unsigned* targets, unsigned v) {
    const unsigned long long range = __ldg(&ranges[v]);
    return Row{targets + unsigned(range), unsigned(range >> 32) - unsigned(range)};
  }

  // put appends a node to the stack, and returns where it is.
  __device__ unsigned put(unsigned v, unsigned next, Step& step) {
    const unsigned to = next + atomicAdd(&step.found, 1);
    stack[to] = v;
    place[v] = origin + to;
    return to;
  }

  // find appends those of the nodes w, at these places, that nobody has reached and no other thread is appending.
  __device__ void find(const unsigned (&w)[kAhead], const unsigned (&at)[kAhead], const Visit& visit) {
    unsigned was[kAhead], mine = 0;
#pragma unroll
    for (int k = 0; k < kAhead; k++) was[k] = at[k] < origin ? atomicCAS(&place[w[k]], at[k], kClaimed) : kClaimed;
#pragma unroll
    for (int k = 0; k < kAhead; k++) mine += at[k] < origin && was[k] == at[k];
    if (mine == 0) return;
    unsigned to = visit.next + atomicAdd(&visit.step.found, mine);
#pragma unroll
    for (int k = 0; k < kAhead; k++) {
      if (!(at[k] < origin && was[k] == at[k])) continue;
      stack[to] = w[k];
      place[w[k]] = origin + to++;
    }
  }

  // look goes along a row. It adds the counts of the nodes before to sum, and finds those after, each where it is asked
  // to; it returns which of the first 32 arcs, of the lane's, lead to the next level.
  __device__ unsigned look(Row row, const Group<W>& g, const Visit& visit, bool counting, bool finding, A& sum) {
    unsigned leading = 0;
    for (unsigned j = g.lane; j < row.degree; j += kAhead * g.width) {
      unsigned w[kAhead], at[kAhead];
      A count[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; k++) w[k] = j + k * g.width < row.degree ? __ldg(&row.targets[j + k * g.width]) : 0;
#pragma unroll
      for (int k = 0; k < kAhead; k++) at[k] = j + k * g.width < row.degree ? place[w[k]] : kClaimed;
#pragma unroll
      for (int k = 0; k < kAhead; k++) count[k] = counting && visit.before.have(at[k]) ? countAt(at[k]) : number<A>(0);
      if (finding) {
#pragma unroll
        for (int k = 0; k < kAhead; k++) {
          const unsigned arc = j + k * g.width;
          if (arc < 32 && at[k] - origin >= visit.next) leading |= 1u << arc;
        }
        find(w, at, visit);
      }
#pragma unroll
      for (int k = 0; k < kAhead; k++) sum = add(sum, count[k]);
    }
    return leading;
  }

  // visitAt counts the paths to v = stack[i] over the arcs that enter it, and finds nodes over those that leave it. In
  // an undirected graph these are the same.
  __device__ void visitAt(unsigned i, unsigned v, const Group<W>& g, const Visit& visit, Extent& extent) {
    const bool same = p.inTargets == p.outTargets;
    A sum = number<A>(0);
    if (visit.counting && !same) look(rowOf(p.inRanges, p.inTargets, v), g, visit, Rule::counted, false, sum);
    if (visit.finding || same) {
      const Row row = rowOf(p.outRanges, p.outTargets, v);
      const unsigned leading = look(row, g, visit, visit.counting && same, visit.finding, sum);
      if (Rule::counted && visit.finding) {
        const unsigned all = g.unite(leading);
        if (g.lane == 0) leads[i] = all;
      }
    }
    if (!Rule::counted || !visit.counting) return;
    sum = mul(g.sum(sum), visit.factor);
    if (g.lane == 0) counts[i] = T(sum);
    extent.add(sum);
  }

  // each calls what(i, stack[i]) for all i of a level, from the threads of a virtual warp.
  template <class Do> __device__ void each(Method method, Places level, const Group<W>& g, Do what) {
    if (method == byList) {
      const unsigned lo = level.first - origin, hi = lo + level.count;
      for (unsigned i = lo + g.index; i < hi; i += g.count) what(i, stack[i]);
    } else {
      for (unsigned v = g.index; v < p.n; v += g.count) {
        const unsigned at = place[v];
        if (level.have(at)) what(at - origin, v);
      }
    }
  }

  __device__ void visitAll(Method method, Places level, const Visit& visit, Extent& extent) {
    const Group<W> g(p.lanes);
    each(method, level, g, [&](unsigned i, unsigned v) { visitAt(i, v, g, visit, extent); });
  }

  // countFound puts a node on the stack that has been found and counted at once.
  __device__ void countFound(unsigned w, A sum, const Visit& visit, Extent& extent) {
    const unsigned i = put(w, visit.next, visit.step);
    if (!Rule::counted) return;
    sum = mul(sum, visit.factor);
    counts[i] = T(sum);
    extent.add(sum);
  }

  // countArcs discovers and counts at once, with a thread an arc.
  __device__ void countArcs(const Visit& visit, Extent& extent) {
    if (p.arcs == 0) return;
    sumRows<A>(
        p.arcs, p.inRows, s.pieces, [&](unsigned w) { return place[w] < origin; },
        [&](unsigned, unsigned e) {
          const unsigned at = place[p.inTargets[e]];
          if (!Rule::counted) return number<A>(visit.before.have(at));
          return visit.before.have(at) ? countAt(at) : number<A>(0);
        },
        [&](unsigned w, A sum) {
          if (positive(sum)) countFound(w, sum, visit, extent);
        });
  }

  // countPulling has every node that is not reached look for neighbours in the level, and mark the arcs from them.
  __device__ void countPulling(const Visit& visit, Extent& extent) {
    unsigned* marks = p.predecessors + blockIdx.x * ((p.arcs + 31) / 32);
    for (unsigned w = threadIdx.x; w < p.n; w += blockDim.x) {
      if (place[w] >= origin) continue;
      const unsigned end = unsigned(p.inOffsets[w + 1]);
      A sum = number<A>(0);
      bool found = false;
      for (unsigned e = unsigned(p.inOffsets[w]); e < end; e++) {
        const unsigned at = place[p.inTargets[e]];
        if (!visit.before.have(at)) continue;
        found = true;
        if (!Rule::counted) break;
        sum = add(sum, countAt(at));
        set(marks, e);
      }
      if (found) countFound(w, sum, visit, extent);
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

  // findAndCount finds the level after stack[lo:hi), and counts the paths to it, or to this level where counts come
  // late.
  __device__ void findAndCount(
      Method method, Places before, unsigned lo, unsigned hi, A factor, Step& step, int depth) {
    const bool further = depth < p.farthest;
    const Places now = placesOf(lo, hi);
    Extent extent = Extent::none();
    if constexpr (inCells) {
      visitCells(lo, hi, factor, step, depth, extent);
    } else if (countsLate) {
      visitAll(method, now, Visit{lo > 0, further, before, factor, hi, step}, extent);
    } else if (kind == pulls) {
      countPulling(Visit{true, true, now, factor, hi, step}, extent);
    } else if (method == byArc) {
      countArcs(Visit{true, true, now, factor, hi, step}, extent);
    } else {
      visitAll(method, now, Visit{false, true, now, factor, hi, step}, extent);
      if (Rule::counted) {
        __syncthreads();
        visitAll(byList, placesOf(hi, hi + step.found), Visit{true, false, now, factor, hi, step}, extent);
      }
    }
    if (Rule::counted) widen(extent.least, extent.greatest, &step.counted.least, &step.counted.greatest);
  }

  __device__ static A factorOf(int shift) {
    return Rule::scaled && shift ? number<A>(powerOfTwo(-shift)) : number<A>(1);
  }

  __device__ bool fits(const Extent& counted) const {
    const int away = p.chosen == pairsByMasses ? kDemandBits : 0;
    return !Rule::counted || counted.least >= Span<T>::low + away && (Rule::scaled || counted.greatest <= 900);
  }

  // forward returns the last level, or -1 when a level's counts do not fit T.
  __device__ int forward() {
    unsigned before = 0, lo = 0, hi = 1;
    Method method = first();
    int shift = 0;
    if (threadIdx.x == 0) levels[0] = method;
    for (int depth = 0;; depth++) {
      if (!countsLate && depth >= p.farthest) return depth;
      Step& step = s.steps[depth % 3];
      findAndCount(method, placesOf(before, lo), lo, hi, factorOf(shift), step, depth);
      if (threadIdx.x == 0) s.steps[(depth + 1) % 3].empty();
      __syncthreads();
      const unsigned end = hi + step.found;
      method = next(method, hi - lo, end - hi);
      shift = step.counted.greatest > Span<T>::high ? step.counted.greatest - Span<T>::target : 0;
      if (threadIdx.x == 0) {
        s.tail = ends[depth + 2] = end;
        levels[countsLate ? depth : depth + 1] = shift * 4 + method;
      }
      if (!fits(step.counted)) return -1;
      if (end == hi) return depth;
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
    if (depth < 0) return depth;
    if (p.chosen != allPairs) tallyChosen();
    if (threadIdx.x != 0) return depth;
    if constexpr (several) {
      for (long long range = 0; range < p.ranges; range++) tally(range, lastOf(range, depth));
    } else if (p.chosen == allPairs) {
      tally(0, depth);
    } else {
      p.totals[2 * blockIdx.x] += s.chosen.count;
      p.totals[2 * blockIdx.x + 1] += s.chosen.hops;
    }
    return depth;
  }

  // tally counts the nodes up to a level in the totals of a range.
  __device__ void tally(long long range, int depth) {
    long long* totals = p.totals + 2 * (range * gridDim.x + blockIdx.x);
    totals[0] += ends[depth + 1] - 1;
    for (int level = 1; level <= depth; level++) totals[1] += (long long)level * (ends[level + 1] - ends[level]);
  }

  // lastOf is the last level of a range, of a search that went to this depth.
  __device__ int lastOf(long long range, int depth) const { return int(min(p.limits[range], (long long)depth)); }

  // take has what follows add to the sums of a range.
  __device__ void take(long long range) {
    const long long block = range * gridDim.x + blockIdx.x;
    nodes = p.nodes ? (Sum*)p.nodes + block * p.n : nullptr;
    edges = p.edges ? (Sum*)p.edges + block * p.arcs : nullptr;
  }

  // tallyChosen counts the pairs of the source that are chosen.
  __device__ void tallyChosen() {
    int level = 0;
    const auto hop = [&](unsigned k) {  // a thread asks for one place after the other
      if (ends[level] > k) level = 0;
      while (ends[level + 1] <= k) level++;
      return level;
    };
    s.chosen.tally(s.tail, [&](unsigned k) { return massOf(stack[k]) > 0; }, hop);
    const bool byMasses = p.chosen == pairsByMasses;
    double demand = 0, distance = 0;
    if (byMasses) {
      demand = s.chosen.sum(s.tail, [&](unsigned k) { return massOf(stack[k]); });
      distance = s.chosen.sum(s.tail, [&](unsigned k) { return massOf(stack[k]) * hop(k); });
    }
    if (threadIdx.x != 0) return;
    s.chosen.demand = byMasses ? demand : double(s.chosen.count);
    if (!byMasses) return;
    p.demands[2 * blockIdx.x] += demand;
    p.demands[2 * blockIdx.x + 1] += distance;
  }

  // massOf is how much the pair of the source and v counts.
  __device__ double massOf(unsigned v) const {
    if (inCells) return 1;  // all pairs count alike
    return s.targetMasses ? s.mass * s.targetMasses[v] : s.mass;
  }

  // finish takes the sum of the shares below v = stack[i]. factor is that of its level.
  __device__ void finish(unsigned i, unsigned v, A count, A below, A factor, int level) {
    const A share = level == 0 ? number<A>(0) : finishWith(i, v, count, below, mul(count, below));
    if (hasHalves && halves) halves[v] = halvesOf(T(mul(count, factor)), T(share), level);
  }

  // finishWith returns the share of v.
  __device__ A finishWith(unsigned i, unsigned v, A count, A below, A dependency) {
    if (!Rule::scaled && exponentOf(dependency) > 1000) s.overflow = true;
    const A own = number<A>(massOf(v));
    if (nodes) {
      const A gain = p.endpoints ? add(dependency, own) : dependency;
      if (positive(gain)) accumulate(&nodes[v], Rule::sum(gain));
    }
    const A share = Rule::share(own, count, below, dependency);
    (inCells ? countOf[v] : shares[i]) = T(share);
    return share;
  }

  __device__ bool isReached(unsigned v) const {
    if constexpr (inCells) return isMarked(v);
    else return place[v] >= origin;
  }

  // finishOthers empties the halves of the nodes that are not reached.
  __device__ void finishOthers() {
    for (unsigned v = threadIdx.x; v < p.n; v += blockDim.x)
      if (!isReached(v)) halves[v] = Halves<T>{number<T>(0), number<T>(0)};
  }

  // finishLast finishes the last level, which nothing is below.
  __device__ void finishLast(int depth) {
    for (unsigned i = ends[depth] + threadIdx.x; i < ends[depth + 1]; i += blockDim.x)
      finish(i, stack[i], A(counts[i]), number<A>(0), number<A>(1), depth);
    __syncthreads();
  }

  // gather adds the shares of the nodes that some of 32 arcs lead to, and gives the edges theirs.
  __device__ void gather(const unsigned* targets, unsigned arcs, Sum* sums, Places below, A scaled, A& sum) {
    while (arcs) {
      unsigned arc[kAhead], at[kAhead];
      A share[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; k++) {
        arc[k] = __ffs(arcs) - 1;  // all ones when there are no more
        arcs &= arcs - 1;
      }
#pragma unroll
      for (int k = 0; k < kAhead; k++) at[k] = arc[k] < 32 ? __ldg(&targets[arc[k]]) : 0;
#pragma unroll
      for (int k = 0; k < kAhead; k++) at[k] = arc[k] < 32 ? place[at[k]] : kClaimed;
#pragma unroll
      for (int k = 0; k < kAhead; k++) share[k] = below.have(at[k]) ? shareAt(at[k]) : number<A>(0);
#pragma unroll
      for (int k = 0; k < kAhead; k++) {
        sum = add(sum, share[k]);
        if (sums && below.have(at[k])) accumulate(&sums[arc[k]], Rule::sum(mul(scaled, share[k])));
      }
    }
  }

  // accumulateAt gathers at v = stack[i]. Of the first 32 arcs the forward pass has seen where they lead.
  __device__ void accumulateAt(unsigned i, unsigned v, const Group<W>& g, Places below, A factor, int level) {
    const A own = A(counts[i]), scaled = mul(own, factor);
    const unsigned leading = leads[i];
    const Row row = rowOf(p.outRanges, p.outTargets, v);
    Sum* sums = edges ? edges + (row.targets - p.outTargets) : nullptr;
    A sum = number<A>(0);
    for (unsigned j = 0; j < row.degree; j += 32) {
      const unsigned left = row.degree - j, arcs = (left < 32 ? (1u << left) - 1 : ~0u) & g.own();
      gather(row.targets + j, j == 0 ? arcs & leading : arcs, sums ? sums + j : nullptr, below, scaled, sum);
    }
    sum = mul(g.sum(sum), factor);
    if (g.lane == 0) finish(i, v, own, sum, factor, level);
  }

  __device__ void accumulateArcs(Places at, Places below, A factor, int level) {
    if (p.arcs > 0)
      sumRows<A>(
          p.arcs, p.outRows, s.pieces, [&](unsigned v) { return at.have(place[v]); },
          [&](unsigned v, unsigned e) {
            const unsigned w = place[p.outTargets[e]];
            if (!below.have(w)) return number<A>(0);
            const A share = countAt(w);
            if (edges) accumulate(&edges[e], Rule::sum(mul(mul(countAt(place[v]), factor), share)));
            return share;
          },
          [&](unsigned v, A sum) { finish(place[v] - origin, v, countAt(place[v]), mul(sum, factor), factor, level); });
    for (unsigned i = at.first - origin + threadIdx.x; at.have(origin + i); i += blockDim.x) {
      const unsigned v = stack[i];
      if (p.outOffsets[v] == p.outOffsets[v + 1]) finish(i, v, A(counts[i]), number<A>(0), factor, level);
    }
  }

  __device__ void backward(int depth) {
    finishLast(depth);
    const Group<W> g(p.lanes);
    for (int level = depth - 1; level >= (edges || hasHalves && halves ? 0 : 1); level--) {
      const unsigned lo = ends[level], hi = ends[level + 1];
      const Places at = placesOf(lo, hi), below = placesOf(hi, ends[level + 2]);
      const int mark = levels[level];
      const Method method = Method(mark & 3);
      const A factor = factorOf(mark >> 2);
      if constexpr (inCells) accumulateCells(lo, hi, factor, level);
      else if (Arcs && method == byArc) accumulateArcs(at, below, factor, level);
      else each(method, at, g, [&](unsigned i, unsigned v) { accumulateAt(i, v, g, below, factor, level); });
      __syncthreads();
    }
  }

  // shareArcs writes what each path to a node of stack[lo:hi) hands to the edges before it.
  __device__ void shareArcs(unsigned lo, unsigned hi, A factor) {
    const unsigned* marks = p.predecessors + blockIdx.x * ((p.arcs + 31) / 32);
    T* shares = (T*)p.shares + blockIdx.x * p.m;
    for (unsigned i = lo + threadIdx.x; i < hi; i += blockDim.x) {
      const unsigned w = stack[i], end = unsigned(p.inOffsets[w + 1]);
      const A share = A(counts[i]);
      for (unsigned e = unsigned(p.inOffsets[w]); e < end; e++)
        if (test(marks, e))
          shares[p.inEdges ? p.inEdges[e] : e] = T(mul(mul(countAt(place[p.inTargets[e]]), factor), share));
    }
  }

  // gatherArcs sums over the arcs from v, at this place, to the level `below`.
  __device__ void gatherArcs(unsigned v, unsigned at, Places below, int level) {
    const T* shares = (const T*)p.shares + blockIdx.x * p.m;
    const unsigned end = unsigned(p.outOffsets[v + 1]);
    A sum = number<A>(0);
    for (unsigned e = unsigned(p.outOffsets[v]); e < end; e++) {
      if (!below.have(place[p.outTargets[e]])) continue;
      const A x = A(shares[p.outEdges ? p.outEdges[e] : e]);
      sum = add(sum, x);
      if (edges) accumulate(&edges[e], Rule::sum(x));
    }
    if (level == 0) return;
    const A own = countAt(at);
    finishWith(at - origin, v, own, over(sum, own), sum);
  }

  // backwardPulling is Sriram et al.'s reverse pass: edges of a level first, then the nodes before it, without atomics.
  __device__ void backwardPulling(int depth) {
    finishLast(depth);
    for (int level = depth - 1; level >= (edges ? 0 : 1); level--) {
      const unsigned lo = ends[level], hi = ends[level + 1], end = ends[level + 2];
      const Places now = placesOf(lo, hi), below = placesOf(hi, end);
      shareArcs(hi, end, factorOf(levels[level] >> 2));
      __syncthreads();
      for (unsigned v = threadIdx.x; v < p.n; v += blockDim.x)
        if (now.have(place[v])) gatherArcs(v, place[v], below, level);
      __syncthreads();
    }
  }

  // For cells; see cells.cuh.
  __device__ void unmark();
  __device__ void markSource(unsigned source);
  __device__ bool isMarked(unsigned v) const;
  using Leading = unsigned long long;
  struct Seen {
    bool fresh, after;
    A count;
  };
  __device__ Seen see(unsigned w, int depth) const;
  __device__ bool claim(unsigned w, int depth);
  template <int ahead>
  __device__ void findCells(const unsigned (&w)[ahead], unsigned fresh, int depth, unsigned next, Step& step);
  template <int ahead>
  __device__ A visitRow(const unsigned* row, int depth, unsigned next, Step& step, Leading& leading);
  template <int ahead> __device__ A sumAfter(const unsigned* row, int depth, Leading leading) const;
  __device__ void visitCells(unsigned lo, unsigned hi, A factor, Step& step, int depth, Extent& extent);
  __device__ void accumulateCells(unsigned lo, unsigned hi, A factor, int level);

  // addFrom adds the dependencies of the source number i on the nodes up to a level.
  __device__ void addFrom(long long i, int depth) {
    const unsigned from = p.sources[i];
    if (threadIdx.x == 0 && nodes && p.endpoints) {
      const double own = p.chosen == allPairs ? ends[depth + 1] - 1 : s.chosen.demand;
      if (own > 0) accumulate(&nodes[from], Rule::sum(number<T>(own)));
    }
    if constexpr (kind == pulls) {
      if (depth > 0) backwardPulling(depth);
    } else if (depth > 0 || hasHalves && halves) {
      backward(depth);
    }
    if (hasHalves && halves) finishOthers();
  }

  // source adds the dependencies of one source, in each range.
  __device__ void source(long long i) {
    const int depth = search(i);
    if (depth < 0) return;
    if constexpr (several) {
      for (long long range = 0; range < p.ranges; range++) {
        take(range);
        addFrom(i, lastOf(range, depth));
      }
    } else {
      addFrom(i, depth);
    }
    if (!Rule::scaled) {
      __syncthreads();
      if (threadIdx.x == 0 && s.overflow) p.failed[i] = 1;
    }
  }
};

// searchPaths runs the sources first + blockIdx.x, first + blockIdx.x + gridDim.x, ... under last.
template <class T, class Rule, int W, Kind kind, bool several = false>
__device__ void searchPaths(const Paths* args, long long first, long long last) {
  using Search = PathSearch<T, Rule, W, kind, several>;
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

#include "cells.cuh"

#define PATHS_KERNEL(name, T, rule, W, kind)                                                                       \
  extern "C" __global__ void __launch_bounds__(1024, 1) name(const Paths* args, long long first, long long last) { \
    searchPaths<T, rule, W, kind>(args, first, last);                                                              \
  }
#define RANGES_KERNEL(name, T, rule, W, kind)                                                                      \
  extern "C" __global__ void __launch_bounds__(1024, 1) name(const Paths* args, long long first, long long last) { \
    searchPaths<T, rule, W, kind, true>(args, first, last);                                                        \
  }
