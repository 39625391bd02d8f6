package jobs

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/kernels"
)

// BackboneOf describes a backbone for a record.
func BackboneOf(measure string, b *kernels.Backbone) connector.Backbone {
	out := connector.Backbone{Measure: measure, Nodes: int64(b.NodeCount), Edges: int64(b.EdgeCount),
		Excess: int64(b.Excess)}
	if c := b.Change; c != nil {
		out.Before, out.After = shapeOf(&c.Before), shapeOf(&c.After)
		out.Sources, out.Sampled, out.Rank = int64(c.Sources), c.Sampled, c.Rank
	}
	return out
}

func shapeOf(s *kernels.DistanceSummary) *connector.Shape {
	return &connector.Shape{Components: s.Components, LargestComponent: s.LargestComponent, Mean: s.Mean,
		Diameter: s.Diameter}
}

// ExcessOf says in one line that a connected backbone has more edges than its share; "" if it does not.
func ExcessOf(b *kernels.Backbone) string {
	if b.Excess == 0 {
		return ""
	}
	return fmt.Sprintf("keeps %d edges more than the share: with fewer, components would fall apart", b.Excess)
}

// kept sums up a backbone.
func kept(b *kernels.Backbone) string {
	text := fmt.Sprintf("kept edges: %d of %d, nodes: %d of %d", b.EdgeCount, len(b.Edges), b.NodeCount, len(b.Nodes))
	if c := b.Change; c != nil {
		text += fmt.Sprintf("; components: %d, before %d; mean distance: %.4g, before %.4g",
			c.After.Components, c.Before.Components, c.After.Mean, c.Before.Mean)
	}
	return text
}
