// Exact sums in fixed point, the same as package exact on the host: a sum has the same bits in whatever order its terms
// are added.
#pragma once

// Exact is one sum: three digits of two's complement. The first counts units of 1 / unit, each other one units of 1 /
// fine of the one before it.
struct Exact { unsigned long long digits[3]; };

// addDigits adds x to a sum in device memory whose digits lie so far apart, and which other threads may add to at the
// same time. unit and fine are powers of two.
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

__device__ inline void addExact(Exact* sum, double x, double unit, double fine) {
  addDigits(sum->digits, 1, x, unit, fine);
}

// addWords adds a sum to another one that other threads may add to at the same time.
__device__ inline void addWords(Exact* sum, const Exact& x) {
#pragma unroll
  for (int i = 0; i < 3; i++)
    if (x.digits[i]) atomicAdd(&sum->digits[i], x.digits[i]);
}

// valueOf returns the value of a sum: the same bits as Scale.Value of package exact, which rounds after each step.
__device__ inline double valueOf(const Exact& sum, unsigned digit, double unit, double fine) {
  const long long low = (1ll << digit) - 1;
  const long long second = (long long)sum.digits[1] + ((long long)sum.digits[2] >> digit);
  const long long first = (long long)sum.digits[0] + (second >> digit);
  const double rest = __dadd_rn(double(second & low), __dmul_rn(double((long long)sum.digits[2] & low), fine));
  return __dmul_rn(__dadd_rn(double(first), __dmul_rn(rest, fine)), unit);
}
