// Rows in slots, for searches by hops of undirected graphs. What bounds searches of deep graphs is how many scattered
// addresses a multiprocessor looks up, and this saves half of them:
// - A node is named by where its row is, so nothing says where rows are. A slot has a few times four targets, which are
//   read at once; a row takes one or more that follow one another, and ends with kNoNode.
// - Shared memory has a mark of two bits for each node: 0 if it was not reached, else 1 + its level mod 3. The neighbours
//   of a node are in its level, the one before or the one after, so the mark tells which.
// - Counts and shares are by node, and counts in the order of the stack as well.
#pragma once

constexpr unsigned kNoNode = ~0u;     // fills rows
constexpr unsigned kMarkBits = 2;
constexpr unsigned kMarks = 16;       // host: marksPerWord
constexpr unsigned kMark = 3;

// markOf is the mark of the nodes of a level.
__device__ inline unsigned markOf(int level) { return 1 + level % 3; }

template <class T, class Rule, int W, Kind kind> __device__ void PathSearch<T, Rule, W, kind>::unmark() {
  for (unsigned i = threadIdx.x; i < (p.n + kMarks - 1) / kMarks; i += blockDim.x) marks[i] = 0;
}

template <class T, class Rule, int W, Kind kind> __device__ void PathSearch<T, Rule, W, kind>::markSource(unsigned source) {
  marks[source / kMarks] |= markOf(0) << kMarkBits * (source % kMarks);
  countOf[source] = number<T>(1);
}

// marked is the mark of a node.
template <class T, class Rule, int W, Kind kind> __device__ unsigned PathSearch<T, Rule, W, kind>::marked(unsigned v) const {
  return marks[v / kMarks] >> kMarkBits * (v % kMarks) & kMark;
}

// sumSlots sums countOf over those in the row of v that have a mark, and calls found(w, fresh) for the nodes of it, some
// at a time; of fresh, bit k is set where w[k] is a node that was not reached.
template <class T, class Rule, int W, Kind kind> template <class Do>
__device__ typename PathSearch<T, Rule, W, kind>::A PathSearch<T, Rule, W, kind>::sumSlots(unsigned v, unsigned mark, Do found) const {
  const unsigned* row = p.outTargets + 4 * p.quads * v;
  return p.quads == 1 ? sumRow<4>(row, mark, found) : sumRow<8>(row, mark, found);
}

// sumRow is sumSlots with so many targets at a time.
template <class T, class Rule, int W, Kind kind> template <int ahead, class Do>
__device__ typename PathSearch<T, Rule, W, kind>::A PathSearch<T, Rule, W, kind>::sumRow(const unsigned* row, unsigned mark, Do found) const {
  A sum = number<A>(0);
  for (unsigned last = 0; last != kNoNode; row += ahead) {
    unsigned w[ahead], fresh = 0;
    A count[ahead];
#pragma unroll
    for (int k = 0; k < ahead; k += 4) readFour(row + k, w + k);
#pragma unroll
    for (int k = 0; k < ahead; k++) {
      const unsigned has = w[k] == kNoNode ? kMark + 1 : marked(w[k]);
      count[k] = has == mark ? A(countOf[w[k]]) : number<A>(0);
      fresh |= unsigned(has == 0) << k;
    }
    found(w, fresh);
#pragma unroll
    for (int k = 0; k < ahead; k++) sum = add(sum, count[k]);
    last = w[ahead - 1];
  }
  return sum;
}

// findSlots appends those of w that are fresh, unless another thread does.
template <class T, class Rule, int W, Kind kind> template <int ahead>
__device__ void PathSearch<T, Rule, W, kind>::findSlots(const unsigned (&w)[ahead], unsigned fresh, unsigned mark, unsigned next, Step& step) {
  unsigned mine = 0;
#pragma unroll
  for (int k = 0; k < ahead; k++) {
    if (!(fresh >> k & 1)) continue;
    const unsigned shift = kMarkBits * (w[k] % kMarks);
    if ((atomicOr(&marks[w[k] / kMarks], mark << shift) >> shift & kMark) == 0) mine |= 1u << k;
  }
  if (mine == 0) return;
  unsigned to = next + atomicAdd(&step.found, __popc(mine));
#pragma unroll
  for (int k = 0; k < ahead; k++)
    if (mine >> k & 1) stack[to++] = w[k];
}

// visitSlots counts the paths to stack[lo:hi), the level of this depth, and finds the level after it.
template <class T, class Rule, int W, Kind kind>
__device__ void PathSearch<T, Rule, W, kind>::visitSlots(unsigned lo, unsigned hi, A factor, Step& step, int depth, Extent& extent) {
  const unsigned before = markOf(depth + 2), after = markOf(depth + 1);
  const bool further = depth < p.farthest;
  for (unsigned i = lo + threadIdx.x; i < hi; i += blockDim.x) {
    const unsigned v = stack[i];
    A sum = sumSlots(v, before, [&](const auto& w, unsigned fresh) {
      if (further && fresh) findSlots(w, fresh, after, hi, step);
    });
    if (depth == 0) continue;
    sum = mul(sum, factor);
    counts[i] = countOf[v] = T(sum);
    extent.add(sum);
  }
}

// accumulateSlots gathers at stack[lo:hi).
template <class T, class Rule, int W, Kind kind>
__device__ void PathSearch<T, Rule, W, kind>::accumulateSlots(unsigned lo, unsigned hi, A factor, int level) {
  const unsigned after = markOf(level + 1);
  for (unsigned i = lo + threadIdx.x; i < hi; i += blockDim.x) {
    const unsigned v = stack[i];
    const A sum = sumSlots(v, after, [](const auto&, unsigned) {});
    finish(i, v, A(counts[i]), mul(sum, factor), level);
  }
}
