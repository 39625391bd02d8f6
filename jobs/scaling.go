package jobs

import (
	"context"
	"errors"
	"fmt"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/scale"
)

// Scaling is what several GPUs are predicted to give for a measure.
type Scaling struct {
	Measure string `json:"measure"`
	// Table reports that there is no GPU here, and the prediction is for that of the table of rates.
	Table bool `json:"table,omitempty"`
	// Problem says why there is no prediction; Scaling is nil then.
	Problem string         `json:"problem,omitempty"`
	Scaling *scale.Scaling `json:"scaling,omitempty"`
}

// Scaler is an Engine that predicts runs on several devices.
type Scaler interface {
	Scaling(ctx context.Context, t engine.Task, most int) (s *scale.Scaling, table bool, err error)
}

// ScalingOf predicts a task on up to so many GPUs.
func ScalingOf(ctx context.Context, e Scaler, t engine.Task, gpus int) (*Scaling, error) {
	out := &Scaling{Measure: t.Measure}
	var err error
	out.Scaling, out.Table, err = e.Scaling(ctx, t, gpus)
	if errors.Is(err, scale.ErrNoDevice) {
		out.Problem, err = err.Error(), nil
	}
	return out, err
}

// errNotRead is why a job has no prediction for GPUs.
var errNotRead = errors.New(
	"the graph is too large to be read for an estimate; export it (linchpin export), and estimate the file (--measure)")

// Scale adds to an estimate what up to so many GPUs would give for each measure.
func (r *Runner) Scale(ctx context.Context, e *Estimate, job config.Job, gpus int) error {
	scaler, ok := r.Engine.(Scaler)
	if !ok {
		return fmt.Errorf("%T predicts nothing for several devices", r.Engine)
	}
	todo, err := passes(job.Measures)
	if err != nil {
		return err
	}
	for _, p := range todo {
		if e.Snapshot == nil {
			e.Scaling = append(e.Scaling, Scaling{Measure: p.measure.Name, Problem: errNotRead.Error()})
			continue
		}
		work := &Computation{Measure: p.measure, Task: taskOf(p, job.Compute, e.Snapshot, engine.GPU)}
		work.DropRange(ctx)
		s, err := ScalingOf(ctx, scaler, work.Task, gpus)
		if err != nil {
			return err
		}
		e.Scaling = append(e.Scaling, *s)
	}
	return nil
}
