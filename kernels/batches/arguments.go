// Package batches is what engines share that search from many sources at a time: the graph in the order of batches,
// launches of kernels whose teams take one batch after another, exact sums, and profiles.
package batches

//go:generate go run ../../internal/kernelgen -exported
