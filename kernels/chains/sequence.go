package chains

import (
	"slices"

	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// sequence is the order in which branch nodes are sources: the ends of chains first, whose rows are needed at the same
// time, then the others. It is cut into atoms of so many sources, after which the sums of blocks are joined; those of
// ends come first.
type sequence struct {
	flat       *reduce.Flat
	ends, lone []int32
	atom       int
}

// newSequence orders branch nodes, all of them or only some.
func newSequence(f *reduce.Flat, only []int32, blocks int) sequence {
	s := sequence{flat: f, atom: atomRounds * blocks}
	add := func(v int32) {
		if isEnd(f, v) {
			s.ends = append(s.ends, v)
		} else {
			s.lone = append(s.lone, v)
		}
	}
	if only != nil {
		for _, v := range only {
			add(v)
		}
		return s
	}
	for v := range int32(len(f.Omega)) {
		add(v)
	}
	return s
}

// atoms is the number of atoms of so many sources.
func (s sequence) atoms(sources int) int { return (sources + s.atom - 1) / s.atom }

// batch is the sources whose rows are held at the same time. They begin an atom, or lie within one.
type batch struct {
	// nodes are those with rows, by slots: the sources, and then other ends of their chains.
	nodes   []int32
	sources int
	// firstAtom is the number of the first source's atom.
	firstAtom int
	// group is how many sources are left to the next pass together.
	group int
}

// ofEnds returns the batch of a shard's ends of chains, or none.
func (s sequence) ofEnds(shard device.Shard) []batch {
	first, last := shard.Part(s.atoms(len(s.ends)) + s.atoms(len(s.lone)))
	ends := cut(s.ends, first*s.atom, last*s.atom)
	if len(ends) == 0 {
		return nil
	}
	return []batch{{nodes: s.withOtherEnds(ends), sources: len(ends), firstAtom: first, group: s.atom}}
}

// others returns the batches of a shard's other nodes, of so many each, and reports whether they are the first of all
// shards.
func (s sequence) others(shard device.Shard, size int) (out []batch, begins bool) {
	before := s.atoms(len(s.ends))
	first, last := shard.Part(before + s.atoms(len(s.lone)))
	begin := max(first-before, 0) * s.atom
	begins = begin == 0
	for nodes := range slices.Chunk(cut(s.lone, begin, (last-before)*s.atom), size) {
		out = append(out, s.loneBatch(nodes, begin))
		begin += len(nodes)
	}
	return out, begins
}

// loneBatch is the batch of some nodes at which no chain ends; so many others come before them.
func (s sequence) loneBatch(nodes []int32, before int) batch {
	atom := s.atoms(len(s.ends)) + before/s.atom
	return batch{nodes: nodes, sources: len(nodes), firstAtom: atom, group: len(nodes)}
}

// cut is what there is of nodes from first to last.
func cut(nodes []int32, first, last int) []int32 {
	last = max(0, min(last, len(nodes)))
	return nodes[min(first, last):last]
}

// withOtherEnds appends the nodes at the other ends of the chains of some nodes.
func (s sequence) withOtherEnds(nodes []int32) []int32 {
	seen := make([]bool, len(s.flat.Omega))
	for _, v := range nodes {
		seen[v] = true
	}
	out := slices.Clone(nodes)
	for _, v := range nodes {
		eachOtherEnd(s.flat, v, func(u int32) {
			if !seen[u] {
				seen[u] = true
				out = append(out, u)
			}
		})
	}
	return out
}

// eachOtherEnd calls do with the node at the other end of every chain of v.
func eachOtherEnd(f *reduce.Flat, v int32, do func(u int32)) {
	first, _ := f.Core(v)
	for _, half := range f.Halves[f.FirstHalf[v]:f.FirstHalf[v+1]] {
		c := &f.Chains[half/2]
		if half%2 == 0 {
			do(first + c.V)
		} else {
			do(first + c.U)
		}
	}
}

// fitting reports of each group whether no row failed that one of its sources reads; failed has the slots.
func (b *batch) fitting(f *reduce.Flat, failed []int32) []bool {
	fit := slices.Repeat([]bool{true}, (b.sources+b.group-1)/b.group)
	if len(failed) == 0 {
		return fit
	}
	bad := make([]bool, len(f.Omega))
	for _, slot := range failed {
		bad[b.nodes[slot]] = true
	}
	for i, v := range b.nodes[:b.sources] {
		fails := bad[v]
		eachOtherEnd(f, v, func(u int32) { fails = fails || bad[u] })
		fit[i/b.group] = fit[i/b.group] && !fails
	}
	return fit
}
