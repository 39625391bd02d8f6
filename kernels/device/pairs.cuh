// What the pairs of one search add up to where pairs are chosen: only those with some targets count, or pairs count by
// masses. Sums have the same bits in whatever order the nodes of a search are on its stack, which is a matter of
// chance.
#pragma once
#include "number.cuh"

// Chosen is which pairs count.
//
// host: enumeration
enum Chosen : long long {
  allPairs,      // all, once each
  pairsOnce,     // those with a target of mass 1, once each
  pairsByMasses  // those whose masses are both over 0, as much as the product of the two
};

// kDemandBits is how many powers of two products of masses may be away from 1, and some more. Counts of paths stay as
// far from the least and the greatest of what a number holds, so that quotients of the two are normal numbers.
constexpr int kDemandBits = 250;

// listTrips makes the masses of targets, n of this block, those of the pairs that are listed of a source, and 0 for all
// other nodes. last is the source before and 1, or 0 for none. The caller synchronises before and after.
template <class Args> __device__ void listTrips(const Args& p, unsigned source, double* masses, unsigned* last) {
  const unsigned before = *last;
  if (before)
    for (long long i = p.tripOffsets[before - 1] + threadIdx.x; i < p.tripOffsets[before]; i += blockDim.x)
      masses[p.tripTargets[i]] = 0;
  __syncthreads();
  for (long long i = p.tripOffsets[source] + threadIdx.x; i < p.tripOffsets[source + 1]; i += blockDim.x)
    masses[p.tripTargets[i]] = p.amounts[i];
  if (threadIdx.x == 0) *last = source + 1;
}

constexpr int kSumDigit = 31;  // bits of a term that a digit takes: 2^32 terms fit 64 bits

// ChosenPairs is those of one search. It is in shared memory.
struct ChosenPairs {
  unsigned long long count, hops;
  double demand;  // what they count together
  int greatest;   // the exponent of the greatest term
  unsigned long long digits[3];

  // toWarp adds the numbers of the threads of a warp to one of the block.
  __device__ static void toWarp(unsigned long long x, unsigned long long* sum) {
#pragma unroll
    for (int k = 16; k > 0; k /= 2) x += __shfl_xor_sync(~0u, x, k);
    if (threadIdx.x % 32 == 0 && x) atomicAdd(sum, x);
  }

  // tally counts the places from 1 on, under end, where counts(k) holds, and adds up levels by hop(k). All threads of
  // the block call it.
  template <class Counts, class Hop> __device__ void tally(unsigned end, Counts counts, Hop hop) {
    if (threadIdx.x == 0) count = hops = 0;
    __syncthreads();
    unsigned long long some = 0, far = 0;
    for (unsigned k = 1 + threadIdx.x; k < end; k += blockDim.x) {
      if (!counts(k)) continue;
      some++;
      far += hop(k);
    }
    toWarp(some, &count);
    toWarp(far, &hops);
    __syncthreads();
  }

  // sum adds up term(k), which is not negative, over the places from 1 on, under end. All threads of the block call it.
  template <class Term> __device__ double sum(unsigned end, Term term) {
    if (threadIdx.x == 0) {
      greatest = -1000;
      digits[0] = digits[1] = digits[2] = 0;
    }
    __syncthreads();
    int most = -1000;
    for (unsigned k = 1 + threadIdx.x; k < end; k += blockDim.x) most = max(most, exponentOf(double(term(k))));
#pragma unroll
    for (int k = 16; k > 0; k /= 2) most = max(most, __shfl_xor_sync(~0u, most, k));
    if (threadIdx.x % 32 == 0) atomicMax(&greatest, most);
    __syncthreads();
    const int shift = min(1000, kSumDigit - 1 - greatest);
    const double unit = powerOfTwo(shift), fine = powerOfTwo(kSumDigit);
    unsigned long long own[3] = {0, 0, 0};
    for (unsigned k = 1 + threadIdx.x; k < end; k += blockDim.x) {
      double rest = term(k) * unit;
#pragma unroll
      for (int i = 0; i < 3; i++) {
        const long long digit = __double2ll_rz(rest);
        own[i] += (unsigned long long)digit;
        rest = (rest - double(digit)) * fine;
      }
    }
#pragma unroll
    for (int i = 0; i < 3; i++) toWarp(own[i], &digits[i]);
    __syncthreads();
    const double total = (double(digits[0]) + (double(digits[1]) + double(digits[2]) / fine) / fine) / unit;
    __syncthreads();
    return total;
  }
};
