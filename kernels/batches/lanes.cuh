// Lanes: a row holds one number a source of a batch, a mask one bit.
#pragma once

// Range is within which counts of paths are kept: one over high() has its lane scaled by down(), one under low() makes
// the lane fail. Shares, at most n^2 / low() and a sum of them, stay finite, and so does every product.
template <class T> struct Range;
template <> struct Range<float> {
  static __device__ float high() { return 0x1p90f; }
  static __device__ float low() { return 0x1p-80f; }
  static __device__ float down() { return 0x1p-24f; }
  typedef float4 Vector;
};
template <> struct Range<double> {
  static __device__ double high() { return 0x1p900; }
  static __device__ double low() { return 0x1p-900; }
  static __device__ double down() { return 0x1p-100; }
  typedef double2 Vector;
};

// Mask has 32 W bits.
template <int W> struct Mask {
  unsigned w[W];
  __device__ bool any() const {
    unsigned x = w[0];
#pragma unroll
    for (int i = 1; i < W; i++) x |= w[i];
    return x != 0;
  }
  __device__ int count() const {
    int x = 0;
#pragma unroll
    for (int i = 0; i < W; i++) x += __popc(w[i]);
    return x;
  }
};

// load and store move the mask number v of an array.
template <int W> __device__ Mask<W> load(const unsigned* p, unsigned v) {
  Mask<W> m;
  if constexpr (W == 1) {
    m.w[0] = p[v];
  } else if constexpr (W == 2) {
    uint2 x = ((const uint2*)p)[v];
    m.w[0] = x.x, m.w[1] = x.y;
  } else {
#pragma unroll
    for (int i = 0; i < W / 4; i++) {
      uint4 x = ((const uint4*)p)[size_t(v) * (W / 4) + i];
      m.w[4 * i] = x.x, m.w[4 * i + 1] = x.y, m.w[4 * i + 2] = x.z, m.w[4 * i + 3] = x.w;
    }
  }
  return m;
}
template <int W> __device__ void store(unsigned* p, unsigned v, Mask<W> m) {
  if constexpr (W == 1) {
    p[v] = m.w[0];
  } else if constexpr (W == 2) {
    ((uint2*)p)[v] = make_uint2(m.w[0], m.w[1]);
  } else {
#pragma unroll
    for (int i = 0; i < W / 4; i++)
      ((uint4*)p)[size_t(v) * (W / 4) + i] = make_uint4(m.w[4 * i], m.w[4 * i + 1], m.w[4 * i + 2], m.w[4 * i + 3]);
  }
}
template <int W> __device__ Mask<W> operator&(Mask<W> a, const Mask<W>& b) {
#pragma unroll
  for (int i = 0; i < W; i++) a.w[i] &= b.w[i];
  return a;
}
template <int W> __device__ Mask<W> operator|(Mask<W> a, const Mask<W>& b) {
#pragma unroll
  for (int i = 0; i < W; i++) a.w[i] |= b.w[i];
  return a;
}
template <int W> __device__ Mask<W> operator~(Mask<W> a) {
#pragma unroll
  for (int i = 0; i < W; i++) a.w[i] = ~a.w[i];
  return a;
}
// none is the mask without bits.
template <int W> __device__ Mask<W> none() {
  Mask<W> m;
#pragma unroll
  for (int i = 0; i < W; i++) m.w[i] = 0;
  return m;
}

// orOfWarp returns the bits that any thread of the warp has.
__device__ inline unsigned orOfWarp(unsigned x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(~0u, x);
#else
#pragma unroll
  for (int k = 16; k > 0; k /= 2) x |= __shfl_xor_sync(~0u, x, k);
  return x;
#endif
}

// leastOfWarp returns the least number that any thread of the warp has.
__device__ inline unsigned leastOfWarp(unsigned x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(~0u, x);
#else
#pragma unroll
  for (int k = 16; k > 0; k /= 2) x = min(x, __shfl_xor_sync(~0u, x, k));
  return x;
#endif
}
