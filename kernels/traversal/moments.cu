// Samples of sources: the blocks of a launch of betweenness have left a row of dependencies each, of one source.

// moments_add adds count rows to sums, and to differences the squares by which each two rows in turn differ, and clears
// the rows. A row has width numbers, and number i of it is at i; or, if there are places, the sum of those at two
// places, the second of which may be negative for none. The last row waits in held for the next call if it is the first
// of two; waits reports whether one does from before. Sums are in the order of the rows.
extern "C" __global__ void moments_add(double* rows, long long width, long long count, const int2* places, long long n,
    long long waits, double* held, double* sums, double* differences) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    const int2 at = places ? places[i] : make_int2((int)i, -1);
    double sum = sums[i], difference = differences[i], first = waits ? held[i] : 0;
    bool second = waits;
    for (long long b = 0; b < count; b++, second = !second) {
      double* row = rows + b * width;
      double x = row[at.x];
      if (x != 0) row[at.x] = 0;
      if (at.y >= 0) {
        const double y = row[at.y];
        if (y != 0) row[at.y] = 0;
        x += y;
      }
      sum += x;
      if (second) difference = __dadd_rn(difference, __dmul_rn(first - x, first - x));
      first = x;
    }
    sums[i] = sum;
    differences[i] = difference;
    if (second) held[i] = first;
  }
}
