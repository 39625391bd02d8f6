package chains

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/weighted"
)

// foldSums are what the device found; see ChainFolds.
type foldSums struct{ branch, byU, byV, total, inner []int64 }

// download returns what the device found.
func (r *foldRun) download() foldSums {
	a, l := &r.arrays, r.layout
	var s foldSums
	for _, x := range []struct {
		into  *[]int64
		from  gpu.Ptr
		count int64
	}{
		{&s.branch, a.branch, l.branches},
		{&s.byU, a.byU, l.bins},
		{&s.byV, a.byV, l.bins},
		{&s.total, a.total, l.chains},
		{&s.inner, a.inner, l.inner},
	} {
		if *x.into = make([]int64, x.count); x.count > 0 {
			device.Download(r.calls, *x.into, x.from)
		}
	}
	return s
}

// tell adds the folds of the shard's nodes, and of how many others they are.
func (r *foldRun) tell(s foldSums) {
	if r.calls.Err != nil {
		return
	}
	core, l := r.engine.core, r.lists
	first, last := r.batches()
	for b, v := range core.Branch {
		if place := int(l.place[b]); place >= first*weighted.Lanes && place < last*weighted.Lanes {
			r.tellBranch(v, r.joined.of[b], s.branch[place])
		}
	}
	for k, end := r.chains(); k < end; k++ {
		r.tellChain(k, s)
	}
}

func (r *foldRun) tellBranch(v, component int32, fold int64) {
	if r.engine.fold == closeness.Greatest {
		fold-- // see raise
	}
	r.add(v, component, fold)
}

// tellChain adds the folds of the inner nodes of chain k of the lists.
func (r *foldRun) tellChain(k int, s foldSums) {
	core, l := r.engine.core, r.lists
	chain := &core.Chains[l.turned[k]]
	nodes, at := core.Of(chain)
	first, bin := int(l.chains[k].first), int(l.chains[k].first)+k
	folds := s.inner[first : first+len(nodes)]
	byU, byV := s.byU[bin:bin+len(nodes)+1], s.byV[bin:bin+len(nodes)+1]
	component := r.joined.of[chain.U]
	if r.engine.fold == closeness.Greatest {
		greatestAlong(folds, byU, byV, at, chain.Length)
	} else {
		outside := int64(r.joined.count[component]) - int64(l.masses[bin+len(nodes)])
		sumsAlong(folds, byU, byV, at, chain.Length, outside, s.total[k])
	}
	for j, v := range nodes {
		r.add(v, component, folds[j])
	}
}

// sumsAlong adds to the sums of the inner nodes of a chain what the bins say: see Sums::put.
func sumsAlong(sums, mass, gap []int64, at []int32, length int32, outside, total int64) {
	byU := int64(0)
	for j := len(sums) - 1; j >= 0; j-- {
		byU += mass[j+1]
		total += gap[j+1]
		sums[j] += int64(at[j])*byU + int64(length-at[j])*(outside-byU) + total
	}
}

// greatestAlong does so with the greatest, of numbers greater by 1: see Maxima::put.
func greatestAlong(folds, byU, byV []int64, at []int32, length int32) {
	most := int64(0)
	for j := len(folds) - 1; j >= 0; j-- {
		if most = max(most, byU[j+1]); most > 0 {
			folds[j] = max(folds[j], most+int64(at[j]))
		}
	}
	most = 0
	for j := range folds {
		if most = max(most, byV[j]); most > 0 {
			folds[j] = max(folds[j], most+int64(length-at[j]))
		}
		folds[j]--
	}
}

// add adds the fold of a node.
func (r *foldRun) add(v, component int32, fold int64) {
	p, e := r.job.Partial, r.engine
	p.NodeCounts[v] += int64(r.joined.count[component] - e.masses[v])
	if e.fold == closeness.Greatest {
		p.MostNodes[v] = float64(max(fold, 0))
		return
	}
	p.Nodes.Add(int(v), float64(fold)+(r.joined.inside[component]-e.insides[v]))
}
