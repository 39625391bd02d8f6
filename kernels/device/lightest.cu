// The least weight of an arc of each node, which searches by weights need.
namespace {
template <class Weight>
__device__ void lightestArc(
    long long n, const long long* offsets, const unsigned* targets, const Weight* weights, Weight none, Weight* out) {
  for (long long v = blockIdx.x * (long long)blockDim.x + threadIdx.x; v < n; v += (long long)gridDim.x * blockDim.x) {
    Weight least = none;
    for (long long e = offsets[v]; e < offsets[v + 1]; e++)
      if (targets[e] != v && !(weights[e] >= least)) least = weights[e];
    out[v] = least;
  }
}
}  // namespace

// The lightest arc that leaves each node for another; all ones (a NaN for float64) when there is none.
extern "C" __global__ void lightest_ticks32(
    long long n, const long long* offsets, const unsigned* targets, const unsigned* weights, unsigned* out) {
  lightestArc(n, offsets, targets, weights, ~0u, out);
}
extern "C" __global__ void lightest_ticks64(long long n, const long long* offsets, const unsigned* targets,
    const unsigned long long* weights, unsigned long long* out) {
  lightestArc(n, offsets, targets, weights, ~0ull, out);
}
extern "C" __global__ void lightest_reals(
    long long n, const long long* offsets, const unsigned* targets, const double* weights, double* out) {
  lightestArc(n, offsets, targets, weights, __longlong_as_double(~0ll), out);
}
