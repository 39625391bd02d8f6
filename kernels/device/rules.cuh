// What searches make of counts of shortest paths.
#pragma once
#include "number.cuh"
#include "spaces.cuh"

// accumulate adds x to a sum in device memory that one thread at a time adds to, with a barrier between any two: the
// order is that of the additions, and the bits are the same every time. The memory adds, and the thread does not wait
// for it.
__device__ inline void accumulate(double* sum, double x) { addGlobal(sum, x); }
__device__ inline void accumulate(Wide* sum, Wide x) { *sum = add(*sum, x); }

// Betweenness: the share of a node is (mass + dependency) / count, with the mass of its pair with the source: 1 unless
// pairs are chosen or nodes stand for several.
struct Betweenness {
  static constexpr bool counted = true, scaled = true, rows = false;
  template <class T> using Sum = double;
  template <class T> __device__ static double sum(T x) { return value(x); }
  template <class T> __device__ static T share(T mass, T count, T below, T dependency) {
    return over(add(mass, dependency), count);
  }
};

// Stress: the share of a node is the mass of its pair with the source + the number of ways on from it, each times the
// mass of its pair.
struct Stress {
  static constexpr bool counted = true, scaled = false, rows = false;
  template <class T> using Sum = T;
  template <class T> __device__ static T sum(T x) { return x; }
  template <class T> __device__ static T share(T mass, T count, T below, T dependency) { return add(mass, below); }
};

// Levels counts nothing: for measures of distances only.
struct Levels {
  static constexpr bool counted = false, scaled = true, rows = false;
  template <class T> using Sum = double;
};

// Demanded is Betweenness on what reductions with chains leave (docs/design/reductions.md): arcs stand for several
// paths, the counts of a search are kept, and every source has a mass of its own for each node, what it demands of it.
struct Demanded : Betweenness { static constexpr bool rows = true; };
