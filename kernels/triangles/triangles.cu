// Triangles of nodes and edges, and scores that are made of them. Every edge leads from the end with fewer neighbours
// to the one with more (Chiba and Nishizeki, 1985), so that no row is longer than the square root of 2m. A warp takes
// an edge: each thread looks for nodes of the shorter row of both ends in the longer one. Parallel edges are one here,
// and self-loops none. All is counted in whole numbers, so that the order of atomic additions does not matter.
#include "../device/threads.cuh"

// Score says what is made of the triangles.
//
// host: enumeration
enum Score {
  triangleCounts,
  clusteringShares,
  jaccardIndex,
  overlapIndex,
  adamicAdarIndex,
  formanCurvature,
  augmentedCurvature
};

// Triangles are the arguments. Every field takes 8 bytes.
//
// host: arguments
struct Triangles {
  long long n;
  const long long* offsets;  // the graph; rows are sorted
  const unsigned* targets;
  const unsigned* edges;    // the edge of each arc; null where arc i is edge i
  unsigned* degrees;        // a node: its neighbours
  unsigned* lengths;        // a node: those of them that its row has
  const long long* starts;  // n + 1: where the places of each row begin; a place stands for an edge
  unsigned* heads;          // a place: the node that it leads to, in ascending order within a row
  unsigned* tails;          // a place: the node of its row
  long long places;
  const unsigned long long* weights;  // a node: what it counts as a third node; null for 1
  unsigned long long* counts;         // a place: the triangles with the edge, or the weights of their third nodes
  unsigned long long* nodeCounts;     // a node: twice its triangles
  double unit;                        // divides counts
  long long score;                    // one of Score
  double* nodeScores;
  double* edgeScores;
};

