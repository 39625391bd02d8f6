package reduce_test

import (
	"math"
	"sort"

	"github.com/linchpin-graph/linchpin/export"
)

// bruteForce computes betweenness by its definition: distances by Floyd and Warshall, path counts by distance, then all
// pairs for all nodes and edges. It shares no idea with the reductions and is exact while counts stay below 2^53.
func bruteForce(g *export.Graph) (node, edge []float64) {
	n := g.N()
	source, target := g.Ends()
	weight := edgeWeights(g)
	dist, paths := square(n, math.Inf(1)), square(n, 0)
	for v := range n {
		dist[v][v] = 0
	}
	for e := range source {
		u, v := source[e], target[e]
		if u != v {
			dist[u][v] = min(dist[u][v], weight[e])
			dist[v][u] = dist[u][v]
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				dist[i][j] = min(dist[i][j], dist[i][k]+dist[k][j])
			}
		}
	}
	for s := range n {
		countPaths(g, s, dist[s], paths[s])
	}
	node, edge = make([]float64, n), make([]float64, g.M())
	for s := range n {
		for t := range s {
			if math.IsInf(dist[s][t], 0) {
				continue
			}
			for v := range n {
				if v != s && v != t && dist[s][v]+dist[v][t] == dist[s][t] {
					node[v] += paths[s][v] * paths[v][t] / paths[s][t]
				}
			}
			for e := range source {
				u, v := source[e], target[e]
				if u == v {
					continue
				}
				if dist[s][u]+weight[e]+dist[v][t] == dist[s][t] {
					edge[e] += paths[s][u] * paths[v][t] / paths[s][t]
				}
				if dist[s][v]+weight[e]+dist[u][t] == dist[s][t] {
					edge[e] += paths[s][v] * paths[u][t] / paths[s][t]
				}
			}
		}
	}
	return node, edge
}

func square(n int, fill float64) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
		for j := range out[i] {
			out[i][j] = fill
		}
	}
	return out
}

func edgeWeights(g *export.Graph) []float64 {
	w := make([]float64, g.M())
	for i := range int64(g.Arcs()) {
		w[g.Edge(i)] = g.Weight(i)
	}
	return w
}

func countPaths(g *export.Graph, s int, dist, paths []float64) {
	order := make([]int, g.N())
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return dist[order[i]] < dist[order[j]] })
	paths[s] = 1
	for _, v := range order {
		if math.IsInf(dist[v], 0) {
			break
		}
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			if w := g.Targets[i]; dist[v]+g.Weight(i) == dist[w] {
				paths[w] += paths[v]
			}
		}
	}
}
