// The demand of a branch node a for every other, and what the chains at a see: steps 1 to 3 of
// docs/design/reductions.md, where step 4 is the host's. The reference is kernels/reduce/internal/cores/demand.go.
// Every sum has one writer and a fixed order, but for those of histograms, which are integers.
#pragma once
#include "chains.cuh"

// sharesOf splits 1 in the ratio of two counts of paths, each part without cancellation.
template <class T> __device__ inline void sharesOf(T x, T y, double& ofX, double& ofY) {
  const T sum = add(x, y);
  ofX = value(over(x, sum));
  ofY = value(over(y, sum));
}

// Half is a chain as seen from one of its ends, a; see half.go.
struct Half {
  int inner, length;
  bool unit, turned;
  const int* twicePlaces;
  const double *weights, *ratios;
  double mass;
  int u, v;  // ends in the core, a first

  __device__ Half(const Chains& c, int half) {
    const Chain& t = c.chains[half >> 1];
    turned = half & 1;
    inner = t.inner;
    length = t.length;
    unit = t.unit;
    twicePlaces = c.twice + t.first;
    weights = c.weight + t.first + (half >> 1);
    ratios = c.ratio ? c.ratio + t.first : nullptr;
    mass = weights[inner];
    u = turned ? t.v : t.u;
    v = turned ? t.u : t.v;
  }

  // twice is the doubled distance of inner node j, from 0, from a.
  __device__ int twice(int j) const {
    if (unit) return 2 * j + 2;
    return turned ? 2 * length - twicePlaces[inner - 1 - j] : twicePlaces[j];
  }
  // weight is the mass of the first i inner nodes from a.
  __device__ double weight(int i) const { return turned ? mass - weights[inner - i] : weights[i]; }
  // ratio is the number of paths from a to inner node j, divided by those from the other end.
  __device__ double ratio(int j) const {
    if (!ratios) return 1;
    return turned ? 1 / ratios[inner - 1 - j] : ratios[j];
  }

