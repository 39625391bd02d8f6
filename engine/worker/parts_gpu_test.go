//go:build cuda || emulate

package worker

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// partFiles computes k parts of a task, each as a process of its own would, and opens their files. nil for a task that
// no device can compute.
func partFiles(t *testing.T, s *engine.Session, task engine.Task, k int) []*parts.File {
	t.Helper()
	folder := t.TempDir()
	files := make([]*parts.File, k)
	for i := range files {
		found, request, err := onePart(t, s, task, kernels.Shard{Index: i, Of: k})
		if r, detail := engine.ReasonOf(err); r == protocol.NotOnGPU {
			t.Log(detail)
			return nil
		}
		about := parts.About{Graph: task.Snapshot.Digest(), Index: i, Of: k}
		path := filepath.Join(folder, fmt.Sprint(i))
		if err == nil {
			about.Tasks = []parts.Task{parts.TaskOf(task.Measure, request, found.By)}
			about.Told, about.Options = []parts.Told{found.Told}, parts.OptionsOf(about.Tasks)
			err = parts.Write(path, about, []*parts.Found{found})
		}
		if err == nil {
			files[i], err = parts.Open(path)
		}
		if err != nil {
			t.Fatalf("%s: part %d of %d: %v", task.Measure, i, k, err)
		}
	}
	return files
}

// onePart computes one part of a task.
func onePart(
	t *testing.T, s *engine.Session, task engine.Task, shard kernels.Shard,
) (*parts.Found, kernels.Request, error) {
	t.Helper()
	p, err := s.Part(t.Context(), task)
	if err != nil {
		return nil, kernels.Request{}, err
	}
	defer p.Close()
	found, err := p.Shard(t.Context(), shard, parts.Step{})
	return found, p.Request, err
}

// merge makes scores of files, nil for a part that is to be computed, as linchpin merge does.
func merge(ctx context.Context, s *engine.Session, task engine.Task, files []*parts.File) (*engine.Outcome, error) {
	there := slices.DeleteFunc(slices.Clone(files), func(f *parts.File) bool { return f == nil })
	if _, err := parts.Check(parts.Program{}, there, false); err != nil {
		return nil, err
	}
	task.Way = &there[0].Tasks[0].By
	p, err := s.Part(ctx, task)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return p.Finish(ctx, len(files), iter.Seq2[*parts.Found, error](func(yield func(*parts.Found, error) bool) {
		for i, f := range files {
			var found *parts.Found
			var err error
			if f != nil {
				found, err = f.Found(0)
			} else {
				found, err = p.Shard(ctx, kernels.Shard{Index: i, Of: len(files)}, parts.Step{})
			}
			if !yield(found, err) {
				return
			}
		}
	}))
}

// sameScores reports scores of other bits than those of one worker.
func sameScores(t *testing.T, name string, got, want *engine.Outcome) {
	t.Helper()
	if !slices.Equal(gpu.Bytes(got.Scores.Nodes), gpu.Bytes(want.Scores.Nodes)) ||
		!slices.Equal(gpu.Bytes(got.Scores.Edges), gpu.Bytes(want.Scores.Edges)) {
		t.Errorf("%s: other bits", name)
	}
	a, b := got.Scores, want.Scores
	device, _, _ := strings.Cut(got.Device, " (gpu:") // which tells it from the others of a machine
	if a.Totals != b.Totals || a.Ties != b.Ties || a.Single != b.Single || got.Strategy != want.Strategy ||
		device != want.Device {
		t.Errorf("%s: %+v, ties %q by %s on %s; want %+v, %q by %s on %s", name, a.Totals, a.Ties, got.Strategy, got.Device,
			b.Totals, b.Ties, want.Strategy, want.Device)
	}
}

