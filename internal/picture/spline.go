package picture

// straightening is beta of Holten (Hierarchical edge bundles, 2006): 1 follows the tree, 0 is a straight line.
const straightening = 0.85

// bundled bends a line along the points of a tree: a uniform cubic B-spline that begins and ends at the first and the
// last point, as Bézier curves. The points are first moved towards the straight line between both ends.
func bundled(path []point) []point {
	last := len(path) - 1
	control := make([]point, 0, last+5)
	for i, p := range path {
		t := float64(i) / float64(last)
		control = append(control, point{
			straightening*p.x + (1-straightening)*(path[0].x+t*(path[last].x-path[0].x)),
			straightening*p.y + (1-straightening)*(path[0].y+t*(path[last].y-path[0].y)),
		})
	}
	first, end := control[0], control[last]
	control = append(append([]point{first, first}, control...), end, end)
	out := []point{first}
	for i := range len(control) - 3 {
		b, c, d := control[i+1], control[i+2], control[i+3]
		out = append(out, weighted(2, b, 1, c, 0, d), weighted(1, b, 2, c, 0, d), weighted(.5, b, 2, c, .5, d))
	}
	return out
}

// weighted is the mean of three points by weights that add up to three.
func weighted(u float64, a point, v float64, b point, w float64, c point) point {
	return point{(u*a.x + v*b.x + w*c.x) / 3, (u*a.y + v*b.y + w*c.y) / 3}
}
