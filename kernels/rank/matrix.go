// Package rank computes scores that nodes have of their neighbours' scores: PageRank, ArticleRank, Katz's index,
// eigenvector centrality, hubs and authorities. All multiply vectors by the matrix of the arcs again and again, until
// the scores stay.
package rank

import (
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// blockWork is the work of a block of rows, in arcs and rows: enough to be worth handing out, and so little that
// threads end together. Sums of a block are added up in the order of the blocks, so it must not depend on the number of
// threads.
const blockWork = 1 << 14

// matrix multiplies vectors: a row adds up what the nodes of its arcs have. Products have the same bits for any number
// of threads.
type matrix struct {
	graph *export.Graph
	// factors has one factor per arc; nil where all are 1.
	factors []float64
	// blocks are the first rows of the blocks, and the number of rows.
	blocks  []int
	threads int
	stop    *stopper.Stopper
}

// newMatrix returns the matrix whose rows are those of the graph.
func newMatrix(g *export.Graph, factors []float64, threads int, stop *stopper.Stopper) *matrix {
	m := &matrix{graph: g, factors: factors, blocks: []int{0}, threads: threads, stop: stop}
	work := int64(0)
	for v := range int32(g.N()) {
		if work += 1 + g.Degree(v); work >= blockWork {
			m.blocks, work = append(m.blocks, int(v)+1), 0
		}
	}
	if last := m.blocks[len(m.blocks)-1]; last < g.N() {
		m.blocks = append(m.blocks, g.N())
	}
	return m
}

// count is the number of blocks.
func (m *matrix) count() int { return len(m.blocks) - 1 }

// each calls do for every block of rows, on all threads.
func (m *matrix) each(do func(block, first, last int)) {
	var next atomic.Int64
	work := func() {
		for b := int(next.Add(1)) - 1; b < m.count() && !m.stop.Stopped(); b = int(next.Add(1)) - 1 {
			do(b, m.blocks[b], m.blocks[b+1])
		}
	}
	var others sync.WaitGroup
	for range min(m.threads, m.count()) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// pull writes to out, for each row of a block, the sum of the vector over its arcs.
func (m *matrix) pull(vector, out []float64, first, last int) {
	if m.factors != nil {
		m.pullFactors(vector, out, first, last)
		return
	}
	offsets, targets := m.graph.Offsets, m.graph.Targets
	for v := first; v < last; v++ {
		row := targets[offsets[v]:offsets[v+1]]
		var a, b, c, d float64 // four sums, since each addition waits for the one before it
		for ; len(row) >= 4; row = row[4:] {
			a += vector[row[0]]
			b += vector[row[1]]
			c += vector[row[2]]
			d += vector[row[3]]
		}
		for _, u := range row {
			a += vector[u]
		}
		out[v] = (a + b) + (c + d)
	}
}

func (m *matrix) pullFactors(vector, out []float64, first, last int) {
	offsets, targets := m.graph.Offsets, m.graph.Targets
	for v := first; v < last; v++ {
		row := targets[offsets[v]:offsets[v+1]]
		factors := m.factors[offsets[v]:][:len(row)]
		var a, b float64
		for ; len(row) >= 2; row, factors = row[2:], factors[2:] {
			a += factors[0] * vector[row[0]]
			b += factors[1] * vector[row[1]]
		}
		for i, u := range row {
			a += factors[i] * vector[u]
		}
		out[v] = a + b
	}
}
