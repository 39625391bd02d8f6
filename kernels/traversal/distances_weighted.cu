// Distances by weights: after Fan, Xu & Zhao 2017, without the backward pass. See distances.cuh.
#include "distances.cuh"

ROWS_KERNEL(distances_ticks32, Ticks<unsigned>)
ROWS_KERNEL(distances_ticks64, Ticks<unsigned long long>)
ROWS_KERNEL(distances_reals, Reals)
