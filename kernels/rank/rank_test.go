package rank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
)

// dense is the matrix of the arcs that enter each node, times their weights.
func dense(g *export.Graph, weighted bool) [][]float64 {
	a := make([][]float64, g.N())
	for v := range a {
		a[v] = make([]float64, g.N())
	}
	for u := range int32(g.N()) {
		for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
			w := 1.0
			if weighted {
				w = g.Weight(i)
			}
			a[g.Targets[i]][u] += w
		}
	}
	return a
}

// solution solves x = b + a·x by elimination with the largest pivot.
func solution(a [][]float64, b []float64) []float64 {
	n := len(b)
	rows := make([][]float64, n)
	for v := range rows {
		rows[v] = append(slices.Clone(a[v]), 0)
		for u := range n {
			rows[v][u] = -rows[v][u]
		}
		rows[v][v]++
		rows[v][n] = b[v]
	}
	for c := range n {
		p := c
		for v := c; v < n; v++ {
			if math.Abs(rows[v][c]) > math.Abs(rows[p][c]) {
				p = v
			}
		}
		rows[c], rows[p] = rows[p], rows[c]
		for v := range n {
			if f := rows[v][c] / rows[c][c]; v != c && f != 0 {
				for k := c; k <= n; k++ {
					rows[v][k] -= f * rows[c][k]
				}
			}
		}
	}
	x := make([]float64, n)
	for v := range x {
		x[v] = rows[v][n] / rows[v][v]
	}
	return x
}

// wanted is the score of each node by the definition, solved densely.
func wanted(m kernels.Measure, g *export.Graph, r kernels.Request) []float64 {
	a, b := dense(g, r.Weighted), make([]float64, g.N())
	sums, most, mean := make([]float64, g.N()), 0.0, 0.0
	for v := range a {
		in := 0.0
		for u, w := range a[v] {
			sums[u] += w
			mean += w / float64(g.N())
			in += w
		}
		most = max(most, in)
	}
	if m.Kind != kernels.ArticleRanks {
		mean = 0
	}
	damping := r.DampingFactor()
	for v := range b {
		if b[v] = 1; m.Kind != kernels.KatzSums {
			b[v] = 1 - damping
		}
		if r.Sources != nil {
			b[v] = 0
		}
		for u := range a[v] {
			if m.Kind == kernels.KatzSums {
				a[v][u] *= 0.85 / most
			} else if sums[u] > 0 {
				a[v][u] *= damping / (sums[u] + mean)
			}
		}
	}
	for i, s := range r.Sources {
		b[s] = 1 - damping
		if r.Shares != nil {
			b[s] *= r.Shares[i]
		}
	}
	x := solution(a, b)
	if r.Variant == kernels.Probability {
		divide(x, total(x))
	}
	return x
}

// apart is the largest difference, relative to the score or, where that is larger, to the mean score.
func apart(a, b []float64) (most float64) {
	mean := total(b) / float64(len(b))
	for v := range a {
		most = max(most, math.Abs(a[v]-b[v])/max(mean, math.Abs(b[v])))
	}
	return most
}

// TestAgainstElimination compares with a dense solution of the definition on 200 random graphs.
func TestAgainstElimination(t *testing.T) {
	random := rand.New(rand.NewPCG(27, 2))
	for i := range 200 {
		n := 1 + random.IntN(60)
		g := graphtest.Random(t, random, n, i%2 == 0, true, i%3 == 0)
		for _, name := range []string{"pagerank", "articleRank", "katz"} {
			for _, q := range requests(random, n, i) {
				m := measure(t, name)
				if m.Check(q) != nil {
					continue
				}
				x, ended, err := Compute(context.Background(), m, g, q, 1+i%3)
				if err != nil {
					t.Fatalf("graph %d, %s: %v", i, name, err)
				}
				want, most := wanted(m, g, q), 1e-9
				if q.Sources != nil { // columns sum to the damping at most, so errors to the residuals / (1 - damping)
					most = float64(n) * 2 * kernels.DefaultResidual / (1 - q.DampingFactor())
				}
				if off := apart(x, want); off > most {
					t.Errorf("graph %d of %d nodes, directed %t, %s, shares %v: %g apart, over %g", i, n, g.Directed, name,
						q.Shares, off, most)
				}
				if err := check.Scores(m, g, q, &kernels.Scores{Nodes: x, Convergence: ended}); err != nil {
					t.Errorf("graph %d: %v", i, err)
				}
			}
		}
	}
}

func requests(random *rand.Rand, n, i int) (out []kernels.Request) {
	damping := 0.05 + 0.9*random.Float64()
	for _, weighted := range []bool{false, true} {
		r := kernels.Request{Nodes: true, Params: kernels.Params{Weighted: weighted}}
		out = append(out, r)
		r.Variant = kernels.Probability
		out = append(out, r)
		r.Variant, r.Damping = "", &damping
		r.Sources = kernels.DrawSources(n, 1+random.IntN(n), int64(i))
		out = append(out, r)
		for range r.Sources {
			r.Shares = append(r.Shares, math.Exp(4*random.NormFloat64()))
		}
		r.Variant = kernels.Probability
		out = append(out, r)
	}
	return out
}

