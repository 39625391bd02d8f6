// Closeness, eccentricity and graph centrality of all nodes from the distances between branch nodes alone: what
// distances fold to is known of a pair of chains in a few steps. See docs/design/reductions.md. All numbers are
// integers, so that atomic additions give the same bits in any order.
#pragma once
#include "../device/threads.cuh"

// FoldChain is a path between branch nodes u and v, by their places; first is its first inner node.
struct FoldChain {
  unsigned u, v;
  int length, first, inner;
};

// ChainFolds are the arguments. Branch nodes are numbered by their places among the sources of batches. Bins are
// counted over all chains: chain t has inner + 1 of them, from first + t on, where bin i is for what lies among its
// first i inner nodes.
//
// host: arguments
struct ChainFolds {
  long long nodes, chains;
  const unsigned* dist;  // distances in batches of 32: from source s to node w is number (s / 32 * nodes + w) * 32 + s
                         // % 32; all ones for none
  const unsigned* row;   // the number w of each branch node
  const unsigned* own;   // of each branch node: sums, how many nodes it stands for; maxima, how far these are at most
  const FoldChain* list;
  const uint4* ends;   // a chain: u, v, and how many nodes its inner nodes stand for
  const int* at;       // how far each inner node is from u
  const void* before;  // a bin: of the first i inner nodes; see Sums and Maxima
  const void* after;   // a bin: of all others, or of the first i
  long long* seen;     // a branch node and chain: the fold of the distances to its inner nodes; null where there is no
                       // room for it
  long long* branch;   // a branch node: the fold of its distances to all others
  long long *byU, *byV;  // a bin: what inner nodes reach by either end; see put
  long long* total;      // a chain: what its v sees outside of it
  long long* inner;      // an inner node: what of its fold the bins do not say
};

constexpr int kChainFoldThreads = 256;  // host: chainFoldThreads
// kChainFoldParts is how many blocks share the distances of 32 branch nodes.
constexpr unsigned kChainFoldParts = 4;  // host: chainFoldParts
// kLongRange is the number of inner nodes from which on the threads of a block share those that see a chain in ways of
// their own.
constexpr int kLongRange = 32;

// Segment is a chain at hand.
struct Segment {
  const int* at;
  unsigned u, v;
  int length, inner;
  size_t first, bin;

  __device__ Segment(const ChainFolds& p, unsigned t) {
    const FoldChain c = p.list[t];
    at = p.at + c.first;
    u = c.u, v = c.v, length = c.length, inner = c.inner;
    first = size_t(c.first), bin = first + t;
  }

  // turn is how many inner nodes are no farther from u than half of bound.
  __device__ int turn(int bound) const {
    if (bound <= 1) return 0;
    if (bound >= 2 * length - 2) return inner;
    int lo = 0, hi = inner;
    while (lo < hi) {
      const int mid = (lo + hi) >> 1;
      if (2 * at[mid] <= bound) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }
  // cut is how many inner nodes are reached by u, from where the ends are so far.
  __device__ int cut(int toU, int toV) const { return turn(length + toV - toU); }
};

__device__ inline long long most(long long a, long long b) { return a > b ? a : b; }

__device__ inline void addTo(long long* to, long long x) {
  if (x) atomicAdd((unsigned long long*)to, (unsigned long long)x);
}
// raise keeps the greatest x + 1, where 0 is none.
__device__ inline void raise(long long* to, long long x) {
  if (x >= 0) atomicMax((unsigned long long*)to, (unsigned long long)x + 1);
}

// Sums fold distances to their sum over what nodes stand for, without what these add. Integers wrap, and sums of them
// are right in the end. before is how many nodes the first i inner nodes stand for, after the sum of as many times
// their distances from u.
struct Sums {
  static __device__ long long none() { return 0; }
  static __device__ long long join(long long a, long long b) { return a + b; }
  static __device__ long long node(unsigned own, int d) { return (long long)own * d; }
  static __device__ const unsigned* masses(const ChainFolds& p, const Segment& c) {
    return (const unsigned*)p.before + c.bin;
  }
  static __device__ const long long* moments(const ChainFolds& p, const Segment& c) {
    return (const long long*)p.after + c.bin;
  }

