// probe: out[i] = factor * in[i] + offset for i < n. It shows that a device runs our kernels and that arguments of
// every width arrive.
extern "C" __global__ void probe(const double* in, double* out, int n, double factor, float offset) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = factor * in[i] + offset;
}

// read_rows reads `visits` rows of `words` numbers from a memory of `rows` rows, a power of 2, and adds them up. Visit
// v reads row v * stride: one after another with stride 1, all over the memory with a great odd stride. A group of up
// to 32 threads reads a row. It measures what a graph in this memory costs a search.
extern "C" __global__ void read_rows(const unsigned* memory, unsigned long long rows, int words,
    unsigned long long visits, unsigned long long stride, unsigned* sum) {
  int group = words < 32 ? words : 32;
  unsigned long long first = (blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x) / group;
  unsigned long long groups = gridDim.x * (unsigned long long)blockDim.x / group;
  unsigned all = 0;
  for (unsigned long long v = first; v < visits; v += groups) {
    const unsigned* row = memory + ((v * stride) & (rows - 1)) * words;
    for (int i = threadIdx.x % group; i < words; i += group) all += row[i];
  }
  atomicAdd(sum, all);
}
