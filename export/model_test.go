package export

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// rel is a relationship as a source delivers it.
type rel struct {
	source, target int64 // node ids
	group          int
	weight         float64
	id             int64
}

// graphModel is a graph in the plainest form.
type graphModel struct {
	groups []Group
	nodes  []int64
	rels   []rel // some twice, with the same id
	texts  bool  // ids are texts
}

func drawModel(t *rapid.T) *graphModel {
	m := &graphModel{texts: rapid.Bool().Draw(t, "texts")}
	for range rapid.IntRange(1, 3).Draw(t, "groups") {
		m.groups = append(m.groups, Group{
			Orientation: rapid.SampledFrom([]Orientation{Natural, Reverse, Undirected}).Draw(t, "orientation"),
			Parallel:    rapid.SampledFrom([]Parallel{Keep, Min, Max, Sum, Count}).Draw(t, "parallel"),
			Weighted:    rapid.Bool().Draw(t, "weighted"),
		})
	}
	idSpace := rapid.SampledFrom([]int64{10, 1000, 1 << 60}).Draw(t, "id space")
	m.nodes = rapid.SliceOfNDistinct(rapid.Int64Range(-2, idSpace), 1, 8, rapid.ID[int64]).Draw(t, "nodes")
	for i := range rapid.IntRange(0, 25).Draw(t, "relationships") {
		r := rel{
			source: rapid.SampledFrom(m.nodes).Draw(t, "source"), target: rapid.SampledFrom(m.nodes).Draw(t, "target"),
			group: rapid.IntRange(0, len(m.groups)-1).Draw(t, "group"), id: int64(i) * 3, weight: 1,
		}
		if m.groups[r.group].Weighted {
			r.weight = rapid.SampledFrom([]float64{0.1, 0.2, 0.25, 0.7, 1, 2, 10, 0.12345678901234566, 1e9, 1e-12}).Draw(t,
				"weight")
		}
		m.rels = append(m.rels, r)
		if rapid.IntRange(0, 9).Draw(t, "twice") == 0 {
			if m.groups[r.group].Weighted {
				r.weight += 0.25 // it changed while it was read; the smaller weight stays
			}
			m.rels = append(m.rels, r)
		}
	}
	return m
}

