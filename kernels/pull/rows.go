package pull

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// rows says in which order the rows of a graph are added up, and by how many threads; see pull.cu.
type rows struct {
	// nodes has the node of each row, and numbers the new number of each node.
	nodes, numbers []int32
	// starts and itemStarts are where the arcs of each row and of each item begin, and how many there are.
	starts, itemStarts []int64
	// places is where the sum of each item goes.
	places []int32
	// pieces is the first piece of each long row, and how many there are.
	pieces []int32
	// ends has where the items of each class end, and then how many warps these and those before them take.
	ends []int64
}

// newRows orders the rows of the arcs that enter each node.
func newRows(g *export.Graph) *rows {
	in, n := g.Transpose(), g.N()
	r := &rows{
		numbers: make([]int32, n), starts: make([]int64, 1, n+1), ends: make([]int64, 2*classes), pieces: make([]int32, 1),
	}
	r.nodes = order.ByDegree(g)
	for i, v := range r.nodes {
		r.numbers[v] = int32(i)
	}
	if g.Directed {
		r.nodes = order.ByDegree(in)
	}
	for _, v := range r.nodes {
		r.add(v, in.Degree(v))
	}
	r.itemStarts = append(r.itemStarts, r.starts[n])
	r.count()
	return r
}

// add adds a row of so many arcs, no more than the rows before it have. Only the first rows are long.
func (r *rows) add(v int32, arcs int64) {
	start := r.starts[len(r.starts)-1]
	r.starts = append(r.starts, start+arcs)
	if arcs <= pieceArcs {
		r.item(start, r.numbers[v], classOf(arcs))
		return
	}
	for at := int64(0); at < arcs; at += pieceArcs {
		r.item(start+at, int32(len(r.numbers)+len(r.places)), 0)
	}
	r.pieces = append(r.pieces, int32(len(r.places)))
}

// item adds an item of a class.
func (r *rows) item(start int64, place int32, class int) {
	r.itemStarts, r.places = append(r.itemStarts, start), append(r.places, place)
	r.ends[class]++
}

// classOf returns the class of a row: the one of fewest threads that have no more than 4 arcs each, or the first one.
func classOf(arcs int64) int {
	class := 0
	for class < classes-1 && arcs <= 4*(16>>class) {
		class++
	}
	return class
}

// count makes ends of the numbers of items of each class.
func (r *rows) count() {
	items, warps := int64(0), int64(0)
	for class, count := range r.ends[:classes] {
		items, warps = items+count, warps+(count+1<<class-1)>>class
		r.ends[class], r.ends[classes+class] = items, warps
	}
}

// warps is how many warps all items take.
func (r *rows) warps() int64 { return r.ends[2*classes-1] }

// longRows is how many rows have pieces, and pieceCount how many these are.
func (r *rows) longRows() int64   { return int64(len(r.pieces) - 1) }
func (r *rows) pieceCount() int64 { return int64(r.pieces[r.longRows()]) }

// hottest returns how many of the nodes that most arcs leave are kept in shared memory, of most that fit: none where
// few arcs leave them.
func (r *rows) hottest(g *export.Graph, most int) int {
	if g.N() <= most {
		return g.N()
	}
	arcs := int64(0)
	for v, number := range r.numbers {
		if int(number) < most {
			arcs += g.Degree(int32(v))
		}
	}
	if hotShare*arcs < int64(g.Arcs()) {
		return 0
	}
	return most
}
