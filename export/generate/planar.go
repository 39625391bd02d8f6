package generate

import (
	"fmt"

	"github.com/fogleman/delaunay"
)

// points draws the nodes' places in the unit square.
func (d *drawing) points() ([]delaunay.Point, error) {
	out := make([]delaunay.Point, d.Nodes)
	return out, d.chunks(saltPoints, d.Nodes, func(r stream, lo, hi int) []uint64 {
		for i := lo; i < hi; i++ {
			out[i] = delaunay.Point{X: r.float(), Y: r.float()}
		}
		return nil
	})
}

// delaunay triangulates the points.
func (d *drawing) delaunay() error {
	if d.Nodes < 3 {
		if d.Nodes == 2 {
			d.keep([]uint64{pack(0, 1)})
		}
		return nil
	}
	points, err := d.points()
	if err != nil {
		return err
	}
	t, err := delaunay.Triangulate(points)
	if err != nil {
		return fmt.Errorf("generate: triangulation of %d points: %w", d.Nodes, err)
	}
	edges := make([]uint64, 0, len(t.Triangles))
	for i := 0; i+2 < len(t.Triangles); i += 3 {
		a, b, c := t.Triangles[i], t.Triangles[i+1], t.Triangles[i+2]
		edges = append(edges, pack(a, b), pack(b, c), pack(c, a))
	}
	d.keep(edges)
	return d.ctx.Err()
}

// lattice calls edge for each edge of the grid: first those to the right, row by row, then those below.
func (d *drawing) lattice(edge func(u, v int)) {
	w, h := d.Width, d.Height
	for y := range h {
		for x := range w - 1 {
			edge(y*w+x, y*w+x+1)
		}
	}
	for y := range h - 1 {
		for x := range w {
			edge(y*w+x, (y+1)*w+x)
		}
	}
}

func (d *drawing) grid() error {
	var edges []uint64
	d.lattice(func(u, v int) { edges = d.keepMany(append(edges, pack(u, v))) })
	d.keep(edges)
	return d.ctx.Err()
}

// maxChain is the most nodes that stand on an edge of the thinned grid.
const maxChain = 6

// road keeps each edge of the grid with the given probability and puts 0 to maxChain nodes on it: junctions, dead ends
// and long chains of degree 2, about as many edges as nodes. The nodes on chains follow those of the grid.
func (d *drawing) road() error {
	r, edges := d.stream(saltChains, 0), []uint64(nil)
	next := d.Nodes
	d.lattice(func(u, v int) {
		if r.float() >= d.Probability {
			return
		}
		for range r.below(maxChain + 1) {
			edges = append(edges, pack(u, next))
			u = next
			next++
		}
		edges = append(edges, pack(u, v))
	})
	d.Nodes = next
	d.keep(edges)
	return d.ctx.Err()
}
