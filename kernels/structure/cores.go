package structure

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// coreBytes bounds what cores keep per node: the degree, what is left, and what is peeled.
const coreBytes = 4 + 4 + 8 + 8

// cores peels nodes of the least degree, as PKC does (Kabir and Madduri, "Parallel k-core Decomposition on Multicore Platforms",
// 2017): at each level all threads look for nodes of that degree, and each peels some of them together with those that thereby
// come down to the level. A node's core is the level at which it is peeled.
func (t *task) cores() error {
	p := &peeling{simple: t.simple(), degree: make([]int32, t.graph.N()), left: make([]int32, t.graph.N())}
	for v := range p.degree {
		p.degree[v], p.left[v] = p.simple.degree(int32(v)), int32(v)
	}
	threads, peel := t.threads, p.peel
	if threads == 1 || len(p.simple.targets) < leastShared {
		threads, peel = 1, p.peelAlone
	}
	for len(p.left) > 0 && !t.stop.Stopped() {
		p.scan(threads)
		inparts.On(threads, peelPart, len(p.found), func(_, first, last int) {
			if !t.stop.Stopped() {
				peel(slices.Clone(p.found[first:last]))
			}
		})
		p.level++
	}
	for v, core := range p.degree {
		t.nodes[v] = float64(core)
	}
	return t.stop.Err()
}

const (
	// scanPart and peelPart are the numbers of nodes that a thread looks at, and peels, at a time.
	scanPart, peelPart = 1 << 14, 1 << 8
	// rowPart is the number of neighbours that are loaded together before they are counted down.
	rowPart = 256
	// leastShared is the number of arcs from which on several threads are faster than one, which needs no atomic operations.
	leastShared = 1 << 20
)

// peeling is a graph from which the nodes of low degree are taken.
type peeling struct {
	simple *simple
	level  int32
	// degree is that of each node in what is left of the graph. Of nodes that are peeled it is their level.
	degree []int32
	// left has the nodes over the level, as of the last scan, and found those of the level.
	left, found []int32
	mu          sync.Mutex
	least       int32
	kept        []span
}

// span is a piece of left.
type span struct{ first, last int }

// scan finds the nodes of the next level that has any.
func (p *peeling) scan(threads int) {
	p.found, p.kept, p.least = p.found[:0], p.kept[:0], math.MaxInt32
	inparts.On(threads, scanPart, len(p.left), func(_, first, last int) { p.sift(first, last) })
	p.pack()
	if len(p.found) == 0 && len(p.left) > 0 {
		p.level = p.least
		p.scan(threads)
	}
}

// sift moves the nodes of left from first to last that are over the level to the front, and adds those of the level to found.
func (p *peeling) sift(first, last int) {
	var found []int32
	least, end := int32(math.MaxInt32), first
	for _, v := range p.left[first:last] {
		switch d := p.degree[v]; {
		case d == p.level:
			found = append(found, v)
		case d > p.level:
			p.left[end] = v
			end++
			least = min(least, d)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.found, p.kept, p.least = append(p.found, found...), append(p.kept, span{first, end}), min(p.least, least)
}

// pack closes the gaps of left.
func (p *peeling) pack() {
	slices.SortFunc(p.kept, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	end := 0
	for _, s := range p.kept {
		end += copy(p.left[end:], p.left[s.first:s.last])
	}
	p.left = p.left[:end]
}

// peel takes nodes of the level, and those that come down to it. Neighbours are loaded by
// the row first, since processors wait for the memory of one atomic operation before they begin the next.
func (p *peeling) peel(nodes []int32) {
	level := p.level
	var above [rowPart]int32
	for len(nodes) > 0 {
		v := nodes[len(nodes)-1]
		nodes = nodes[:len(nodes)-1]
		for row := range slices.Chunk(p.simple.row(v), rowPart) {
			count := 0
			for _, w := range row {
				above[count] = w
				if atomic.LoadInt32(&p.degree[w]) > level {
					count++
				}
			}
			for _, w := range above[:count] {
				switch d := atomic.AddInt32(&p.degree[w], -1); {
				case d == level:
					nodes = append(nodes, w)
				case d < level:
					atomic.AddInt32(&p.degree[w], 1)
				}
			}
		}
	}
}

// peelAlone is peel on one thread.
func (p *peeling) peelAlone(nodes []int32) {
	level, degree := p.level, p.degree
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
