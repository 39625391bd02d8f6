// How lengths of paths by weights are added and compared: whole ticks, or float64 with a relative tolerance for ties.
#pragma once

__device__ inline double infinite() { return __longlong_as_double(0x7ff0000000000000ll); }

// Ticks measure in whole ticks; K is unsigned or unsigned long long.
template <class K> struct Ticks {
  using Key = K;
  using Weight = K;
  static constexpr bool exact = true;
  __device__ static K none() { return ~K(0); }
  __device__ static K plus(K d, K w) { return d + w; }
  __device__ static bool longer(K, K, K) { return true; }
  __device__ static bool endsPath(K from, K to, K w, double) { return from < to && from + w == to; }
  __device__ static double real(K d, double mul, double div) { return double(d) * mul / div; }
  // after returns a key that is farther by about width, and by 1 at least.
  __device__ static K after(K d, double width) {
    const K step = width < double(none() / 4) ? K(width) + 1 : none() / 4;
    return d < none() / 2 ? d + step : none();
  }
  // before returns the key that is nearer by width, but not under 0.
  using Span = K;
  __device__ static K span(double width) { return width < double(none() / 4) ? K(width) : none() / 4; }
  __device__ static K before(K d, K width) { return d > width ? d - width : 0; }
};

// Reals measure in float64. The keys are their bits, which order as the numbers do.
struct Reals {
  using Key = unsigned long long;
  using Weight = double;
  static constexpr bool exact = false;
  __device__ static Key none() { return ~0ull; }
  __device__ static double number(Key d) { return __longlong_as_double(d); }
  __device__ static Key plus(Key d, double w) { return __double_as_longlong(__dadd_rn(number(d), w)); }
  __device__ static bool longer(Key from, Key to, double) { return to > from && to < 0x7ff0000000000000ull; }
  __device__ static bool endsPath(Key from, Key to, double w, double tolerance) {
    return from < to && within(from, to, w, tolerance);
  }
  // within says no more of any greater from and lesser to than it does of these.
  __device__ static bool within(Key from, Key to, double w, double tolerance) {
    return __dadd_rn(number(from), w) <= __dmul_rn(number(to), 1 + tolerance);
  }
  // lengthens says that an arc of weight w is longer() from every distance up to most.
  __device__ static bool lengthens(Key most, double w) {
    return w > number(most) * 0x1p-51 && number(most) + w < infinite();
  }
  __device__ static double real(Key d, double, double) { return number(d); }
  __device__ static Key after(Key d, double width) { return __double_as_longlong(number(d) * (1 + 1e-6) + width); }
  using Span = double;
  __device__ static double span(double width) { return width; }
  __device__ static Key before(Key d, double width) {
    return __double_as_longlong(number(d) > width ? number(d) - width : 0);
  }
};

// uncertain is an exponent that no count has.
constexpr int uncertain = 1 << 20;

template <class T> struct Most { static constexpr int exponent = 900; };
template <> struct Most<float> { static constexpr int exponent = 60; };
