// Solves x = own + matrix * (share * x), with the matrix of the arcs that enter each node, by products with the matrix
// until x stays. A row is added up in a fixed order: a row of up to 4 arcs by a thread, a longer one by 2, 4 ... 32
// threads, and that of a hub in pieces, whose sums are added up in their order. So bits depend neither on the number of
// blocks nor on which of them has which row.
//
// Numbers of nodes are those by falling number of arcs that leave: what is gathered most lies together, and the first
// of it in shared memory. Rows are those by falling number of arcs that enter, so that rows of one length lie together.
#include "../device/threads.cuh"

namespace {
constexpr int kThreads = 1024;  // host: sumThreads; of a block of pull_sums
constexpr int kClasses = 6;     // host: classes; of items: of 32, 16 ... 1 threads

__device__ inline long long firstOf() { return blockIdx.x * (long long)blockDim.x + threadIdx.x; }
__device__ inline long long stepOf() { return gridDim.x * (long long)blockDim.x; }
}  // namespace

// Pull are the arguments. Every field takes 8 bytes.
//
// host: arguments
struct Pull {
  long long n;
  const long long* offsets;  // the rows as they were uploaded
  const unsigned* targets;
  const double* weights;        // an arc; null where all have the factor 1
  const double* strengths;      // an old node: what divides the weights of arcs that leave it; null for 1
  double damping;               // multiplies them then
  const unsigned* rows;         // the old node of each row
  const unsigned* numbers;      // the number of each old node
  const long long* rowStarts;   // n + 1: where the arcs of each row begin, in the new order
  unsigned* columns;            // an arc, in the new order: the number of the node that it leaves
  double* factors;              // an arc, in the new order; null where all are 1
  const long long* itemStarts;  // where the arcs of each item begin: a row, or a piece of one of the first ones, which
                                // are long
  const unsigned* places;  // where the sum of an item goes: that of a row to its number, those of pieces behind those
                           // of all rows
  const long long* ends;   // a class of items: where its items end, then how many warps it and those before it take
  long long longRows;
  const unsigned* pieces;  // longRows + 1: the first piece of each
  const double* own;       // a number: what the node has of itself; null for base
  double base;
  const double* share;  // a number: what multiplies its score before it is sent; null for all
  double all;
  double* scores;
  double* before;  // the scores before; null where none are needed
  double* sent;
  double* sums;
  long long hot;                  // how many of sent are in shared memory
  unsigned long long* residuals;  // the largest of each iteration since they were read last, as bits, which have the
                                  // same order
  double wanted;
};

namespace {
// ended reports whether an iteration before this one was the last. What comes after it leaves all as it is, and its
// residual 0.
__device__ inline bool ended(const Pull& p, unsigned step) {
  return step > 0 && !(__longlong_as_double((long long)p.residuals[step - 1]) > p.wanted);
}

__device__ inline double ownOf(const Pull& p, long long i) { return p.own ? p.own[i] : p.base; }
__device__ inline double shareOf(const Pull& p, long long i) { return p.share ? p.share[i] : p.all; }

// rowSum is the sum of a thread, which has each W-th arc of a row.
template <int W>
__device__ inline double rowSum(const Pull& p, const double* hot, long long first, long long last, unsigned lane) {
  constexpr unsigned none = ~0u;
  const unsigned count = unsigned(last - first), hottest = unsigned(p.hot);
  const unsigned* columns = p.columns + first;
  double sum = 0;
  for (unsigned e = lane; e < count; e += 4 * W) {
    unsigned from[4];
    double x[4];
#pragma unroll
    for (int k = 0; k < 4; k++) from[k] = e + k * W < count ? __ldcs(columns + e + k * W) : none;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      x[k] = 0;
      if (from[k] < hottest) x[k] = hot[from[k]];
      else if (from[k] != none) x[k] = __ldg(p.sent + from[k]);
    }
    if (p.factors) {
#pragma unroll
      for (int k = 0; k < 4; k++)
        if (from[k] != none) x[k] *= __ldcs(p.factors + first + e + k * W);
    }
    sum += (x[0] + x[1]) + (x[2] + x[3]);
  }
  return sum;
}

// sumItems adds up the items of a warp, each by W threads.
template <int W> __device__ inline void sumItems(const Pull& p, const double* hot, long long first, long long end) {
  const Group<W> g(W);
  const long long i = first + threadIdx.x % 32 / W;
  double sum = 0;
  if (i < end) sum = rowSum<W>(p, hot, p.itemStarts[i], p.itemStarts[i + 1], g.lane);
  sum = g.sum(sum);
  if (g.lane == 0 && i < end) p.sums[p.places[i]] = sum;
}
}  // namespace

