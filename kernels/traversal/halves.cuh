// The dependency of an arc that leads on is the product of two numbers: the count of the paths to its tail, scaled as
// its level is, and the share of its head. So a search that leaves both for each node need not write anything for arcs.
// In an undirected graph, levels of neighbours differ by 1 at most.
#pragma once
#include "../device/number.cuh"

// Halves are the two of a node: that of the arcs whose tail it is, 0 if it was not reached, and that of those whose
// head it is. Their signs tell its level mod 4.
template <class T> struct __align__(16) Halves { T tail, head; };

__device__ inline double negative(double x) { return -x; }
__device__ inline Wide negative(Wide x) { return Wide{-x.mantissa, x.exponent}; }
__device__ inline bool isNegative(double x) { return x < 0; }
__device__ inline bool isNegative(const Wide& x) { return x.mantissa < 0; }
__device__ inline bool isZero(double x) { return x == 0; }
__device__ inline bool isZero(const Wide& x) { return x.mantissa == 0; }

template <class T> __device__ inline Halves<T> halvesOf(T tail, T head, int level) {
  return Halves<T>{level & 1 ? negative(tail) : tail, level & 2 ? negative(head) : head};
}

template <class T> __device__ inline int levelMod4(const Halves<T>& x) {
  return int(isNegative(x.tail)) + 2 * int(isNegative(x.head));
}

// dependencyOf is that of an arc from a to b: 0 if it does not lead on.
template <class T> __device__ inline double dependencyOf(const Halves<T>& a, const Halves<T>& b) {
  if (isZero(a.tail) || (levelMod4(b) - levelMod4(a) & 3) != 1) return 0;
  return fabs(value(mul(a.tail, b.head)));
}
