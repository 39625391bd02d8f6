//go:build cuda || emulate

package worker

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/built"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// workerVariable makes this test binary a worker. Its value is a folder, in which each worker leaves a file.
const workerVariable = "LINCHPIN_TEST_SHARD_WORKER"

func TestMain(m *testing.M) {
	folder := os.Getenv(workerVariable)
	if folder == "" {
		os.Exit(m.Run())
	}
	_, err := os.CreateTemp(folder, "worker")
	if err == nil {
		err = serveBuilt()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serveBuilt is a worker with the devices of the build, or with those that a test wants of them.
func serveBuilt() error {
	count, open := wantedDevices()
	return Serve(context.Background(), os.Stdin, os.NewFile(3, "events"), Host{
		Count: count, Engines: Engines(), Beat: time.Second, Exits: true, Open: open,
	})
}

// byWorkers has engines of a test take this program for their worker.
func byWorkers(t *testing.T) {
	t.Helper()
	t.Setenv(workerVariable, t.TempDir())
	t.Setenv("LINCHPIN_WORKER", os.Args[0])
}

// begun is how many workers have begun since byWorkers.
func begun(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir(os.Getenv(workerVariable))
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

// workerShards are into how many shards a case is cut that workers compute.
func workerShards(i int) []int {
	if testing.Short() && i%4 > 0 {
		return []int{2, 3}
	}
	return []int{1, 2, 3, 8}
}

// shardCase is a row of the whole table: a measure, what is wanted of it, and a strategy.
type shardCase struct {
	name, strategy string
	m              kernels.Measure
	r              kernels.Request
}

// shardCases are all rows for a graph: every measure, of nodes and of edges, by hops and by weights, reduced or not.
// Every strategy computes nodes and edges of the graph as it is.
func shardCases(g *export.Graph) (out []shardCase) {
	for _, m := range kernels.Measures() {
		for _, weighted := range []bool{false, true} {
			strategies := m.StrategiesFor(weighted)
			if len(strategies) == 0 || !m.Kind.Divides() {
				continue
			}
			for _, strategy := range append([]string{auto}, strategies...) {
				for _, wanted := range []struct{ nodes, edges bool }{{true, false}, {false, true}, {true, true}} {
					for _, reduce := range []string{kernels.ReduceOff, kernels.ReduceOn, "trees,blocks"} {
						r := kernels.Request{Nodes: wanted.nodes, Edges: wanted.edges, Reduce: reduce}
						r.Weighted = weighted
						reduced := reduce != kernels.ReduceOff
						few := wanted.nodes && (wanted.edges || m.Edge == "")
						switch {
						case m.Check(r) != nil, reduced && (!m.Reducible || g.Directed):
						case strategy != auto && strategy != kernels.Chains && (reduced || !few):
						case strategy == kernels.Chains && (!reduced || g.Directed):
						default:
							name := fmt.Sprintf("%s by %s, %+v, weighted %t, reduce %s", m.Name, strategy, wanted, weighted, reduce)
							out = append(out, shardCase{name, strategy, m, r})
						}
					}
				}
				if m.BySource && strategy == auto {
					ranged := kernels.Request{Nodes: true, Edges: m.Edge != "", Pairs: &kernels.Pairs{Within: 2}}
					if ranged.Weighted = weighted; weighted {
						ranged.Pairs.Within = 12e-6
					}
					out = append(out, shardCase{fmt.Sprintf("%s within a range, weighted %t", m.Name, weighted), strategy, m, ranged})
				}
			}
		}
	}
	return out
}

// shardGraphs are one with trees, blocks and chains, and a directed one, of several batches each. Weights are small:
// sums of lengths in ticks are not those in weights.
func shardGraphs(t *testing.T) []*export.Graph {
	random := rand.New(rand.NewPCG(3, 8))
	var links []graphtest.Link
	n := int32(devicetest.Sized(400, 90))
	for range n * 2 {
		links = append(links, graphtest.Link{From: random.Int32N(n), To: random.Int32N(n),
			Weight: float64(1+random.IntN(9)) / 1e6})
	}
	roads := []graphtest.Link{}
	next := n / 4
	for range n / 3 {
		at, end := random.Int32N(n/4), random.Int32N(n/4)
		for range random.IntN(3) {
			roads = append(roads, graphtest.Link{From: at, To: next, Weight: float64(1+random.IntN(9)) / 1e6})
			at, next = next, next+1
		}
		roads = append(roads, graphtest.Link{From: at, To: end, Weight: float64(1+random.IntN(9)) / 1e6})
	}
	return []*export.Graph{graphtest.Links(t, int(next), false, true, roads),
		graphtest.Links(t, int(n), true, true, links)}
}

// TestShardsOfTheTable: what every strategy computes has the same bits in 1, 2, 3 and 8 shards. In the short form each
// case has one number of shards, and a third of the strategies that are asked for come.
func TestShardsOfTheTable(t *testing.T) {
	d := devicetest.Open(t)
	counts, compared := []int{2, 3, 8}, 0
	for at, g := range shardGraphs(t) {
		for i, c := range shardCases(g) {
			if testing.Short() && c.strategy != auto && c.strategy != kernels.Chains && i%3 > 0 {
				continue
			}
			want, err := onDevice(t.Context(), d, g, c.m.Name, c.r, c.strategy, false)
			if unsuited := (*device.Unsuited)(nil); errors.As(err, &unsuited) ||
				err != nil && strings.Contains(err.Error(), "does not compute") {
				continue
			}
			if err != nil {
				t.Fatalf("graph %d: %s: %v", at, c.name, err)
			}
			for k, shards := range counts {
				if testing.Short() && k != i%len(counts) {
					continue
				}
				got, err := inShards(t.Context(), d, g, c.m.Name, c.r, c.strategy, false, shards)
				if err != nil {
					t.Fatalf("graph %d: %s in %d shards: %v", at, c.name, shards, err)
				}
				compared++
				if !slices.Equal(gpu.Bytes(got.Nodes), gpu.Bytes(want.Nodes)) ||
					!slices.Equal(gpu.Bytes(got.Edges), gpu.Bytes(want.Edges)) {
					t.Errorf("graph %d: %s: other bits in %d shards", at, c.name, shards)
				}
				if got.Totals.Pairs != want.Totals.Pairs || got.Ties != want.Ties || got.strategy != want.strategy {
					t.Errorf("graph %d: %s in %d shards: %+v, ties %q by %s; want %+v, %q by %s", at, c.name, shards, got.Totals,
						got.Ties, got.strategy, want.Totals, want.Ties, want.strategy)
				}
				if got.Totals.Distance != want.Totals.Distance {
					t.Errorf("graph %d: %s in %d shards: distance %v, want %v", at, c.name, shards, got.Totals.Distance,
						want.Totals.Distance)
				}
			}
		}
	}
	t.Logf("%d runs in shards", compared)
}

// TestShardsThroughWorkers: shards that worker processes compute, and leave in files, give the scores of one worker.
// There is one for each device that they share.
func TestShardsThroughWorkers(t *testing.T) {
	byWorkers(t)
	devices, err := built.Count()
	if err != nil {
		t.Fatal(err)
	}
	for at, g := range shardGraphs(t) {
		snapshot := &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}}
		for i, c := range shardCases(g) {
			if c.strategy != auto && c.strategy != kernels.Chains || testing.Short() && i%5 > 0 {
				continue
			}
			task := engine.Task{Measure: c.m.Name, Request: c.r, Snapshot: snapshot, Device: engine.GPU, Strategy: c.strategy}
			whole := computeBy(t, task)
			if whole == nil {
				continue
			}
			for _, task.Shards = range workerShards(i) {
				before, workers := begun(t), min(devices, task.Shards)
				if task.Device = engine.GPU; i%3 == 0 {
					task.Device, workers = "gpu:0", 1
				}
				got := computeBy(t, task)
				if got == nil {
					t.Fatalf("graph %d: %s: not in shards", at, c.name)
				}
				if n := begun(t) - before; n != workers {
					t.Errorf("graph %d: %s in %d shards on %s: %d workers, want %d", at, c.name, task.Shards, task.Device, n, workers)
				}
				says := fmt.Sprintf("; in %d shards", task.Shards)
				if task.Shards > 1 && (got.Shards != task.Shards || !strings.HasSuffix(got.Reason, says)) {
					t.Errorf("graph %d: %s: in %d shards, not %d: %s", at, c.name, got.Shards, task.Shards, got.Reason)
				}
				if !slices.Equal(gpu.Bytes(got.Scores.Nodes), gpu.Bytes(whole.Scores.Nodes)) ||
					!slices.Equal(gpu.Bytes(got.Scores.Edges), gpu.Bytes(whole.Scores.Edges)) {
					t.Errorf("graph %d: %s: other bits in %d shards", at, c.name, task.Shards)
				}
				if got.Scores.Totals != whole.Scores.Totals || got.Scores.Ties != whole.Scores.Ties ||
					got.Strategy != whole.Strategy {
					t.Errorf("graph %d: %s in %d shards: %+v, ties %q by %s; want %+v, %q by %s", at, c.name, task.Shards,
						got.Scores.Totals, got.Scores.Ties, got.Strategy, whole.Scores.Totals, whole.Scores.Ties, whole.Strategy)
				}
			}
		}
	}
}

// computeBy computes a task on a device; nil for one that none can do.
func computeBy(t *testing.T, task engine.Task) *engine.Outcome {
	t.Helper()
	s := engine.NewSession()
	defer s.Close()
	out, err := s.Compute(t.Context(), task)
	if r, detail := engine.ReasonOf(err); r == "not-on-gpu" {
		t.Log(detail)
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// manyPaths has a row of nodes, each joined to the next by so many edges that paths pass float64, among others.
func manyPaths(t *testing.T, weighted bool) *export.Graph {
	var links []graphtest.Link
	const nodes, joined = 140, 256
	for v := range int32(nodes) {
		for range joined {
			links = append(links, graphtest.Link{From: v, To: v + 1, Weight: 1 + float64(v%3)})
		}
		if v%3 == 0 {
			links = append(links, graphtest.Link{From: v, To: nodes + 1 + v/3, Weight: 2})
		}
	}
	return graphtest.Links(t, nodes+2+nodes/3, true, weighted, links)
}

// TestShardsThatLeaveSources: steps that follow the first one give the scores of one worker, too.
func TestShardsThatLeaveSources(t *testing.T) {
	byWorkers(t)
	for _, c := range []struct {
		measure, strategy, says string
		g                       func(*testing.T) *export.Graph
		slow                    bool
	}{
		{"betweenness", "batched", "128-bit", graphtest.Doubtful, false},
		{"betweenness", auto, "sources left to", func(t *testing.T) *export.Graph { return manyPaths(t, true) }, true},
		{"stress", "batched", "sources left to", func(t *testing.T) *export.Graph { return manyPaths(t, true) }, true},
	} {
		if c.slow && devicetest.Emulated && testing.Short() {
			continue
		}
		g := c.g(t)
		r := kernels.Request{Nodes: true, Params: kernels.Params{Weighted: true, Log: c.measure == "stress"},
			Reduce: kernels.ReduceOff}
		task := engine.Task{
			Measure: c.measure, Request: r, Snapshot: &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}},
			Device: engine.GPU, Strategy: c.strategy,
		}
		whole := computeBy(t, task)
		if whole == nil {
			t.Fatalf("%s by %s: not on a device", c.measure, c.strategy)
		}
		if !strings.Contains(whole.Reason, c.says) {
			t.Errorf("%s by %s: %s; want %q", c.measure, c.strategy, whole.Reason, c.says)
		}
		for _, task.Shards = range []int{2, 3} {
			got := computeBy(t, task)
			if !slices.Equal(gpu.Bytes(got.Scores.Nodes), gpu.Bytes(whole.Scores.Nodes)) ||
				got.Scores.Totals != whole.Scores.Totals {
				t.Errorf("%s by %s: other bits in %d shards, totals %+v and %+v", c.measure, c.strategy, task.Shards,
					got.Scores.Totals, whole.Scores.Totals)
			}
		}
	}
}
