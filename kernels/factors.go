package kernels

import (
	"github.com/linchpin-graph/linchpin/export"
)

// BetweennessFactors returns what sums over ordered pairs are multiplied by to give the scores of nodes and of edges.
func BetweennessFactors(g *export.Graph, r Request) (nodes, edges float64) {
	factor := sampleScale(r)
	n := float64(g.N())
	switch {
	case r.Normalized != nil && *r.Normalized:
		// An undirected graph has half the pairs and half the divisor.
		nodes, edges = Quotient(factor, (n-1)*(n-2)), Quotient(factor, n*(n-1))
		if r.Endpoints {
			nodes = edges
		}
		return nodes, edges
	case !r.halved(g):
		return factor, factor
	}
	return factor / 2, factor / 2
}

func sumOf(a, b float64) float64 { return a + b }

// sampleScale is what sums over sources are multiplied by.
func sampleScale(r Request) float64 {
	if r.Scale == 0 {
		return 1
	}
	return r.Scale
}

// Quotient returns a / b, and 0 when b is 0.
func Quotient(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
