package worker

import (
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// rangeScores are the scores to fill within one of several ranges; nil when not wanted.
type rangeScores struct {
	request      kernels.Request
	nodes, edges []float64
}

// shareRanges is share for several ranges: the scores of one follow those of the one before.
func (t *task) shareRanges(values []float64, o protocol.Order) {
	n, m := t.job.Host.N(), t.job.Host.M()
	for _, within := range o.Ranges {
		of := rangeScores{request: t.job.Request}
		of.request.Pairs = &kernels.Pairs{Within: within}
		if o.Nodes {
			of.nodes, values = values[:n:n], values[n:]
		}
		if o.Edges {
			of.edges, values = values[:m:m], values[m:]
		}
		t.ranges = append(t.ranges, of)
	}
}

// inRanges makes a way one of several ranges, each with a partial result of its own. That of the greatest is the job's.
func (w *way) inRanges(t *task) {
	for _, of := range t.ranges {
		w.job.Partial = t.partial(of.request)
		w.job.Ranges = append(w.job.Ranges, device.Range{
			Partial: w.job.Partial, Values: &device.Values{Nodes: of.nodes, Edges: of.edges},
		})
	}
	w.finish = func(p *kernels.Partial) (kernels.Totals, error) {
		for i, of := range t.ranges {
			if err := w.job.Ranges[i].Partial.Finish(t.measure, t.job.Host, of.request, of.nodes, of.edges); err != nil {
				return kernels.Totals{}, err
			}
		}
		return p.Totals, nil
	}
}