  // over folds the distances to the inner nodes of a chain, from where its ends are so far.
  static __device__ long long over(const ChainFolds& p, const Segment& c, int toU, int toV) {
    const int i = c.cut(toU, toV);
    const unsigned* w = masses(p, c);
    const long long* m = moments(p, c);
    const long long near = w[i], far = (long long)w[c.inner] - near;
    return toU * near + m[i] + (toV + (long long)c.length) * far - (m[c.inner] - m[i]);
  }

  // Seen is what a thread keeps of what is put at the last bin, and of the total.
  struct Seen { long long mass = 0, gap = 0, total = 0; };

  // put has the first hi inner nodes of a chain reach by u, the others by v, what u and v reach by byU and byV. The
  // bins have how many nodes that is, and the difference of the two.
  static __device__ void put(
      const ChainFolds& p, const Segment& c, Seen& s, int, int hi, long long mass, long long byU, long long byV) {
    s.total += byV;
    if (hi == c.inner) {
      s.mass += mass;
      s.gap += byU - byV;
    } else if (hi > 0) {
      addTo(&p.byU[c.bin + hi], mass);
      addTo(&p.byV[c.bin + hi], byU - byV);
    }
  }
  static __device__ long long massOf(unsigned own) { return own; }

  // single corrects what put says of an inner node, at from u, that sees a chain otherwise.
  static __device__ void single(long long* inner, long long x, int at, long long mass, long long byU) {
    addTo(inner, x - (at * mass + byU));
  }
  static __device__ void tell(long long* inner, long long x) { addTo(inner, x); }

  static __device__ void flush(const ChainFolds& p, const Segment& c, unsigned t, Seen s) {
#pragma unroll
    for (int k = 16; k > 0; k /= 2) {
      s.mass += __shfl_xor_sync(~0u, s.mass, k);
      s.gap += __shfl_xor_sync(~0u, s.gap, k);
      s.total += __shfl_xor_sync(~0u, s.total, k);
    }
    if (threadIdx.x % 32 != 0) return;
    addTo(&p.byU[c.bin + c.inner], s.mass);
    addTo(&p.byV[c.bin + c.inner], s.gap);
    addTo(&p.total[t], s.total);
  }

  // within folds the distances from inner node i to the others of its chain, whose ends are `around` apart.
  static __device__ long long within(const ChainFolds& p, const Segment& c, int i, int around) {
    const unsigned* w = masses(p, c);
    const long long* m = moments(p, c);
    const long long at = c.at[i], back = around + (long long)c.length;
    const int hi = c.turn(int(2 * at + back)), lo = c.turn(int(2 * at - back - 1)), k = c.inner;
    return m[hi] - m[i + 1] - at * ((long long)w[hi] - w[i + 1])    // after it
        + (at + back) * ((long long)w[k] - w[hi]) - (m[k] - m[hi])  // and by u and v
        + at * ((long long)w[i] - w[lo]) - (m[i] - m[lo])           // before it
        + (back - at) * (long long)w[lo] + m[lo];                   // and by v and u
  }
};

// Best are the greatest of some numbers, and the greatest without that of node number `which`; -1 for none.
struct Best {
  int most, second, which;
  __device__ int without(int i) const { return which == i ? second : most; }
};

// Maxima fold distances to the greatest, with what lies behind nodes. before has, of the first i inner nodes, distances
// from u, after, of all others, distances from v.
struct Maxima {
  static __device__ long long none() { return -1; }
  static __device__ long long join(long long a, long long b) { return most(a, b); }
  static __device__ long long node(unsigned own, int d) { return (long long)own + d; }
  static __device__ long long massOf(unsigned) { return 0; }
  static __device__ const Best* before(const ChainFolds& p, const Segment& c) { return (const Best*)p.before + c.bin; }
  static __device__ const Best* after(const ChainFolds& p, const Segment& c) { return (const Best*)p.after + c.bin; }
  static __device__ long long beyond(int best, long long d) { return best < 0 ? -1 : best + d; }

  static __device__ long long over(const ChainFolds& p, const Segment& c, int toU, int toV) {
    const int i = c.cut(toU, toV);
    return most(beyond(before(p, c)[i].most, toU), beyond(after(p, c)[i].most, toV));
  }

  struct Seen { long long byU = -1, byV = -1; };

