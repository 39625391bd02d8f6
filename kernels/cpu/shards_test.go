package cpu

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
)

// shardCase is a row of the whole table: a measure, what is wanted of it, and a graph.
type shardCase struct {
	name string
	m    kernels.Measure
	g    *export.Graph
	r    kernels.Request
}

// shardGraphs are graphs of every kind of problem: with cores that one thread solves and that all do, blocks, chains
// and trees, by weights that share ticks of 64 and of 128 bits, and none.
func shardGraphs(t testing.TB, count int) []*export.Graph {
	random := rand.New(rand.NewPCG(8, 3))
	large := graphtest.Subdivided(t, 520, 2, 1) // its core is, too
	out := []*export.Graph{large, graphtest.Subdivided(t, 30, 2, 5), graphtest.Grid(t, 9, true),
		build(t, 40, false, path(40))}
	for i := range count {
		n := 2 + random.IntN(120)
		var links []graphtest.Link
		for range random.IntN([]int{n + n/4, 2 * n, 4 * n}[i/2%3] + 1) {
			w := float64(1 + random.IntN(9))
			switch i % 5 {
			case 3:
				w = math.Ldexp(random.Float64(), random.IntN(40)-20)
			case 4:
				w += 1e-14 * float64(random.IntN(1000))
			}
			links = append(links, graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)), Weight: w})
		}
		out = append(out, graphtest.Links(t, n, i%4 == 1, true, links))
	}
	return out
}

// shardCases are all rows of the table on a graph.
func shardCases(i int, g *export.Graph) (out []shardCase) {
	for _, m := range kernels.Measures() {
		if m.Kind.Flows() && g.Directed {
			continue // refused
		}
		if m.Kind == kernels.Eigenvectors && g.Directed {
			continue // without a cycle it has no scores
		}
		if !m.Kind.Divides() && i >= 8 {
			continue // one process computes it whole, for any number of shards
		}
		for _, wanted := range []struct{ nodes, edges bool }{{true, false}, {false, true}, {true, true}} {
			for _, weighted := range []bool{false, true} {
				for _, reduce := range reduceWords(m, g) {
					r := kernels.Request{Nodes: wanted.nodes, Edges: wanted.edges, Reduce: reduce}
					r.Weighted = weighted
					r.Endpoints = m.Kind == kernels.Dependencies && i%2 == 1
					r.Log = m.Kind == kernels.PathCounts && i%2 == 1
					tooLong := i == 0 && (m.Kind != kernels.Dependencies || reduce == kernels.ReduceOff || !r.Nodes || !r.Edges)
					if m.Check(r) != nil || m.CheckGraph(g) != nil || tooLong {
						continue
					}
					name := fmt.Sprintf("graph %d, %s, %+v, weighted %t, reduce %s", i, m.Name, wanted, weighted, reduce)
					out = append(out, shardCase{name, m, g, r})
					if r.Sources = kernels.DrawSources(g.N(), (g.N()+1)/2, int64(i)); m.Check(r) == nil &&
						reduce == kernels.ReduceOff {
						out = append(out, shardCase{name + ", a sample", m, g, r})
					}
				}
			}
		}
	}
	return out
}

// reduceWords are values of Request.Reduce that lead to different problems.
func reduceWords(m kernels.Measure, g *export.Graph) []string {
	switch {
	case !m.Reducible || g.Directed:
		return []string{kernels.ReduceOff}
	case m.Kind == kernels.Dependencies:
		return []string{kernels.ReduceOff, kernels.ReduceAuto, kernels.ReduceOn, "trees,blocks", "chains,twins"}
	}
	return []string{kernels.ReduceOff, kernels.ReduceAuto, "blocks", "trees,chains"}
}

// part computes a shard, as a process of its own would.
func (c shardCase) part(ctx context.Context, shard kernels.Shard) ([]byte, error) {
	c.r.Threads = 1 + (shard.Of+shard.Index)%3
	run, err := Prepare(ctx, c.m, c.g, c.r, nil)
	if err != nil {
		return nil, err
	}
	p := run.Empty()
	if err := run.Search(ctx, shard, p); err != nil {
		return nil, err
	}
	return p.MarshalBinary()
}

// joined joins partial results, the last first, and finishes them.
func (c shardCase) joined(ctx context.Context, parts [][]byte) (*kernels.Scores, error) {
	run, err := Prepare(ctx, c.m, c.g, c.r, nil)
	if err != nil {
		return nil, err
	}
	all := run.Empty()
	for _, data := range slices.Backward(parts) {
		var p kernels.Partial
		if err := p.UnmarshalBinary(data); err != nil {
			return nil, err
		}
		if err := all.Join(&p); err != nil {
			return nil, err
		}
	}
	return run.Finish(all)
}

// whole computes the case as it is, and checks it.
func (c shardCase) whole(t *testing.T) *kernels.Scores {
	t.Helper()
	want, err := Compute(t.Context(), c.m, c.g, c.r)
	if err == nil {
		err = check.Scores(c.m, c.g, c.r, want)
	}
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return want
}

