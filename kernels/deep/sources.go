package deep

import "github.com/linchpin-graph/linchpin/kernels/batches"

// noSource is in the place of a source where a batch has fewer than lanes: kNoSource of deep.cuh.
const noSource = -1

// Sources lists the sources of parts that lie close together by their new numbers, part by part. The shard with index 0
// leaves the others.
func (s *search) Sources() (from, apart []int32) {
	j, g := s.run.Job, s.run.Graph
	wanted := func(int32) bool { return true }
	if j.Only != nil {
		only := make([]bool, j.Host.N())
		for _, v := range j.Only {
			only[v] = true
		}
		wanted = func(v int32) bool { return only[v] }
	}
	s.part = make([]int32, j.Host.N())
	place := g.Place()
	for i, part := range g.Parts {
		for _, v := range part {
			at := place[v]
			if s.part[at] = int32(i); wanted(v) {
				from = append(from, at)
			}
		}
	}
	if j.Shard.Index > 0 {
		return from, nil
	}
	for _, v := range g.Apart {
		if wanted(v) {
			apart = append(apart, v)
		}
	}
	return from, apart
}

// Padded fills the batches of nodes so that each holds sources of one part, and returns whole batches, those of sources
// that lie farthest apart first.
func (s *search) Padded(nodes []int32, lanes int) []int32 {
	var out []int32
	pad := func() {
		for len(out)%lanes != 0 {
			out = append(out, noSource)
		}
	}
	for i, v := range nodes {
		if i > 0 && s.part[v] != s.part[nodes[i-1]] {
			pad()
		}
		out = append(out, v)
	}
	pad()
	return batches.FarthestFirst(out, lanes, batches.ByNumbers)
}
