// Puts a graph into the order of batches. from gives the old number of each new node, to the new number of each old
// one.
#include "../device/threads.cuh"

constexpr int kRelabelThreads = 1024;  // host: relabelThreads; of a block of relabel_sums and relabel_offsets
constexpr int kRelabelBlocks = 512;    // host: relabelBlocks; the most of them
static_assert(kRelabelBlocks <= kRelabelThreads, "eachStart reads a block's sum with each thread");

// relabel_nodes makes to of from.
extern "C" __global__ void relabel_nodes(unsigned n, const unsigned* from, unsigned* to) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[from[i]] = i;
}

// relabel_places replaces nodes by their new numbers.
extern "C" __global__ void relabel_places(const unsigned* to, unsigned count, unsigned* nodes) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    nodes[i] = to[nodes[i]];
}

// relabel_sums writes how many arcs the nodes of each block have.
extern "C" __global__ void relabel_sums(unsigned n, const long long* offsets, const unsigned* from, unsigned* sums) {
  sumShare(n, sums, [&](unsigned i) { return unsigned(offsets[from[i] + 1] - offsets[from[i]]); });
}

// relabel_offsets writes where the rows begin in the new order, by the sums of the blocks, and where the last one ends.
extern "C" __global__ void relabel_offsets(
    unsigned n, const long long* offsets, const unsigned* from, const unsigned* sums, unsigned* newOffsets) {
  const unsigned end = eachStart(
      n, sums, [&](unsigned i) { return unsigned(offsets[from[i] + 1] - offsets[from[i]]); },
      [&](unsigned i, unsigned start) { newOffsets[i] = start; });
  if (threadIdx.x == 0 && BlockShare(n).last == n) newOffsets[n] = end;
}

// relabel_rows writes the rows of a graph whose node i is node from[i] of the old one; to is the inverse. newEdges,
// unless null, gets the edge of each arc: edges[arc], or arc where edges is null.
extern "C" __global__ void relabel_rows(unsigned n, const long long* offsets, const unsigned* targets,
    const unsigned* edges, const unsigned* from, const unsigned* to, const unsigned* newOffsets, unsigned* newTargets,
    unsigned* newEdges) {
  const unsigned lane = threadIdx.x & 31, warps = gridDim.x * blockDim.x / 32;
  for (unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < n; i += warps) {
    const long long b = offsets[from[i]], length = offsets[from[i] + 1] - b;
    for (long long k = lane; k < length; k += 32) {
      newTargets[newOffsets[i] + k] = to[targets[b + k]];
      if (newEdges) newEdges[newOffsets[i] + k] = edges ? edges[b + k] : unsigned(b + k);
    }
  }
}

// relabel_weights moves the weights of arcs as relabel_rows moves their targets; newEdges is not needed for that. The
// words of a weight are its 4 or 8 bytes.
extern "C" __global__ void relabel_weights(unsigned n, const long long* offsets, const unsigned* weights,
    unsigned words, const unsigned* from, const unsigned* newOffsets, unsigned* newWeights) {
  const unsigned lane = threadIdx.x & 31, warps = gridDim.x * blockDim.x / 32;
  for (unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < n; i += warps) {
    const long long b = offsets[from[i]] * words, length = offsets[from[i] + 1] * words - b;
    for (long long k = lane; k < length; k += 32) newWeights[(long long)newOffsets[i] * words + k] = weights[b + k];
  }
}
