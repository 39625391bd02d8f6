package plan

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
)

// peerRecord is a line of bench/results/peers: what a program took for a row of make bench-peers.
type peerRecord struct {
	Row, Graph, Measure, Weights, Program, How string
	Sources, N                                 int64
	Threads                                    int
	Busy                                       bool
	Seconds                                    []float64
}

// readPeers returns the lines of linchpin itself whose graph is known.
func readPeers(t *testing.T) (out []peerRecord) {
	t.Helper()
	for _, r := range readLines[peerRecord](t, filepath.Join("..", "..", "bench", "results", "peers", "cpu.jsonl")) {
		if strings.HasPrefix(r.Program, "linchpin") && len(r.Seconds) > 0 && !r.Busy {
			out = append(out, r)
		}
	}
	return out
}

// facts are those of the record's graph.
func (r peerRecord) facts(graphs map[string]facts) (g facts, ok bool) {
	if g, ok = graphs[r.Graph]; ok {
		return g, true
	}
	g, ok = graphs[strings.TrimSuffix(strings.TrimSuffix(r.Graph, ":lcc"), "+"+r.Weights)]
	return g.weighed(r.Weights), ok && g.N == r.N // a graph that is connected is its largest component
}

// reduced reports whether reductions came first.
func (r peerRecord) reduced() bool { return strings.HasPrefix(r.How, "graph reduced") }

// median is that of the record's runs.
func (r peerRecord) median() float64 {
	return slices.Sorted(slices.Values(r.Seconds))[len(r.Seconds)/2]
}

// predict returns the prediction for the way that the record took.
func (r peerRecord) predict(t *testing.T, g facts) float64 {
	t.Helper()
	m, ok := kernels.Lookup(strings.TrimPrefix(r.Measure, "edge_"))
	if !ok {
		t.Fatalf("no measure %s", r.Measure)
	}
	edges := strings.HasPrefix(r.Measure, "edge_")
	request := kernels.Request{Nodes: !edges, Edges: edges}
	request.Weighted = r.Weights != ""
	f := g.features(TraitsOf(m, request))
	f.Sources, f.All = r.Sources, r.Sources == r.N
	left := f.Guess()
	if g.Info != nil {
		left = ReductionsOf(*g.Info, 0)
		left.Seconds = H200().CPU.Plan.in(float64(f.Nodes + f.Edges))
	}
	ways := Rank(Candidates(f, left, Machine{Rates: H200(), Threads: r.Threads}), nil, Free{})
	i := slices.IndexFunc(ways, func(c Candidate) bool { return (c.Engine == Reduced) == r.reduced() })
	if i < 0 {
		t.Fatalf("%s of %s: no way", r.Row, r.Program)
	}
	return ways[i].Seconds
}

// TestPeers holds predictions within a factor of 2 of what linchpin took in the rows of make bench-peers.
func TestPeers(t *testing.T) {
	graphs := readFacts(t)
	var errors []float64
	for _, r := range readPeers(t) {
		g, ok := r.facts(graphs)
		if !ok {
			t.Fatalf("no facts of %s", r.Graph)
		}
		errors = append(errors, nearTo(t, r.Row+" of "+r.Program, r.predict(t, g), r.median()))
	}
	report(t, errors)
	if len(errors) < 80 {
		t.Errorf("%d records alone", len(errors))
	}
}
