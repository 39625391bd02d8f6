package graphtest

import (
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
)

// Subdivided puts inner nodes into the edges of a random graph of hubs, and a leaf at every third hub.
func Subdivided(t testing.TB, hubs, edgesPerHub, inner int) *export.Graph {
	t.Helper()
	random := rand.New(rand.NewPCG(5, uint64(hubs)))
	n := int32(hubs)
	var edges []Link
	join := func(u, v int32) { edges = append(edges, Link{u, v, float64(1+random.IntN(4)) / 4}) }
	for range hubs * edgesPerHub {
		last, end := random.Int32N(int32(hubs)), random.Int32N(int32(hubs))
		for range random.IntN(inner + 1) {
			join(last, n)
			last, n = n, n+1
		}
		join(last, end)
	}
	for v := int32(0); v < int32(hubs); v += 3 {
		join(v, n)
		n++
	}
	return Links(t, int(n), false, true, edges)
}
