// Puts a graph into the order of batches.

// relabel_rows writes the rows of a graph whose node i is node from[i] of the old one; to is the inverse. newEdges, unless
// null, gets the edge of each arc: edges[arc], or arc where edges is null.
extern "C" __global__ void relabel_rows(unsigned n, const long long* offsets, const unsigned* targets, const unsigned* edges, const unsigned* from, const unsigned* to, const unsigned* newOffsets, unsigned* newTargets, unsigned* newEdges) {
  const unsigned lane = threadIdx.x & 31, warps = gridDim.x * blockDim.x / 32;
  for (unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < n; i += warps) {
    const long long b = offsets[from[i]], length = offsets[from[i] + 1] - b;
    for (long long k = lane; k < length; k += 32) {
      newTargets[newOffsets[i] + k] = to[targets[b + k]];
      if (newEdges) newEdges[newOffsets[i] + k] = edges ? edges[b + k] : unsigned(b + k);
    }
  }
}

// relabel_weights moves the weights of arcs as relabel_rows moves their targets; newEdges is not needed for that. The words
// of a weight are its 4 or 8 bytes.
extern "C" __global__ void relabel_weights(unsigned n, const long long* offsets, const unsigned* weights, unsigned words, const unsigned* from, const unsigned* newOffsets, unsigned* newWeights) {
  const unsigned lane = threadIdx.x & 31, warps = gridDim.x * blockDim.x / 32;
  for (unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < n; i += warps) {
    const long long b = offsets[from[i]] * words, length = offsets[from[i] + 1] * words - b;
    for (long long k = lane; k < length; k += 32) newWeights[(long long)newOffsets[i] * words + k] = weights[b + k];
  }
}
