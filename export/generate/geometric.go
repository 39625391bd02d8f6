package generate

import (
	"math"

	"github.com/fogleman/delaunay"
)

// cells are points sorted into square cells, side x side of them.
type cells struct {
	side    int
	points  []delaunay.Point
	starts  []int // where each cell's members begin
	members []int32
}

// geometric joins points whose distance is at most Radius. Cells are at least as wide as the radius, so that only
// neighbouring cells need to be looked at.
func (d *drawing) geometric() error {
	points, err := d.points()
	if err != nil {
		return err
	}
	side := int(max(1, min(1/d.Radius, math.Sqrt(float64(d.Nodes))+1)))
	c := newCells(points, side)
	return d.parallel(side, func(y int) error {
		var edges []uint64
		for x := range side {
			here := c.at(x, y)
			for k, i := range here {
				edges = c.join(edges, here[k+1:], i, d.Radius)
			}
			// Half of the neighbours: the other half meets this cell from its side.
			for _, step := range [][2]int{{1, 0}, {-1, 1}, {0, 1}, {1, 1}} {
				there := c.at(x+step[0], y+step[1])
				for _, i := range here {
					edges = c.join(edges, there, i, d.Radius)
				}
			}
		}
		d.keep(edges)
		return nil
	})
}

func newCells(points []delaunay.Point, side int) *cells {
	c := &cells{side: side, points: points, starts: make([]int, side*side+1), members: make([]int32, len(points))}
	place := func(p delaunay.Point) int {
		return min(int(p.Y*float64(side)), side-1)*side + min(int(p.X*float64(side)), side-1)
	}
	for _, p := range points {
		c.starts[place(p)+1]++
	}
	for i := range side * side {
		c.starts[i+1] += c.starts[i]
	}
	next := append([]int(nil), c.starts...)
	for i, p := range points {
		c.members[next[place(p)]] = int32(i)
		next[place(p)]++
	}
	return c
}

// at returns the members of a cell; none beyond the square.
func (c *cells) at(x, y int) []int32 {
	if x < 0 || x >= c.side || y >= c.side {
		return nil
	}
	return c.members[c.starts[y*c.side+x]:c.starts[y*c.side+x+1]]
}

// join appends an edge from i to each of the others within the radius.
func (c *cells) join(edges []uint64, others []int32, i int32, radius float64) []uint64 {
	for _, j := range others {
		dx, dy := c.points[i].X-c.points[j].X, c.points[i].Y-c.points[j].Y
		if dx*dx+dy*dy <= radius*radius {
			edges = append(edges, pack(int(i), int(j)))
		}
	}
	return edges
}
