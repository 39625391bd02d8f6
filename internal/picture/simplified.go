package picture

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
)

// MostDrawn is the number of nodes beyond which Simplified takes too long and shows too little.
const MostDrawn = 2000

// panelGap lies between the whole graph and the simplified one.
const panelGap = 24.0

const simplifiedCSS = `.all { stroke: var(--accent); stroke-width: 1; stroke-opacity: .28; }
.kept { stroke: var(--accent); stroke-width: 1.4; stroke-opacity: .65; }
.node { fill: var(--node); stroke: var(--card); stroke-width: .8; }
.node.out { fill: var(--quiet); fill-opacity: .25; stroke: none; }
svg.drawing text.caption { fill: var(--text); font-size: 22px; }
`

// Network is a graph and the part of it that a backbone keeps.
type Network struct {
	Links []Pair
	// KeptLinks and KeptNodes have an entry for each link and for each node.
	KeptLinks, KeptNodes []bool
}

// Pair are the numbers of two nodes.
type Pair struct{ From, To int32 }

// Simplified draws a graph next to its backbone, as an SVG file of its own. Nodes are in the same places in both. It is for
// graphs of at most MostDrawn nodes.
func Simplified(n Network) string {
	at, height := n.places()
	kept, nodes := counted(n.KeptLinks), counted(n.KeptNodes)
	title := fmt.Sprintf("A graph of %d nodes and %d links, and its backbone of %d nodes and %d links", len(at), len(n.Links), nodes, kept)
	const caption = 44.0
	c := NewFile(2*drawWidth+3*panelGap, height+caption+panelGap, title, CSS+simplifiedCSS)
	c.Add(`<rect class="ground" width="100%%" height="100%%" rx="14"/>`)
	for i, text := range []string{
		fmt.Sprintf("Whole graph: %s nodes, %s links", Count(int64(len(at))), Count(int64(len(n.Links)))),
		fmt.Sprintf("Backbone: %s nodes, %s links", Count(int64(nodes)), Count(int64(kept))),
	} {
		c.Add(`<g transform="translate(%.1f %.1f)">`, panelGap+float64(i)*(drawWidth+panelGap), caption)
		c.Text(0, -14, "start", "strong caption", text)
		c.panel(n, at, i == 1)
		c.Add("</g>")
	}
	return string(c.HTML()) + "\n"
}

// places lays out the kept links, so that the backbone is untangled, and for nodes that are left out all of their links.
func (n Network) places() ([]point, float64) {
	p := &connector.Picture{Nodes: make([]connector.Dot, len(n.KeptNodes))}
	for i, l := range n.Links {
		if n.KeptLinks[i] || !n.KeptNodes[l.From] || !n.KeptNodes[l.To] {
			p.Links = append(p.Links, connector.Link{From: int(l.From), To: int(l.To)})
		}
	}
	return layout(p, func(int) float64 { return 0 })
}

func counted(kept []bool) (n int) {
	for _, k := range kept {
		if k {
			n++
		}
	}
	return n
}

// panel draws all links, or the kept ones, and then the nodes.
func (c *Canvas) panel(n Network, at []point, backbone bool) {
	class := "all"
	if backbone {
		class = "kept"
	}
	for i, l := range n.Links {
		if !backbone || n.KeptLinks[i] {
			c.Line(class, at[l.From].x, at[l.From].y, at[l.To].x, at[l.To].y)
		}
	}
	radius := 4.5
	if len(at) > 300 {
		radius = 2.6
	}
	for v, p := range at {
		class := "node"
		if backbone && !n.KeptNodes[v] {
			class = "node out"
		}
		c.Add(`<circle class="%s" cx="%.1f" cy="%.1f" r="%g"/>`, class, p.x, p.y, radius)
	}
}
