package reduce_test

import (
	"runtime"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// TestLargeShapes has shapes of 200,000 nodes with known scores, which the reductions must score in linear time.
func TestLargeShapes(t *testing.T) {
	const n = 200_000
	type known struct{ node, edge func(i int) float64 }
	constant := func(x float64) func(int) float64 { return func(int) float64 { return x } }
	for _, c := range []struct {
		name string
		make func(s *sketch)
		want known // in the order of nodes; of edges, ordered by ends
	}{
		{"path", func(s *sketch) { line(s, n) }, known{
			func(v int) float64 { return float64(v) * float64(n-1-v) },
			func(e int) float64 { return float64(e+1) * float64(n-1-e) },
		}},
		{"star", func(s *sketch) {
			s.n = n
			for v := 1; v < n; v++ {
				s.add(0, v)
			}
		}, known{func(v int) float64 {
			if v > 0 {
				return 0
			}
			return float64(n-1) * float64(n-2) / 2
		}, constant(n - 1)}},
		{"cycle", func(s *sketch) { line(s, n); s.add(0, n-1) },
			known{constant((n - 2) * (n - 2) / 8.), constant(n * n / 8.)}},
		{"isolated", func(s *sketch) { s.n = n }, known{constant(0), nil}},
		{"triangles apart", func(s *sketch) {
			s.n = n - n%3
			for v := 0; v < s.n; v += 3 {
				s.add(v, v+1)
				s.add(v, v+2)
				s.add(v+1, v+2)
			}
		}, known{constant(0), constant(1)}},
		{"twins between two hubs", func(s *sketch) {
			s.n = n
			for v := 2; v < n; v++ {
				s.add(0, v)
				s.add(1, v)
			}
		}, known{func(v int) float64 {
			if v < 2 {
				return (n - 2) * (n - 3) / 4.
			}
			return 1. / (n - 2)
		}, constant(1 + (n-3)/2. + 1./(n-2))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &sketch{}
			c.make(s)
			g := s.graph(t)
			node, edge, _ := scores(t, g, reduce.Options{Threads: 1})
			wantNode, wantEdge := make([]float64, len(node)), make([]float64, len(edge))
			for v := range node {
				wantNode[v] = c.want.node(v)
			}
			for e := range edge {
				wantEdge[e] = c.want.edge(e)
			}
			if d := max(difference(node, wantNode), difference(edge, wantEdge)); d > 1e-11 {
				t.Errorf("off by %g", d)
			}
		})
	}
}

// line makes a path of n nodes.
func line(s *sketch, n int) {
	s.n = n
	for v := range n - 1 {
		s.add(v, v+1)
	}
}

// TestBytesBoundsMemory holds the bound against everything that is ever allocated.
func TestBytesBoundsMemory(t *testing.T) {
	graphs := largerGraphs(t)
	for name, make := range map[string]func(s *sketch){
		"path": func(s *sketch) { line(s, 100_000) },
		"triangles in a row": func(s *sketch) {
			for s.n = 1; s.n < 60_000; {
				s.path(s.n-1, s.n-1, 3)
			}
		},
		"complete": func(s *sketch) {
			for s.n = 1; s.n < 300; s.n++ {
				for v := range s.n {
					s.add(v, s.n)
				}
			}
		},
		"chains between few": func(s *sketch) {
			for s.n = 60; s.n < 2000; {
				s.path(s.n%60, s.n*7%60, 2+s.n%3)
			}
		},
	} {
		s := &sketch{}
		make(s)
		graphs[name] = s.graph(t)
	}
	for name, g := range graphs {
		for _, o := range []reduce.Options{{Threads: 1, Memory: 1 << 16}, {Threads: 2}} {
			for _, o := range []reduce.Options{o, o.AllLarge()} {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				scores(t, g, o)
				runtime.ReadMemStats(&after)
				took, bound := int64(after.TotalAlloc-before.TotalAlloc), reduce.Bytes(int64(g.N()), int64(g.M()), o)
				if took > bound {
					t.Errorf("%s, %d threads: %d bytes, the bound is %d", name, o.Threads, took, bound)
				}
			}
		}
	}
}
