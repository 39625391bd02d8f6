package fleet_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/fleet/coordinator"
	"github.com/linchpin-graph/linchpin/fleet/node"
	"github.com/linchpin-graph/linchpin/kernels"
)

var build = parts.Program{Version: "1", Commit: "c", Go: "g", Processor: "p"}

// rig is a coordinator in this process, with a server.
type rig struct {
	t      *testing.T
	folder string
	server *httptest.Server
	engine *coordinator.Engine
	log    *slog.Logger
	swap   func(http.Handler)
	// uploads is held in part by each part that a coordinator receives.
	uploads sync.RWMutex
}

func newRig(t *testing.T, change func(*coordinator.Options)) *rig {
	t.Helper()
	r := &rig{t: t, folder: filepath.Join(t.TempDir(), "fleet"), log: slog.New(slog.NewTextHandler(t.Output(), nil))}
	var mu sync.Mutex
	var now http.Handler
	r.swap = func(h http.Handler) {
		mu.Lock()
		defer mu.Unlock()
		now = h
	}
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		h := now
		mu.Unlock()
		if q.Method == http.MethodPut {
			r.uploads.RLock()
			defer r.uploads.RUnlock()
		}
		h.ServeHTTP(w, q)
	}))
	t.Cleanup(r.server.Close)
	r.restart(change)
	return r
}

// restart begins another coordinator with the same folder.
func (r *rig) restart(change func(*coordinator.Options)) {
	o := coordinator.Options{
		Folder: r.folder, Program: build, Logger: r.log, Lease: time.Second, Target: 30 * time.Millisecond,
	}
	if change != nil {
		change(&o)
	}
	c := coordinator.New(o)
	session := engine.NewSession()
	r.t.Cleanup(session.Close)
	r.engine = &coordinator.Engine{Local: session, Fleet: c}
	r.swap(c.Handler())
}

// settle waits until no part is being received: a coordinator of this process that was stopped still removes the files
// of those that came too late.
func (r *rig) settle() {
	r.uploads.Lock()
	defer r.uploads.Unlock()
}

// join starts a node, and returns what stops it.
func (r *rig) join(name string, change func(*node.Options)) (leave func() error) {
	r.t.Helper()
	session := engine.NewSession()
	o := node.Options{
		URL: r.server.URL, Token: "token", Name: name, Device: parts.CPU, OnCPU: true, Threads: 1, Program: build,
		Engine: session, Cache: filepath.Join(r.t.TempDir(), "cache"), CacheBytes: 1 << 30, Grace: time.Second,
		Logger: r.log.With("node", name), Memory: func() (int64, error) { return 1 << 40, nil },
	}
	if change != nil {
		change(&o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- node.Run(ctx, o) }()
	stop := sync.OnceValue(func() error {
		cancel()
		err := <-done
		session.Close()
		return err
	})
	r.t.Cleanup(func() { _ = stop() })
	return stop
}

// left lists what is left in the folder of the coordinator.
func (r *rig) left() (out []string) {
	all, _ := os.ReadDir(r.folder)
	for _, f := range all {
		out = append(out, f.Name())
	}
	return out
}

func taskOf(measure string, s *export.Snapshot, weighted bool) engine.Task {
	m, _ := kernels.Lookup(measure)
	return engine.Task{
		Measure: measure, Snapshot: s, Device: engine.CPU, Strategy: "auto", Nodes: 1,
		Request: kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: m.Node != "",
			Edges: m.Edge != "", Scale: 1},
	}
}

// aGraph takes about half a second on one thread with 2,500 nodes.
func aGraph(t *testing.T, nodes int) *export.Snapshot {
	t.Helper()
	s, err := generate.Graph(t.Context(), generate.Spec{
		Kind: generate.BarabasiAlbert, Nodes: nodes, Degree: 6, Seed: 3, Weights: generate.RealWeights,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func onOneMachine(t *testing.T, task engine.Task) *kernels.Scores {
	t.Helper()
	task.Nodes = 0
	e := engine.NewSession()
	defer e.Close()
	out, err := e.Compute(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	return out.Scores
}

func sameBits(t *testing.T, what string, got, want *kernels.Scores) {
	t.Helper()
	same := func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
	}
	if !same(got.Nodes, want.Nodes) || !same(got.Edges, want.Edges) || got.Totals != want.Totals {
		t.Errorf("%s: not the bits of one machine", what)
	}
}

// TestTheBitsOfOneMachine: every measure on three nodes, by hops and by weights, sampled or not.
func TestTheBitsOfOneMachine(t *testing.T) {
	r := newRig(t, func(o *coordinator.Options) { o.Target = time.Millisecond })
	for i := range 3 {
		r.join(fmt.Sprint("node", i), func(o *node.Options) { o.Threads = 1 + i })
	}
	large, small := aGraph(t, 700), aGraph(t, 150)
	for _, m := range kernels.Measures() {
		s := large
		if !m.Kind.Divides() {
			s = small // no node gets a part of it
		}
		g := s.Graph
		task := taskOf(m.Name, s, m.Weights == kernels.RequiredWeights)
		if m.Check(task.Request) != nil {
			continue
		}
		if m.BySource {
			task.Request.Sources, task.Request.Scale = kernels.Sample(g.N(), g.N()/2, 7)
		}
		want := onOneMachine(t, task)
		out, err := r.engine.Compute(t.Context(), task)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		sameBits(t, m.Name, out.Scores, want)
		if m.Kind.Divides() != strings.Contains(out.Reason, "shards, on ") {
			t.Errorf("%s: %s", m.Name, out.Reason)
		}
	}
	if left := r.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestAnotherCoordinatorGoesOn: one that is stopped leaves what is done, and another one does the rest.
func TestAnotherCoordinatorGoesOn(t *testing.T) {
	r := newRig(t, nil)
	task := taskOf("betweenness", aGraph(t, 1800), true)
	want := onOneMachine(t, task)
	r.join("a", nil)
	r.join("b", nil)
	resumed := 0
	for range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		first := 0.0
		task.Request.Progress = func(done, total int) {
			if first == 0 {
				first = max(float64(done), 0.5)
				if done > 0 {
					resumed++
				}
			}
			if float64(done) > first+float64(total)/8 {
				cancel() // as if the process was killed: nothing is tidied up
			}
		}
		out, err := r.engine.Compute(ctx, task)
		cancel()
		if err == nil {
			sameBits(t, "after resuming", out.Scores, want)
			break
		}
		if len(r.left()) != 1 {
			t.Fatalf("what is done is not kept: %v (%v)", r.left(), err)
		}
		r.settle()
		moved := r.folder + "-copy"
		if err := os.CopyFS(moved, os.DirFS(r.folder)); err != nil {
			t.Fatal(err)
		}
		r.folder = moved
		r.restart(nil)
	}
	if resumed == 0 {
		t.Error("what was done was done again")
	}
	if left := r.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
