// Betweenness and folds of distances by real weights on dense graphs, 32 sources at a time: strategy batched, see
// docs/design/batches-by-weights.md.
#include "backward.cuh"

BATCHED_WEIGHTED_KERNEL(batched_bounded_reals_f32, Bounded<Reals>, float)
BATCHED_WEIGHTED_KERNEL(batched_bounded_reals_f64, Bounded<Reals>, double)

BATCHED_FOLD_KERNEL(batched_folds_bounded_reals, Bounded<Reals>)