  // put has the first lo inner nodes reach by u, those from hi on by v.
  static __device__ void put(
      const ChainFolds& p, const Segment& c, Seen& s, int lo, int hi, long long, long long byU, long long byV) {
    if (lo == c.inner) s.byU = most(s.byU, byU);
    else if (lo > 0) raise(&p.byU[c.bin + lo], byU);
    if (hi == 0) s.byV = most(s.byV, byV);
    else if (hi < c.inner) raise(&p.byV[c.bin + hi], byV);
  }
  static __device__ void single(long long* inner, long long x, int, long long, long long) { raise(inner, x); }
  static __device__ void tell(long long* inner, long long x) { raise(inner, x); }

  static __device__ void flush(const ChainFolds& p, const Segment& c, unsigned, Seen s) {
#pragma unroll
    for (int k = 16; k > 0; k /= 2) {
      s.byU = most(s.byU, __shfl_xor_sync(~0u, s.byU, k));
      s.byV = most(s.byV, __shfl_xor_sync(~0u, s.byV, k));
    }
    if (threadIdx.x % 32 != 0) return;
    raise(&p.byU[c.bin + c.inner], s.byU);
    raise(&p.byV[c.bin], s.byV);
  }

  // Nodes on the wrong side of i count with less than their distance, which the greatest does not see.
  static __device__ long long within(const ChainFolds& p, const Segment& c, int i, int around) {
    const long long at = c.at[i], back = around + (long long)c.length;
    const int hi = c.turn(int(2 * at + back)), lo = c.turn(int(2 * at - back - 1));
    const Best *b = before(p, c), *a = after(p, c);
    const long long next = most(beyond(b[hi].without(i), -at), beyond(a[lo].without(i), at - c.length));
    return most(next, most(beyond(a[hi].most, at + around), beyond(b[lo].most, back - at)));
  }
};

// Row has the distances of a branch node to all others.
struct Row {
  const unsigned* from;
  size_t step;
  __device__ Row(const ChainFolds& p, unsigned s) : from(p.dist + size_t(p.row[s]) * 32), step(size_t(p.nodes) * 32) {}
  __device__ unsigned to(unsigned s) const { return from[(s >> 5) * step + (s & 31)]; }
};

constexpr unsigned kNoPath = ~0u;

// foldBranches folds the distances of branch nodes to all others. A lane has a branch node; items are parts of what 32
// of them see.
template <class Fold> __device__ void foldBranches(const ChainFolds* args, long long first, long long last) {
  __shared__ ChainFolds p;
  __shared__ long long sums[kChainFoldThreads / 32][32];
  if (threadIdx.x == 0) p = *args;
  __syncthreads();
  const unsigned n = unsigned(p.nodes), chains = unsigned(p.chains), lane = threadIdx.x % 32, warp = threadIdx.x / 32,
                 warps = blockDim.x / 32;
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    const unsigned batch = unsigned(i / kChainFoldParts), s = 32 * batch + lane;
    const unsigned* to = p.dist + size_t(batch) * n * 32 + lane;
    const unsigned from = unsigned(i % kChainFoldParts) * warps + warp, step = kChainFoldParts * warps;
    long long x = Fold::none();
    for (unsigned w = from; w < n; w += step) {
      const unsigned d = to[size_t(p.row[w]) * 32];
      if (d != kNoPath && w != s) x = Fold::join(x, Fold::node(p.own[w], int(d)));
    }
    for (unsigned t = from; t < chains; t += step) {
      const Segment c(p, t);
      const unsigned d = to[size_t(p.row[c.u]) * 32];
      if (d == kNoPath) continue;
      const long long y = Fold::over(p, c, int(d), int(to[size_t(p.row[c.v]) * 32]));
      if (p.seen) p.seen[size_t(s) * chains + t] = y;
      x = Fold::join(x, y);
    }
    sums[warp][lane] = x;
    __syncthreads();
    if (warp == 0 && s < n) {
      for (unsigned k = 1; k < warps; k++) x = Fold::join(x, sums[k][lane]);
      Fold::tell(&p.branch[s], x);
    }
    __syncthreads();
  }
}

// Other is a chain as the inner nodes of another see it: how far its ends are from that one's.
struct Other {
  unsigned u, v;
  long long mass;
  int uToU, uToV, vToU, vToV;
  __device__ Other(const ChainFolds& p, unsigned t, const Row& fromU, const Row& fromV) {
    const uint4 ends = p.ends[t];
    u = ends.x, v = ends.y, mass = ends.z;
    uToU = int(fromU.to(u)), uToV = int(fromU.to(v)), vToU = int(fromV.to(u)), vToV = int(fromV.to(v));
  }
};