// pull_rows puts the arcs into the new order: a warp per row.
extern "C" __global__ void pull_rows(const Pull* args) {
  const Pull p = *args;
  for (long long i = firstOf() / 32; i < p.n; i += stepOf() / 32) {
    const long long from = p.offsets[p.rows[i]], to = p.rowStarts[i], length = p.rowStarts[i + 1] - to;
    for (long long k = threadIdx.x % 32; k < length; k += 32) {
      const unsigned u = p.targets[from + k];
      p.columns[to + k] = p.numbers[u];
      if (!p.factors) continue;
      const double w = p.weights[from + k];
      p.factors[to + k] = p.strengths ? p.damping * (w / p.strengths[u]) : w;
    }
  }
}

// pull_begin sets the first scores.
extern "C" __global__ void pull_begin(const Pull* args) {
  const Pull p = *args;
  for (long long i = firstOf(); i < p.n; i += stepOf()) {
    p.scores[i] = ownOf(p, i);
    p.sent[i] = p.scores[i] * shareOf(p, i);
  }
}

// pull_sums adds up what is sent along the arcs of every row.
extern "C" __global__ void __launch_bounds__(kThreads) pull_sums(const Pull* args, unsigned step) {
  __shared__ Pull p;
  __shared__ long long ends[2 * kClasses];
  extern __shared__ double hot[];
  if (threadIdx.x == 0) p = *args;
  __syncthreads();
  if (ended(p, step)) return;
  if (threadIdx.x < 2 * kClasses) ends[threadIdx.x] = p.ends[threadIdx.x];
  for (long long i = threadIdx.x; i < p.hot; i += blockDim.x) hot[i] = p.sent[i];
  __syncthreads();
  const long long* warps = ends + kClasses;
  for (long long t = firstOf() / 32; t < warps[kClasses - 1]; t += stepOf() / 32) {
    int c = 0;
    while (t >= warps[c]) c++;
    const long long first = (c ? ends[c - 1] : 0) + ((t - (c ? warps[c - 1] : 0)) << c), end = ends[c];
    switch (c) {
      case 0: sumItems<32>(p, hot, first, end); break;
      case 1: sumItems<16>(p, hot, first, end); break;
      case 2: sumItems<8>(p, hot, first, end); break;
      case 3: sumItems<4>(p, hot, first, end); break;
      case 4: sumItems<2>(p, hot, first, end); break;
      default: sumItems<1>(p, hot, first, end);
    }
  }
}

// pull_pieces adds up the pieces of each long row: a warp per row.
extern "C" __global__ void pull_pieces(const Pull* args, unsigned step) {
  const Pull p = *args;
  if (ended(p, step)) return;
  const Group<32> g(32);
  for (long long i = firstOf() / 32; i < p.longRows; i += stepOf() / 32) {
    double sum = 0;
    for (unsigned k = p.pieces[i] + g.lane; k < p.pieces[i + 1]; k += 32) sum += p.sums[p.n + k];
    sum = g.sum(sum);
    if (g.lane == 0) p.sums[p.numbers[p.rows[i]]] = sum;
  }
}

// pull_step makes the next scores of the sums, with a weight over those before, and the largest residual.
extern "C" __global__ void pull_step(const Pull* args, unsigned step, double weight) {
  __shared__ unsigned long long most;
  const Pull p = *args;
  if (ended(p, step)) return;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  unsigned long long largest = 0;
  for (long long i = firstOf(); i < p.n; i += stepOf()) {
    const double old = p.scores[i], made = ownOf(p, i) + p.sums[i];
    largest = max(largest, (unsigned long long)__double_as_longlong(fabs(made - old) / fmax(fabs(old), p.base)));
    double now = made;
    if (weight != 1) now = weight * (made - p.before[i]) + p.before[i];
    if (p.before) p.before[i] = old;
    p.scores[i] = now;
    p.sent[i] = now * shareOf(p, i);
  }
  for (int k = 16; k > 0; k /= 2) largest = max(largest, __shfl_xor_sync(~0u, largest, k));
  if (threadIdx.x % 32 == 0) atomicMax(&most, largest);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(p.residuals + step, most);
}

// pull_end writes the scores that the last sums make, by old nodes. Rounding and overshooting may leave one of about 0
// below it.
extern "C" __global__ void pull_end(const Pull* args, double* out) {
  const Pull p = *args;
  for (long long v = firstOf(); v < p.n; v += stepOf()) {
    const unsigned i = p.numbers[v];
    const double made = ownOf(p, i) + p.sums[i];
    out[v] = made > 0 ? made : 0;
  }
}
