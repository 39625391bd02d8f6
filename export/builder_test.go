package export

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestBuilderErrors(t *testing.T) {
	pair := func(change func(r *Rels)) Rels {
		r := Rels{Source: []int32{0, 1}, Target: []int32{1, 0}, Weights: []float64{1, 2}, IDs: IDs{Ints: []int64{1, 2}}}
		change(&r)
		return r
	}
	for _, c := range []struct {
		rels Rels
		want string
	}{
		{pair(func(r *Rels) { r.Group = 1 }), "group 1 of 1"},
		{pair(func(r *Rels) { r.Group = -1 }), "group -1 of 1"},
		{pair(func(r *Rels) { r.Target = r.Target[:1] }), "unequal length"},
		{pair(func(r *Rels) { r.Weights = r.Weights[:1] }), "unequal length"},
		{pair(func(r *Rels) { r.IDs.Ints = r.IDs.Ints[:1] }), "unequal length"},
		{pair(func(r *Rels) { r.Weights = nil }), "the block has none"},
		{pair(func(r *Rels) { r.Source[0] = 2 }), "joins nodes 2 and 1 of 2"},
		{pair(func(r *Rels) { r.Target[1] = -1 }), "joins nodes 1 and -1 of 2"},
		{pair(func(r *Rels) { r.IDs = IDs{Texts: []string{"a", "b"}} }), "all integers, all texts, or left out"},
		{pair(func(r *Rels) { r.IDs = IDs{} }), "all integers, all texts, or left out"},
		{pair(func(r *Rels) {
			r.Weights = []float64{math.MaxFloat64, math.MaxFloat64}
			r.Source[1], r.Target[1], r.IDs.Ints = 0, 1, []int64{3, 4}
		}), "between 7 and 8 overflows float64"},
	} {
		b := NewBuilder(Group{Natural, Sum, true, false})
		b.AddNodes([]int64{7, 8})
		if _, err := b.Freeze(); err != nil {
			t.Fatal(err)
		}
		err := errors.Join(b.AddRelationships(pair(func(*Rels) {})), b.AddRelationships(c.rels))
		if err == nil {
			_, err = b.Build()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.rels, err, c.want)
		}
	}
	b := NewBuilder(Group{})
	b.AddNodes([]int64{1})
	b.AddNodeTexts([]string{"1"})
	if _, err := b.Freeze(); err == nil {
		t.Error("nodes with ids of both kinds are accepted")
	}
}

func TestBuilderKeepsTheOrderOfFiles(t *testing.T) {
	b := NewBuilder(Group{Undirected, Keep, false, false})
	var block Rels
	for _, pair := range [][2]string{{"z", "a"}, {"a", "z"}, {"m", "m"}, {"a", "z"}} {
		u, _ := b.Intern(pair[0])
		v, _ := b.InternBytes([]byte(pair[1]))
		block.Source, block.Target = append(block.Source, u), append(block.Target, v)
	}
	if err := b.AddRelationships(block); err != nil {
		t.Fatal(err)
	}
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Nodes.Texts, ""); got != "zam" {
		t.Errorf("nodes %q, want them in the order of appearance", got)
	}
	for i, p := range s.Rels.Positions {
		if s.Rels.Targets[i] != block.Target[p] {
			t.Errorf("relationship %d stands for row %d, which points elsewhere", i, p)
		}
	}
}

func TestBuilderFromManyGoroutines(t *testing.T) {
	build := func(workers int) *Snapshot {
		b := NewBuilder(Group{Natural, Keep, false, false})
		for i := range int64(100) {
			b.AddNodes([]int64{i * i})
		}
		if _, err := b.Freeze(); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := w; i < 100; i += workers {
					u, _ := b.Index(int64(i * i))
					err := b.AddRelationships(Rels{Source: []int32{u, u}, Target: []int32{0, 99 - u},
						IDs: IDs{Ints: []int64{int64(2 * i), int64(2*i + 1)}}})
					if err != nil {
						t.Error(err)
					}
					b.Drop(Dropped{Dangling: 1})
				}
			})
		}
		wg.Wait()
		s, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one, many := build(1), build(8)
	if one.Digest() != many.Digest() || many.Dropped.Dangling != 100 {
		t.Errorf("goroutines changed the snapshot; %d dangling, want 100", many.Dropped.Dangling)
	}
}

