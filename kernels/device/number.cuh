// Numbers for counts of shortest paths: float, double, and Wide, which has double's precision and any size.
#pragma once

// Wide is mantissa * 2^exponent, the mantissa in [1, 2), or 0.
struct __align__(16) Wide {
  double mantissa;
  long long exponent;
};

__device__ inline int exponentOf(double x) { return ((__double2hiint(x) >> 20) & 0x7ff) - 1023; }
__device__ inline int exponentOf(float x) { return ((__float_as_int(x) >> 23) & 0xff) - 127; }
__device__ inline int exponentOf(const Wide&) { return 0; }

__device__ inline double powerOfTwo(int k) { return __hiloint2double((k + 1023) << 20, 0); }

// normal returns m * 2^e as a Wide, for an m that is 0 or a normal number.
__device__ inline Wide normal(double m, long long e) {
  if (m == 0) return Wide{0, 0};
  int k = exponentOf(m);
  return Wide{m * powerOfTwo(-k), e + k};
}

template <class T> __device__ inline T number(double x) { return T(x); }
template <> __device__ inline Wide number<Wide>(double x) { return normal(x, 0); }

__device__ inline float add(float a, float b) { return a + b; }
__device__ inline double add(double a, double b) { return a + b; }
__device__ inline long long add(long long a, long long b) { return a + b; }
__device__ inline Wide add(Wide a, Wide b) {
  if (a.mantissa == 0) return b;
  if (b.mantissa == 0) return a;
  // The greater comes first, so that the sum does not depend on the order of the two.
  if (a.exponent < b.exponent) {
    Wide t = a;
    a = b;
    b = t;
  }
  long long gap = a.exponent - b.exponent;
  if (gap > 64) return a;
  return normal(a.mantissa + b.mantissa * powerOfTwo(-int(gap)), a.exponent);
}

__device__ inline float mul(float a, float b) { return a * b; }
__device__ inline double mul(double a, double b) { return a * b; }
__device__ inline Wide mul(Wide a, Wide b) { return normal(a.mantissa * b.mantissa, a.exponent + b.exponent); }

__device__ inline float over(float a, float b) { return a / b; }
__device__ inline double over(double a, double b) { return a / b; }
__device__ inline Wide over(Wide a, Wide b) { return normal(a.mantissa / b.mantissa, a.exponent - b.exponent); }

__device__ inline bool positive(float a) { return a > 0; }
__device__ inline bool positive(double a) { return a > 0; }
__device__ inline bool positive(const Wide& a) { return a.mantissa > 0; }

// value returns a as a double: 0 when it is too small for one, infinite when too great.
__device__ inline double value(float a) { return a; }
__device__ inline double value(double a) { return a; }
__device__ inline double value(const Wide& a) {
  if (a.mantissa == 0 || a.exponent < -1022) return 0;
  if (a.exponent > 1023) return __longlong_as_double(0x7ff0000000000000ll);
  return a.mantissa * powerOfTwo(int(a.exponent));
}

// Wider is what numbers of type T are summed in, so that float32 counts keep 1e-5 over rows of any length.
template <class T> struct Wider { using type = T; };
template <> struct Wider<float> { using type = double; };

// Span says how counts of one level are kept in range. When the greatest passes 2^high, the next level's are divided so
// that it would have become 2^target; when one falls under 2^low, or is not finite, the source is counted again with
// wider numbers. High, low and the factor 2^32 that a level can grow by keep counts, shares and their sums normal.
template <class T> struct Span;
template <> struct Span<float> { static constexpr int high = 58, target = 48, low = -58; };
template <> struct Span<double> { static constexpr int high = 600, target = 500, low = -900; };
template <> struct Span<Wide> { static constexpr int high = 1 << 30, target = 0, low = -(1 << 30); };

template <class T> __device__ inline T shuffleXor(unsigned mask, T x, int lane, int width) {
  return __shfl_xor_sync(mask, x, lane, width);
}
template <> __device__ inline Wide shuffleXor(unsigned mask, Wide x, int lane, int width) {
  return Wide{__shfl_xor_sync(mask, x.mantissa, lane, width), __shfl_xor_sync(mask, x.exponent, lane, width)};
}
template <class T> __device__ inline T shuffleUp(unsigned mask, T x, int by) { return __shfl_up_sync(mask, x, by); }
template <> __device__ inline Wide shuffleUp(unsigned mask, Wide x, int by) {
  return Wide{__shfl_up_sync(mask, x.mantissa, by), __shfl_up_sync(mask, x.exponent, by)};
}
template <class T> __device__ inline T shuffle(unsigned mask, T x, int from) { return __shfl_sync(mask, x, from); }
template <> __device__ inline Wide shuffle(unsigned mask, Wide x, int from) {
  return Wide{__shfl_sync(mask, x.mantissa, from), __shfl_sync(mask, x.exponent, from)};
}
