package cpu

import (
	"bufio"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/kernels"
)

// The oracle files hold betweenness that other programs computed. Their tolerances are those to which the files were
// checked against one another; see their README.

func oracleScores(t *testing.T, file string) map[string]float64 {
	out := map[string]float64{}
	lines := bufio.NewScanner(dataFile(t, "oracles", file))
	for lines.Scan() {
		f := strings.Fields(strings.ReplaceAll(lines.Text(), ":", " "))
		x, err := strconv.ParseFloat(f[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		out[f[0]] = x
	}
	return out
}

func TestBetweennessAgainstOracleFiles(t *testing.T) {
	for _, c := range []struct {
		graph, file string
		directed    bool
		tolerance   float64 // absolute: the files show six decimals, or were summed in another order
		rename      map[string]string
		slow        bool
	}{
		{graph: "as-caida20071105", file: "as-caida20071105.bc.txt.gz", tolerance: 1e-8,
			rename: map[string]string{"26475": "0"}, slow: true},
		{graph: "ca-GrQc-lcc", file: "ca-GrQc-lcc.bc.txt.gz", tolerance: 1e-6},
		{graph: "email-Enron-lcc", file: "email-Enron-lcc.bc.txt.gz", tolerance: 1e-6, slow: true},
		{graph: "wiki-Vote", file: "wiki-vote.bc.original-ids.txt.gz", directed: true, tolerance: 1e-6},
	} {
		t.Run(c.graph, func(t *testing.T) {
			if testing.Short() && c.slow {
				t.Skip("-short leaves out the graphs of 26,000 and more nodes")
			}
			want := oracleScores(t, c.file)
			g, names := dataGraph(t, c.graph, c.directed)
			start := time.Now()
			got := compute(t, g, "betweenness", kernels.Request{Nodes: true, Edges: true})
			t.Logf("n %d, m %d: %.1f s", g.N(), g.M(), time.Since(start).Seconds())
			for v, x := range got.Nodes {
				name := names[v]
				if other, ok := c.rename[name]; ok {
					name = other
				}
				y, ok := want[name]
				if !ok {
					t.Fatalf("the oracle has no node %s", name)
				}
				if d := x - y; (d > c.tolerance || d < -c.tolerance) && !within(x, y, 1e-9) {
					t.Fatalf("node %s: %v, oracle %v", name, x, y)
				}
			}
		})
	}
}
