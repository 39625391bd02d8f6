package kernels

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// DrawSources draws count of the nodes 0..n-1 without replacement, in ascending order. The draw depends on nothing but
// its arguments, so every device and every number of threads searches from the same sources. All nodes come back when
// count is n or more, none when it is 0 or less.
func DrawSources(n, count int, seed int64) []int32 {
	return slices.Sorted(slices.Values(ShuffleSources(n, min(max(count, 0), n), seed)))
}

// Sample draws count of n nodes as sources, and returns them with what scores that are sums over sources are multiplied
// by. Where count is 0, or no less than n, all nodes are sources: nil.
func Sample(n, count int, seed int64) (sources []int32, scale float64) {
	if count <= 0 || count >= n {
		return nil, 1
	}
	return DrawSources(n, count, seed), float64(n) / float64(count)
}

// Draw is Sample of the sources of the request, or of all n nodes.
func (r Request) Draw(n, count int, seed int64) (sources []int32, scale float64) {
	if r.Sources == nil {
		return Sample(n, count, seed)
	}
	drawn, scale := Sample(len(r.Sources), count, seed)
	if drawn == nil {
		return r.Sources, scale
	}
	for i, at := range drawn {
		drawn[i] = r.Sources[at]
	}
	return drawn, scale
}

// ShuffleSources returns the first count nodes of the seed's random order of all n (Fisher and Yates' shuffle). A
// longer draw begins with every shorter one.
func ShuffleSources(n, count int, seed int64) []int32 {
	random := rand.New(rand.NewPCG(uint64(seed), 0x6c696e636870696e))
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	for i := range count {
		j := i + random.IntN(n-i)
		order[i], order[j] = order[j], order[i]
	}
	return order[:count]
}

// SourceCount is the number of sources in a graph of n nodes.
func (r Request) SourceCount(n int) int {
	if r.Sources == nil {
		return n
	}
	return len(r.Sources)
}

// CheckSources reports the first source that is no node of a graph of n, or that stands twice.
func (r Request) CheckSources(n int) error { return checkNodes("source", r.Sources, n) }

// checkNodes reports the first of some sources, or targets, that is no node of n, or that stands twice.
func checkNodes(what string, nodes []int32, n int) error {
	seen := make([]bool, n)
	for _, s := range nodes {
		switch {
		case s < 0 || int(s) >= n:
			return fmt.Errorf("%s %d is no node: the graph has nodes 0 to %d", what, s, n-1)
		case seen[s]:
			return fmt.Errorf("%s %d is given twice; each %s counts once", what, s, what)
		}
		seen[s] = true
	}
	return nil
}
