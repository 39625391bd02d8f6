// Samples of sources: the blocks of a launch of betweenness have left a row of dependencies each, of one source.

// moments_add adds count rows, and their squares, to the sums of n nodes or arcs, in the order of the rows, and clears the rows.
extern "C" __global__ void moments_add(double* rows, long long n, long long count, double* sums, double* squares) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    double sum = sums[i], square = squares[i];
    for (long long b = 0; b < count; b++) {
      const double x = rows[b * n + i];
      if (x == 0) continue;
      rows[b * n + i] = 0;
      sum += x;
      square = __dadd_rn(square, __dmul_rn(x, x));
    }
    sums[i] = sum;
    squares[i] = square;
  }
}
