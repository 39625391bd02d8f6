// Package lanes computes betweenness by hops on the CPU from up to 64 sources at a time.
package lanes

import (
	"math/bits"
	"unsafe"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// limit is the greatest path count that a lane may have.
const limit = 0x1p900

type kernel struct {
	count func(targets *int32, length int, masks *uint64, wanted uint64, rows, own, most *float64) uint64
	share func(targets *int32, length int, masks *uint64, wanted uint64, rows, own, scale, delta *float64, word *int64) uint64
}

var kernels = map[int]kernel{8: {count8, share8}, 16: {count16, share16}, 32: {count32, share32}, 64: {count64, share64}}

// Search is a search from a batch of sources.
type Search struct {
	*Layout
	kernel
	width                    int
	stop                     *stopper.Stopper
	visited, frontier, next  []uint64
	rows                     []float64
	stack                    []int32
	masks                    []uint64
	levels                   []int
	most, delta              [64]float64
	scale                    exact.Scale
	factors                  [3]float64
	words                    []exact.Word
	full                     uint64
	Pairs                    int64
	Distance                 float64
	Sweeps, Pushes, Checked, Entries int64
}

func NewSearch(l *Layout, width int, scale exact.Scale, stop *stopper.Stopper) *Search {
	n := len(l.nodes)
	return &Search{
		Layout: l, kernel: kernels[width], width: width, stop: stop, visited: make([]uint64, n), frontier: make([]uint64, n),
		next: make([]uint64, n), rows: make([]float64, n*width), scale: scale, factors: [3]float64{scale.Unit, scale.Fine, 1},
		words: make([]exact.Word, n),
	}
}

func first(row []int32) *int32 { return unsafe.SliceData(row) }

// From searches.
func (s *Search) From(sources []int32) {
	clear(s.visited)
	s.stack, s.masks, s.levels = s.stack[:0], s.masks[:0], append(s.levels[:0], 0)
	s.most = [64]float64{}
	s.full = 1<<(len(sources)-1)<<1 - 1
	for i, v := range sources {
		p := s.places[v]
		if s.frontier[p] == 0 {
			s.stack = append(s.stack, p)
		}
		s.frontier[p] |= 1 << i
		s.rows[int(p)*s.width+i] = 1
	}
	for _, p := range s.stack {
		s.visited[p] = s.frontier[p]
		s.masks = append(s.masks, s.frontier[p])
	}
	total := s.in.offsets[len(s.nodes)]
	for start := 0; start < len(s.stack); start = s.levels[len(s.levels)-1] {
		end := len(s.stack)
		s.levels = append(s.levels, end)
		sum := int64(0)
		for _, v := range s.stack[start:end] {
			sum += s.out.degree(v)
		}
		if sum*SweepShare > total {
			s.sweep()
		} else {
			s.push(start, end)
		}
		for _, v := range s.stack[start:end] {
			s.frontier[v] = 0
		}
		for i, v := range s.stack[end:] {
			s.frontier[v] = s.masks[end+i]
		}
	}
	s.back()
}

var SweepShare int64 = 4

func (s *Search) gather(v int32, wanted uint64) uint64 {
	row := s.in.row(v)
	return s.count(first(row), len(row), &s.frontier[0], wanted, &s.rows[0], &s.rows[int(v)*s.width], &s.most[0])
}

func (s *Search) sweep() {
	s.Sweeps++
	for v, seen := range s.visited {
		open := s.full &^ seen
		if open == 0 {
			continue
		}
		if found := s.gather(int32(v), open); found != 0 {
			s.visited[v] |= found
			s.stack = append(s.stack, int32(v))
			s.masks = append(s.masks, found)
		}
	}
}

func (s *Search) push(start, end int) {
	s.Pushes++
	visited, next, stack := s.visited, s.next, s.stack
	for i := start; i < end; i++ {
		mask := s.masks[i]
		for _, u := range s.out.row(stack[i]) {
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
	for _, v := range stack[end:] {
		found := next[v]
		next[v] = 0
		s.gather(v, found)
		visited[v] |= found
		s.masks = append(s.masks, found)
	}
}

func (s *Search) back() {
	s.Entries += int64(len(s.stack))
	next := s.next
	for l := len(s.levels) - 2; l >= 1; l-- {
		start, end := s.levels[l], s.levels[l+1]
		lanes := 0
		for i := start; i < end; i++ {
			v, mask := s.stack[i], s.masks[i]
			row := s.out.row(v)
			if l == len(s.levels)-2 {
				row = row[:0]
			}
			rest := s.share(first(row), len(row), &next[0], mask, &s.rows[0], &s.rows[int(v)*s.width], &s.factors[0], &s.delta[0], &s.words[v][0])
			if rest != 0 {
				s.rest(v, mask)
			}
			lanes += bits.OnesCount64(mask)
		}
		s.Pairs += int64(lanes)
		s.Distance += float64(l) * float64(lanes)
		if l+2 < len(s.levels) {
			for _, v := range s.stack[end:s.levels[l+2]] {
				next[v] = 0
			}
		}
		for i := start; i < end; i++ {
			next[s.stack[i]] = s.masks[i]
		}
	}
	if len(s.levels) > 2 {
		for _, v := range s.stack[s.levels[1]:s.levels[2]] {
			next[v] = 0
		}
	}
	for _, v := range s.stack[:s.levels[1]] {
		s.frontier[v] = 0
	}
}

func (s *Search) rest(v int32, mask uint64) {
	s.Checked++
	for ; mask != 0; mask &= mask - 1 {
		w := s.scale.Of(s.delta[bits.TrailingZeros64(mask)])
		s.words[v][2] += w[2]
	}
}

// Move adds the sums to those of the graph's nodes.
func (s *Search) Move(into *exact.Sums) {
	for i, w := range s.words {
		into.Words[s.nodes[i]].Add(w)
	}
	clear(s.words)
}
