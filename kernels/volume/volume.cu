// Volume of radius r (DACCER): the sum of the degrees of the nodes within r arcs of a node, each once, itself included.
// volume_bitmap searches breadth-first with a block a node and a bitmap of what it has seen. volume_lists is Cabral et
// al.'s way: sorted lists of the nodes within k arcs, grown by merging the sorted rows of the nodes k arcs away; theirs
// gives a thread to a node, this one a warp.
#include "../device/threads.cuh"

// Volumes are the arguments. Every field takes 8 bytes.
//
// host: arguments
struct Volumes {
  long long n;
  const long long* offsets;
  const unsigned* targets;
  const int* sources;
  double* volumes;  // a source
  long long radius;
  unsigned* scratch;  // volume_bitmap: n a block; volume_lists: 3n a warp
  unsigned* bits;     // volume_bitmap: a bitmap a block, where it is not in shared memory
  long long sharedBitmaps;
  long long lanes;  // volume_bitmap: threads a node of the ball
};

__device__ inline long long degree(const Volumes& p, unsigned v) { return p.offsets[v + 1] - p.offsets[v]; }

extern "C" __global__ void __launch_bounds__(1024) volume_bitmap(const Volumes* args, long long first, long long last) {
  __shared__ Volumes p;
  __shared__ unsigned tail;
  __shared__ unsigned long long volume;
  extern __shared__ unsigned bitmap[];
  if (threadIdx.x == 0) p = *args;
  __syncthreads();
  const Group<0> g(int(p.lanes));
  const long long words = (p.n + 31) / 32;
  unsigned* seen = p.sharedBitmaps ? bitmap : p.bits + blockIdx.x * words;
  unsigned* ball = p.scratch + blockIdx.x * p.n;
  for (long long i = threadIdx.x; i < words; i += blockDim.x) seen[i] = 0;
  for (long long i = first + blockIdx.x; i < last; i += gridDim.x) {
    const unsigned s = p.sources[i];
    __syncthreads();
    if (threadIdx.x == 0) {
      ball[0] = s;
      tail = 1;
      volume = degree(p, s);
      set(seen, s);
    }
    __syncthreads();
    unsigned long long sum = 0;
    unsigned lo = 0, hi = 1;
    for (long long k = 0; k < p.radius && lo < hi; k++) {
      for (unsigned j = lo + g.index; j < hi; j += g.count) {
        const unsigned v = ball[j];
        for (long long e = p.offsets[v] + g.lane; e < p.offsets[v + 1]; e += g.width) {
          const unsigned w = p.targets[e];
          if (test(seen, w) || !claim(seen, w)) continue;
          ball[atomicAdd(&tail, 1)] = w;
          sum += degree(p, w);
        }
      }
      __syncthreads();
      lo = hi;
      hi = tail;
      __syncthreads();
    }
    for (int k = 16; k > 0; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
    if (threadIdx.x % 32 == 0 && sum) atomicAdd(&volume, sum);
    if (hi > words) {
      for (long long j = threadIdx.x; j < words; j += blockDim.x) seen[j] = 0;
    } else {
      for (unsigned j = threadIdx.x; j < hi; j += blockDim.x) unset(seen, ball[j]);
    }
    __syncthreads();
    if (threadIdx.x == 0) p.volumes[i] = double(volume);
  }
}

// lowerBound returns how many of the ascending list are under x.
__device__ inline unsigned lowerBound(const unsigned* list, unsigned count, unsigned x) {
  unsigned lo = 0, hi = count;
  while (lo < hi) {
    const unsigned mid = (lo + hi) / 2;
    if (list[mid] < x) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

// appendNew appends to `added` what the sorted row has and the sorted list has not, each once, and returns how many.
__device__ inline unsigned appendNew(
    const unsigned* row, unsigned length, const unsigned* list, unsigned count, unsigned* added) {
  const unsigned lane = threadIdx.x % 32;
  unsigned found = 0;
  for (unsigned base = 0; base < length; base += 32) {
    const unsigned j = base + lane;
    bool fresh = false;
    unsigned x = 0;
    if (j < length) {
      x = row[j];
      const unsigned at = lowerBound(list, count, x);
      fresh = (j == 0 || row[j - 1] != x) && (at == count || list[at] != x);
    }
    const unsigned votes = __ballot_sync(~0u, fresh);
    if (fresh) added[found + __popc(votes & ((1u << lane) - 1))] = x;
    found += __popc(votes);
  }
  __syncwarp();
  return found;
}

// merge writes the ascending union of two ascending lists that share nothing.
__device__ inline void merge(const unsigned* a, unsigned countA, const unsigned* b, unsigned countB, unsigned* out) {
  for (unsigned i = threadIdx.x % 32; i < countA; i += 32) out[i + lowerBound(b, countB, a[i])] = a[i];
  for (unsigned i = threadIdx.x % 32; i < countB; i += 32) out[i + lowerBound(a, countA, b[i])] = b[i];
  __syncwarp();
}

extern "C" __global__ void volume_lists(const Volumes* args, long long first, long long last) {
  const Volumes p = *args;
  const long long warps = blockDim.x / 32, warp = blockIdx.x * warps + threadIdx.x / 32;
  unsigned *within = p.scratch + warp * 3 * p.n, *other = within + p.n, *layers = other + p.n;
  for (long long i = first + warp; i < last; i += gridDim.x * warps) {
    const unsigned s = p.sources[i];
    __syncwarp();
    if (threadIdx.x % 32 == 0) within[0] = layers[0] = s;
    __syncwarp();
    unsigned count = 1, lo = 0, hi = 1;
    for (long long k = 0; k < p.radius && lo < hi; k++) {
      const unsigned end = hi;
      for (unsigned j = lo; j < end; j++) {
        const unsigned v = layers[j];
        const unsigned added = appendNew(p.targets + p.offsets[v], unsigned(degree(p, v)), within, count, layers + hi);
        if (added == 0) continue;
        merge(within, count, layers + hi, added, other);
        unsigned* t = within;
        within = other;
        other = t;
        count += added;
        hi += added;
      }
      lo = end;
    }
    unsigned long long sum = 0;
    for (unsigned j = threadIdx.x % 32; j < count; j += 32) sum += degree(p, within[j]);
    for (int k = 16; k > 0; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
    if (threadIdx.x % 32 == 0) p.volumes[i] = double(sum);
  }
}
