package distances

import (
	"math/bits"

	"github.com/linchpin-graph/linchpin/kernels/search"
)

// batches searches from all nodes that may be among the highest, in batches, to their ends.
func (s *topSearch) batches() {
	bfs := search.NewMultiBFS(s.graph, s.stop)
	for {
		nodes := s.nextBatch()
		if len(nodes) == 0 || s.batch(bfs, nodes) != nil {
			return
		}
		s.look(int64(len(nodes))*int64(s.graph.Arcs()+s.graph.N())/int64(s.division.Shared), false)
	}
}

// nextBatch takes the nodes with the highest bounds.
func (s *topSearch) nextBatch() (nodes []int32) {
	for len(nodes) < s.division.Size {
		v, ok := s.next()
		if !ok {
			break
		}
		nodes = append(nodes, v)
	}
	return nodes
}

// batch searches from some nodes at once.
func (s *topSearch) batch(bfs *search.MultiBFS, nodes []int32) error {
	counts, sums := make([]int64, search.LaneCount), make([]float64, search.LaneCount)
	err := bfs.From(nodes, func(depth int32) {
		found := make([]int64, search.LaneCount)
		for _, v := range bfs.Level {
			for i, word := range bfs.Fresh[v] {
				for ; word != 0; word &= word - 1 {
					found[64*i+bits.TrailingZeros64(word)]++
				}
			}
		}
		for lane, count := range found {
			if count > 0 {
				counts[lane], sums[lane] = counts[lane]+count, sums[lane]+s.fold(count, int64(depth))
			}
		}
	})
	if err != nil {
		return err
	}
	for lane, v := range nodes {
		s.add(v, s.score(sums[lane], float64(counts[lane])))
	}
	return nil
}
