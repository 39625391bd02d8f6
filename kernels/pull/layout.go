package pull

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/rank"
)

// layout is what the memory of a run depends on.
type layout struct {
	nodes, arcs, items, pieces, longRows int64
	// factors are per arc; strengths, own, share and before per node.
	factors, strengths, own, share, before bool
}

// arrays are the arrays of a run: see Pull in pull.cu.
type arrays struct {
	rows, numbers, rowStarts, itemStarts, places, ends, pieces, strengths, own, share gpu.Ptr

	columns, factors, scores, before, sent, sums, residuals, out gpu.Ptr
}

// bound returns a layout that is at least as large as that of the job.
func bound(j *device.Job) layout {
	arcs, walks := device.Arcs(j.Size), j.Kind() == kernels.KatzSums
	pieces := 2 * arcs / pieceArcs // a long row has at least half as many arcs as its pieces have room for
	return layout{
		nodes: j.Size.Nodes, arcs: arcs, items: j.Size.Nodes + pieces, pieces: pieces, longRows: arcs / pieceArcs,
		factors: j.Weighted, strengths: j.Weighted && !walks, own: !j.All, share: !j.Weighted && !walks,
		before: !j.Size.Directed,
	}
}

// layoutOf returns the layout of a graph's rows and an equation.
func layoutOf(g *export.Graph, r *rows, e *rank.Equation) layout {
	return layout{
		nodes: int64(g.N()), arcs: int64(g.Arcs()), items: int64(len(r.places)), pieces: r.pieceCount(),
		longRows: r.longRows(), factors: e.Weighted, strengths: e.Strengths != nil, own: e.Restart != nil,
		share: e.Share != nil, before: e.Bound != 0,
	}
}

// contents are what the host puts into arrays.
type contents struct {
	rows                  *rows
	strengths, own, share []float64
}

// buffers lists the arrays of a run.
func (l layout) buffers(a *arrays, c contents) device.Buffers {
	return device.Buffers{
		{Name: "rows", Bytes: 4 * l.nodes, From: device.BytesOf(c.rows.nodes), Into: &a.rows},
		{Name: "numbers", Bytes: 4 * l.nodes, From: device.BytesOf(c.rows.numbers), Into: &a.numbers},
		{Name: "row starts", Bytes: 8 * (l.nodes + 1), From: device.BytesOf(c.rows.starts), Into: &a.rowStarts},
		{Name: "item starts", Bytes: 8 * (l.items + 1), From: device.BytesOf(c.rows.itemStarts), Into: &a.itemStarts},
		{Name: "places", Bytes: 4 * l.items, From: device.BytesOf(c.rows.places), Into: &a.places},
		{Name: "ends", Bytes: 16 * classes, From: device.BytesOf(c.rows.ends), Into: &a.ends},
		{Name: "pieces", Bytes: 4 * (l.longRows + 1), From: device.BytesOf(c.rows.pieces), Into: &a.pieces},
		{Name: "strengths", Bytes: perNode(l, l.strengths), From: device.BytesOf(c.strengths), Into: &a.strengths},
		{Name: "own", Bytes: perNode(l, l.own), From: device.BytesOf(c.own), Into: &a.own},
		{Name: "shares", Bytes: perNode(l, l.share), From: device.BytesOf(c.share), Into: &a.share},
		{Name: "columns", Bytes: 4 * l.arcs, Into: &a.columns},
		{Name: "factors", Bytes: 8 * l.arcs * device.One(l.factors), Into: &a.factors},
		{Name: "scores", Bytes: perNode(l, true), Into: &a.scores},
		{Name: "scores before", Bytes: perNode(l, l.before), Into: &a.before},
		{Name: "sent", Bytes: perNode(l, true), Into: &a.sent},
		{Name: "sums", Bytes: 8 * (l.nodes + l.pieces), Into: &a.sums},
		{Name: "residuals", Bytes: 8 * chunk, Into: &a.residuals},
		{Name: "solution", Bytes: perNode(l, true), Into: &a.out},
	}
}

// perNode is the size of a vector that a run may have.
func perNode(l layout, has bool) int64 { return 8 * l.nodes * device.One(has) }

// bytes bounds the device memory of a run.
func (l layout) bytes() int64 {
	const arguments = 1 << 12
	return l.buffers(&arrays{}, contents{rows: &rows{}}).Bytes() + arguments
}

// moved returns the bytes that an iteration reads and writes: a column, what is gathered and its factor per arc, where
// each item begins, its place and its sum, and the vectors.
func (l layout) moved() int64 {
	perArc, perNode := 12+8*device.One(l.factors), 32+8*device.One(l.own)+8*device.One(l.share)+16*device.One(l.before)
	return perArc*l.arcs + 20*l.items + perNode*l.nodes
}
