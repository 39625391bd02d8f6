// Fold is what a measure of the closeness family makes of distances: kernels.Fold.
#pragma once

// host: enumeration
enum Fold : long long { foldSum, foldInverse, foldGreatest };
