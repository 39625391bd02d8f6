package reduce

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
)

// AllLarge returns the options changed so that every core is solved by all threads together.
func (o Options) AllLarge() Options {
	o.smallCore = 1
	return o
}

// Cores returns what is left to search.
func (r *Reduced) Cores() []cores.Core { return r.cores }

// Betweenness plans, searches and leads back.
func Betweenness(ctx context.Context, g *export.Graph, o Options) (node, edge []float64, info Info, err error) {
	r, err := New(ctx, g, o)
	if err != nil {
		return nil, nil, Info{}, err
	}
	all := r.NewPartial()
	if err := r.SearchPart(ctx, cores.Whole, all); err != nil {
		return nil, nil, Info{}, err
	}
	node, edge = r.Scores(r.Flows(all))
	return node, edge, r.Info, nil
}

// KeepEverySecond is KeepFlows for every second core.
func (r *Reduced) KeepEverySecond(flows Flows) {
	for i := 0; i < len(r.keys); i += 2 {
		r.store.Keep(reuse.Part{Key: r.keys[i], Values: flows[i].Values(), Work: 1})
	}
}
