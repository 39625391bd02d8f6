package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
)

// hues is the number of groups that have a colour of their own: the largest ones.
const hues = 10

// bundles is a drawing of a graph along its hierarchy.
type bundles struct {
	*connector.Bundles
	*forest
	largest []int32 // groups, the largest first
	hue     []string
}

// Bundles draws a whole graph with its links bundled along a hierarchy of groups (Holten, Hierarchical edge bundles,
// 2006). Nodes are on a circle, next to those of their group. Links take the colour of their group, and are grey
// between groups.
func Bundles(b *connector.Bundles) Figure {
	d := &bundles{Bundles: b, forest: newForest(b), hue: make([]string, len(b.Sizes))}
	for i := range b.Sizes {
		d.largest, d.hue[i] = append(d.largest, int32(i)), "other"
	}
	slices.SortStableFunc(d.largest, func(x, y int32) int { return cmp.Compare(b.Sizes[y], b.Sizes[x]) })
	for i, group := range d.largest[:min(hues, len(d.largest))] {
		if b.Sizes[group] > 1 {
			d.hue[group] = fmt.Sprintf("hue%d", i)
		}
	}
	title := fmt.Sprintf(
		"A graph of %d nodes and %d links in %d groups, with %d links within groups. The largest group has %d nodes",
		b.Nodes, b.Edges, len(b.Sizes), b.Within, b.Sizes[d.largest[0]])
	return Figure{title: title, width: drawWidth, height: centreY + radius + 120 + legendRowHeight*float64(d.legendRows()),
		draw: d.draw}
}

func (d *bundles) draw(s surface) {
	d.caption(s)
	d.links(s)
	d.ring(s)
	d.dots(s)
	d.labels(s)
	d.legend(s)
}

func (d *bundles) caption(s surface) {
	s.use(pen{fill: "text", opacity: 1})
	s.label(point{20, 34}, lettering{anchor: "start", size: 19, bold: true},
		several(d.Nodes, "node")+", "+several(d.Edges, "link")+", "+several(int64(len(d.Sizes)), "group"))
	what := "Links within groups: %.0f %%. Links follow the hierarchy of the groups."
	s.label(point{20, 62}, lettering{anchor: "start", size: 14},
		fmt.Sprintf(what, 100*float64(d.Within)/float64(max(1, d.Edges))))
}

// links draws those between groups first, and then those within, group by group.
func (d *bundles) links(s surface) {
	kind := func(i int) int {
		from, to := d.group[d.Links[i][0]], d.group[d.Links[i][1]]
		if from != to {
			return -1
		}
		return int(from)
	}
	order := make([]int, len(d.Links))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(kind(i), kind(k)) })
	last := -2
	for _, i := range order {
		if d.Links[i][0] == d.Links[i][1] {
			continue
		}
		if k := kind(i); k != last || len(d.Counts) > 0 {
			s.use(d.penOf(k, i))
			last = k
		}
		s.curve(bundled(d.path(d.Links[i][0], d.Links[i][1])))
	}
}

// penOf draws a link of a group, or one between groups. The more links there are, the fainter is each.
func (d *bundles) penOf(group, link int) pen {
	p := pen{stroke: "between", width: 1, opacity: faint(d.Edges - d.Within)}
	if group >= 0 {
		p.stroke, p.opacity = d.hue[group], faint(d.Within/2)
	}
	if len(d.Counts) > 0 {
		p.width = .5 + 6*math.Sqrt(float64(d.Counts[link])/float64(slices.Max(d.Counts)))
	}
	return p
}

// faint is the opacity of so many links.
func faint(links int64) float64 { return max(.07, min(.6, 7/math.Sqrt(float64(links+1)))) }

// ring draws an arc of the circle for each group.
func (d *bundles) ring(s surface) {
	half := make([]float64, d.points)
	for v := range half {
		half[v] = math.Pi * d.size[v] / d.size[len(d.size)-1] / (1 + gapOf(len(d.Sizes))*float64(len(d.Sizes)))
	}
	for i := 0; i < len(d.order); {
		k := i
		for k+1 < len(d.order) && d.group[d.order[k+1]] == d.group[d.order[i]] {
			k++
		}
		from, to := d.order[i], d.order[k]
		s.use(pen{stroke: d.hue[d.group[from]], width: 7, opacity: 1})
		s.curve(arc(radius+9, d.angle[from]-half[from], d.angle[to]+half[to]))
		i = k + 1
	}
}