// TestEigenvectorsAreStretched compares each part with what the matrix makes of it.
func TestEigenvectorsAreStretched(t *testing.T) {
	random := rand.New(rand.NewPCG(27, 3))
	found := 0
	for i := range 200 {
		n := 1 + random.IntN(60)
		g := graphtest.Random(t, random, n, i%2 == 0, true, i%3 == 0)
		m, q := measure(t, "eigenvector"), kernels.Request{Nodes: true, Params: kernels.Params{Weighted: i%4 < 2}}
		x, ended, err := Compute(context.Background(), m, g, q, 1+i%3)
		if err != nil {
			continue
		}
		found++
		if err := check.Scores(m, g, q, &kernels.Scores{Nodes: x, Convergence: ended}); err != nil {
			t.Errorf("graph %d: %v", i, err)
		}
		y := times(dense(g, q.Weighted), x)
		value := math.Sqrt(total(times([][]float64{y}, y)))
		for v := range y {
			if math.Abs(y[v]-value*x[v]) > 1e-9*max(1, value) {
				t.Errorf("graph %d: node %d gets %v and has %v of %v", i, v, y[v], x[v], value)
			}
		}
	}
	if found < 150 {
		t.Errorf("only %d of 200 converged", found)
	}
}

func times(a [][]float64, x []float64) []float64 {
	y := make([]float64, len(a))
	for v := range a {
		for u, w := range a[v] {
			y[v] += w * x[u]
		}
	}
	return y
}

// TestHubsAndAuthoritiesMakeEachOther checks each vector against the other one.
func TestHubsAndAuthoritiesMakeEachOther(t *testing.T) {
	random := rand.New(rand.NewPCG(27, 4))
	for i := range 200 {
		n := 2 + random.IntN(60)
		g := graphtest.Random(t, random, n, i%2 == 0, true, i%3 == 0)
		m, q := measure(t, "hits"), kernels.Request{Nodes: true, Params: kernels.Params{Weighted: i%4 < 2}}
		var x [2][]float64
		var err error
		for k, variant := range []string{kernels.Hubs, kernels.Authorities} {
			q.Variant = variant
			if x[k], _, err = Compute(context.Background(), m, g, q, 2); err != nil {
				break
			}
		}
		if err != nil || g.M() == 0 {
			continue
		}
		y := times(dense(g, q.Weighted), x[0])
		divide(y, math.Sqrt(total(times([][]float64{y}, y))))
		for v := range y {
			if math.Abs(y[v]-x[1][v]) > 1e-9 {
				t.Errorf("graph %d: hubs make %v of node %d, whose authority is %v", i, y[v], v, x[1][v])
			}
		}
	}
}

// TestDeepGraphsConverge: the two largest eigenvalues of a long path differ by little.
func TestDeepGraphsConverge(t *testing.T) {
	const n = 500
	var links []graphtest.Link
	for v := range int32(n - 1) {
		links = append(links, graphtest.Link{From: v, To: v + 1, Weight: 1})
	}
	path := graphtest.Links(t, n, false, false, links)
	x, ended, err := Compute(context.Background(), measure(t, "eigenvector"), path, kernels.Request{Nodes: true}, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, n)
	for v := range want {
		want[v] = math.Sqrt(2.0/(n+1)) * math.Sin(float64(v+1)*math.Pi/(n+1))
	}
	if off := apart(x, want); off > 1e-8 {
		t.Errorf("%g apart after %+v", off, ended)
	}
	if _, _, err := Compute(context.Background(), measure(t, "hits"), path, kernels.Request{Nodes: true}, 2); err != nil {
		t.Error(err)
	}
}

// TestWhatDoesNotConverge has one line each.
func TestWhatDoesNotConverge(t *testing.T) {
	three, alpha := 3, 0.5
	path := graphtest.Links(t, 3, true, false, []graphtest.Link{{From: 0, To: 1, Weight: 1}, {From: 1, To: 2, Weight: 1}})
	star := graphtest.Links(t, 6, false, false, []graphtest.Link{{From: 0, To: 1, Weight: 1}, {From: 0, To: 2, Weight: 1},
		{From: 0, To: 3, Weight: 1}, {From: 0, To: 4, Weight: 1}, {From: 0, To: 5, Weight: 1}})
	huge := graphtest.Links(t, 3, false, true,
		[]graphtest.Link{{From: 0, To: 1, Weight: 1.7e308}, {From: 1, To: 2, Weight: 1.7e308}})
	twice := graphtest.Links(t, 2, true, false,
		[]graphtest.Link{{From: 0, To: 0, Weight: 1}, {From: 0, To: 1, Weight: 1}, {From: 1, To: 1, Weight: 1}})
	for _, c := range []struct {
		name string
		g    *export.Graph
		p    kernels.Params
		says string
	}{
		{"pagerank", star, kernels.Params{Iterations: &three},
			"pagerank has not converged after 3 iterations: the residual is 0.27, above 1e-10; allow more iterations"},
		{"katz", star, kernels.Params{Alpha: &alpha}, "alpha 0.5 is too large, it must be under about 0.447"},
		{"eigenvector", path, kernels.Params{}, "no cycle of arcs"},
		{"eigenvector", twice, kernels.Params{}, "eigenvector has not converged after 1000 iterations"},
		{"pagerank", huge, kernels.Params{Weighted: true}, "weights at node 1 sum to more"},
	} {
		_, _, err := Compute(context.Background(), measure(t, c.name), c.g, kernels.Request{Nodes: true, Params: c.p}, 1)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want %q", c.name, err, c.says)
		}
	}
	canceled, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("enough"))
	for _, m := range kernels.Measures() {
		if !m.Kind.Iterates() {
			continue
		}
		if _, _, err := Compute(canceled, m, star, kernels.Request{Nodes: true}, 2); fmt.Sprint(err) != "enough" {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

func measure(t testing.TB, name string) kernels.Measure {
	m, ok := kernels.Lookup(name)
	if !ok {
		t.Fatal(name)
	}
	return m
}