// build gives the model to a builder in an order of its own: nodes and relationships shuffled, in blocks.
func (m *graphModel) build(t rapid.TB, seed uint64) *Snapshot {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	b := NewBuilder(m.groups...)
	nodes, rels := slices.Clone(m.nodes), slices.Clone(m.rels)
	r.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	r.Shuffle(len(rels), func(i, j int) { rels[i], rels[j] = rels[j], rels[i] })
	for _, id := range append(nodes, nodes[:1]...) {
		if m.texts {
			b.AddNodeTexts([]string{text(id)})
		} else {
			b.AddNodes([]int64{id})
		}
	}
	if n, err := b.Freeze(); err != nil || n != len(m.nodes) {
		t.Fatalf("Freeze() = %d, %v; want %d", n, err, len(m.nodes))
	}
	for len(rels) > 0 {
		block := Rels{Group: rels[0].group}
		for len(rels) > 0 && rels[0].group == block.Group && len(block.Source) < 4 {
			m.append(t, b, &block, rels[0])
			rels = rels[1:]
		}
		if err := b.AddRelationships(block); err != nil {
			t.Fatal(err)
		}
	}
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (m *graphModel) append(t rapid.TB, b *Builder, block *Rels, x rel) {
	u, okU := b.Index(x.source)
	v, okV := b.Index(x.target)
	if m.texts {
		u, okU = b.IndexText(text(x.source))
		v, okV = b.IndexText(text(x.target))
	}
	if !okU || !okV {
		t.Fatalf("nodes %d and %d are not found", x.source, x.target)
	}
	block.Source, block.Target = append(block.Source, u), append(block.Target, v)
	if m.groups[x.group].Weighted {
		block.Weights = append(block.Weights, x.weight)
	}
	if m.texts {
		block.IDs.Texts = append(block.IDs.Texts, text(x.id))
	} else {
		block.IDs.Ints = append(block.IDs.Ints, x.id)
	}
}

func text(id int64) string { return fmt.Sprintf("id %020d", id+5) } // sorts as the number does

// number undoes text.
func number(text string) int64 {
	var id int64
	if _, err := fmt.Sscanf(text, "id %d", &id); err != nil {
		return -1
	}
	return id - 5
}

// modelEdge is an edge of the model: its ends, and the numbers of the relationships that it stands for.
type modelEdge struct {
	source, target int32
	weight         *big.Rat
	rels           []int64
}

// edges applies orientation and the parallel rule one relationship at a time.
func (m *graphModel) edges() (directed bool, out []*modelEdge) {
	directed = slices.ContainsFunc(m.groups, func(g Group) bool { return g.Orientation != Undirected })
	nodes := slices.Sorted(slices.Values(m.nodes))
	index := func(id int64) int32 { i, _ := slices.BinarySearch(nodes, id); return int32(i) }
	type key struct {
		source, target int32
		group          int
	}
	merged, seen := map[key]*modelEdge{}, map[int64]bool{}
	enter := func(k key, r rel) {
		e, g := merged[k], m.groups[k.group]
		if e == nil || g.Parallel == Keep {
			e = &modelEdge{source: k.source, target: k.target, weight: rational(r.weight)}
			if g.Parallel == Count {
				e.weight = rational(1)
			}
			merged[k] = e
			out = append(out, e)
		} else {
			e.weight = mergedWeight(g.Parallel, e.weight, rational(r.weight))
		}
		e.rels = append(e.rels, r.id)
	}
	for _, r := range m.rels {
		if seen[r.id] {
			continue
		}
		seen[r.id] = true
		u, v := index(r.source), index(r.target)
		switch o := m.groups[r.group].Orientation; {
		case o == Reverse:
			enter(key{v, u, r.group}, r)
		case o == Natural:
			enter(key{u, v, r.group}, r)
		case !directed:
			enter(key{min(u, v), max(u, v), r.group}, r)
		default:
			enter(key{u, v, r.group}, r)
			if u != v {
				enter(key{v, u, r.group}, r)
			}
		}
	}
	return directed, out
}

func mergedWeight(p Parallel, sofar, w *big.Rat) *big.Rat {
	switch order := sofar.Cmp(w); {
	case p == Sum:
		return new(big.Rat).Add(sofar, w)
	case p == Count:
		return new(big.Rat).Add(sofar, rational(1))
	case p == Min && order < 0, p == Max && order > 0:
		return sofar
	}
	return w
}

// words describes edges, sorted, whatever their numbers.
func words(edges []*modelEdge) []string {
	var out []string
	for _, e := range edges {
		slices.Sort(e.rels)
		out = append(out, fmt.Sprintf("%d-%d weighs %v stands for %v", e.source, e.target, e.weight.RatString(), e.rels))
	}
	slices.Sort(out)
	return out
}

// edgesOf reads the edges out of a snapshot, arc by arc and relationship by relationship.
func edgesOf(s *Snapshot) []*modelEdge {
	edges := make([]*modelEdge, s.Graph.M())
	source, target := s.Graph.Ends()
	for e := range edges {
		edges[e] = &modelEdge{source: source[e], target: target[e]}
	}
	for i := range int64(s.Graph.Arcs()) {
		w := rational(s.Graph.Weight(i))
		if s.Graph.Rests != nil {
			w.Add(w, rational(s.Graph.Rests[i]))
		}
		edges[s.Graph.Edge(i)].weight = w
	}
	for i, e := range s.Rels.Edges {
		id := int64(i)
		switch {
		case s.Rels.IDs.Texts != nil:
			id = number(s.Rels.IDs.Texts[i])
		case s.Rels.IDs.Ints != nil:
			id = s.Rels.IDs.Ints[i]
		}
		edges[e].rels = append(edges[e].rels, id)
		if s.Rels.Back != nil && s.Rels.Back[i] >= 0 {
			edges[s.Rels.Back[i]].rels = append(edges[s.Rels.Back[i]].rels, id)
		}
	}
	return edges
}

func TestBuilderAgreesWithModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		s := m.build(t, 1)
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		directed, want := m.edges()
		if s.Graph.Directed != directed || s.Graph.N() != len(m.nodes) {
			t.Fatalf("directed %t, n = %d; want %t, %d", s.Graph.Directed, s.Graph.N(), directed, len(m.nodes))
		}
		if diff := cmp.Diff(words(want), words(edgesOf(s))); diff != "" {
			t.Fatalf("edges (-model +builder):\n%s", diff)
		}
		checkStored(t, m, s)
	})
}

