package serve

import (
	"fmt"
	"html"
	"html/template"
	"math"

	"github.com/linchpin-graph/linchpin/connector"
)

const drawWidth, drawHeight = 720.0, 420.0

// drawing shows the highest nodes and their neighbours: the size of a node and the width of a link grow with the score.
func drawing(a *connector.Around) template.HTML {
	if a == nil || len(a.Nodes) == 0 {
		return ""
	}
	places := layout(a)
	s := newSVG(drawWidth, drawHeight, describeDrawing(a))
	mostNode, mostLink := 0.0, 0.0
	for _, n := range a.Nodes {
		mostNode = max(mostNode, n.Score)
	}
	for _, l := range a.Links {
		mostLink = max(mostLink, l.Score)
	}
	for _, l := range a.Links {
		p, q := places[l.From], places[l.To]
		s.add(`<line class="link" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke-width="%.2f"><title>%s – %s: %.6g</title></line>`,
			p.x, p.y, q.x, q.y, 1+6*share(l.Score, mostLink), html.EscapeString(label(a.Nodes[l.From])), html.EscapeString(label(a.Nodes[l.To])), l.Score)
	}
	for i, n := range a.Nodes {
		class := "dot"
		if n.Top {
			class = "dot top"
		}
		s.add(`<circle class="%s" cx="%.1f" cy="%.1f" r="%.1f"><title>%s: %.6g</title></circle>`,
			class, places[i].x, places[i].y, 4+14*math.Sqrt(share(n.Score, mostNode)), html.EscapeString(label(n)), n.Score)
	}
	for i, n := range a.Nodes {
		class, r := "halo minor", 4+14*math.Sqrt(share(n.Score, mostNode))
		if n.Top {
			class = "halo strong"
		}
		s.text(places[i].x, places[i].y-r-4, "middle", class, clip(label(n), 18))
	}
	return s.end()
}

func label(n connector.Dot) string {
	if n.Name != "" {
		return n.Name
	}
	return n.ID
}

func clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// share is a part of the most, from 0 to 1.
func share(x, most float64) float64 {
	if most <= 0 || x <= 0 {
		return 0
	}
	return x / most
}

func describeDrawing(a *connector.Around) string {
	text := fmt.Sprintf("The highest nodes with some neighbours, %d nodes and %d links. Highest: ", len(a.Nodes), len(a.Links))
	sep := ""
	for _, n := range a.Nodes {
		if n.Top {
			text += fmt.Sprintf("%s%s (%.4g)", sep, label(n), n.Score)
			sep = ", "
		}
	}
	return text
}

type place struct{ x, y float64 }

// layout finds places by Fruchterman and Reingold's forces (1991), from a start that is always the same: nodes push
// one another away, links pull their ends together.
func layout(a *connector.Around) []place {
	n := len(a.Nodes)
	at := make([]place, n)
	for i := range at { // on a sunflower's spiral
		angle, r := float64(i)*2.399963, math.Sqrt((float64(i)+.5)/float64(n))
		at[i] = place{drawWidth/2 + r*math.Cos(angle)*drawWidth/2.4, drawHeight/2 + r*math.Sin(angle)*drawHeight/2.4}
	}
	ideal := .8 * math.Sqrt(drawWidth*drawHeight/float64(n))
	const rounds = 300
	for round := range rounds {
		push := make([]place, n)
		for i := range n {
			for k := range i {
				dx, dy := at[i].x-at[k].x, at[i].y-at[k].y
				d := max(math.Hypot(dx, dy), .1)
				f := ideal * ideal / (d * d)
				push[i].x, push[i].y = push[i].x+dx*f, push[i].y+dy*f
				push[k].x, push[k].y = push[k].x-dx*f, push[k].y-dy*f
			}
		}
		for _, l := range a.Links {
			dx, dy := at[l.From].x-at[l.To].x, at[l.From].y-at[l.To].y
			f := math.Hypot(dx, dy) / ideal
			push[l.From].x, push[l.From].y = push[l.From].x-dx*f, push[l.From].y-dy*f
			push[l.To].x, push[l.To].y = push[l.To].x+dx*f, push[l.To].y+dy*f
		}
		heat := 40 * (1 - float64(round)/rounds)
		for i := range at {
			d := max(math.Hypot(push[i].x, push[i].y), 1e-9)
			step := min(d, heat)
			at[i].x, at[i].y = at[i].x+push[i].x/d*step, at[i].y+push[i].y/d*step
		}
	}
	return fit(at)
}

// fit scales places to the drawing, with room for labels.
func fit(at []place) []place {
	const side, above, below = 70, 44, 26
	low, high := at[0], at[0]
	for _, p := range at {
		low, high = place{min(low.x, p.x), min(low.y, p.y)}, place{max(high.x, p.x), max(high.y, p.y)}
	}
	for i, p := range at {
		at[i] = place{
			side + (p.x-low.x)/max(high.x-low.x, 1)*(drawWidth-2*side),
			above + (p.y-low.y)/max(high.y-low.y, 1)*(drawHeight-above-below),
		}
	}
	return at
}
