// What searches make of counts of shortest paths.
#pragma once
#include "number.cuh"

// Betweenness: the share of a node is (1 + dependency) / count.
struct Betweenness {
  static constexpr bool counted = true, scaled = true;
  template <class T> using Sum = double;
  template <class T> __device__ static double sum(T x) { return value(x); }
  template <class T> __device__ static T share(T count, T below, T dependency) { return over(add(number<T>(1), dependency), count); }
};

// Stress: the share of a node is 1 + the number of ways on from it.
struct Stress {
  static constexpr bool counted = true, scaled = false;
  template <class T> using Sum = T;
  template <class T> __device__ static T sum(T x) { return x; }
  template <class T> __device__ static T share(T count, T below, T dependency) { return add(number<T>(1), below); }
};

// Levels counts nothing: for measures of distances only.
struct Levels {
  static constexpr bool counted = false, scaled = true;
  template <class T> using Sum = double;
};