// seenFrom folds the distances of branch node s to the inner nodes of chain t, whose ends are so far from it.
template <class Fold> __device__ long long seenFrom(const ChainFolds& p, unsigned s, unsigned t, int toU, int toV) {
  return p.seen ? p.seen[size_t(s) * p.chains + t] : Fold::over(p, Segment(p, t), toU, toV);
}

// alone folds the distances of inner node j of c to the inner nodes of chain t, which it does not see by one end of c
// alone.
template <class Fold>
__device__ void alone(const ChainFolds& p, const Segment& c, const Segment& t, const Other& o, int j, long long byU) {
  const int at = c.at[j], rest = c.length - at;
  const long long x = Fold::over(p, t, min(at + o.uToU, rest + o.vToU), min(at + o.uToV, rest + o.vToV));
  Fold::single(&p.inner[c.first + j], x, at, o.mass, byU);
}

// LongRanges are inner nodes that see a chain in ways of their own, left to all threads of the block.
struct LongRanges {
  unsigned count;
  unsigned chain[kChainFoldThreads];
  int lo[kChainFoldThreads], hi[kChainFoldThreads];
};

// foldInner folds the distances of the inner nodes of the chains first to last to all nodes.
template <class Fold> __device__ void foldInner(const ChainFolds* args, long long first, long long last) {
  __shared__ ChainFolds p;
  __shared__ LongRanges left;
  if (threadIdx.x == 0) {
    p = *args;
    left.count = 0;
  }
  __syncthreads();
  const unsigned n = unsigned(p.nodes), chains = unsigned(p.chains);
  for (long long own = first + blockIdx.x; own < last; own += gridDim.x) {
    const Segment c(p, unsigned(own));
    const Row fromU(p, c.u), fromV(p, c.v);
    typename Fold::Seen seen;
    for (unsigned w = threadIdx.x; w < n; w += blockDim.x) {
      const unsigned a = fromU.to(w);
      if (a == kNoPath) continue;
      const int b = int(fromV.to(w)), i = c.turn(c.length + b - int(a));
      Fold::put(p, c, seen, i, i, Fold::massOf(p.own[w]), Fold::node(p.own[w], int(a)), Fold::node(p.own[w], b));
    }
    for (unsigned base = 0; base < chains; base += blockDim.x) {
      const unsigned t = base + threadIdx.x;
      bool waits = false;
      if (t < chains && t != own) {
        const Other other(p, t, fromU, fromV);
        if (other.uToU != int(kNoPath)) {
          const int i = c.turn(c.length + other.vToU - other.uToU), j = c.turn(c.length + other.vToV - other.uToV);
          const int lo = min(i, j), hi = max(i, j);
          const long long byU = seenFrom<Fold>(p, c.u, t, other.uToU, other.uToV),
                          byV = seenFrom<Fold>(p, c.v, t, other.vToU, other.vToV);
          Fold::put(p, c, seen, lo, hi, other.mass, byU, byV);
          waits = hi - lo >= kLongRange;
          if (waits) {
            const unsigned k = atomicAdd(&left.count, 1u);
            left.chain[k] = t, left.lo[k] = lo, left.hi[k] = hi;
          } else if (lo < hi) {
            const Segment whole(p, t);
            for (int k = lo; k < hi; k++) alone<Fold>(p, c, whole, other, k, byU);
          }
        }
      }
      if (!__syncthreads_or(waits)) continue;
      for (unsigned k = 0; k < left.count; k++) {
        const unsigned t = left.chain[k];
        const Other other(p, t, fromU, fromV);
        const Segment whole(p, t);
        const long long byU = seenFrom<Fold>(p, c.u, t, other.uToU, other.uToV);
        for (int j = left.lo[k] + int(threadIdx.x); j < left.hi[k]; j += blockDim.x)
          alone<Fold>(p, c, whole, other, j, byU);
      }
      __syncthreads();
      if (threadIdx.x == 0) left.count = 0;
      __syncthreads();
    }
    Fold::flush(p, c, unsigned(own), seen);
    const int around = int(fromU.to(c.v));
    for (int i = threadIdx.x; i < c.inner; i += blockDim.x)
      Fold::tell(&p.inner[c.first + i], Fold::within(p, c, i, around));
    __syncthreads();
  }
}
