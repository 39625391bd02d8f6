// The closeness family and distances by weights: after Fan, Xu & Zhao 2017, without the backward pass.
#include "folds.cuh"

FOLD_KERNEL(closeness_ticks32, Ticks<unsigned>)
FOLD_KERNEL(closeness_ticks64, Ticks<unsigned long long>)
FOLD_KERNEL(closeness_reals, Reals)

FOLD_RANGES_KERNEL(closeness_ticks32_ranges, Ticks<unsigned>)
FOLD_RANGES_KERNEL(closeness_ticks64_ranges, Ticks<unsigned long long>)
FOLD_RANGES_KERNEL(closeness_reals_ranges, Reals)
