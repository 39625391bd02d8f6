package bench

import (
	"context"
	"fmt"
	"maps"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// prepared is a graph, ready to be measured on.
type prepared struct {
	err      error
	snapshot *export.Snapshot
	path     string
	depth    int
	// references by question.
	references map[question]*reference
	failures   map[question]error
	orders     map[int][]int32 // by size of batch
	// against are the outcomes of measures that others are compared with.
	against map[string]*engine.Outcome
	// exact are exact scores that samples with a bound are compared with.
	exact map[string]exactOutcome
}

// neighbours returns the nodes in the order that samples of sources for a device are taken in, batch neighbours at a
// time.
func (p *prepared) neighbours(batch int) []int32 {
	if p.orders[batch] == nil {
		p.orders[batch] = neighbourOrder(p.snapshot.Graph, batch)
	}
	return p.orders[batch]
}

// question is what a reference answers.
type question struct {
	measure    string
	radius     int
	weighted   bool
	edgeScores bool
	sources    int
}

// prepare loads the graph of these measurements and computes what they are checked against.
func (r *Runner) prepare(ctx context.Context, group []measurement) *prepared {
	p := &prepared{orders: map[int][]int32{}, references: map[question]*reference{}, failures: map[question]error{},
		exact: map[string]exactOutcome{}}
	maps.Copy(p.references, r.references[group[0].Graph])
	started := r.Clock()
	if p.snapshot, p.path, p.err = r.Loader.Load(ctx, group[0].graph); p.err != nil {
		return p
	}
	g := p.snapshot.Graph
	if sources := checkSources(g, 1); len(sources) > 0 {
		p.depth = depth(g, sources[0])
	}
	loaded := r.Clock()
	for i := range group {
		m := &group[i]
		q := m.question()
		if m.onCPU() || m.samples() || p.references[q] != nil || p.failures[q] != nil {
			continue
		}
		spec, _ := kernels.Lookup(m.Measure) // measurements found it
		if p.references[q], p.failures[q] = newReference(ctx, g, spec, m.request(), m.Sources); ctx.Err() != nil {
			p.err = context.Cause(ctx)
			return p
		}
	}
	r.references[group[0].Graph] = p.references
	r.Log(fmt.Sprintf("%s: %d nodes, %d edges, made in %.1f s, references in %.1f s",
		group[0].graph.Name, g.N(), g.M(), loaded.Sub(started).Seconds(), r.Clock().Sub(loaded).Seconds()))
	return p
}
