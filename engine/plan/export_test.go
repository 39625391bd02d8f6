package plan

import (
	"testing"

	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// KnownGraph is a graph that predictions are compared with measurements on. Info is nil where its reductions are not
// known.
type KnownGraph struct {
	Name     string
	Info     *reduce.Info
	Features func(Traits) *Features
}

// KnownGraphs are those of the records, by name.
func KnownGraphs(t *testing.T) map[string]KnownGraph {
	out := map[string]KnownGraph{}
	for name, g := range readFacts(t) {
		out[name] = KnownGraph{g.Graph, g.Info, g.features}
	}
	return out
}

// RecordedMachine is the machine of the records, with its device.
func RecordedMachine() Machine { return machine() }

// KnowDepth has predictions go by the depth itself.
func (f *Features) KnowDepth() { f.surely = true }

// KnowsDepth reports whether they do.
func (f *Features) KnowsDepth() bool { return !f.estimates() }
