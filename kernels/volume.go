package kernels

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
)

// DefaultRadius is the radius of a volume when none is given.
const DefaultRadius = 2

// volume sums the degrees of the nodes within radius hops (Wehmuth and Ziviani's DACCER, as computed by Cabral et al.).
func volume(ctx context.Context, g *export.Graph, r Request) (*Scores, error) {
	radius := DefaultRadius
	if r.Radius != nil {
		radius = *r.Radius
	}
	out := &Scores{Nodes: make([]float64, g.N())}
	err := overSources(ctx, g.N(), r, func(stop *stopper) worker {
		b := newBFS(g, false, stop)
		b.limit = int32(min(radius, export.MaxNodes))
		return &volumeWorker{g: g, ball: b, volume: out.Nodes}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

type volumeWorker struct {
	g      *export.Graph
	ball   *bfs
	volume []float64
}

func (w *volumeWorker) source(v int32) error {
	if err := w.ball.from(v); err != nil {
		return err
	}
	var sum int64
	for _, u := range w.ball.order {
		sum += w.g.Degree(u)
	}
	w.volume[v] = float64(sum) // one worker writes one node
	return nil
}

func (*volumeWorker) merge() error { return nil }