// compare compares scores bit by bit, and totals.
func (c shardCase) compare(t *testing.T, got, want *kernels.Scores, shards int) {
	t.Helper()
	if !slices.Equal(bitsOf(got.Nodes), bitsOf(want.Nodes)) || !slices.Equal(bitsOf(got.Edges), bitsOf(want.Edges)) {
		t.Errorf("%s: other bits in %d shards", c.name, shards)
	}
	if !c.m.Kind.Divides() {
		return // only the process that searches knows more than the scores
	}
	if got.Totals != want.Totals || got.Ties != want.Ties {
		t.Errorf("%s: totals %+v and ties %q in %d shards, not %+v and %q", c.name, got.Totals, got.Ties, shards,
			want.Totals, want.Ties)
	}
}

func bitsOf(scores []float64) []uint64 {
	out := make([]uint64, len(scores))
	for i, x := range scores {
		out[i] = math.Float64bits(x)
	}
	return out
}

// shardCounts are into how many shards runs are cut.
func shardCounts() []int { return []int{1, 2, 3, 8} }

// TestShards: every measure, of nodes and of edges, by hops and by weights, reduced or not, has the same bits in 1, 2,
// 3 and 8 shards, on any number of threads, and as the plain computation.
func TestShards(t *testing.T) {
	count := 20
	if testing.Short() {
		count = 6
	}
	taken := map[string]int{}
	for i, g := range shardGraphs(t, count) {
		for _, c := range shardCases(i, g) {
			want := c.whole(t)
			if want.Reduction != nil && len(want.Reduction.Taken) > 0 {
				taken[c.m.Name+" "+strings.Join(want.Reduction.Taken, ",")]++
			}
			for _, shards := range shardCounts() {
				parts := make([][]byte, shards)
				for k := range parts {
					var err error
					if parts[k], err = c.part(t.Context(), kernels.Shard{Index: k, Of: shards}); err != nil {
						t.Fatalf("%s: %v", c.name, err)
					}
				}
				got, err := c.joined(t.Context(), parts)
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				c.compare(t, got, want, shards)
				r := c.r
				r.Progress = rising(t, c.name)
				if got, err = InShards(t.Context(), c.m, c.g, r, nil, shards); err != nil {
					t.Fatalf("%s in one process: %v", c.name, err)
				}
				c.compare(t, got, want, shards)
			}
		}
	}
	for _, name := range []string{"betweenness trees,blocks,chains", "betweenness trees,blocks", "closeness trees,chains",
		"eccentricity trees,chains", "closeness blocks"} {
		if taken[name] == 0 {
			t.Errorf("no run of %s; there are %v", name, taken)
		}
	}
}

// rising is a progress that does not go back, and ends at the total at most.
func rising(t *testing.T, name string) func(done, total int) {
	most := 0
	return func(done, total int) {
		if done < most || done > total {
			t.Errorf("%s: %d of %d after %d", name, done, total, most)
		}
		most = done
	}
}

// The environment of a process that computes one shard of all cases: its index, the number of shards, and the folder
// for its files.
const (
	shardIndexVariable  = "LINCHPIN_TEST_SHARD"
	shardOfVariable     = "LINCHPIN_TEST_SHARDS"
	shardFolderVariable = "LINCHPIN_TEST_SHARD_FOLDER"
)

// processCases are the cases whose shards are computed by processes.
func processCases(t *testing.T) (out []shardCase) {
	for i, g := range shardGraphs(t, 4) {
		out = append(out, shardCases(i, g)...)
	}
	return out
}

func shardFile(folder string, number int, shard kernels.Shard) string {
	return filepath.Join(folder, fmt.Sprintf("%d-%d-%d", number, shard.Index, shard.Of))
}

// TestShardProcess is what each process of TestShardsOfProcesses does.
func TestShardProcess(t *testing.T) {
	folder := os.Getenv(shardFolderVariable)
	if folder == "" {
		return
	}
	index, err := strconv.Atoi(os.Getenv(shardIndexVariable))
	if err != nil {
		t.Fatal(err)
	}
	of, err := strconv.Atoi(os.Getenv(shardOfVariable))
	if err != nil {
		t.Fatal(err)
	}
	shard := kernels.Shard{Index: index, Of: of}
	for i, c := range processCases(t) {
		data, err := c.part(t.Context(), shard)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := os.WriteFile(shardFile(folder, i, shard), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestShardsOfProcesses: shards that processes of their own compute and leave in files have the same bits, too.
func TestShardsOfProcesses(t *testing.T) {
	folder, cases := t.TempDir(), processCases(t)
	want := make([]*kernels.Scores, len(cases))
	for i, c := range cases {
		want[i] = c.whole(t)
	}
	for _, shards := range shardCounts() {
		for k := range shards {
			command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestShardProcess$",
				"-test.short="+strconv.FormatBool(testing.Short()))
			command.Env = append(os.Environ(), shardFolderVariable+"="+folder,
				fmt.Sprintf("%s=%d", shardIndexVariable, k), fmt.Sprintf("%s=%d", shardOfVariable, shards))
			if output, err := command.CombinedOutput(); err != nil {
				t.Fatalf("shard %d of %d: %v\n%s", k, shards, err, output)
			}
		}
		for i, c := range cases {
			parts := make([][]byte, shards)
			for k := range parts {
				var err error
				if parts[k], err = os.ReadFile(shardFile(folder, i, kernels.Shard{Index: k, Of: shards})); err != nil {
					t.Fatal(err)
				}
			}
			got, err := c.joined(t.Context(), parts)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			c.compare(t, got, want[i], shards)
		}
	}
}
