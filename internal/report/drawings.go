package report

import (
	"html/template"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/picture"
)

// groups are the groups of a measure with their drawing.
type groups struct {
	connector.Bundles
	Drawing template.HTML
}

func groupsOf(r connector.Run) (out []groups) {
	for i := range r.Bundles {
		out = append(out, groups{r.Bundles[i], picture.Bundles(&r.Bundles[i]).HTML()})
	}
	return out
}

// backbone is a simplified graph with its drawings. Facts say what became of the graph; nil where that is not known.
type backbone struct {
	Measure string
	Panels  []template.HTML
	Facts   *connector.Backbone
}

func backbonesOf(r connector.Run) (out []backbone) {
	for i := range r.Simplified {
		b := backbone{Measure: r.Simplified[i].Measure}
		for _, panel := range picture.Panels(&r.Simplified[i]) {
			b.Panels = append(b.Panels, panel.HTML())
		}
		if len(r.Backbones) == len(r.Simplified) {
			b.Facts = &r.Backbones[i]
		}
		out = append(out, b)
	}
	return out
}
