// The closeness family from distances between branch nodes: see chain_folds.cuh.
#include "chain_folds.cuh"

#define CHAIN_FOLD_KERNEL(name, body, Fold)                           \
  extern "C" __global__ void __launch_bounds__(kChainFoldThreads)     \
      name(const ChainFolds* args, long long first, long long last) { \
    body<Fold>(args, first, last);                                    \
  }

CHAIN_FOLD_KERNEL(chain_folds_branches_sum, foldBranches, Sums)
CHAIN_FOLD_KERNEL(chain_folds_inner_sum, foldInner, Sums)
CHAIN_FOLD_KERNEL(chain_folds_branches_max, foldBranches, Maxima)
CHAIN_FOLD_KERNEL(chain_folds_inner_max, foldInner, Maxima)
