// Exact sums in fixed point, the same as package exact on the host: a sum has the same bits in whatever order its terms are added.
#pragma once

// Exact is one sum: three digits of two's complement. The first counts units of 1 / unit, each other one units of 1 / fine of the
// one before it.
struct Exact {
  unsigned long long digits[3];
};

// addDigits adds x to a sum in device memory whose digits lie so far apart, and which other threads may add to at the same time.
// unit and fine are powers of two.
__device__ inline void addDigits(unsigned long long* first, size_t apart, double x, double unit, double fine) {
  double rest = x * unit;
#pragma unroll
  for (int i = 0; i < 3; i++) {
    const long long digit = __double2ll_rz(rest);
    if (digit) atomicAdd(first + i * apart, (unsigned long long)digit);
    rest = (rest - double(digit)) * fine;
    if (rest == 0) return;
  }
}

__device__ inline void addExact(Exact* sum, double x, double unit, double fine) { addDigits(sum->digits, 1, x, unit, fine); }

// addWords adds a sum to another one that other threads may add to at the same time.
__device__ inline void addWords(Exact* sum, const Exact& x) {
#pragma unroll
  for (int i = 0; i < 3; i++)
    if (x.digits[i]) atomicAdd(&sum->digits[i], x.digits[i]);
}
