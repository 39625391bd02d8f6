package engine

import (
	"context"
	"time"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// What a calibration computes: betweenness of a random graph, from all nodes on a device, and from some on the CPU.
const (
	calibrationScale   = 12
	calibrationDegree  = 16
	calibrationSources = 64
	// calibrationLimit is how long it may take, the start of a worker included.
	calibrationLimit = 20 * time.Second
)

// calibrated returns the rates of a device by a short run on it. The result is kept in the user's cache. After a run
// that failed the rates are those that were given, and that is kept, too.
func calibrated(parent context.Context, device deviceRunner, r *plan.Rates, d DeviceInfo) *plan.Rates {
	s := device.session()
	if s == nil {
		return r
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(parent, calibrationLimit)
	defer cancel()
	c, err := plan.Calibrate(ctx, r, d, s.measure)
	switch {
	case c.Device != "": // measured, if perhaps not kept
		return r.With(c)
	case parent.Err() == nil:
		_ = plan.KeepDefault(d, err) // where that fails the next process tries again
	}
	return r
}

// measure is a plan.Measure.
func (s *Session) measure(ctx context.Context, on plan.Device) (*plan.Features, string, float64, error) {
	snapshot, err := generate.Graph(ctx, generate.Spec{
		Kind: generate.RMAT, Scale: calibrationScale, Degree: calibrationDegree, Seed: 1,
	})
	if err != nil {
		return nil, "", 0, err
	}
	t := Task{
		Measure: "betweenness", Request: kernels.Request{Nodes: true, Threads: 1, Reduce: kernels.ReduceOff},
		Snapshot: snapshot, Device: GPU, Strategy: "batched",
	}
	if on == plan.CPU {
		return measureCPU(ctx, t, snapshot.Graph)
	}
	var out *Outcome
	for range 2 { // the first run loads the kernels
		if out, err = s.Compute(ctx, t); err != nil {
			return nil, "", 0, err
		}
	}
	m, _ := kernels.Lookup(t.Measure)
	return plan.Of(snapshot.Graph, m, t.Request, false), out.Strategy, out.Compute, nil
}

// measureCPU measures one thread.
func measureCPU(ctx context.Context, t Task, g *export.Graph) (*plan.Features, string, float64, error) {
	t.Request.Sources = kernels.DrawSources(g.N(), calibrationSources, 1)
	m, _ := kernels.Lookup(t.Measure)
	start := time.Now()
	_, err := cpu.Compute(ctx, m, g, t.Request)
	return plan.Of(g, m, t.Request, false), plan.Plain, time.Since(start).Seconds(), err
}
