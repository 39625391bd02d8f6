package jobs

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// wheel has n nodes on a ring, each joined to node 0 as well: there and back, as two relationships of one edge.
func wheel(t *testing.T, n int) (*export.Snapshot, []connector.Column) {
	t.Helper()
	var rels export.Rels
	add := func(from, to int) {
		rels.Source, rels.Target = append(rels.Source, int32(from), int32(to)), append(rels.Target, int32(to), int32(from))
	}
	for v := 1; v < n; v++ {
		add(0, v)
		add(v, v%(n-1)+1)
	}
	s := graphtest.Snapshot(t, export.Undirected, n, rels)
	nodes := connector.Column{On: connector.OnNodes, Property: "bc", Values: make([]float64, n)}
	for v := range nodes.Values {
		nodes.Values[v] = float64(n - v)
	}
	edges := connector.Column{On: connector.OnRelationships, Property: "ebc", Values: make([]float64, s.Rels.Len())}
	for i := range edges.Values {
		from, to := endsOf(s, i)
		edges.Values[i] = float64(from) * float64(to)
	}
	return s, []connector.Column{nodes, edges}
}

func TestPictureIsBounded(t *testing.T) {
	for _, n := range []int{3, 100, 5000} {
		s, columns := wheel(t, n)
		for name, some := range map[string][]connector.Column{"both": columns, "nodes": columns[:1],
			"relationships": columns[1:]} {
			p := pictureOf(s, some)
			text, err := json.Marshal(p)
			if err != nil || len(text) > pictureBytes {
				t.Errorf("%d nodes, %s: %d bytes, %v", n, name, len(text), err)
			}
			if len(p.Nodes) != min(n, pictureNodes) || len(p.Links) > pictureLinks || len(p.Links) < min(n, pictureNodes)/2 {
				t.Errorf("%d nodes, %s: %d nodes and %d links", n, name, len(p.Nodes), len(p.Links))
			}
			seen := map[pair]bool{}
			for _, l := range p.Links {
				key := pair{int32(min(l.From, l.To)), int32(max(l.From, l.To))}
				if l.From == l.To || seen[key] || key.to >= int32(len(p.Nodes)) {
					t.Errorf("%d nodes, %s: the link %+v", n, name, l)
				}
				seen[key] = true
			}
		}
		if p := pictureOf(s, columns); p.Nodes[0].ID != "0" || !p.Nodes[0].Top {
			t.Errorf("%d nodes: the highest is not the first", n)
		}
	}
}

// TestPictureOfScoresThatAreNotNumbers has the logarithm of 0 among its scores.
func TestPictureOfScoresThatAreNotNumbers(t *testing.T) {
	s, columns := wheel(t, 10)
	for i := range columns[0].Values {
		columns[0].Values[i] = math.NaN()
	}
	columns[1].Values[3] = math.Inf(-1)
	p := pictureOf(s, columns)
	if _, err := json.Marshal(p); err != nil || len(p.Nodes) != 10 {
		t.Errorf("%v: %+v", err, p)
	}
}

// TestEdgeCountsOnce lists edges whose two relationships, there and back, have one score.
func TestEdgeCountsOnce(t *testing.T) {
	s, columns := wheel(t, 50)
	var record connector.Run
	Describe(&record, s, columns)
	top := record.Scores[1].Top
	if len(top) != listed || top[0].Source+top[0].Target == "" {
		t.Fatalf("%+v", top)
	}
	for i, a := range top {
		for _, b := range top[:i] {
			if a.Source == b.Target && a.Target == b.Source {
				t.Errorf("%s – %s is there twice", a.Source, a.Target)
			}
		}
	}
}

func TestLogHistogram(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		zeros  int64
		counts int64 // of all bins; -1 for no histogram
	}{
		{"decades", []float64{0, 0, 1, 10, 1000, 99999}, 2, 4},
		{"one decade", []float64{1, 2, 9}, 0, -1},
		{"negative", []float64{-1, 1, 1000}, 0, -1},
		{"zeros only", []float64{0, 0}, 0, -1},
		{"not finite", []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1, 1000}, 0, 2},
		{"all magnitudes", []float64{5e-324, 1, math.MaxFloat64}, 0, 3},
	} {
		h := describeScores(connector.Column{On: connector.OnNodes, Values: c.values}, export.IDs{}).Logarithms
		if (h == nil) != (c.counts < 0) {
			t.Errorf("%s: %+v", c.name, h)
			continue
		}
		if h == nil {
			continue
		}
		sum := int64(0)
		for _, n := range h.Counts {
			sum += n
		}
		if h.Zeros != c.zeros || sum != c.counts || len(h.Counts) > logBins+2 || slices.Max(h.Counts) == 0 ||
			h.High <= h.Low {
			t.Errorf("%s: %+v", c.name, h)
		}
	}
}
