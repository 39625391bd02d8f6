package picture

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
)

// MostDrawn is the number of nodes beyond which Simplified takes too long and shows too little.
const MostDrawn = 2000

// panelGap lies around a graph, and captionHeight above it.
const panelGap, captionHeight = 24.0, 44.0

// simplified is a graph with its places.
type simplified struct {
	*connector.Simplified
	at      []point
	height  float64
	dropped []bool
}

func newSimplified(s *connector.Simplified) *simplified {
	p := &simplified{Simplified: s, dropped: make([]bool, s.Points)}
	for _, v := range s.Dropped {
		p.dropped[v] = true
	}
	p.at, p.height = p.places()
	return p
}

// Simplified draws a graph next to its backbone, with nodes in the same places in both. It draws the backbone alone
// where the rest of the graph is not known. It is for at most MostDrawn nodes.
func Simplified(s *connector.Simplified) Figure {
	p := newSimplified(s)
	return p.figure(p.panels()...)
}

// Panels are the drawings of Simplified, each as a picture of its own.
func Panels(s *connector.Simplified) (figures []Figure) {
	p := newSimplified(s)
	for _, backbone := range p.panels() {
		figures = append(figures, p.figure(backbone))
	}
	return figures
}

// panels says for each panel whether it is of the backbone.
func (p *simplified) panels() []bool {
	if p.Whole() {
		return []bool{false, true}
	}
	return []bool{true}
}

func (p *simplified) figure(panels ...bool) Figure {
	title := fmt.Sprintf("A graph of %d nodes and %d links, and its backbone of %d nodes and %d links", p.Nodes, p.Edges,
		p.Points-len(p.Dropped), p.Kept)
	return Figure{
		title: title, width: float64(len(panels))*(drawWidth+panelGap) + panelGap,
		height: p.height + captionHeight + panelGap, draw: func(s surface) {
			for i, backbone := range panels {
				p.panel(s, point{panelGap + float64(i)*(drawWidth+panelGap), captionHeight}, backbone)
			}
		},
	}
}

// places lays out the kept links, so that the backbone is untangled, and for nodes that are left out all of their
// links.
func (p *simplified) places() ([]point, float64) {
	drawn := &connector.Picture{Nodes: make([]connector.Dot, p.Points)}
	for i, l := range p.Links {
		if i < p.Kept || p.dropped[l[0]] || p.dropped[l[1]] {
			drawn.Links = append(drawn.Links, connector.Link{From: int(l[0]), To: int(l[1])})
		}
	}
	return layout(drawn, func(int) float64 { return 0 })
}

// panel draws all links, or the kept ones, and then the nodes.
func (p *simplified) panel(s surface, corner point, backbone bool) {
	links, caption := p.Links, "Whole graph: %s nodes, %s links"
	nodes := p.Points
	s.use(pen{stroke: "accent", width: 1, opacity: .28})
	if backbone {
		links, caption, nodes = links[:p.Kept], "Backbone: %s nodes, %s links", nodes-len(p.Dropped)
		s.use(pen{stroke: "accent", width: 1.4, opacity: .65})
	}
	at := func(v int32) point { return point{corner.x + p.at[v].x, corner.y + p.at[v].y} }
	for _, l := range links {
		s.curve([]point{at(l[0]), at(l[0]), at(l[1]), at(l[1])})
	}
	p.dots(s, at, backbone)
	s.use(pen{fill: "text", opacity: 1})
	s.label(point{corner.x, corner.y - 14}, lettering{anchor: "start", size: 22, bold: true},
		fmt.Sprintf(caption, Count(int64(nodes)), Count(int64(len(links)))))
}

// dots draws the nodes, those that the backbone lacks first.
func (p *simplified) dots(s surface, at func(int32) point, backbone bool) {
	radius := 4.5
	if len(p.at) > 300 {
		radius = 2.6
	}
	for _, out := range []bool{true, false} {
		s.use(pen{fill: "node", stroke: "card", width: .8, opacity: 1})
		if out {
			s.use(pen{fill: "quiet", opacity: .25})
		}
		for v, dropped := range p.dropped {
			if (dropped && backbone) == out {
				s.dot(at(int32(v)), radius, "")
			}
		}
	}
}
