package contract

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

const property = "linchpin_score"

// hardValues are numbers that are easily changed on their way.
func hardValues() []float64 {
	return []float64{0, 1. / 3, 0.1, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-300, 123456789.123456789, 1 << 53,
		-2.5}
}

// scores gives every entity of a kind a score of its own; shift varies them.
func scores(s *export.Snapshot, on connector.Entity, shift int) connector.Column {
	n := s.Graph.N()
	if on == connector.OnRelationships {
		n = s.Rels.Len()
	}
	hard, c := hardValues(), connector.Column{On: on, Property: property, Values: make([]float64, n)}
	for i := range c.Values {
		if k := i + shift; k < len(hard) {
			c.Values[i] = hard[k]
		} else {
			c.Values[i] = float64(k) / 7
		}
	}
	return c
}

// lines are scores in words, sorted. Bits tell numbers apart that print alike.
func lines(all []Score) []string {
	var out []string
	for _, s := range all {
		weight := "-"
		if s.Weight != nil {
			weight = fmt.Sprint(*s.Weight)
		}
		out = append(out, fmt.Sprintf("%q %q weight %s: %v (%x)", s.Source, s.Target, weight, s.Value,
			math.Float64bits(s.Value)))
	}
	slices.Sort(out)
	return out
}

// expected is what must be read back of a column. The weight of a relationship is its edge's: it must not be merged.
func expected(s *export.Snapshot, names []string, c connector.Column) []Score {
	var out []Score
	if c.On == connector.OnNodes {
		for v, name := range names {
			out = append(out, Score{Source: name, Value: c.Values[v]})
		}
		return out
	}
	weight := make([]float64, s.Graph.M())
	for i := range int64(s.Graph.Arcs()) {
		weight[s.Graph.Edge(i)] = s.Graph.Weight(i)
	}
	for v := range len(s.Rels.Offsets) - 1 {
		for i := s.Rels.Offsets[v]; i < s.Rels.Offsets[v+1]; i++ {
			out = append(out, Score{
				Source: names[v], Target: names[s.Rels.Targets[i]], Weight: &weight[s.Rels.Edges[i]], Value: c.Values[i],
			})
		}
	}
	return out
}

// testWrite writes, writes the same again, and writes other scores over them.
func testWrite(t *testing.T, h Harness, on connector.Entity) {
	m := nasty(h.Terms())
	h.Load(t, m)
	p := projection(h.Terms(), export.Undirected, export.Keep, true)
	s, err := h.Source().Export(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := h.Names(t, s)
	for i, shift := range []int{0, 0, 3} {
		column := scores(s, on, shift)
		o := connector.WriteOptions{Job: "contract", Run: fmt.Sprintf("run%d", i), Projection: p, OnlyChanged: -1}
		stats, err := h.Sink().Write(context.Background(), s, []connector.Column{column}, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		if stats.Written+stats.Unchanged != int64(len(column.Values)) || stats.Missing != 0 {
			t.Errorf("%+v for %d scores", stats, len(column.Values))
		}
		if diff := cmp.Diff(lines(expected(s, names, column)), lines(h.ReadBack(t, on, property))); diff != "" {
			t.Fatalf("write %d: what is stored differs (-written +read back):\n%s", i, diff)
		}
	}
}

// testWriteMerged writes the score of a merged edge onto each relationship that it stands for.
func testWriteMerged(t *testing.T, h Harness) {
	m := nasty(h.Terms())
	h.Load(t, m)
	p := projection(h.Terms(), export.Undirected, export.Min, true)
	s, err := h.Source().Export(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	perEdge := make([]float64, s.Graph.M())
	for e := range perEdge {
		perEdge[e] = float64(e) + 0.5
	}
	column := connector.Column{On: connector.OnRelationships, Property: property, Values: s.Rels.Spread(perEdge, nil)}
	o := connector.WriteOptions{Job: "contract", Run: "merged", Projection: p, OnlyChanged: -1}
	if _, err := h.Sink().Write(context.Background(), s, []connector.Column{column}, o, nil); err != nil {
		t.Fatal(err)
	}
	stored := h.ReadBack(t, connector.OnRelationships, property)
	if len(stored) != len(m.Rels) {
		t.Errorf("%d relationships have a score, want %d", len(stored), len(m.Rels))
	}
	want := expected(s, h.Names(t, s), column)
	for _, list := range [][]Score{want, stored} {
		for i := range list {
			list[i].Weight = nil // merged
		}
	}
	if diff := cmp.Diff(lines(want), lines(stored)); diff != "" {
		t.Errorf("what is stored differs (-written +read back):\n%s", diff)
	}
}

// testCancel gives a cancelled context to each method: it returns at once and nothing is written.
func testCancel(t *testing.T, h Harness) {
	h.Load(t, nasty(h.Terms()))
	p := projection(h.Terms(), export.Natural, export.Keep, true)
	s, err := h.Source().Export(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	start := time.Now()
	if _, err := h.Source().Export(ctx, p, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("export under a cancelled context: %v", err)
	}
	o := connector.WriteOptions{Job: "contract", Run: "cancelled", Projection: p, OnlyChanged: -1}
	if _, err := h.Sink().Write(ctx, s, []connector.Column{scores(s, connector.OnNodes, 0)}, o, nil); !errors.Is(err,
		context.Canceled) {
		t.Errorf("write under a cancelled context: %v", err)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("a cancelled context was noticed after %s", took)
	}
	if stored := h.ReadBack(t, connector.OnNodes, property); len(stored) != 0 {
		t.Errorf("%d scores were written under a cancelled context", len(stored))
	}
}
