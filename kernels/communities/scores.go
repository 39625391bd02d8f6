package communities

// Scores keep the scores of the edges of one block up to date while edges leave it. They are sums in fixed point, with
// the same bits whoever keeps them.
type Scores interface {
	// Fill computes all scores.
	Fill()
	// Drop takes an edge out of the block, and leaves the scores as they are.
	Drop(edge int32)
	// Cut brings the scores up to date after an edge was dropped: what these sources contribute. Others are about to
	// leave.
	Cut(sources []int32, edge int32)
	// Leave takes back what nodes contribute that have left, and forgets the edges that are gone.
	Leave(nodes []int32, gone []bool)
	// Weigh adds to the masses of some nodes, those of Block.Masses too, and brings the scores up to date.
	Weigh(nodes []int32, more []int64)
	// Best returns the edge of the highest rank, of those the first, and its sum.
	Best() (edge int32, sum int64)
	// Sums returns those of all edges. Those of edges that are gone mean nothing.
	Sums() []int64
	// Free gives the memory back.
	Free()
}

// Block is a biconnected block as a device takes it: for each node its arcs, by target, and its mass.
type Block struct {
	Offsets        []int64
	Targets, Edges []int32 // of each arc; edges are numbered from 0, in their order in the graph
	Masses         []int64 // shared with the cuts
	// Unit is how many units of a sum make a score of 1, and Shift how many bits ranks drop.
	Unit  float64
	Shift uint
}

// Device keeps the scores of large blocks.
type Device interface {
	// Keep returns scores of a block, or nil for one that it does not take.
	Keep(b Block) Scores
	// Worth reports whether a block of so many nodes is large enough.
	Worth(nodes int) bool
	// Err is the first error of any of the scores, whose values are of no use after it.
	Err() error
}

// onHost are scores by rows on the host.
type onHost struct {
	c    *cutter
	b    *block
	rows rows
}

func (h *onHost) Fill() {
	clear(h.b.sums)
	h.c.overSources(h.b, len(h.b.alive), func(w *worker, i int) { h.rows.fill(h.b, w, h.b.alive[i]) })
}

// Drop does nothing: the block has dropped the edge.
func (h *onHost) Drop(int32) {}

func (h *onHost) Cut(sources []int32, e int32) {
	if !h.rows.stored() {
		h.Fill()
		return
	}
	// All are found before one row changes, for what is looked at are rows of other sources.
	c, ends := h.c, h.b.edges[e]
	c.affected = c.affected[:0]
	for _, s := range sources {
		if near, far, ok := h.rows.affected(s, ends.from, ends.to, e); ok {
			c.affected = append(c.affected, through{s, near, far})
		}
	}
	c.overSources(h.b, len(c.affected), func(w *worker, i int) {
		at := c.affected[i]
		h.rows.cut(h.b, w, at.source, at.near, at.far)
	})
}

func (h *onHost) Leave(nodes []int32, _ []bool) {
	h.c.overSources(h.b, len(nodes), func(w *worker, i int) { h.rows.pass(h.b, w, nodes[i], -h.b.mass[nodes[i]]) })
}

func (h *onHost) Weigh(nodes []int32, more []int64) {
	if h.rows.stored() {
		h.c.overSources(h.b, len(nodes), func(w *worker, i int) { h.rows.pass(h.b, w, nodes[i], more[i]) })
	}
	for i, v := range nodes {
		h.b.mass[v] += more[i]
	}
	if !h.rows.stored() {
		h.Fill()
		return
	}
	h.c.overSources(h.b, len(h.b.alive), func(w *worker, i int) { h.rows.reseed(h.b, w, h.b.alive[i], nodes) })
}

func (h *onHost) Best() (edge int32, sum int64) { return h.b.bestOf(h.c.scale) }

func (h *onHost) Sums() []int64 { return h.b.sums }

func (h *onHost) Free() {}
