package picture

import (
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
)

// forest is the hierarchy of a drawing. Its places are the points of the circle, then, if points are nodes, the
// parts of groups and the groups, then what groups merge into, and last the root of all.
type forest struct {
	points   int
	parent   []int32
	children [][]int32
	size     []float64 // nodes
	group    []int32   // of a point
	at       []point
	angle    []float64
	order    []int32 // of the points around the circle
}

// newForest makes the tree of a graph, and lays it out.
func newForest(b *connector.Bundles) *forest {
	f := &forest{points: len(b.Of), group: b.Of}
	if f.points == 0 {
		f.points, f.group = len(b.Sizes), make([]int32, len(b.Sizes))
		for i := range f.group {
			f.group[i] = int32(i)
		}
	}
	f.grow(b)
	f.flatten(b)
	f.layOut(b)
	return f
}

// groupAt is the place of a group.
func (f *forest) groupAt(b *connector.Bundles, group int32) int32 {
	if len(b.Of) == 0 {
		return group
	}
	return int32(f.points+len(b.Parts)) + group
}

// grow makes the tree of all merges.
func (f *forest) grow(b *connector.Bundles) {
	total := int(f.groupAt(b, int32(len(b.Sizes)+len(b.Merges)))) + 1
	root := int32(total - 1)
	f.parent, f.size = make([]int32, total), make([]float64, total)
	for i := range f.parent {
		f.parent[i] = root
	}
	f.growGroups(b)
	for i, n := range b.Sizes {
		f.size[f.groupAt(b, int32(i))] = float64(n)
	}
	for i, m := range b.Merges {
		into := f.groupAt(b, int32(len(b.Sizes)+i))
		for _, part := range m {
			f.parent[f.groupAt(b, part)] = into
			f.size[into] += f.size[f.groupAt(b, part)]
		}
	}
	f.size[root], f.parent[root] = float64(b.Nodes), -1
}

// growGroups makes the trees of the nodes within groups.
func (f *forest) growGroups(b *connector.Bundles) {
	group := slices.Clone(b.Of)
	for v := range b.Of {
		f.size[v] = 1
	}
	for i, m := range b.Parts {
		into := int32(len(b.Of) + i)
		group = append(group, group[m[0]])
		for _, part := range m {
			f.parent[part] = into
			f.size[into] += f.size[part]
		}
	}
	for v, up := range f.parent[:len(group)] {
		if up == int32(len(f.parent)-1) {
			f.parent[v] = f.groupAt(b, group[v])
		}
	}
}

// flatten leaves out what has more than half of the nodes of what it is a part of, so that no path is longer than the
// logarithm of the number of nodes. Groups stay.
func (f *forest) flatten(b *connector.Bundles) {
	parts := make([][]int32, len(f.parent))
	for v, up := range f.parent[:len(f.parent)-1] {
		parts[up] = append(parts[up], int32(v))
	}
	f.children = make([][]int32, len(f.parent))
	stays := func(v int32) bool { // nodes and groups
		return int(v) < f.points || v >= f.groupAt(b, 0) && v < f.groupAt(b, int32(len(b.Sizes)))
	}
	var adopt func(v, of int32)
	adopt = func(v, into int32) {
		for _, c := range parts[v] {
			if !stays(c) && 2*f.size[c] > f.size[into] {
				adopt(c, into)
				continue
			}
			f.children[into] = append(f.children[into], c)
			f.parent[c] = into
			if len(parts[c]) > 0 {
				adopt(c, c)
			}
		}
	}
	root := int32(len(f.parent) - 1)
	adopt(root, root)
}

// The circle of the drawing.
const (
	centreX, centreY = drawWidth / 2, 500.0
	radius           = 348.0
	// parting is the gap between groups, and allParting that of all groups together at most, as parts of the circle.
	parting, allParting = .006, .15
)

// layOut places points around the circle in the order of the tree, and what they are parts of between them and the
// centre: the nearer to it, the more nodes it has.
func (f *forest) layOut(b *connector.Bundles) {
	root := int32(len(f.parent) - 1)
	f.angle, f.at = make([]float64, len(f.parent)), make([]point, len(f.parent))
	f.visit(root)
	gap := gapOf(len(b.Sizes)) * f.size[root]
	around, last := 0.0, int32(-1)
	for _, v := range f.order {
		if f.group[v] != last {
			around += gap
		}
		f.angle[v] = around + f.size[v]/2
		around += f.size[v]
		last = f.group[v]
	}
	for _, v := range f.order {
		f.angle[v] *= 2 * math.Pi / around
	}
	f.place(root)
	f.at[root] = point{centreX, centreY}
}

// gapOf is the gap between groups, in relation to all nodes.
func gapOf(groups int) float64 { return min(parting, allParting/float64(groups)) }

// visit lists the points below a place.
func (f *forest) visit(v int32) {
	if int(v) < f.points {
		f.order = append(f.order, v)
	}
	for _, c := range f.children[v] {
		f.visit(c)
	}
}

// place finds the places below one, and returns the first and the last angle there.
func (f *forest) place(v int32) (first, last float64) {
	r := radius
	if int(v) < f.points {
		first, last = f.angle[v], f.angle[v]
	} else {
		first, last = math.Inf(1), math.Inf(-1)
		for _, c := range f.children[v] {
			a, z := f.place(c)
			first, last = min(first, a), max(last, z)
		}
		f.angle[v] = (first + last) / 2
		r *= 1 - math.Log(1+f.size[v])/math.Log(2+f.size[len(f.size)-1])
	}
	f.at[v] = onCircle(r, f.angle[v])
	return first, last
}

// onCircle is a point at a distance from the centre and an angle from the top, with the clock.
func onCircle(r, angle float64) point {
	return point{centreX + r*math.Sin(angle), centreY - r*math.Cos(angle)}
}

// path leads from one point to another along the tree. The place where both ways meet is left out of longer paths, so
// that these do not all pass through the same places.
func (f *forest) path(from, to int32) []point {
	up, down := f.above(from), f.above(to)
	shared := 0
	for shared < len(up) && shared < len(down) && up[len(up)-1-shared] == down[len(down)-1-shared] {
		shared++
	}
	meet := up[len(up)-shared]
	up, down = up[:len(up)-shared], down[:len(down)-shared]
	if len(up)+len(down) == 2 {
		up = append(up, meet)
	}
	var out []point
	for _, v := range up {
		out = append(out, f.at[v])
	}
	for _, v := range slices.Backward(down) {
		out = append(out, f.at[v])
	}
	return out
}

// above lists a place and all above it.
func (f *forest) above(v int32) (places []int32) {
	for ; v >= 0; v = f.parent[v] {
		places = append(places, v)
	}
	return places
}
