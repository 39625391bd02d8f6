package distances

import (
	"math/bits"

	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// firsts searches from as many nodes as are asked for, so many at a time: no search can end early before. On deep
// graphs searches one by one bound the scores of others.
func (s *topSearch) firsts(each int) {
	if !s.shallow || each < 2 {
		return
	}
	bfs := search.NewMultiBFS(s.graph, s.stop)
	for s.handed.Add(int64(each)) < int64(s.topNodes.count+each) {
		nodes := s.some(each)
		if len(nodes) == 0 || s.batch(bfs, nodes) != nil {
			return
		}
	}
}

// batches searches from all nodes that may be among the highest, in batches, to their ends.
func (s *topSearch) batches() {
	bfs := search.NewMultiBFS(s.graph, s.stop)
	for {
		nodes := s.some(s.division.Size)
		if len(nodes) == 0 || s.batch(bfs, nodes) != nil {
			return
		}
		s.lookInBatch(int64(len(nodes)) * s.eachInBatch())
	}
}

// batch searches from some nodes at once.
func (s *topSearch) batch(bfs *search.MultiBFS, nodes []int32) error {
	var found laneCounts
	counts, sums := make([]int64, len(nodes)), make([]exact.Word, len(nodes))
	err := bfs.From(nodes, func(depth int32) {
		for _, v := range bfs.Level {
			found.add(bfs.Fresh[v])
		}
		found.flush()
		term := s.term(int64(depth))
		for lane := range nodes {
			counts[lane] += found.of[lane]
			sums[lane].AddTimes(term, found.of[lane])
			found.of[lane] = 0
		}
	})
	if err != nil {
		return err
	}
	for lane, v := range nodes {
		s.add(v, counts[lane], sums[lane])
	}
	return nil
}

// countPlanes is how many bits laneCounts counts in before it adds.
const countPlanes = 8

// laneCounts counts how often each lane is in a mask. Plane i has bit i of the counts of all lanes, so that one mask
// takes a few steps, whatever lanes it has.
type laneCounts struct {
	planes [countPlanes]search.Lanes
	held   int // masks that are in the planes
	of     [search.LaneCount]int64
}

// add counts the lanes of a mask.
func (c *laneCounts) add(x search.Lanes) {
	for i := range c.planes {
		p := &c.planes[i]
		carry := search.Lanes{p[0] & x[0], p[1] & x[1], p[2] & x[2], p[3] & x[3]}
		p[0], p[1], p[2], p[3] = p[0]^x[0], p[1]^x[1], p[2]^x[2], p[3]^x[3]
		if carry[0]|carry[1]|carry[2]|carry[3] == 0 {
			break
		}
		x = carry
	}
	if c.held++; c.held == 1<<countPlanes-1 {
		c.flush()
	}
}

// flush moves what the planes hold to the counts.
func (c *laneCounts) flush() {
	for i := range c.planes {
		for k, word := range c.planes[i] {
			for ; word != 0; word &= word - 1 {
				c.of[64*k+bits.TrailingZeros64(word)] += 1 << i
			}
		}
		c.planes[i] = search.Lanes{}
	}
	c.held = 0
}
