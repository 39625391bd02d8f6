package jobs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// partCase is a computation whose parts processes compute.
type partCase struct {
	name string
	task engine.Task
}

// partCases have every measure: of nodes, of edges, by hops, by weights, directed, from a sample, reduced or not.
func partCases(t *testing.T) (out []partCase) {
	random := rand.New(rand.NewPCG(24, 2))
	names := []string{"undirected", "directed", "chains"}
	for i, g := range []*export.Graph{
		graphtest.Random(t, random, 90, false, true, true), graphtest.Random(t, random, 60, true, false, true),
		graphtest.Subdivided(t, 20, 2, 3),
	} {
		name := names[i]
		s := &export.Snapshot{Graph: g}
		for _, m := range kernels.Measures() {
			for _, weighted := range []bool{false, true} {
				r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: m.Node != "", Edges: m.Edge != "", Scale: 1}
				task := engine.Task{Measure: m.Name, Request: r, Snapshot: s, Device: engine.CPU}
				if m.Check(r) != nil || m.CheckGraph(g) != nil || m.Weights == kernels.RequiredWeights && g.Weights == nil {
					continue
				}
				label := fmt.Sprintf("%s, %s, weighted %t", m.Name, name, weighted)
				out = append(out, partCase{label, task})
				if m.BySource {
					task.Request.Sources, task.Request.Scale = kernels.Sample(g.N(), g.N()/3, 7)
					out = append(out, partCase{label + ", a sample", task})
				}
			}
		}
	}
	return out
}

// computation is the one of a case.
func (c partCase) computation() *Computation {
	m, _ := kernels.Lookup(c.task.Measure)
	return &Computation{Measure: m, Task: c.task}
}

// files computes k parts, each with another number of threads, and opens their files.
func (c partCase) files(t *testing.T, e Parter, k int) []*parts.File {
	t.Helper()
	folder := t.TempDir()
	out := make([]*parts.File, k)
	for i := range out {
		work := c.computation()
		work.Task.Request.Threads = 1 + i%3
		about := parts.About{Graph: c.task.Snapshot.Digest(), Index: i, Of: k}
		about, found, err := ComputePart(t.Context(), e, []*Computation{work}, about)
		path := filepath.Join(folder, fmt.Sprint(i))
		if err == nil {
			err = parts.Write(path, about, found)
		}
		if err == nil {
			out[i], err = parts.Open(path)
		}
		if err != nil {
			t.Fatalf("%s: part %d of %d: %v", c.name, i, k, err)
		}
	}
	return out
}

// merged makes scores of files.
func (c partCase) merged(t *testing.T, e Parter, files []*parts.File) (*kernels.Scores, error) {
	t.Helper()
	if _, err := parts.Check(parts.Program{}, files, false); err != nil {
		return nil, err
	}
	out, err := (&Merger{Parter: e, Files: files}).Compute(t.Context(), c.task)
	if err != nil {
		return nil, err
	}
	return out.Scores, nil
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// TestPartsHaveTheBitsOfOneMachine: all measures, in 1, 2, 3, 7, or more parts than there is work, joined in any order.
func TestPartsHaveTheBitsOfOneMachine(t *testing.T) {
	e := engine.NewSession()
	defer e.Close()
	random := rand.New(rand.NewPCG(24, 3))
	for i, c := range partCases(t) {
		counts := []int{1 + i%2, 3 + i/2%2*4}
		if i < 2 {
			counts = append(counts, 150)
		}
		want, err := e.Compute(t.Context(), c.task)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, k := range counts {
			files := c.files(t, e, k)
			random.Shuffle(k, func(i, j int) { files[i], files[j] = files[j], files[i] })
			got, err := c.merged(t, e, files)
			if err != nil {
				t.Fatalf("%s in %d parts: %v", c.name, k, err)
			}
			if !sameBits(got.Nodes, want.Scores.Nodes) || !sameBits(got.Edges, want.Scores.Edges) ||
				got.Totals != want.Scores.Totals {
				t.Errorf("%s: other bits in %d parts", c.name, k)
			}
		}
	}
}

// TestMissingPartsAreComputed: with the bits of one machine.
func TestMissingPartsAreComputed(t *testing.T) {
	e := engine.NewSession()
	defer e.Close()
	c := partCases(t)[0]
	want, err := e.Compute(t.Context(), c.task)
	if err != nil {
		t.Fatal(err)
	}
	files := c.files(t, e, 5)
	got, err := c.merged(t, e, []*parts.File{files[3], files[1]})
	if err != nil || !sameBits(got.Nodes, want.Scores.Nodes) || !sameBits(got.Edges, want.Scores.Edges) {
		t.Errorf("%s: parts 0, 2 and 4 computed by merge: %v", c.name, err)
	}
}

// TestMergerRefusesOtherTasks: parts of another graph, of another measure and of other options make no scores.
func TestMergerRefusesOtherTasks(t *testing.T) {
	e := engine.NewSession()
	defer e.Close()
	c := partCases(t)[0]
	files := c.files(t, e, 2)
	for part, change := range map[string]func(*engine.Task){
		"this graph is ": func(o *engine.Task) {
			o.Snapshot = &export.Snapshot{Graph: graphtest.Grid(t,
				3, true)}
		},
		"sources is all, not 2, ":   func(o *engine.Task) { o.Request.Sources = []int32{0, 1} },
		"reduce is ":                func(o *engine.Task) { o.Request.Reduce = "trees,blocks" },
		"edges is true, not false":  func(o *engine.Task) { o.Request.Edges = false },
		"scale is 1, not 2":         func(o *engine.Task) { o.Request.Scale = 2 },
		"weighted is false, not tr": func(o *engine.Task) { o.Request.Weighted = true },
	} {
		other := c
		change(&other.task)
		_, err := other.merged(t, e, files)
		if err == nil || !strings.Contains(err.Error(), part) || HintOf(err) == "" || FailureOf(err) != Misused {
			t.Errorf("%v (hint: %s); want %q", err, HintOf(err), part)
		}
	}
}