  // turn is how many inner nodes are nearer by a to a node that is at - length further from the other end than from a.
  __device__ int turn(int at) const {
    if (unit) return min(max(at - 1, 0) >> 1, inner);
    int lo = 0, hi = inner;
    while (lo < hi) {
      const int mid = (lo + hi) / 2;
      if (twice(mid) < at) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }
};

// Cut says how a node reaches a chain: its first i inner nodes by a, and the next by both ends when tied, with these
// shares; near and far are the masses reached by a and by the other end.
struct Cut {
  int i;
  bool tied;
  double byA, byB, near, far;
};

// cutOf returns the cut for a node at distances da, db; paths sets its path counts to both ends where they matter.
template <class T, class Paths> __device__ inline Cut cutOf(const Half& h, int da, int db, Paths paths) {
  const int at = h.length + db - da;
  Cut c;
  c.i = h.turn(at);
  c.tied = c.i < h.inner && h.twice(c.i) == at;
  c.near = h.weight(c.i);
  if (!c.tied) {
    c.far = h.mass - c.near;
    return c;
  }
  T sa, sb;
  paths(sa, sb);
  sharesOf<T>(mul(sa, number<T>(h.ratio(c.i))), sb, c.byA, c.byB);
  const double next = h.weight(c.i + 1), own = next - c.near;
  c.near += c.byA * own;
  c.far = h.mass - next + c.byB * own;
  return c;
}

constexpr double kBinFine = 0x1p42;  // host: binFine

// Bins are exact sums, of which the first digit counts whole multiples of 1 / unit.
struct Bins {
  Exact* sums;
  double unit;
  __device__ void add(int bin, double x) const { addExact(&sums[bin], x, unit, kBinFine); }
};

// DemandOf is the work of a block for the source of one slot.
template <class T> struct DemandOf {
  const Chains& c;
  const int n, chains;  // of the core
  const int firstNode, firstChain;
  const int a, slot;  // in the core; of a
  const int* da;
  const T* sa;
  double *D, *byU, *byV, *sources;
  double through;  // what passes a, of the calling thread

  __device__ DemandOf(const Chains& c, int node, int core, long long slot, long long row)
      : c(c), n(c.firstNode[core + 1] - c.firstNode[core]), chains(c.firstChain[core + 1] - c.firstChain[core]),
        firstNode(c.firstNode[core]), firstChain(c.firstChain[core]), a(node - firstNode), slot(slot) {
    da = (const int*)c.dist + c.rowAt[slot];
    sa = (const T*)c.counts + c.rowAt[slot];
    D = c.demands + row * c.stride;
    byU = c.scratch + 3 * blockIdx.x * c.chainStride;
    byV = byU + c.chainStride;
    sources = byV + c.chainStride;
    through = 0;
  }

  // begin is step 1: pairs of branch nodes.
  __device__ void begin() {
    const double own = c.omega[firstNode + a];
    for (int w = threadIdx.x; w < n; w += blockDim.x) D[w] = own * c.omega[firstNode + w];
    for (int t = threadIdx.x; t < chains; t += blockDim.x) byU[t] = byV[t] = sources[t] = 0;
  }

  // View is a chain at a: its half there and the row of the other end.
  struct View : Half {
    const int* db;
    const T* sb;
    bool sees;  // the histogram of the chain is for its u
    int chain, bin;
    __device__ View(const DemandOf& d, int half) : Half(d.c, half), sees(!(half & 1)), chain(half >> 1) {
      const long long row = d.c.rowAt[d.c.slotOf[d.firstNode + this->v]];
      db = (const int*)d.c.dist + row;
      sb = (const T*)d.c.counts + row;
      bin = d.c.chains[chain].first + chain;
    }
  };

  // Extremes collects what a histogram gets at its two ends, where most sources are cut. It holds whole numbers.
  struct Extremes {
    unsigned long long first = 0, last = 0;
    __device__ bool take(int i, int inner, double mass) {
      if (i == 0) first += (unsigned long long)mass;
      else if (i == inner) last += (unsigned long long)mass;
      else return false;
      return true;
    }
  };

  __device__ void flush(const View& h, Extremes x) const {
    if (!h.sees) return;
    __syncwarp();
#pragma unroll
    for (int k = 16; k > 0; k /= 2) {
      x.first += __shfl_xor_sync(~0u, x.first, k);
      x.last += __shfl_xor_sync(~0u, x.last, k);
    }
    if (threadIdx.x % 32 != 0) return;
    const unsigned long long units = (unsigned long long)c.binUnit;
    if (x.first) atomicAdd(&c.hist[h.bin].digits[0], x.first * units);
    if (x.last) atomicAdd(&c.hist[h.bin + h.inner].digits[0], x.last * units);
  }

  // toBranches is step 2: pairs of inner nodes of h and branch nodes.
  __device__ void toBranches(const View& h, const Bins& hist, Extremes& x) {
    for (int w = threadIdx.x; w < n; w += blockDim.x) {
      const double omega = c.omega[firstNode + w];
      const Cut k = cutOf<T>(h, da[w], h.db[w], [&](T& p, T& q) { p = sa[w], q = h.sb[w]; });
      if (h.sees) {
        if (k.tied) {
          hist.add(h.bin + k.i, k.byB * omega);
          hist.add(h.bin + k.i + 1, k.byA * omega);
        } else if (!x.take(k.i, h.inner, omega)) {
          hist.add(h.bin + k.i, omega);
        }
      }
      if (w == a) continue;  // nothing leaves a for a
      const double amount = 2 * omega * k.near;
      D[w] += amount;
      through += amount;
    }
  }

  // range sets lo and hi, between which the cut of h lies, seen from the branch nodes u and v.
  __device__ void range(const View& h, int u, int v, int& lo, int& hi) const {
    const int atU = h.length + h.db[u] - da[u], atV = h.length + h.db[v] - da[v];
    const int i = h.turn(atU), j = h.turn(atV);
    lo = min(i, j);
    hi = max(i + (i < h.inner && h.twice(i) == atU), j + (j < h.inner && h.twice(j) == atV));
  }

  // passes counts what enters a chain at u twice, for the way back, unless that leaves the chain at a itself.
  __device__ double passes(int u, double amount) const { return u == a ? amount : 2 * amount; }

  // Way is how an inner node reaches a branch node.
  struct Way {
    int dist;
    T paths;
    double byA;
  };

  __device__ Way way(const View& h, int j, int w) const {
    const int p = h.twice(j) / 2, near = p + da[w], far = h.length - p + h.db[w];
    if (near < far) return Way{near, mul(sa[w], number<T>(h.ratio(j))), 1};
    if (near > far) return Way{far, h.sb[w], 0};
    const T x = mul(sa[w], number<T>(h.ratio(j))), y = h.sb[w];
    Way out{near, add(x, y), 0};
    double byB;
    sharesOf<T>(x, y, out.byA, byB);
    return out;
  }

  // singly has inner nodes lo to hi of h send to chain t, each with a cut of its own.
  __device__ void singly(const View& h, int t, int lo, int hi, double scale, const Bins& hist, double histScale) {
    const Half target(c, 2 * (firstChain + t));
    double byA = target.mass;
    for (int j = lo; j < hi; j++) {
      const Way toU = way(h, j, target.u), toV = way(h, j, target.v);
      const Cut k = cutOf<T>(target, toU.dist, toV.dist, [&](T& p, T& q) { p = toU.paths, q = toV.paths; });
      const double mass = scale * (h.weight(j + 1) - h.weight(j));
      const double near = k.near * toU.byA, far = k.far * toV.byA;
      byU[t] += mass * near;
      byV[t] += mass * far;
      through += passes(target.u, mass * near) + passes(target.v, mass * far);
      if (h.sees) {
        const double now = near + far;
        hist.add(h.bin + j, histScale * (byA - now));
        byA = now;
      }
    }
    if (h.sees) hist.add(h.bin + hi, histScale * byA);
  }

  // toChains is step 3: pairs of inner nodes of h and of other chains, and of other members of the same.
  __device__ void toChains(const View& h, const Bins& hist, const Bins& peers, Extremes& x) {
    for (int t = threadIdx.x; t < chains; t += blockDim.x) {
      const bool own = firstChain + t == h.chain;
      const Chain& target = c.chains[firstChain + t];
      const double scale = own ? target.peers : 1;
      if (scale == 0) continue;
      int lo, hi;
      range(h, target.u, target.v, lo, hi);
      sources[t] += scale * h.weight(lo);
      if (lo < hi) singly(h, t, lo, hi, scale, own ? peers : hist, own ? 1 / h.mass : 1);
      else if (!h.sees) continue;
      else if (own) peers.add(h.bin + lo, 1);
      else {
        const double mass = c.weight[target.first + firstChain + t + target.inner];
        if (!x.take(lo, h.inner, mass)) hist.add(h.bin + lo, mass);
      }
    }
  }

  // finish hands what was kept back to the ends of every chain, and adds it to the demands there.
  __device__ void finish() {
    for (int t = threadIdx.x; t < chains; t += blockDim.x) {
      if (!(sources[t] > 0)) continue;
      const Half target(c, 2 * (firstChain + t));
      const int u = target.u, v = target.v;
      const Cut k = cutOf<T>(target, da[u], da[v], [&](T& p, T& q) { p = sa[u], q = sa[v]; });
      const double near = sources[t] * k.near, far = sources[t] * k.far;
      byU[t] += near;
      byV[t] += far;
      through += passes(u, near) + passes(v, far);
    }
    __syncthreads();
    for (int w = threadIdx.x; w < n; w += blockDim.x) {
      double sum = 0;
      for (int i = c.firstHalf[firstNode + w]; i < c.firstHalf[firstNode + w + 1]; i++) {
        const int half = c.halves[i], chain = half >> 1;
        sum += half & 1 ? byV[chain - firstChain] : byU[chain - firstChain];
        if (half & 1 && c.chains[chain].u == a && w != a) sum += c.round[chain];
      }
      D[w] += sum;
    }
  }

  __device__ void all() {
    const int from = c.firstHalf[firstNode + a], to = c.firstHalf[firstNode + a + 1];
    begin();
    const Bins hist{c.hist, c.binUnit}, peers{c.peers, c.binUnit};
    for (int i = from; i < to; i++) {
      const View h(*this, c.halves[i]);
      Extremes x;
      toBranches(h, hist, x);
      toChains(h, hist, peers, x);
      flush(h, x);
    }
    if (from == to) return;
    finish();
    for (int i = from + threadIdx.x; i < to; i += blockDim.x)
      if (!(c.halves[i] & 1)) through += c.round[c.halves[i] >> 1];
  }
};

// chainDemand makes the demands of the sources in slots first to last.
template <class T> __device__ void chainDemand(const Chains* args, long long first, long long last) {
  __shared__ Chains c;
  __shared__ double partial[32];
  if (threadIdx.x == 0) c = *args;
  __syncthreads();
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    const int node = c.search.sources[i];
    DemandOf<T> d(c, node, c.coreOf[node], i, i - first);
    d.all();
    double sum = d.through;
#pragma unroll
    for (int k = 16; k > 0; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int k = 1; k < blockDim.x / 32; k++) sum += partial[k];
      c.own[node] = sum;
    }
    __syncthreads();
  }
}
