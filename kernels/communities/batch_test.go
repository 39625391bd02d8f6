package communities_test

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/communities"
)

// TestBatchesByTheOracle: every batch has the edges that exact arithmetic ranks highest in the component of the highest
// edge of all, as many as the share says, and leaves as many groups after each as a search finds.
func TestBatchesByTheOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(25, 1))
	for i := range 60 {
		weighted := i%3 == 2
		g, o := graphtest.Random(t, random, 2+random.IntN(14), false, true, weighted), all
		o.Weighted, o.Batch = weighted, []float64{0.05, 0.2, 0.6, 1}[i%4]
		cuts, left := find(t, g, o).All, edgesOf(g)
		for k := 0; k < len(cuts); {
			batch, scores := batchByTheOracle(g, left, weighted, o.Batch)
			for j, at := range batch {
				x := left[at]
				want := communities.Cut{Edge: x.index, Score: cuts[k].Score, Groups: groupsWithout(g.N(), left, batch[:j+1]),
					Left: len(batch) - 1 - j}
				if cuts[k] != want || math.Abs(cuts[k].Score-scores[at]) > 1e-6*(1+scores[at]) {
					t.Fatalf("graph %d, cut %d: %+v, want %+v of score %g", i, k, cuts[k], want, scores[at])
				}
				k++
			}
			slices.Sort(batch)
			for _, at := range slices.Backward(batch) {
				left = slices.Delete(left, at, at+1)
			}
		}
		if slices.ContainsFunc(left, func(e indexed) bool { return e.From != e.To }) {
			t.Fatalf("graph %d: %d edges are left", i, len(left))
		}
	}
}

// batchByTheOracle returns which of the edges that are left a batch cuts, and the scores of all.
func batchByTheOracle(g *export.Graph, left []indexed, weighted bool, share float64) (batch []int, scores []float64) {
	scores = exactScores(g.N(), left, weighted)
	best := slices.Max(scores)
	top := slices.IndexFunc(scores, func(x float64) bool { return x >= best*(1-1e-12) })
	// A search over the edges, again and again, for those connected with the top one.
	inside := map[int]bool{left[top].From: true}
	for grown := -1; grown != len(inside); {
		grown = len(inside)
		for _, e := range left {
			if inside[e.From] || inside[e.To] {
				inside[e.From], inside[e.To] = true, true
			}
		}
	}
	for e, x := range left {
		if x.From != x.To && inside[x.From] {
			batch = append(batch, e)
		}
	}
	slices.SortStableFunc(batch, func(a, b int) int {
		if x, y := scores[a], scores[b]; math.Abs(x-y) > 1e-12*max(x, y) {
			// in 128 bits equal sums are equal but for the last ones
			return cmp.Compare(y, x)
		}
		return 0
	})
	return batch[:max(1, int(share*float64(len(batch))))], scores
}

func groupsWithout(n int, edges []indexed, without []int) int {
	u := disjoint.New(n)
	for e, x := range edges {
		if !slices.Contains(without, e) {
			u.Join(int32(x.From), int32(x.To))
		}
	}
	return u.Count
}

// TestSameBatches: threads, memory, where an earlier run ended and for how many groups it cut do not matter, also in
// the middle of a batch.
func TestSameBatches(t *testing.T) {
	g, random := community(t, 4, 90), rand.New(rand.NewPCG(25, 2))
	for _, batch := range []float64{0.01, 0.1, 0.7} {
		o := all
		o.Batch = batch
		want := find(t, g, o)
		if largest := slices.MaxFunc(want.All, func(a, b communities.Cut) int {
			return a.Left - b.Left
		}).Left; largest < int(900*batch)-1 {
			t.Errorf("batch %v: the largest leaves %d", batch, largest)
		}
		for i := range 12 {
			o.Threads, o.Bytes, o.Groups = 1+i%3, []int64{1 << 30, 0, 1 << 20}[i%3], []int{0, 2 + random.IntN(g.N()-2)}[i%2]
			o.Done = want.All[:random.IntN(len(want.All)+1)]
			expect := want.All
			if o.Groups > 0 {
				expect = expect[:1+slices.IndexFunc(expect, func(c communities.Cut) bool { return c.Groups >= o.Groups })]
			}
			made := []communities.Cut{}
			o.Made = func(c communities.Cut) error { made = append(made, c); return nil }
			got := find(t, g, o).All
			if !slices.Equal(got, expect) {
				t.Fatalf("batch %v, %d threads, %d bytes, %d done, %d groups: other cuts", batch, o.Threads, o.Bytes,
					len(o.Done), o.Groups)
			}
			if rest := expect[min(len(o.Done), len(expect)):]; !slices.Equal(made, rest) {
				t.Fatalf("batch %v, %d done: %d cuts are reported, want %d", batch, len(o.Done), len(made), len(rest))
			}
		}
	}
}

