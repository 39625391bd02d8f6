// Adaptive sampling (Bader, Kintali, Madduri & Mihail 2007; Sriram et al. 2009): a node takes no more sources when the
// sum of its dependencies passes a threshold. The blocks of a launch of betweenness have left a row of dependencies
// each, of one source; these are gone through in the order of the sources, so that the same sources count as on one
// thread.

// adaptive_stops finds, among the nodes of interest that take more sources, those that stop within count rows, without
// adding them: stops[0] is how many more there are, stops[1] the number of the last source that one takes, from 1 on,
// when `before` sources came before the rows.
extern "C" __global__ void adaptive_stops(const double* rows, long long n, long long count, long long before,
    double threshold, const double* sums, const int* taken, const unsigned* wanted, long long wantedCount, int* stops) {
  for (long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x; k < wantedCount;
      k += (long long)gridDim.x * blockDim.x) {
    const unsigned v = wanted[k];
    if (taken[v] > 0) continue;
    double sum = sums[v];
    for (long long b = 0; b < count; b++) {
      sum += rows[b * n + v];
      if (!(sum > threshold)) continue;
      atomicAdd(&stops[0], 1);
      atomicMax(&stops[1], int(before + b + 1));
      break;
    }
  }
}

// adaptive_add adds count rows to the sums of the nodes that take them, and clears the rows.
extern "C" __global__ void adaptive_add(
    double* rows, long long n, long long count, long long before, double threshold, double* sums, int* taken) {
  for (long long v = blockIdx.x * (long long)blockDim.x + threadIdx.x; v < n; v += (long long)gridDim.x * blockDim.x) {
    double sum = sums[v];
    int stopped = taken[v];
    for (long long b = 0; b < count; b++) {
      const double x = rows[b * n + v];
      rows[b * n + v] = 0;
      if (stopped > 0) continue;
      sum += x;
      if (sum > threshold) stopped = int(before + b + 1);
    }
    sums[v] = sum;
    taken[v] = stopped;
  }
}
