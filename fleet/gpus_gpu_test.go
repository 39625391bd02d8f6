//go:build cuda || emulate

package fleet_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/worker"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/fleet/coordinator"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/built"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// workerVariable makes this test binary a worker, unless it is a node.
const workerVariable = "LINCHPIN_TEST_FLEET_WORKER"

// serveAsWorker makes this process a worker where it was started as one.
func serveAsWorker() {
	if os.Getenv(workerVariable) == "" {
		return
	}
	err := worker.Serve(context.Background(), os.Stdin, os.NewFile(3, "events"), worker.Host{
		Count: built.Count, Engines: worker.Engines(), Beat: time.Second, Exits: true,
		Open: func(i int) (gpu.OpenDevice, error) { return built.Open(i, nil) },
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// joinWithGPU starts a node with a GPU, as a process of its own, and returns what kills it.
func (r *rig) joinWithGPU(name string) (kill func()) {
	r.t.Helper()
	text, err := json.Marshal(role{Address: strings.TrimPrefix(r.server.URL, "http://"), Name: name,
		Folder: r.t.TempDir(), GPU: true})
	if err != nil {
		r.t.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), roleVariable+"="+string(text), workerVariable+"=1", "LINCHPIN_WORKER="+os.Args[0])
	c.Stderr = r.t.Output()
	if err := c.Start(); err != nil {
		r.t.Fatal(err)
	}
	kill = func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	r.t.Cleanup(kill)
	return kill
}

// byOneGPU computes a task on a GPU of this machine.
func byOneGPU(t *testing.T, task engine.Task) *engine.Outcome {
	t.Helper()
	t.Setenv(workerVariable, "1")
	t.Setenv("LINCHPIN_WORKER", os.Args[0])
	defer t.Setenv("LINCHPIN_WORKER", "/nothing/here") // the machine of the coordinator has no GPU
	s := engine.NewSession()
	defer s.Close()
	task.Nodes = 0
	out, err := s.Compute(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNodesWithGPUs: a coordinator without a GPU shares runs out to nodes that have one: of a graph as it is, of one
// that the GPU reduces, and of one whose search leaves sources to a later step. The bits are those of one GPU.
func TestNodesWithGPUs(t *testing.T) {
	r := newRig(t, func(o *coordinator.Options) { o.Target = 300 * time.Millisecond })
	leaves := graphtest.Doubtful(t)
	roads := graphtest.Subdivided(t, 20, 3, 3)
	cases := []struct {
		name, measure, strategy string
		g                       *export.Graph
		weighted, edges         bool
		reduce                  string
		device                  engine.Policy
	}{
		{"as it is", "betweenness", "auto", roads, false, true, kernels.ReduceOff, engine.GPU},
		{"reduced", "betweenness", "auto", roads, false, true, kernels.ReduceOn, engine.GPU},
		{"a later step", "betweenness", "batched", leaves, true, false, kernels.ReduceOff, engine.GPU},
		{"closeness", "closeness", "auto", roads, true, false, kernels.ReduceAuto, engine.Auto},
	}
	r.joinWithGPU("one")
	killed := r.joinWithGPU("two")
	for i, c := range cases {
		task := taskOf(c.measure, &export.Snapshot{Graph: c.g, Nodes: export.IDs{Ints: make([]int64, c.g.N())}}, c.weighted)
		task.Device, task.Strategy, task.Request.Reduce, task.Request.Edges = engine.GPU, c.strategy, c.reduce, c.edges
		want := byOneGPU(t, task)
		task.Device = c.device
		if i == len(cases)-1 {
			killed()
		}
		task.Nodes = 1
		out, err := r.engine.Compute(t.Context(), task)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		sameBits(t, c.name, out.Scores, want.Scores)
		if out.Device != want.Device || out.Strategy != want.Strategy || !strings.Contains(out.Reason, "shards, on ") {
			t.Errorf("%s: by %s on %s (%s); want %s on %s", c.name, out.Strategy, out.Device, out.Reason, want.Strategy,
				want.Device)
		}
	}
	if left := r.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestGPUsAreMissing: a run that demands GPUs fails at once where nobody has one, and a node without one has no part in
// it.
func TestGPUsAreMissing(t *testing.T) {
	r := newRig(t, nil)
	t.Setenv("LINCHPIN_WORKER", "/nothing/here")
	r.join("cpu", nil)
	task := taskOf("betweenness", aGraph(t, 100), false)
	task.Device, task.Nodes = engine.GPU, engine.AnyNodes
	_, err := r.engine.Compute(t.Context(), task)
	if reason, _ := engine.ReasonOf(err); !reason.Missing() {
		t.Errorf("without a GPU: %v", err)
	}
}

// TestAnotherCoordinatorNeedsNoNodeWithGPU: a machine with a GPU makes the scores of a graph that GPUs reduced, even if
// it has computed none of the parts: all were counted when another coordinator was stopped.
func TestAnotherCoordinatorNeedsNoNodeWithGPU(t *testing.T) {
	r := newRig(t, func(o *coordinator.Options) { o.Target = time.Second })
	g := graphtest.Subdivided(t, 20, 3, 3)
	task := taskOf("betweenness", &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}}, false)
	task.Device, task.Request.Reduce = engine.GPU, kernels.ReduceOn
	want := byOneGPU(t, task)
	t.Setenv("LINCHPIN_WORKER", os.Args[0])
	task.Nodes = engine.AnyNodes
	stopped, stop := context.WithCancel(t.Context())
	task.Request.Progress = func(done, total int) {
		if done == total {
			stop()
		}
	}
	if _, err := r.engine.Compute(stopped, task); !errors.Is(err, context.Canceled) || len(r.left()) != 1 {
		t.Fatalf("stopped before there were scores: %v; it left %v", err, r.left())
	}
	r.restart(nil)
	task.Request.Progress = nil
	soon, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := r.engine.Compute(soon, task)
	if err != nil {
		t.Fatal(err)
	}
	sameBits(t, "after another coordinator", out.Scores, want.Scores)
	if !strings.HasSuffix(out.Reason, "on the coordinator") || len(r.left()) > 0 {
		t.Errorf("computed %s; left behind: %v", out.Reason, r.left())
	}
}
