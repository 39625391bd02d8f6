package bench

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/internal/correlation"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Agreement says how much the node scores of a measurement agree with those of another measure.
type Agreement struct {
	With    string `json:"with"`
	Variant string `json:"variant,omitempty"`
	// Seconds are those of the other measure, from all sources.
	Seconds  float64 `json:"seconds"`
	Spearman float64 `json:"spearman"`
	Kendall  float64 `json:"kendall"`
	// Top is the share of the highest TopShare of one that are among the highest of the other.
	Top float64 `json:"top"`
}

// TopShare is the share of the nodes that count as the highest.
const TopShare = 0.01

// agree compares the scores of a measurement with those of the case's other measure, where it has one.
func (r *Runner) agree(ctx context.Context, p *prepared, m *measurement, scores []float64, out *Record) {
	if m.Against == "" || out.Status != OK {
		return
	}
	other, err := r.against(ctx, p, m)
	if err != nil {
		out.fail(fmt.Errorf("%s: %w", m.Against, err))
		return
	}
	y := other.Scores.Nodes
	out.Agreement = &Agreement{
		With: m.Against, Variant: againstVariant(m.Against), Seconds: other.Compute,
		Spearman: correlation.Spearman(scores, y), Kendall: correlation.Kendall(scores, y),
		Top: correlation.Overlap(scores, y, max(1, int(TopShare*float64(len(y))))),
	}
}

// againstVariant is the variant that ranks small components low, where the measure has it.
func againstVariant(measure string) string {
	if measure == "closeness" {
		return kernels.WassermanFaust
	}
	return ""
}

// against computes the other measure, once for each graph.
func (r *Runner) against(ctx context.Context, p *prepared, m *measurement) (*engine.Outcome, error) {
	if out := p.against[m.Against]; out != nil {
		return out, nil
	}
	task := engine.Task{
		Measure: m.Against, Snapshot: p.snapshot, Path: p.path, Device: engine.GPU, Strategy: "auto", Precision: Double,
		Request: kernels.Request{Params: kernels.Params{Variant: againstVariant(m.Against)}, Nodes: true,
			Reduce: kernels.ReduceAuto},
	}
	if m.onCPU() {
		task.Device = engine.CPU
	}
	out, err := r.Engine.Compute(ctx, task)
	if err != nil {
		return nil, err
	}
	p.remember(m.Against, out)
	return out, nil
}

// remember keeps an outcome for the other cases of the graph.
func (p *prepared) remember(key string, out *engine.Outcome) {
	if p.against == nil {
		p.against = map[string]*engine.Outcome{}
	}
	p.against[key] = out
}