// TestPartsOnADevice: parts that processes compute on a device, and leave in files, give the scores of one worker:
// every measure that is a sum over sources, of nodes and of edges, by hops and by weights, reduced or not. A part that
// is missing is computed.
func TestPartsOnADevice(t *testing.T) {
	byWorkers(t)
	s := engine.NewSession()
	defer s.Close()
	compared, plain := 0, 0
	for at, g := range shardGraphs(t) {
		snapshot := &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}}
		for i, c := range shardCases(g) {
			if c.strategy != auto && c.strategy != kernels.Chains || testing.Short() && i%6 > 0 {
				continue
			}
			task := engine.Task{Measure: c.m.Name, Request: c.r, Snapshot: snapshot, Device: engine.GPU, Strategy: c.strategy}
			counts := workerShards(i)
			if testing.Short() {
				counts = []int{[]int{1, 2, 3, 8}[i/6%4]}
			}
			whole := computeBy(t, task)
			for _, k := range counts {
				name := fmt.Sprintf("graph %d: %s in %d parts", at, c.name, k)
				files := partFiles(t, s, task, k)
				if (files == nil) != (whole == nil) {
					t.Fatalf("%s: %v; as a whole %v", name, files, whole)
				}
				if files == nil {
					continue
				}
				if k > 2 {
					files[k/2] = nil
				}
				got, err := merge(t.Context(), s, task, files)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				sameScores(t, name, got, whole)
				if compared++; files[0].Tasks[0].By.Plain {
					plain++
				}
			}
		}
	}
	t.Logf("%d runs in parts, %d of graphs as they are", compared, plain)
	if plain == 0 || plain == compared {
		t.Error("not both of reduced graphs and of graphs as they are")
	}
}

// TestPartsThatLeaveSources: merge does the steps that follow the first one.
func TestPartsThatLeaveSources(t *testing.T) {
	byWorkers(t)
	s := engine.NewSession()
	defer s.Close()
	for _, c := range []struct {
		measure, strategy string
		g                 func(*testing.T) *export.Graph
		slow              bool
	}{
		{"betweenness", "batched", graphtest.Doubtful, false},
		{"betweenness", auto, func(t *testing.T) *export.Graph { return manyPaths(t, true) }, true},
		{"stress", "batched", func(t *testing.T) *export.Graph { return manyPaths(t, true) }, true},
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
		for _, k := range []int{1, 3} {
			files := partFiles(t, s, task, k)
			left := 0
			for _, f := range files {
				left += f.Told[0].Left
			}
			if left == 0 {
				t.Errorf("%s by %s: %d parts leave no sources", c.measure, c.strategy, k)
			}
			got, err := merge(t.Context(), s, task, files)
			if err != nil {
				t.Fatal(err)
			}
			sameScores(t, fmt.Sprintf("%s by %s in %d parts", c.measure, c.strategy, k), got, whole)
			if k == 1 {
				continue
			}
			t.Setenv("LINCHPIN_WORKER", "/nothing/here") // a machine without a GPU
			none := engine.NewSession()
			_, err = merge(t.Context(), none, task, files)
			if r, _ := engine.ReasonOf(err); !r.Missing() {
				t.Errorf("%s by %s without a device: %v", c.measure, c.strategy, err)
			}
			byWorkers(t)
		}
	}
}

// TestPartsOfOneWay: parts of other ways than one another do not merge. Those of a graph as it is merge without a
// device.
func TestPartsOfOneWay(t *testing.T) {
	byWorkers(t)
	s := engine.NewSession()
	defer s.Close()
	g := shardGraphs(t)[1]
	task := engine.Task{
		Measure: "betweenness", Request: kernels.Request{Nodes: true, Reduce: kernels.ReduceOff}, Device: engine.Auto,
		Strategy: auto, Snapshot: &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}},
	}
	files := partFiles(t, s, task, 2)
	if by := files[0].Tasks[0].By; !by.OnGPU() || by.Worker == "" || by.Strategy == "" {
		t.Fatalf("auto did not take the device: %+v", by)
	}
	onCPU, single, other := task, task, task
	// searches one by one count in float64
	onCPU.Device, single.Precision, single.Strategy = engine.CPU, kernels.Single, batched
	if other.Strategy = "hybrid"; files[0].Tasks[0].By.Strategy == "hybrid" {
		other.Strategy = "work-efficient"
	}
	for says, another := range map[string]engine.Task{
		" on the CPU, and ": onCPU, "in single precision": single, "strategy " + other.Strategy: other,
	} {
		mixed := []*parts.File{files[0], partFiles(t, s, another, 2)[1]}
		mixed[1].Index = 1
		if _, err := merge(t.Context(), s, task, mixed); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want %q", err, says)
		}
	}
	task.Device = engine.GPU
	whole := computeBy(t, task)
	t.Setenv("LINCHPIN_WORKER", "/nothing/here")
	none := engine.NewSession()
	got, err := merge(t.Context(), none, task, files)
	if err != nil {
		t.Fatal(err)
	}
	sameScores(t, "without a device", got, whole)
	if _, err := merge(t.Context(), none, task, []*parts.File{files[0], nil}); err == nil {
		t.Error("a missing part was computed without a device")
	}
}
