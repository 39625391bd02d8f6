// Rows in cells, for searches by hops of undirected graphs. What bounds searches of deep graphs is how many scattered
// addresses a multiprocessor looks up, and this saves half of them:
// - A node is named by where its row is, so nothing says where rows are. A cell has a few times four targets, which are
//   read at once; a row takes one or more that follow one another, and ends with kNoNode.
// - Counts and shares are by node, and counts in the order of the stack as well.
// - The neighbours of a node are in its level, the one before or the one after. For cells, shared memory has a mark of
//   two bits for each node, 0 if it was not reached, else 1 + its level mod 3, so the mark tells which. manyCells has
//   room for one bit there, which says that the node was reached. The count tells the rest: it is negative in odd
//   levels, and as good as 0 from when a node is reached until its paths are counted. Rows have kLeading arcs at most,
//   and it is kept which of them lead to the next level.
#pragma once

constexpr unsigned kNoNode = ~0u;  // fills rows
constexpr unsigned kMarks = 16;    // of a word
constexpr unsigned kMark = 3;
constexpr int kUncounted = -1020;  // exponent of the count of a node that was reached, and whose paths are not counted
constexpr int kCounted = -1000;    // least exponent of others

constexpr int kLeading = 64;  // host: manyCellsDegree

// markOf is the mark of the nodes of a level.
__device__ inline unsigned markOf(int level) { return 1 + level % 3; }

// signedCount is a count as nodes of a level have it where the sign tells the parity.
__device__ inline double signedCount(double count, int level) { return level % 2 ? -count : count; }

#define CELLS template <class T, class Rule, int W, Kind kind, bool several>
#define SEARCH PathSearch<T, Rule, W, kind, several>

CELLS __device__ void SEARCH::unmark() {
  const unsigned each = kind == cells ? kMarks : 32;
  for (unsigned i = threadIdx.x; i < (p.n + each - 1) / each; i += blockDim.x) marks[i] = 0;
  if constexpr (kind != cells)
    for (unsigned v = threadIdx.x; v < p.n; v += blockDim.x) countOf[v] = number<T>(0);
}

CELLS __device__ void SEARCH::markSource(unsigned source) {
  if (kind == cells) marks[source / kMarks] |= markOf(0) << 2 * (source % kMarks);
  else marks[source / 32] |= 1u << source % 32;
  countOf[source] = number<T>(1);
}

CELLS __device__ bool SEARCH::isMarked(unsigned v) const {
  if (kind == cells) return marks[v / kMarks] >> 2 * (v % kMarks) & kMark;
  return marks[v / 32] >> v % 32 & 1;
}

// see looks at a neighbour of a node of level `depth`: its count if it is in the level before; whether it was not
// reached; and for manyCells whether it will be in the level after, be it reached or not.
CELLS __device__ typename SEARCH::Seen SEARCH::see(unsigned w, int depth) const {
  if constexpr (kind == cells) {
    const unsigned mark = w == kNoNode ? kMark + 1 : marks[w / kMarks] >> 2 * (w % kMarks) & kMark;
    return Seen{mark == 0, false, mark == markOf(depth + 2) ? A(countOf[w]) : number<A>(0)};
  } else {
    const bool is = w != kNoNode, reached = is && marks[w / 32] >> w % 32 & 1;
    const A count = reached ? signedCount(countOf[w], depth + 1) : number<A>(0);
    const bool counted = exponentOf(count) >= kCounted;
    return Seen{is && !reached, is && !counted && count >= 0, counted && count > 0 ? count : number<A>(0)};
  }
}

// claim reaches a node from level `depth`, unless another thread does.
CELLS __device__ bool SEARCH::claim(unsigned w, int depth) {
  if constexpr (kind == cells) {
    const unsigned shift = 2 * (w % kMarks);
    return (atomicOr(&marks[w / kMarks], markOf(depth + 1) << shift) >> shift & kMark) == 0;
  } else {
    const unsigned bit = 1u << w % 32;
    if (atomicOr(&marks[w / 32], bit) & bit) return false;
    countOf[w] = signedCount(powerOfTwo(kUncounted), depth + 1);
    return true;
  }
}