namespace {
__device__ inline long long warpOf() { return (blockIdx.x * (long long)blockDim.x + threadIdx.x) / 32; }
__device__ inline long long warps() { return gridDim.x * (long long)blockDim.x / 32; }

// isNew reports whether an arc in the row of v leads to another node than v and than the arc before it.
__device__ inline bool isNew(const Triangles& p, unsigned v, long long arc) {
  const unsigned w = p.targets[arc];
  return w != v && (arc == p.offsets[v] || p.targets[arc - 1] != w);
}

// leads reports whether the edge of two nodes leads from v to w.
__device__ inline bool leads(const Triangles& p, unsigned v, unsigned w) {
  const unsigned a = p.degrees[v], b = p.degrees[w];
  return a < b || (a == b && v < w);
}

// eachArc calls visit(arc, head, fresh, place) with every arc of a row for which a place is to be known: those that
// lead from v. place counts from 0. fresh is the first of parallel ones.
template <class Visit> __device__ inline unsigned eachArc(const Triangles& p, unsigned v, Visit visit) {
  const unsigned lane = threadIdx.x % 32;
  unsigned found = 0;
  for (long long base = p.offsets[v]; base < p.offsets[v + 1]; base += 32) {
    const long long arc = base + lane;
    bool from = false, fresh = false;
    unsigned w = 0;
    if (arc < p.offsets[v + 1]) {
      w = p.targets[arc];
      from = w != v && leads(p, v, w);
      fresh = from && isNew(p, v, arc);
    }
    const unsigned votes = __ballot_sync(~0u, fresh);
    if (from) visit(arc, w, fresh, found + __popc(votes & (~0u >> (31 - lane))) - 1);
    found += __popc(votes);
  }
  return found;
}

// find returns the place of x in an ascending row, or its end.
__device__ inline unsigned find(const unsigned* row, unsigned length, unsigned x) {
  unsigned low = 0, high = length;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (row[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low < length && row[low] == x ? low : length;
}

__device__ inline double scoreOf(const Triangles& p, double count, double a, double b) {
  switch (p.score) {
    case jaccardIndex: return count / (a + b - count);
    case overlapIndex: return count / (a < b ? a : b);
    case adamicAdarIndex: return count / p.unit;
    case formanCurvature: return 4 - a - b;
    case augmentedCurvature: return 4 - a - b + 3 * count;
    default: return count;
  }
}
}  // namespace

// triangle_degrees counts the neighbours of each node: a warp per node, as below.
extern "C" __global__ void triangle_degrees(const Triangles* args) {
  const Triangles p = *args;
  for (long long v = warpOf(); v < p.n; v += warps()) {
    unsigned count = 0;
    for (long long arc = p.offsets[v] + threadIdx.x % 32; arc < p.offsets[v + 1]; arc += 32)
      count += isNew(p, unsigned(v), arc);
    for (int k = 16; k > 0; k /= 2) count += __shfl_xor_sync(~0u, count, k);
    if (threadIdx.x % 32 == 0) p.degrees[v] = count;
  }
}

// triangle_lengths counts the places of each row.
extern "C" __global__ void triangle_lengths(const Triangles* args) {
  const Triangles p = *args;
  for (long long v = warpOf(); v < p.n; v += warps()) {
    const unsigned found = eachArc(p, unsigned(v), [](long long, unsigned, bool, unsigned) {});
    if (threadIdx.x % 32 == 0) p.lengths[v] = found;
  }
}

// triangle_rows writes the places of each row.
extern "C" __global__ void triangle_rows(const Triangles* args) {
  const Triangles p = *args;
  for (long long v = warpOf(); v < p.n; v += warps()) {
    const long long start = p.starts[v];
    eachArc(p, unsigned(v), [&](long long, unsigned w, bool fresh, unsigned place) {
      if (!fresh) return;
      p.heads[start + place] = w;
      p.tails[start + place] = unsigned(v);
    });
  }
}

// triangle_counts finds the triangles of places, from the first to before the last, and adds them to their counts and
// those of the other two edges: a warp per place.
extern "C" __global__ void triangle_counts(const Triangles* args, long long first, long long last) {
  const Triangles p = *args;
  for (long long e = first + warpOf(); e < last; e += warps()) {
    const unsigned v = p.tails[e], w = p.heads[e];
    long long a = p.starts[v], b = p.starts[w];
    unsigned few = unsigned(p.starts[v + 1] - a), many = unsigned(p.starts[w + 1] - b);
    if (few > many) {
      const long long first = a;
      a = b;
      b = first;
      const unsigned length = few;
      few = many;
      many = length;
    }
    unsigned long long found = 0;
    for (unsigned i = threadIdx.x % 32; i < few; i += 32) {
      const unsigned x = p.heads[a + i], at = find(p.heads + b, many, x);
      if (at == many) continue;
      found += p.weights ? p.weights[x] : 1;
      // The third node of the triangle with the edge at a is the other end of that at b.
      const unsigned ofA = a == p.starts[v] ? w : v, ofB = a == p.starts[v] ? v : w;
      atomicAdd(&p.counts[a + i], p.weights ? p.weights[ofA] : 1ull);
      atomicAdd(&p.counts[b + at], p.weights ? p.weights[ofB] : 1ull);
    }
    for (int k = 16; k > 0; k /= 2) found += __shfl_xor_sync(~0u, found, k);
    if (threadIdx.x % 32 == 0 && found) atomicAdd(&p.counts[e], found);
  }
}

// triangle_nodes adds the counts of edges to both ends.
extern "C" __global__ void triangle_nodes(const Triangles* args) {
  const Triangles p = *args;
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < p.places;
      e += gridDim.x * (long long)blockDim.x) {
    const unsigned long long count = p.counts[e];
    if (!count) continue;
    atomicAdd(&p.nodeCounts[p.tails[e]], count);
    atomicAdd(&p.nodeCounts[p.heads[e]], count);
  }
}

// triangle_edge_scores scores every edge. Those of self-loops stay 0.
extern "C" __global__ void triangle_edge_scores(const Triangles* args) {
  const Triangles p = *args;
  for (long long v = warpOf(); v < p.n; v += warps()) {
    const double a = p.degrees[v];
    eachArc(p, unsigned(v), [&](long long arc, unsigned w, bool, unsigned place) {
      const double count = p.counts ? double(p.counts[p.starts[v] + place]) : 0;
      p.edgeScores[p.edges ? p.edges[arc] : arc] = scoreOf(p, count, a, p.degrees[w]);
    });
  }
}

// triangle_node_scores scores every node: by its own triangles, or by the mean of the scores of the edges to its
// neighbours.
extern "C" __global__ void triangle_node_scores(const Triangles* args) {
  const Triangles p = *args;
  const Group<32> g(32);
  for (long long v = warpOf(); v < p.n; v += warps()) {
    const double degree = p.degrees[v];
    double score = 0;
    if (p.score <= clusteringShares) {
      score = double(p.nodeCounts[v] / 2);
      if (p.score == clusteringShares) score = degree > 1 ? score / (degree * (degree - 1) / 2) : 0;
    } else {
      for (long long arc = p.offsets[v] + g.lane; arc < p.offsets[v + 1]; arc += 32)
        if (isNew(p, unsigned(v), arc)) score += p.edgeScores[p.edges ? p.edges[arc] : arc];
      score = g.sum(score);
      score = degree > 0 ? score / degree : 0;
    }
    if (g.lane == 0) p.nodeScores[v] = score;
  }
}
