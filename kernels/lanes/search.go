package lanes

import (
	"math/bits"
	"unsafe"

	"github.com/linchpin-graph/linchpin/internal/hugepages"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// Search searches from one batch of sources after another. A lane is a source. Each node has one row of numbers, one
// per lane: path counts on the way forward, which shares replace on the way back. No two lanes meet in a sum, so what a
// lane finds has the same bits in every batch.
type Search struct {
	graph   *layout
	sums    Sums
	stop    *stopper.Stopper
	width   int
	kernels kernels
	rows    []float64
	// visited has the lanes that have reached a node, level those that reach it at the current level. next are those of
	// the following one. All are 0 between batches.
	visited, level, next []uint64
	// stack has an entry for each node and each level at which some lane reaches it. levels says where each level
	// starts, and after the last level where it ends.
	stack  []int32
	masks  []uint64
	levels []int
	full   uint64 // all lanes of the batch
	open   int64  // arcs that enter nodes which some lane has not reached
	// most are the greatest counts of the lanes, delta the last dependencies, masses those of the sources.
	most, delta, masses [MaxLanes]float64
	// distances are found first, unless nil: a search goes level by level then.
	distances *distances
	// apart has what a node gets of each lane, as rows has numbers; nil unless it is wanted. It is 0 between batches.
	apart []float64
}

// NewSearch returns a search with so many lanes, a multiple of 8 up to MaxLanes. It adds to the sums.
func NewSearch(b *Batches, lanes int, sums Sums, stop *stopper.Stopper) *Search {
	n, width := len(b.graph.nodes), rowWidth(lanes)
	s := &Search{
		graph: &b.graph, sums: sums, stop: stop, width: width, kernels: allKernels()[0],
		rows: hugepages.Of(make([]float64, n*width)), visited: make([]uint64, n), level: make([]uint64, n),
		next: make([]uint64, n),
	}
	if b.graph.out.lengths != nil {
		s.distances = newDistances(&b.graph)
	}
	return s
}

// limit is the greatest path count that a lane may have. Counts, their inverses and their ratios are normal numbers
// then.
const limit = 0x1p900

// From searches from a batch of sources, and adds up what they find. It returns those whose path counts do not fit, of
// which it has added nothing.
func (s *Search) From(sources []int32) (left []int32, err error) {
	s.begin(sources)
	forward, backward := s.byLevel, s.backward
	if s.distances != nil {
		forward, backward = s.byDistance, s.backByDistance
	}
	if err := forward(); err != nil {
		return nil, err
	}
	fit := s.full
	for i, v := range sources {
		if !(s.most[i] < limit) {
			fit &^= 1 << i
			left = append(left, v)
		}
	}
	if left != nil {
		for i := range s.masks {
			s.masks[i] &= fit
		}
		if s.distances != nil {
			s.distances.drop(s.full &^ fit)
		}
	}
	return left, backward()
}

// byLevel goes from level to level.
func (s *Search) byLevel() error {
	for start := 0; start < len(s.stack); start = s.levels[len(s.levels)-1] {
		s.levels = append(s.levels, len(s.stack))
		if err := s.forward(start, len(s.stack)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Search) begin(sources []int32) {
	for _, v := range s.stack {
		s.visited[v] = 0
	}
	s.stack, s.masks, s.levels = s.stack[:0], s.masks[:0], append(s.levels[:0], 0)
	s.most = [MaxLanes]float64{}
	s.full, s.open = 1<<(len(sources)-1)<<1-1, int64(len(s.graph.in.targets))
	for i, v := range sources {
		p := s.graph.places[v]
		if s.level[p] == 0 {
			s.stack = append(s.stack, p)
		}
		s.level[p] |= 1 << i
		s.masses[i] = s.graph.mass(p)
		s.rows[int(p)*s.width+i] = 1
	}
	for _, p := range s.stack {
		s.reach(p, s.level[p])
	}
}

// reach notes that lanes have reached a node, whose entry is on the stack.
func (s *Search) reach(v int32, found uint64) {
	s.masks = append(s.masks, found)
	if s.visited[v] |= found; s.visited[v] == s.full {
		s.open -= s.graph.in.degree(v)
	}
}

// sweepShare: levels that more arcs leave than this share of those that enter open nodes have the open nodes look for
// them.
const sweepShare = 0.25

// forward goes from one level, a range of the stack, to the next.
func (s *Search) forward(start, end int) error {
	arcs := int64(0)
	for _, v := range s.stack[start:end] {
		arcs += s.graph.out.degree(v)
	}
	step := s.push
	if float64(arcs) > sweepShare*float64(s.open) {
		step = s.sweep
	}
	if err := step(start, end); err != nil {
		return err
	}
	for _, v := range s.stack[start:end] {
		s.level[v] = 0
	}
	for i, v := range s.stack[end:] {
		s.level[v] = s.masks[end+i]
	}
	return nil
}

// sweep has every node that some lane has not reached look for lanes, and count.
func (s *Search) sweep(_, _ int) error {
	for v, seen := range s.visited {
		if v%stopper.Every == 0 {
			if err := s.stop.Err(); err != nil {
				return err
			}
		}
		open := s.full &^ seen
		if open == 0 {
			continue
		}
		if found := s.count(int32(v), open); found != 0 {
			s.stack = append(s.stack, int32(v))
			s.reach(int32(v), found)
		}
	}
	return nil
}

// push follows the arcs that leave the level. Then each node that lanes reach counts.
func (s *Search) push(start, end int) error {
	visited, next, stack := s.visited, s.next, s.stack
	for i := start; i < end; i++ {
		mask := s.masks[i]
		for _, u := range s.graph.out.row(stack[i]) {
			fresh := mask &^ visited[u]
			if fresh == 0 {
				continue
			}
			if next[u] == 0 {
				stack = append(stack, u)
			}
			next[u] |= fresh
		}
	}
	s.stack = stack
	for i, v := range stack[end:] {
		if i%stopper.Every == 0 {
			if err := s.stop.Err(); err != nil {
				return err
			}
		}
		found := next[v]
		next[v] = 0
		s.count(v, found)
		s.reach(v, found)
	}
	return nil
}

// count adds up the path counts of the nodes before v in the lanes that are wanted, and returns those that have some.
func (s *Search) count(v int32, wanted uint64) uint64 {
	row := s.graph.in.row(v)
	at, k := s.span(wanted)
	return k.count(unsafe.SliceData(row), len(row), &s.level[0], wanted, &s.rows[at], s.stride(), uint64(at),
		&s.rows[int(v)*s.width+at], &s.most[at])
}

// stride is the logarithm of the bytes of a row.
func (s *Search) stride() uint64 { return uint64(bits.TrailingZeros(uint(8 * s.width))) }

// span returns the first lane of the groups that have a lane of the mask, and the kernel for these groups.
func (s *Search) span(mask uint64) (int, *kernel) {
	first, last := bits.TrailingZeros64(mask)/group, (bits.Len64(mask)-1)/group
	size := bits.Len(uint(last - first)) // the logarithm of how many groups, rounded up
	return group * min(first, s.width/group-1<<size), &s.kernels[size]
}