// arc is a part of the circle as Bézier curves.
func arc(r, from, to float64) []point {
	pieces := max(1, int(math.Ceil((to-from)/(math.Pi/8))))
	step := (to - from) / float64(pieces)
	handle := r * 4 / 3 * math.Tan(step/4)
	out := []point{onCircle(r, from)}
	for i := range pieces {
		a, b := from+float64(i)*step, from+float64(i+1)*step
		start, end := onCircle(r, a), onCircle(r, b)
		out = append(out, point{start.x + handle*math.Cos(a), start.y + handle*math.Sin(a)},
			point{end.x - handle*math.Cos(b), end.y - handle*math.Sin(b)}, end)
	}
	return out
}

// dots draws the nodes of a graph that is small enough to see them.
func (d *bundles) dots(s surface) {
	if len(d.Of) == 0 || len(d.Of) > 400 {
		return
	}
	for _, v := range d.order {
		s.use(pen{fill: d.hue[d.group[v]], opacity: 1})
		tip := ""
		if len(d.Names) > 0 {
			tip = visible(d.Names[v].String())
		}
		s.dot(d.at[v], 2.6, tip)
	}
}

// labels names the nodes of a small graph, and the groups of others.
func (d *bundles) labels(s surface) {
	s.use(pen{fill: "text", opacity: 1})
	if len(d.Names) > 0 {
		for _, v := range d.order {
			d.radial(s, d.angle[v], 11, visible(d.Names[v].String()))
		}
		return
	}
	var taken []float64
	for _, group := range d.largest {
		angle := d.angle[d.groupAt(d.Bundles, group)]
		if d.Sizes[group] < 2 || slices.ContainsFunc(taken, func(other float64) bool { return apart(angle, other) < .05 }) {
			continue
		}
		taken = append(taken, angle)
		d.radial(s, angle, 13, visible(d.Hubs[group].String()))
	}
}

// apart is the angle between two directions.
func apart(a, b float64) float64 {
	d := math.Mod(math.Abs(a-b), 2*math.Pi)
	return min(d, 2*math.Pi-d)
}

// radial writes a text outwards from the circle, never upside down.
func (d *bundles) radial(s surface, angle, size float64, text string) {
	degrees := angle*180/math.Pi - 90
	l := lettering{anchor: "start", angle: degrees, size: size, minor: true}
	if math.Sin(angle) < 0 {
		l.anchor, l.angle = "end", degrees+180
	}
	at := onCircle(radius+19, angle)
	turn := l.angle * math.Pi / 180 // the base line is below the middle of the letters
	at.x, at.y = at.x-.35*size*math.Sin(turn), at.y+.35*size*math.Cos(turn)
	s.label(at, l, clip(text, 16))
}

const legendRowHeight = 26.0

func (d *bundles) legendRows() int { return (min(hues, len(d.Sizes)) + 2 + 1) / 2 }

// legend says what the colours are.
func (d *bundles) legend(s surface) {
	i := 0
	row := func(hue string, width float64, text string) {
		x, y := 20+float64(i%2)*drawWidth/2, centreY+radius+128+legendRowHeight*float64(i/2)
		s.use(pen{stroke: hue, width: width, opacity: 1})
		s.curve([]point{{x, y}, {x, y}, {x + 24, y}, {x + 24, y}})
		s.use(pen{fill: "text", opacity: 1})
		s.label(point{x + 38, y + 5}, lettering{anchor: "start", size: 14}, text)
		i++
	}
	rest, nodes := int64(0), int64(0)
	for _, group := range d.largest {
		if d.hue[group] == "other" {
			rest, nodes = rest+1, nodes+d.Sizes[group]
			continue
		}
		row(d.hue[group], 7, fmt.Sprintf("%s around %s", several(d.Sizes[group], "node"),
			clip(visible(d.Hubs[group].String()), 18)))
	}
	if rest > 0 {
		row("other", 7, several(rest, "smaller group")+", "+several(nodes, "node"))
	}
	row("between", 1.5, several(d.Edges-d.Within, "link")+" between groups")
}

// several is a number of things: "1 node", "2 nodes".
func several(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Count(n) + " " + what + "s"
}
