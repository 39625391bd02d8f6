package adaptive

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Sums are the sums of an adaptive sample over the sources so far.
type Sums struct {
	Nodes, Edges StoppingSums
	// Searched is the number of sources.
	Searched int
}

// NewSums begins a sample; Edges are empty unless the request asks for them.
func NewSums(g *export.Graph, r kernels.Request, a Sample) *Sums {
	threshold := a.C * float64(g.N())
	s := &Sums{Nodes: newStoppingSums(g.N(), threshold, a.Nodes)}
	if r.Edges {
		s.Edges = newStoppingSums(g.M(), threshold, nil)
	}
	return s
}

// StoppingSums are sums of nodes, or of edges, each of which stops when it passes a threshold.
type StoppingSums struct {
	Sum []float64
	// Taken is how many sources each took before it stopped; 0 while it has not.
	Taken []int32
	// Waiting is how many of those that are wanted have not stopped.
	Waiting   int
	wanted    []bool // nil for all
	threshold float64
}

func newStoppingSums(n int, threshold float64, wanted []int32) StoppingSums {
	s := StoppingSums{Sum: make([]float64, n), Taken: make([]int32, n), threshold: threshold, Waiting: n}
	if wanted == nil {
		return s
	}
	s.Waiting, s.wanted = len(wanted), make([]bool, n)
	for _, v := range wanted {
		s.wanted[v] = true
	}
	return s
}

// Add adds to sum number i what source number searched gave; sources are counted from 1.
func (s *StoppingSums) Add(i int, x float64, searched int) {
	if s.Taken[i] > 0 {
		return
	}
	if s.Sum[i] += x; s.Sum[i] > s.threshold {
		s.Taken[i] = int32(searched)
		if s.wanted == nil || s.wanted[i] {
			s.Waiting--
		}
	}
}
