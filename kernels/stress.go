package kernels

import (
	"context"
	"errors"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// ErrStress is returned for a stress that no float64 can hold. Its logarithm can be had all the same.
var ErrStress = errors.New("stress overflows float64; use log")

// stress sums, over the sources, the number of shortest paths to each node times the number that lead on from it
// (Brandes 2008, section 3.5; Jia et al., section 2.2). These are absolute counts, as wide numbers.
func stress(ctx context.Context, g *export.Graph, r Request) (*Scores, error) {
	l, err := newLengths(ctx, g, r.Params)
	if err != nil {
		return nil, err
	}
	sums := newStressSums(g, r)
	out := &Scores{Ties: l.ties()}
	err = overSources(ctx, g.N(), r, func(stop *stopper.Stopper) worker {
		return &stressWorker{
			g: g, search: l.newSearch(g, true, stop), stop: stop, own: newStressSums(g, r), all: sums, out: out,
			sigma: make([]wide, g.N()), onward: make([]wide, g.N()),
		}
	})
	if err != nil {
		return nil, err
	}
	factor := sampleScale(r)
	if !g.Directed {
		factor /= 2
	}
	if out.Nodes, err = stressScores(sums.nodes, factor, r.Log); err != nil {
		return nil, err
	}
	out.Edges, err = stressScores(sums.edges, factor, r.Log)
	return out, err
}

// stressScores turns sums into scores, or their binary logarithms with NaN, which stands for null, for that of 0.
func stressScores(sums []wide, factor float64, log bool) ([]float64, error) {
	if sums == nil {
		return nil, nil
	}
	scores := make([]float64, len(sums))
	for i, x := range sums {
		x = x.times(newWide(factor))
		switch {
		case !log:
			scores[i] = x.float()
		case x.mantissa == 0:
			scores[i] = math.NaN()
		default:
			scores[i] = x.log2()
		}
		if math.IsInf(scores[i], 0) {
			return nil, ErrStress
		}
	}
	return scores, nil
}

// sumOfLogs returns log2(2^a + 2^b). NaN stands for the logarithm of 0.
func sumOfLogs(a, b float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	}
	return max(a, b) + math.Log1p(math.Exp2(-math.Abs(a-b)))/math.Ln2
}

type stressSums struct{ nodes, edges []wide }

func newStressSums(g *export.Graph, r Request) *stressSums {
	s := &stressSums{}
	if r.Nodes {
		s.nodes = make([]wide, g.N())
	}
	if r.Edges {
		s.edges = make([]wide, g.M())
	}
	return s
}

type stressWorker struct {
	g        *export.Graph
	search   search
	stop     *stopper.Stopper
	own, all *stressSums
	totals   Totals
	out      *Scores
	// sigma counts the shortest paths to a node; onward those that begin in it as part of one from the source.
	sigma, onward []wide
}

func (w *stressWorker) source(s int32) error {
	if err := w.search.from(s); err != nil {
		return err
	}
	p := w.search.found()
	w.totals.add(p, w.search)
	if err := countWide(w.g, p, w.sigma, w.stop); err != nil {
		return err
	}
	for i := len(p.order) - 1; i >= 0; i-- {
		if i%stopper.Every == 0 {
			if err := w.stop.Err(); err != nil {
				return err
			}
		}
		w.node(p, i)
	}
	return nil
}

func (w *stressWorker) node(p *paths, i int) {
	v := p.order[i]
	row, sum := w.g.Row(v), wide{}
	for _, k := range p.arcs[p.start[i]:p.start[i+1]] {
		on := w.onward[row[k]].plus(newWide(1))
		sum = sum.plus(on)
		if w.own.edges != nil {
			e := w.g.Edge(w.g.Offsets[v] + int64(k))
			w.own.edges[e] = w.own.edges[e].plus(w.sigma[v].times(on))
		}
	}
	w.onward[v] = sum
	if w.own.nodes != nil && i > 0 {
		w.own.nodes[v] = w.own.nodes[v].plus(w.sigma[v].times(sum))
	}
}

func (w *stressWorker) merge() error {
	moveWide(w.all.nodes, w.own.nodes)
	moveWide(w.all.edges, w.own.edges)
	w.out.Totals.merge(&w.totals)
	return nil
}

func moveWide(into, from []wide) {
	for i, x := range from {
		into[i] = into[i].plus(x)
	}
	clear(from)
}
