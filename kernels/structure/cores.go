package structure

import (
	"slices"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// coreBytes bounds what cores keep per node: the degree, what is left, and what is peeled.
const coreBytes = 4 + 4 + 8 + 8

// cores peels nodes of the least degree: each thread peels some of a level, together with those that thereby come down
// to it. A node's core is the level at which it is peeled.
func (t *task) cores() error {
	p, degrees := &peeling{simple: t.simple()}, make([]int32, t.graph.N())
	for v := range degrees {
		degrees[v] = p.simple.degree(int32(v))
	}
	p.nodes = newLevels(degrees)
	threads, peel := t.threads, p.peel
	if threads == 1 || len(p.simple.targets) < leastShared {
		threads, peel = 1, p.peelAlone
	}
	for len(p.nodes.left) > 0 && !t.stop.Stopped() {
		p.nodes.scan(threads)
		inparts.On(threads, peelPart, len(p.nodes.found), func(_, first, last int) {
			if !t.stop.Stopped() {
				peel(slices.Clone(p.nodes.found[first:last]))
			}
		})
		p.nodes.level++
	}
	for v, core := range p.nodes.counts {
		t.nodes[v] = float64(core)
	}
	return t.stop.Err()
}

const (
	// peelPart is the number of nodes that a thread peels at a time.
	peelPart = 1 << 8
	// rowPart is the number of neighbours that are loaded together before they are counted down.
	rowPart = 256
	// leastShared is the number of arcs from which on several threads are faster than one, which needs no atomic
	// operations.
	leastShared = 1 << 20
)

// peeling is a graph from which the nodes of low degree are taken.
type peeling struct {
	simple *simple
	nodes  *levels // by their degrees
}

// peel takes nodes of the level, and those that come down to it. Neighbours are loaded by
// the row first, since processors wait for the memory of one atomic operation before they begin the next.
func (p *peeling) peel(nodes []int32) {
	level, degree := p.nodes.level, p.nodes.counts
	var above [rowPart]int32
	for len(nodes) > 0 {
		v := nodes[len(nodes)-1]
		nodes = nodes[:len(nodes)-1]
		for row := range slices.Chunk(p.simple.row(v), rowPart) {
			count := 0
			for _, w := range row {
				above[count] = w
				if atomic.LoadInt32(&degree[w]) > level {
					count++
				}
			}
			for _, w := range above[:count] {
				switch d := atomic.AddInt32(&degree[w], -1); {
				case d == level:
					nodes = append(nodes, w)
				case d < level:
					atomic.AddInt32(&degree[w], 1)
				}
			}
		}
	}
}

// peelAlone is peel on one thread.
func (p *peeling) peelAlone(nodes []int32) {
	level, degree := p.nodes.level, p.nodes.counts
	for len(nodes) > 0 {
		v := nodes[len(nodes)-1]
		nodes = nodes[:len(nodes)-1]
		for _, w := range p.simple.row(v) {
			if d := degree[w]; d > level {
				degree[w] = d - 1
				if d-1 == level {
					nodes = append(nodes, w)
				}
			}
		}
	}
}