// TestJournalOfBatches: a clustering in batches that is interrupted after any cut goes on as if it had not been.
func TestJournalOfBatches(t *testing.T) {
	g, path, o := community(t, 3, 20), filepath.Join(t.TempDir(), "cuts"), all
	o.Batch = 0.1
	want, enough := find(t, g, o).All, errors.New("enough")
	for stopped := true; stopped; {
		j, done, err := communities.OpenJournal(path, "a graph")
		if err != nil || !slices.Equal(done, want[:len(done)]) {
			t.Fatalf("%d cuts, %v", len(done), err)
		}
		o.Done = done
		left := 7
		o.Made = func(cut communities.Cut) error {
			if left--; left == 0 {
				return enough
			}
			return j.Made(cut)
		}
		_, err = communities.Find(t.Context(), g, o)
		if stopped = errors.Is(err, enough); err != nil && !stopped {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if j, done, err := communities.OpenJournal(path, "a graph"); err != nil || !slices.Equal(done, want) {
		t.Errorf("%d cuts in the journal, want %d, %v", len(done), len(want), err)
	} else {
		j.Close()
	}
}

// TestDendrogramOfBatches: a level has the groups that are connected once its cuts are made, and the modularity of the
// definition.
func TestDendrogramOfBatches(t *testing.T) {
	random := rand.New(rand.NewPCG(25, 3))
	for i := range 40 {
		g, o := graphtest.Random(t, random, 1+random.IntN(25), i%3 == 1, true, false), all
		o.Batch = []float64{0.1, 0.4, 1}[i%3]
		cuts := find(t, g, o)
		d := communities.DendrogramOf(g, cuts)
		if d.Groups != g.N() || d.Fewest() != cuts.Begun {
			t.Fatalf("graph %d: %d to %d groups", i, d.Fewest(), d.Groups)
		}
		for k, cut := range cuts.All {
			if members, want := d.Members(cut.Groups), connectedAfter(g, cuts.All[:k+1]); !slices.Equal(members, want) {
				t.Fatalf("graph %d, %d cuts: groups %v, want %v", i, k+1, members, want)
			}
			q, want := d.ModularityOf(cut.Groups), kernels.Modularity(g, d.Members(cut.Groups), false)
			if math.Abs(q-want) > 1e-12 || q > d.ModularityOf(d.Best())+1e-12 {
				t.Fatalf("graph %d, %d groups: modularity %g, want %g", i, cut.Groups, q, want)
			}
		}
	}
}

// connectedAfter returns the component of each node after cuts: 0, 1, ... by the first node of each.
func connectedAfter(g *export.Graph, cuts []communities.Cut) []int32 {
	source, target := g.Ends()
	of := make([]int32, g.N())
	for v := range of {
		of[v] = int32(v)
	}
	for changed := true; changed; {
		changed = false
		for e := range source {
			if a, b := of[source[e]], of[target[e]]; a != b && !slices.ContainsFunc(cuts, func(c communities.Cut) bool {
				return c.Edge == int32(e)
			}) {
				of[source[e]], of[target[e]], changed = min(a, b), min(a, b), true
			}
		}
	}
	first := slices.Compact(slices.Sorted(slices.Values(of)))
	for v, x := range of {
		at, _ := slices.BinarySearch(first, x)
		of[v] = int32(at)
	}
	return of
}
