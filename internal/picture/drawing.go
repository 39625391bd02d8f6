package picture

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
)

// drawWidth is the width of drawings, in units of the drawing. Their height follows from what they show.
const drawWidth = 960.0

type point struct{ x, y float64 }

// sheet is a picture with a point for each of its nodes.
type sheet struct {
	*connector.Picture
	at                 []point
	height             float64
	mostNode, mostLink float64
	earth              *projection // nil for a backbone
}

// Drawing shows a picture as a map if its nodes have places on Earth, and as a backbone laid out by forces otherwise.
// The area of a node and the width of a link grow with the score. It is "" when there is nothing to show.
func Drawing(p *connector.Picture) template.HTML {
	if p == nil || len(p.Nodes) == 0 {
		return ""
	}
	s := newSheet(p)
	c := open("chart drawing", drawWidth, s.height, named(s.describe()))
	s.draw(c)
	return `<figure class="picture">` + c.HTML() + s.legend("desk", small) + s.legend("phone", large) + "</figure>"
}

// newSheet finds the places of the nodes.
func newSheet(p *connector.Picture) *sheet {
	s := &sheet{Picture: located(p)}
	for _, n := range s.Nodes {
		s.mostNode = max(s.mostNode, n.Score)
	}
	for _, l := range s.Links {
		s.mostLink = max(s.mostLink, l.Score)
	}
	if IsMap(s.Picture) {
		s.earth, s.height = project(s.Nodes)
		for _, n := range s.Nodes {
			s.at = append(s.at, s.earth.point(*n.Place))
		}
		return s
	}
	s.at, s.height = layout(s.Picture, func(i int) float64 { return s.radius(s.Nodes[i].Score) })
	return s
}

// IsMap reports whether Drawing shows a map: at least two nodes, and nine of ten, have places on Earth.
func IsMap(p *connector.Picture) bool {
	if p == nil {
		return false
	}
	n := 0
	for _, d := range p.Nodes {
		if d.Place != nil {
			n++
		}
	}
	return n >= 2 && 10*n >= 9*len(p.Nodes)
}

// located leaves out nodes without a place if the others make a map.
func located(p *connector.Picture) *connector.Picture {
	if !IsMap(p) {
		return p
	}
	out := &connector.Picture{NodeProperty: p.NodeProperty, RelationshipProperty: p.RelationshipProperty,
		Directed: p.Directed}
	at := map[int]int{}
	for i, n := range p.Nodes {
		if n.Place != nil {
			at[i] = len(out.Nodes)
			out.Nodes = append(out.Nodes, n)
		}
	}
	for _, l := range p.Links {
		from, ok := at[l.From]
		to, found := at[l.To]
		if ok && found {
			out.Links = append(out.Links, connector.Link{From: from, To: to, Score: l.Score})
		}
	}
	return out
}

// describe says in words what the drawing shows.
func (s *sheet) describe() string {
	kind := "Drawing"
	if s.earth != nil {
		kind = "Map"
	}
	names := make([]string, 0, 6)
	for _, i := range s.highest()[:min(6, len(s.Nodes))] {
		names = append(names, fmt.Sprintf("%s (%s)", label(s.Nodes[i]), Brief(s.Nodes[i].Score)))
	}
	return fmt.Sprintf("%s of %d nodes and %d links. Highest: %s", kind, len(s.Nodes), len(s.Links),
		strings.Join(names, ", "))
}

// highest lists the nodes, the highest score first.
func (s *sheet) highest() []int {
	order := make([]int, len(s.Nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Nodes[b].Score, s.Nodes[a].Score) })
	return order
}

// draw adds land, links, nodes and labels, in this order.
func (s *sheet) draw(c *Canvas) {
	if s.earth != nil {
		s.earth.land(c, s.height)
	}
	for _, l := range slices.Backward(s.linksByScore()) {
		s.drawLink(c, l)
	}
	order := s.highest()
	for _, i := range order {
		n, class := s.Nodes[i], "dot"
		if n.Top {
			class = "dot top"
		}
		c.Add(`<circle class="%s" cx="%.1f" cy="%.1f" r="%.1f"><title>%s: %s</title></circle>`,
			class, s.at[i].x, s.at[i].y, s.radius(n.Score), html.EscapeString(label(n)), Number(n.Score))
	}
	s.labels(c, "desk", small, order[:min(len(order), 60)])
	s.labels(c, "phone", large, order[:min(len(order), 14)])
}

func (s *sheet) linksByScore() []connector.Link {
	links := slices.Clone(s.Links)
	slices.SortStableFunc(links, func(a, b connector.Link) int { return cmp.Compare(b.Score, a.Score) })
	return links
}

// radius makes the area of a dot grow with the score.
func (s *sheet) radius(score float64) float64 { return 2.2 + 13*math.Sqrt(share(score, s.mostNode)) }

func (s *sheet) width(score float64) float64 { return .6 + 5.4*share(score, s.mostLink) }

// drawLink adds a link; the strongest fifth of the scale is the darkest.
func (s *sheet) drawLink(c *Canvas, l connector.Link) {
	strength := min(4, int(5*math.Sqrt(share(l.Score, s.mostLink))))
	path := s.path(l)
	if path == "" {
		return
	}
	tip := join(label(s.Nodes[l.From]), label(s.Nodes[l.To]))
	if s.RelationshipProperty != "" {
		tip += ": " + Number(l.Score)
	}
	c.Add(`<path class="link s%d" d="%s" stroke-width="%.1f"><title>%s</title></path>`, strength, path, s.width(l.Score),
		html.EscapeString(tip))
}

// path is a great circle on a map, and a straight line in a backbone.
func (s *sheet) path(l connector.Link) string {
	if l.From >= len(s.at) || l.To >= len(s.at) || l.From < 0 || l.To < 0 {
		return ""
	}
	if s.earth != nil {
		return s.earth.route(*s.Nodes[l.From].Place, *s.Nodes[l.To].Place)
	}
	return fmt.Sprintf("M%.1f %.1fL%.1f %.1f", s.at[l.From].x, s.at[l.From].y, s.at[l.To].x, s.at[l.To].y)
}

// label is what people call a node.
func label(n connector.Dot) string { return cmp.Or(n.Name, n.ID) }
