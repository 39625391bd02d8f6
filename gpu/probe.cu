// probe: out[i] = factor * in[i] + offset for i < n. It shows that a device runs our kernels and that arguments of every
// width arrive.
extern "C" __global__ void probe(const double *in, double *out, int n, double factor, float offset)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = factor * in[i] + offset;
}