func TestWeightPolicy(t *testing.T) {
	skip, epsilon := WeightPolicy{Zero: "skip", Invalid: "skip"}, WeightPolicy{Zero: "epsilon", Epsilon: 0.5}
	for _, c := range []struct {
		policy  WeightPolicy
		weight  float64
		want    float64 // 0: not kept
		refused WeightFault
		dropped Dropped
	}{
		{WeightPolicy{}, 2, 2, 0, Dropped{}}, {WeightPolicy{}, 0, 0, ZeroWeight, Dropped{}},
		{WeightPolicy{}, -1, 0, Negative, Dropped{}},
		{WeightPolicy{}, math.NaN(), 0, NotFinite, Dropped{}}, {WeightPolicy{}, math.Inf(1), 0, NotFinite, Dropped{}},
		{WeightPolicy{}, math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64, 0, Dropped{}},
		{skip, 0, 0, 0, Dropped{ZeroWeight: 1}}, {skip, math.Inf(-1), 0, 0, Dropped{BadWeight: 1}},
		{epsilon, 0, 0.5, 0, Dropped{}}, {epsilon, -1, 0, Negative, Dropped{}},
	} {
		var d Dropped
		w, keep, refused := c.policy.Check(c.weight, &d)
		if w != c.want || keep != (c.want > 0) || refused != c.refused || d != c.dropped {
			t.Errorf("%+v: %v, %t, %v, %+v", c, w, keep, refused, d)
		}
	}
	var d Dropped
	if skip.Drop(Missing, &d) != 0 || epsilon.Drop(Missing, &d) != Missing || d != (Dropped{BadWeight: 1}) {
		t.Errorf("missing weights: %+v", d)
	}
}

type line int

func (l line) Before(other line) bool { return l < other }

func TestBadWeightsKeepTheFirstExample(t *testing.T) {
	var all, some BadWeights[line]
	all.Add(Negative, 7)
	some.Add(Negative, 3)
	some.Add(Negative, 9)
	some.Add(Missing, 4)
	all.Merge(some)
	got := all.Text(func(f WeightFault, l line) string { return fmt.Sprintf("%d of %v", l, f) })
	if want := "1 missing, 4 of missing; 3 negative, 3 of negative"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNewUndirectedRefuses(t *testing.T) {
	for _, c := range []struct {
		n              int
		source, target []int32
		weight         []float64
	}{
		{2, []int32{0}, []int32{2}, nil}, {2, []int32{1}, []int32{0}, nil}, {3, []int32{0, 0}, []int32{2, 1}, nil},
		{3, []int32{1, 0}, []int32{2, 2}, nil}, {2, []int32{0}, []int32{1, 1}, nil}, {2, []int32{0}, []int32{1}, []float64{}},
		{-1, nil, nil, nil},
	} {
		if g, err := NewUndirected(c.n, c.source, c.target, c.weight); err == nil {
			t.Errorf("%+v gives %+v", c, g)
		}
	}
	g, err := NewUndirected(3, []int32{0, 0, 1}, []int32{1, 1, 1}, []float64{1, 2, 3})
	if err != nil || g.Validate() != nil || g.M() != 3 || g.Degree(1) != 4 || g.Degree(2) != 0 {
		t.Errorf("parallel edges and a loop: %+v, %v", g, err)
	}
}

// TestStrengths: an edge of strengths is as long as 1 over what the rule for parallel relationships makes of them.
// Lengths that are no decimals of float64 have no rest, so that their ties are told within a tolerance.
func TestStrengths(t *testing.T) {
	const none = -1 // for NaN
	for _, c := range []struct {
		group   Group
		lengths []float64
		rests   []float64
	}{
		{Group{Natural, Keep, true, true}, []float64{0.25, 0.5, 0.1}, nil},
		{Group{Undirected, Sum, true, true}, []float64{1.0 / 6, 0.1}, []float64{none, 0}},
		{Group{Undirected, Min, true, true}, []float64{0.5, 0.1}, nil},
		{Group{Undirected, Max, true, true}, []float64{0.25, 0.1}, nil},
		{Group{Undirected, Count, true, true}, []float64{0.5, 1}, nil},
	} {
		b := NewBuilder(c.group)
		b.AddNodes([]int64{1, 2, 3})
		if _, err := b.Freeze(); err != nil {
			t.Fatal(err)
		}
		rels := Rels{Source: []int32{0, 0, 1}, Target: []int32{1, 1, 2}, Weights: []float64{4, 2, 10}}
		rels.IDs = IDs{Ints: []int64{1, 2, 3}}
		if err := b.AddRelationships(rels); err != nil {
			t.Fatal(err)
		}
		s, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		lengths, rests := make([]float64, s.Graph.M()), make([]float64, s.Graph.M())
		for k := range s.Graph.Targets {
			e := s.Graph.Edge(int64(k))
			lengths[e] = s.Graph.Weights[k]
			if s.Graph.Rests != nil {
				if rests[e] = s.Graph.Rests[k]; math.IsNaN(rests[e]) {
					rests[e] = none
				}
			}
		}
		if !slices.Equal(lengths, c.lengths) || (s.Graph.Rests == nil) != (c.rests == nil) ||
			c.rests != nil && !slices.Equal(rests, c.rests) {
			t.Errorf("%+v: %v and %v, want %v and %v", c.group, lengths, rests, c.lengths, c.rests)
		}
	}
	b := NewBuilder(Group{Natural, Keep, true, true})
	b.AddNodes([]int64{7, 8})
	_, err := b.Freeze()
	err = errors.Join(err, b.AddRelationships(Rels{Source: []int32{0}, Target: []int32{1}, Weights: []float64{1e-310}}))
	if _, built := b.Build(); err != nil || built == nil ||
		!strings.Contains(built.Error(), "between 7 and 8 have no length") {
		t.Errorf("%v, %v", err, built)
	}
}
