// Samples of sources: each block of a launch of betweenness has left what one source gives, in a row of its own.
#include "../device/threads.cuh"
#include "halves.cuh"

// Moments are those of a node or of an edge: the sum over all sources, and the sum of the squares by which each two in
// turn differ. Of two, the first may be of the call before.
struct Moments {
  double sum, differences, first;
  bool second;
  __device__ void add(double x) {
    sum += x;
    if (second) differences = __dadd_rn(differences, __dmul_rn(first - x, first - x));
    first = x;
    second = !second;
  }
};

// eachMoments calls add(i, moments) for all i < n. Of two, the first waits in held for the next call if it is the last;
// waits says that one does from before.
template <class Add>
__device__ void eachMoments(long long n, long long waits, double* held, double* sums, double* differences, Add add) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    Moments all{sums[i], differences[i], waits ? held[i] : 0, waits != 0};
    add(i, all);
    sums[i] = all.sum;
    differences[i] = all.differences;
    if (all.second) held[i] = all.first;
  }
}

// moments_add adds count rows of width numbers, and clears them. Number i is at i; or, if there are places, it is the
// sum of the numbers at two places. A negative second place stands for none.
extern "C" __global__ void moments_add(double* rows, long long width, long long count, const int2* places, long long n,
    long long waits, double* held, double* sums, double* differences) {
  eachMoments(n, waits, held, sums, differences, [&](long long i, Moments& all) {
    const int2 at = places ? places[i] : make_int2((int)i, -1);
    for (long long b = 0; b < count; b++) {
      double* row = rows + b * width;
      double x = row[at.x];
      if (x != 0) row[at.x] = 0;
      if (at.y >= 0) {
        const double y = row[at.y];
        if (y != 0) row[at.y] = 0;
        x += y;
      }
      all.add(x);
    }
  });
}

// addHalves adds the dependencies of edges by count rows of width halves, those of nodes. ends has the nodes of each
// edge.
template <class T>
__device__ void addHalves(const Halves<T>* rows, long long width, long long count, const int2* ends, long long m,
    long long waits, double* held, double* sums, double* differences) {
  eachMoments(m, waits, held, sums, differences, [&](long long i, Moments& all) {
    const int2 at = ends[i];
#pragma unroll 4
    for (long long b = 0; b < count; b++) {
      const Halves<T> u = rows[b * width + at.x], v = rows[b * width + at.y];
      all.add(dependencyOf(u, v) + dependencyOf(v, u));  // one of them is 0
    }
  });
}

extern "C" __global__ void moments_halves_f64(const Halves<double>* rows, long long width, long long count,
    const int2* ends, long long m, long long waits, double* held, double* sums, double* differences) {
  addHalves(rows, width, count, ends, m, waits, held, sums, differences);
}

extern "C" __global__ void moments_halves_wide(const Halves<Wide>* rows, long long width, long long count,
    const int2* ends, long long m, long long waits, double* held, double* sums, double* differences) {
  addHalves(rows, width, count, ends, m, waits, held, sums, differences);
}

// EdgesInOrder are the edges of an undirected graph in the order of those of their ends that come first. Loops are not
// among them. to gives the name of each node, unless null: its own number.
struct EdgesInOrder {
  const long long* offsets;
  const unsigned *targets, *from, *to;
  __device__ unsigned node(unsigned i) const { return from ? from[i] : i; }
  __device__ unsigned name(unsigned v) const { return to ? to[v] : v; }
  __device__ bool lists(unsigned u, unsigned v) const { return name(u) < name(v); }
  // each calls what(arc, target) for the arcs of the i-th node.
  template <class Do> __device__ void each(unsigned i, Do what) const {
    const unsigned u = node(i);
    for (long long k = offsets[u]; k < offsets[u + 1]; k++) what(k, targets[k]);
  }
  __device__ unsigned count(unsigned i) const {
    unsigned listed = 0;
    each(i, [&](long long, unsigned v) { listed += lists(node(i), v); });
    return listed;
  }
};

// edge_sums writes how many edges are listed at the nodes of each block.
extern "C" __global__ void edge_sums(unsigned n, const long long* offsets, const unsigned* targets,
    const unsigned* from, const unsigned* to, unsigned* sums) {
  const EdgesInOrder all{offsets, targets, from, to};
  sumShare(n, sums, [&](unsigned i) { return all.count(i); });
}

// edge_ends writes the names of the ends of the edges in order, by the sums of the blocks, and where each edge is: all
// ones for loops. edges has the edge of each arc.
extern "C" __global__ void edge_ends(unsigned n, const long long* offsets, const unsigned* targets,
    const unsigned* edges, const unsigned* from, const unsigned* to, const unsigned* sums, int2* ends,
    unsigned* places) {
  const EdgesInOrder all{offsets, targets, from, to};
  eachStart(
      n, sums, [&](unsigned i) { return all.count(i); },
      [&](unsigned i, unsigned at) {
        const unsigned u = all.node(i);
        all.each(i, [&](long long k, unsigned v) {
          if (all.lists(u, v)) {
            ends[at] = make_int2((int)all.name(u), (int)all.name(v));
            places[edges[k]] = at++;
          } else if (u == v) {
            places[edges[k]] = ~0u;
          }
        });
      });
}

// moments_named writes n numbers in the order of nodes or edges: number i is at places[i], or 0 if that is all ones.
extern "C" __global__ void moments_named(const double* values, const unsigned* places, long long n, double* out) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
    out[i] = places[i] == ~0u ? 0 : values[places[i]];
}
