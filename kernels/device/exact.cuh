// Exact sums in fixed point, the same as package exact on the host: a sum has the same bits in whatever order its terms are added.
#pragma once

// Exact is one sum: words of two's complement that count units of 1 / unit, and of 1 / (unit * fine).
struct __align__(16) Exact {
  unsigned long long high, low;
};


// addExact adds x to a sum in device memory, which other threads may add to at the same time.
__device__ inline void addExact(Exact* sum, double x, double unit, double fine) {
  const double scaled = x * unit;
  const long long high = __double2ll_rz(scaled);
  const long long low = __double2ll_rz((scaled - double(high)) * fine);
  if (high) atomicAdd(&sum->high, (unsigned long long)high);
  if (low) atomicAdd(&sum->low, (unsigned long long)low);
}

// addWords adds a sum to another one that other threads may add to at the same time.
__device__ inline void addWords(Exact* sum, const Exact& x) {
  if (x.high) atomicAdd(&sum->high, x.high);
  if (x.low) atomicAdd(&sum->low, x.low);
}

// exactOf returns x as a sum of its own.
__device__ inline Exact exactOf(double x, double unit, double fine) {
  Exact sum = {0, 0};
  const double scaled = x * unit;
  const long long high = __double2ll_rz(scaled);
  sum.high = (unsigned long long)high;
  sum.low = (unsigned long long)__double2ll_rz((scaled - double(high)) * fine);
  return sum;
}