// checkStored checks that relationships stand at the node where they start, with the direction that they came with.
func checkStored(t *rapid.T, m *graphModel, s *Snapshot) {
	nodes := slices.Sorted(slices.Values(m.nodes))
	want, got := map[string]bool{}, map[string]bool{}
	for _, r := range m.rels {
		want[fmt.Sprint(r.source, r.target, r.id)] = true
	}
	for v := range nodes {
		for i := s.Rels.Offsets[v]; i < s.Rels.Offsets[v+1]; i++ {
			id := int64(0)
			if m.texts {
				id = number(s.Rels.IDs.Texts[i])
			} else {
				id = s.Rels.IDs.Ints[i]
			}
			got[fmt.Sprint(nodes[v], nodes[s.Rels.Targets[i]], id)] = true
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || s.Rels.Len() != len(want) {
		t.Fatalf("stored relationships (-model +builder):\n%s", diff)
	}
	if dropped := int64(len(m.rels) - len(want)); s.Dropped.Duplicates != dropped {
		t.Fatalf("%d duplicates dropped, want %d", s.Dropped.Duplicates, dropped)
	}
}

func TestBuilderForgetsTheOrderOfDelivery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		a, b := m.build(t, 1), m.build(t, rapid.Uint64().Draw(t, "order"))
		if diff := cmp.Diff(plain(a), plain(b)); diff != "" || a.Digest() != b.Digest() {
			t.Fatalf("the order of delivery changed the snapshot:\n%s", diff)
		}
	})
}

// plainSnapshot is a snapshot without its methods and locks, to compare.
type plainSnapshot struct {
	Directed       bool
	Offsets        []int64
	Targets, Edges []int32
	Weights        []float64
	EdgeCount      int
	Nodes          IDs
	Rels           Relationships
	Dropped        Dropped
}

func plain(s *Snapshot) plainSnapshot {
	g := s.Graph
	return plainSnapshot{g.Directed, g.Offsets, g.Targets, g.Edges, g.Weights, g.EdgeCount, s.Nodes, s.Rels, s.Dropped}
}

func TestTransposeTurnsEveryArc(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawModel(t).build(t, 1).Graph
		tr := g.Transpose()
		if !g.Directed {
			if tr != g {
				t.Fatal("an undirected graph is its own transpose")
			}
			return
		}
		if err := tr.Validate(); err != nil {
			t.Fatal(err)
		}
		a, b := map[string]bool{}, map[string]bool{}
		for v := range int32(g.N()) {
			for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
				a[fmt.Sprint(v, g.Targets[i], g.Edge(i), g.Weight(i))] = true
			}
			for i := tr.Offsets[v]; i < tr.Offsets[v+1]; i++ {
				b[fmt.Sprint(tr.Targets[i], v, tr.Edge(i), tr.Weight(i))] = true
			}
		}
		if diff := cmp.Diff(a, b); diff != "" || len(a) != g.Arcs() {
			t.Fatalf("arcs (-graph +transpose):\n%s", diff)
		}
	})
}
