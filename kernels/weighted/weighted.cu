// Betweenness and folds of distances by weights, 32 sources at a time: strategy batched, see
// docs/design/batches-by-weights.md.
#include "backward.cuh"

BATCHED_WEIGHTED_KERNEL(batched_ticks32_f32, Ticks<unsigned>, float)
BATCHED_WEIGHTED_KERNEL(batched_ticks32_f64, Ticks<unsigned>, double)
BATCHED_WEIGHTED_KERNEL(batched_ticks64_f32, Ticks<unsigned long long>, float)
BATCHED_WEIGHTED_KERNEL(batched_ticks64_f64, Ticks<unsigned long long>, double)
BATCHED_WEIGHTED_KERNEL(batched_reals_f32, Reals, float)
BATCHED_WEIGHTED_KERNEL(batched_reals_f64, Reals, double)

BATCHED_FOLD_KERNEL(batched_folds_ticks32, Ticks<unsigned>)
BATCHED_FOLD_KERNEL(batched_folds_ticks64, Ticks<unsigned long long>)
BATCHED_FOLD_KERNEL(batched_folds_reals, Reals)
