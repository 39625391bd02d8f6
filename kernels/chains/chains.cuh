// Searches and demands of a graph whose degree-2 chains were contracted; docs/design/reductions.md has the derivation.
// A block does a source at a time.
#pragma once
#include "../device/exact.cuh"
#include "../device/weighted_search.cuh"

// Chain is a path between two branch nodes, counted within their core: FlatChain of kernels/reduce.
struct Chain {
  int u, v, length, first, inner, unit;
  double peers;
};

// Chains are the arguments. Nodes, chains and arcs are counted over all cores, sources by their slots: those with rows.
//
// host: arguments
struct Chains {
  Weighted search;  // n and the arrays of nodes are those of all cores; nodes and edges are sums
  const int *coreOf, *firstNode, *firstChain;
  const double *mults, *omega;
  // Rows: of the source in each slot, one number for each node of its core, from rowAt on.
  const long long* rowAt;
  const int* slotOf;  // of each node
  unsigned* dist;
  void* counts;
  unsigned* order;   // as settled; the first node of each round has its highest bit set
  double* demands;   // of the sources of a launch, stride apart
  double* own;       // of each node: what passes it as a source
  long long stride;  // nodes of the largest core
  void* shares;      // stride a block
  // Chains.
  const Chain* chains;
  const int* twice;              // doubled distance of each inner node from u
  const double *ratio, *weight;  // ratio is null when all are 1
  const int *firstHalf, *halves;
  double* scratch;  // chainStride * 3 a block: what chains take by u and by v, and the mass that reaches both by the
                    // source
  long long chainStride;
  Exact *hist, *peers;  // of each bin; see Bins
  const double* round;  // of each chain: what its own pairs demand
  double binUnit;       // of the first digits of bins, as Exact has it
};

constexpr unsigned roundBegins = 1u << 31;

// RowSearch is a search of one core by lengths, from a source with a row.
template <class T> struct RowSearch : WeightedSearch<Ticks<unsigned>, T, Demanded> {
  using Base = WeightedSearch<Ticks<unsigned>, T, Demanded>;
  using Shared = typename Base::Shared;
  const Chains& c;
  unsigned* order;
  unsigned source;  // in its core

  // prepare points the search to the core and the row of source i. All threads call it.
  __device__ static void prepare(Shared& s, const Chains& c, unsigned i) {
    const unsigned node = c.search.sources[i], core = c.coreOf[node];
    const long long first = c.firstNode[core];
    if (threadIdx.x == 0) {
      s.p = c.search;
      s.tail = kNoStack;  // rows are of other nodes, or of none yet
      s.p.n = c.firstNode[core + 1] - first;
      s.p.inOffsets = s.p.outOffsets += first;
      s.p.lightestIn = s.p.lightest = (const unsigned*)s.p.lightest + first;
      s.rows.mults = c.mults;
    }
    __syncthreads();
  }

  __device__ RowSearch(Shared& s, const Chains& c, unsigned i) : Base(s, nullptr), c(c) {
    const unsigned node = c.search.sources[i];
    const long long first = c.firstNode[c.coreOf[node]], b = blockIdx.x;
    source = node - unsigned(first);
    this->dist = c.dist + c.rowAt[i];
    this->counts = (T*)c.counts + c.rowAt[i];
    this->shares = (T*)c.shares + b * c.stride;
    this->stack = c.search.stack + b * c.stride;
    this->open = c.search.open + 4 * b * c.stride;
    this->ends = c.search.ends + b * (c.stride + 2);
    this->nodes = (double*)c.search.nodes + b * c.search.n + first;
    this->edges = (double*)c.search.edges + b * c.search.arcs;
    order = c.order + c.rowAt[i];
  }

  // keep writes the order of the nodes, once `last` is the last round.
  __device__ void keep(int last) {
    const unsigned n = unsigned(this->p.n);
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) order[i] = this->stack[i];
    __syncthreads();
    for (int round = threadIdx.x; round <= last; round += blockDim.x) order[this->ends[round]] |= roundBegins;
  }

  // recall reads the order back, and returns the last round.
  __device__ int recall(unsigned* perWarp) {
    const unsigned n = unsigned(this->p.n), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int rounds = 0;
    for (unsigned base = 0; base < n; base += blockDim.x) {
      const unsigned i = base + threadIdx.x, entry = i < n ? order[i] : 0;
      if (i < n) this->stack[i] = entry & ~roundBegins;
      const unsigned begins = __ballot_sync(~0u, (entry & roundBegins) != 0);
      if (lane == 0) perWarp[warp] = __popc(begins);
      __syncthreads();
      int before = rounds;
      for (unsigned k = 0; k < blockDim.x / 32; k++) {
        if (k < warp) before += perWarp[k];
        rounds += perWarp[k];
      }
      if (entry & roundBegins) this->ends[before + __popc(begins & ((1u << lane) - 1))] = i;
      __syncthreads();
    }
    if (threadIdx.x == 0) this->ends[rounds] = n;
    __syncthreads();
    return rounds - 1;
  }
};

// chainForward fills the rows of the slots first to last.
template <class T> __device__ void chainForward(const Chains* args, long long first, long long last) {
  using Search = RowSearch<T>;
  __shared__ typename Search::Shared shared;
  __shared__ Chains c;
  if (threadIdx.x == 0) {
    c = *args;
    shared.width = args->search.width;
  }
  __syncthreads();
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    Search::prepare(shared, c, i);
    Search search(shared, c, i);
    search.start(search.source);
    const int rounds = search.forward();
    __syncthreads();
    if (threadIdx.x == 0) c.search.failed[i] = shared.greatest > Most<T>::exponent;
    search.keep(rounds);
    __syncthreads();
  }
}

// chainBackward adds what the demands of the sources in slots first to last let pass through nodes and arcs.
template <class T> __device__ void chainBackward(const Chains* args, long long first, long long last) {
  using Search = RowSearch<T>;
  __shared__ typename Search::Shared shared;
  __shared__ Chains c;
  __shared__ unsigned perWarp[32];
  if (threadIdx.x == 0) {
    c = *args;
    shared.longs[0] = shared.longs[1] = 0;
  }
  __syncthreads();
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    Search::prepare(shared, c, i);
    if (threadIdx.x == 0) shared.rows.demands = c.demands + (i - first) * c.stride;
    Search search(shared, c, i);
    search.backward(search.recall(perWarp));
    __syncthreads();
  }
}
