package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// place is a node: its name, and where it is drawn.
type place struct {
	name string
	x, y float64
}

// places has a hub with its leaves on the left, a bridge X, and a ring with a tail on the right.
var places = []place{
	{"H", 54, 66}, {"A", 18, 34}, {"B", 14, 78}, {"C", 34, 112}, {"D", 70, 110}, {"E", 56, 20}, {"X", 96, 66},
	{"P", 126, 66}, {"Q", 142, 34}, {"R", 170, 34}, {"S", 186, 66}, {"T", 170, 98}, {"U", 142, 98}, {"Z", 186, 124},
}

// link is an edge between two nodes by name. Only strength reads its weight.
type link struct {
	ends   string
	weight float64
}

// links are in the order of places, which export.NewUndirected demands.
var links = []link{
	{"HA", 1}, {"HB", 1}, {"HC", 1}, {"HD", 1}, {"HE", 1}, {"HX", 2}, {"AB", 1}, {"XP", 2},
	{"PQ", 1}, {"PU", 1}, {"QR", 5}, {"RS", 5}, {"ST", 1}, {"TU", 1}, {"TZ", 1},
}

// example is the graph of all pictures.
type example struct{ graph *export.Graph }

func newExample() (*example, error) {
	at := map[byte]int32{}
	for i, p := range places {
		at[p.name[0]] = int32(i)
	}
	var source, target []int32
	var weight []float64
	for _, l := range links {
		source, target, weight = append(source, at[l.ends[0]]), append(target, at[l.ends[1]]), append(weight, l.weight)
	}
	g, err := export.NewUndirected(len(places), source, target, weight)
	return &example{g}, err
}

// scored are the scores of one measure, with its default options.
type scored struct {
	measure kernels.Measure
	*kernels.Scores
}

// scores computes every measure: by hops, except those that need weights.
func (e *example) scores(ctx context.Context) ([]scored, error) {
	var all []scored
	for _, m := range kernels.Measures() {
		r := kernels.Request{Nodes: true, Edges: m.Edge != "", Threads: 1}
		r.Weighted = m.Weights == kernels.RequiredWeights
		s, err := cpu.Compute(ctx, m, e.graph, r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		all = append(all, scored{m, s})
	}
	return all, nil
}

func (e *example) csv() string {
	var b strings.Builder
	b.WriteString("source,target,weight\n")
	for _, l := range links {
		fmt.Fprintf(&b, "%c,%c,%g\n", l.ends[0], l.ends[1], l.weight)
	}
	return b.String()
}