// findCells appends those of w that are fresh, unless another thread does.
CELLS template <int ahead>
__device__ void SEARCH::findCells(const unsigned (&w)[ahead], unsigned fresh, int depth, unsigned next, Step& step) {
  unsigned mine = 0;
#pragma unroll
  for (int k = 0; k < ahead; k++)
    if (fresh >> k & 1 && claim(w[k], depth)) mine |= 1u << k;
  if (mine == 0) return;
  unsigned to = next + atomicAdd(&step.found, __popc(mine));
#pragma unroll
  for (int k = 0; k < ahead; k++)
    if (mine >> k & 1) stack[to++] = w[k];
}

// visitRow sums the counts of the neighbours in the level before, and finds those in the level after. leading gets a
// bit for each arc to one of these, for manyCells.
CELLS template <int ahead>
__device__ typename SEARCH::A SEARCH::visitRow(
    const unsigned* row, int depth, unsigned next, Step& step, Leading& leading) {
  A sum = number<A>(0);
  unsigned last = 0;
  for (unsigned first = 0; last != kNoNode; first += ahead) {
    unsigned w[ahead], fresh = 0, after = 0;
    A count[ahead];
#pragma unroll
    for (int k = 0; k < ahead; k += 4) readFour(row + first + k, w + k);
#pragma unroll
    for (int k = 0; k < ahead; k++) {
      const Seen seen = see(w[k], depth);
      count[k] = seen.count;
      fresh |= unsigned(seen.fresh) << k;
      after |= unsigned(seen.after) << k;
    }
    if (fresh && depth < p.farthest) findCells(w, fresh, depth, next, step);
#pragma unroll
    for (int k = 0; k < ahead; k++) sum = add(sum, count[k]);
    if (kind == manyCells && first < kLeading) leading |= Leading(after) << first;
    last = w[ahead - 1];
  }
  return sum;
}

// visitCells counts the paths to stack[lo:hi), the level of this depth, and finds the level after it.
CELLS __device__ void SEARCH::visitCells(unsigned lo, unsigned hi, A factor, Step& step, int depth, Extent& extent) {
  for (unsigned i = lo + threadIdx.x; i < hi; i += blockDim.x) {
    const unsigned v = stack[i], *row = p.outTargets + 4 * p.quads * v;
    Leading leading = 0;
    A sum = p.quads == 1 ? visitRow<4>(row, depth, hi, step, leading) : visitRow<8>(row, depth, hi, step, leading);
    if (kind == manyCells) ((Leading*)leads)[i] = leading;
    if (depth == 0) continue;
    sum = mul(sum, factor);
    counts[i] = T(sum);
    countOf[v] = T(kind == cells ? sum : signedCount(sum, depth));
    extent.add(sum);
  }
}

// sumAfter sums the shares of the neighbours in the level after `depth`.
CELLS template <int ahead>
__device__ typename SEARCH::A SEARCH::sumAfter(const unsigned* row, int depth, Leading leading) const {
  A sum = number<A>(0);
  unsigned last = 0;
  for (unsigned first = 0; kind == cells ? last != kNoNode : first < kLeading && leading >> first; first += ahead) {
    unsigned w[ahead];
    A share[ahead];
#pragma unroll
    for (int k = 0; k < ahead; k += 4) readFour(row + first + k, w + k);
#pragma unroll
    for (int k = 0; k < ahead; k++) {
      if (kind == cells) share[k] = see(w[k], depth + 2).count;  // of those in the level before depth + 2
      else share[k] = leading >> (first + k) & 1 ? A(countOf[w[k]]) : number<A>(0);
    }
#pragma unroll
    for (int k = 0; k < ahead; k++) sum = add(sum, share[k]);
    last = w[ahead - 1];
  }
  return sum;
}

// accumulateCells gathers at stack[lo:hi).
CELLS __device__ void SEARCH::accumulateCells(unsigned lo, unsigned hi, A factor, int level) {
  for (unsigned i = lo + threadIdx.x; i < hi; i += blockDim.x) {
    const unsigned v = stack[i], *row = p.outTargets + 4 * p.quads * v;
    const Leading leading = kind == cells ? 0 : ((const Leading*)leads)[i];
    const A sum = p.quads == 1 ? sumAfter<4>(row, level, leading) : sumAfter<8>(row, level, leading);
    finish(i, v, A(counts[i]), mul(sum, factor), factor, level);
  }
}

#undef CELLS
#undef SEARCH
