package worker

import (
	"cmp"
	"slices"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
)

// chainLayout are the chains as the device takes them: branch nodes by their places among the sources of batches, chains in the order of those.
type chainLayout struct {
	place, component []int32 // of each branch node
	own              []uint32
	chains           []foldChain
	ends             []chainEnds
	turned           []int32 // the chain of the core that each is
	at               []int32
	// masses and moments are Sums::before and after, firsts and lasts those of Maxima.
	masses  []uint32
	moments []int64
	firsts  []bestTwo
	lasts   []bestTwo
	// count is how many nodes are in each component, of all that others stand for, and inside what these add to sums.
	count, inside []float64
}

// foldChain is FoldChain of kernels/chains/chain_folds.cuh.
type foldChain struct{ u, v, length, first, inner int32 }

// chainEnds are ChainFolds::ends there.
type chainEnds struct {
	u, v    int32
	mass, _ uint32
}

// bestTwo is Best there.
type bestTwo struct{ most, second, which int32 }

const bestBytes = 12

// newLayout lays out the chains for branch nodes in this order.
func (r *chainFoldRun) newLayout(order []int32) chainLayout {
	c := r.core
	l := chainLayout{place: make([]int32, len(order)), own: make([]uint32, len(order)), turned: make([]int32, len(c.Chains))}
	values := r.job.Masses
	if r.fold == closeness.Greatest {
		values = r.job.Insides
	}
	for i, v := range order {
		l.place[v], l.own[i] = int32(i), uint32(values[c.Branch[v]])
	}
	for t := range l.turned {
		l.turned[t] = int32(t)
	}
	slices.SortFunc(l.turned, func(a, b int32) int {
		x, y := &c.Chains[a], &c.Chains[b]
		return cmp.Or(cmp.Compare(l.place[x.U], l.place[y.U]), cmp.Compare(l.place[x.V], l.place[y.V]), cmp.Compare(a, b))
	})
	bins := len(c.Inner) + len(c.Chains)
	l.at, l.chains, l.ends = make([]int32, 0, len(c.Inner)), make([]foldChain, 0, len(c.Chains)), make([]chainEnds, 0, len(c.Chains))
	if r.fold == closeness.Greatest {
		l.firsts, l.lasts = make([]bestTwo, 0, bins), make([]bestTwo, 0, bins)
	} else {
		l.masses, l.moments = make([]uint32, 0, bins), make([]int64, 0, bins)
	}
	for _, t := range l.turned {
		chain := &c.Chains[t]
		nodes, at := c.Of(chain)
		l.chains = append(l.chains, foldChain{l.place[chain.U], l.place[chain.V], chain.Length, int32(len(l.at)), chain.Count})
		l.at = append(l.at, at...)
		ends := chainEnds{u: l.place[chain.U], v: l.place[chain.V]}
		if r.fold == closeness.Greatest {
			l.addBest(nodes, at, chain.Length, values)
		} else {
			l.addSums(nodes, at, values)
			ends.mass = l.masses[len(l.masses)-1]
		}
		l.ends = append(l.ends, ends)
	}
	r.components(&l)
	return l
}

// addSums adds the bins of a chain.
func (l *chainLayout) addSums(nodes, at []int32, masses []float64) {
	mass, moment := uint32(0), int64(0)
	l.masses, l.moments = append(l.masses, 0), append(l.moments, 0)
	for j, v := range nodes {
		mass += uint32(masses[v])
		moment += int64(masses[v]) * int64(at[j])
		l.masses, l.moments = append(l.masses, mass), append(l.moments, moment)
	}
}

// addBest adds the bins of a chain.
func (l *chainLayout) addBest(nodes, at []int32, length int32, insides []float64) {
	b := bestTwo{-1, -1, -1}
	l.firsts = append(l.firsts, b)
	for j, v := range nodes {
		b = b.with(at[j], int32(insides[v]), j)
		l.firsts = append(l.firsts, b)
	}
	b, end := bestTwo{-1, -1, -1}, len(l.firsts)
	l.lasts = append(l.lasts, make([]bestTwo, len(nodes)+1)...)
	l.lasts[end-1] = b
	for j := len(nodes) - 1; j >= 0; j-- {
		b = b.with(length-at[j], int32(insides[nodes[j]]), j)
		l.lasts[end-1-len(nodes)+j] = b
	}
}

// with is the best of one node more, so far away; `inside` is Inside of closeness.Trees.
func (b bestTwo) with(distance, inside int32, which int) bestTwo {
	if inside < 0 {
		return b
	}
	if x := distance + inside; x > b.most {
		return bestTwo{x, b.most, int32(which)}
	}
	return bestTwo{b.most, max(b.second, distance+inside), b.which}
}

// components finds which nodes paths join.
func (r *chainFoldRun) components(l *chainLayout) {
	g := r.core.Graph
	l.component = make([]int32, len(r.core.Branch))
	for v := range l.component {
		l.component[v] = -1
	}
	var queue []int32
	for root := range int32(len(l.component)) {
		if l.component[root] >= 0 {
			continue
		}
		number := int32(len(l.count))
		l.count, l.inside = append(l.count, 0), append(l.inside, 0)
		l.component[root] = number
		queue = append(queue[:0], root)
		for len(queue) > 0 {
			v := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			l.add(number, r.job, r.core.Branch[v])
			for _, w := range g.Row(v) {
				if l.component[w] < 0 {
					l.component[w] = number
					queue = append(queue, w)
				}
			}
		}
	}
	for t := range r.core.Chains {
		chain := &r.core.Chains[t]
		nodes, _ := r.core.Of(chain)
		for _, v := range nodes {
			l.add(l.component[chain.U], r.job, v)
		}
	}
}

func (l *chainLayout) add(component int32, job *Job, v int32) {
	l.count[component] += job.Masses[v]
	l.inside[component] += job.Insides[v]
}

// chainFoldArrays is device memory of a chainFoldRun; see ChainFolds in kernels/chains/chain_folds.cuh.
type chainFoldArrays struct {
	row, own, chains, ends, at, before, after gpu.Ptr
	seen, branch, byU, byV, total, inner      gpu.Ptr
}

func (r *chainFoldRun) takeMemory() {
	if r.err != nil {
		return
	}
	a, l, t := &r.arrays, &r.layout, &r.traverse
	a.row, a.own, a.at = uploaded(t, r.batches.places()), uploaded(t, l.own), uploaded(t, l.at)
	a.chains, a.ends = r.uploadBytes(bytesOf(l.chains)), r.uploadBytes(bytesOf(l.ends))
	if r.job.Plan.Lanes > 0 {
		a.seen = r.alloc(r.seenBytes())
	}
	if r.fold == closeness.Greatest {
		a.before, a.after = r.uploadBytes(bytesOf(l.firsts)), r.uploadBytes(bytesOf(l.lasts))
	} else {
		a.before, a.after = uploaded(t, l.masses), uploaded(t, l.moments)
	}
	bins := int64(len(l.at) + len(l.chains))
	a.branch, a.byU, a.byV = r.zeros(8*int64(len(l.place))), r.zeros(8*bins), r.zeros(8*bins)
	a.total, a.inner = r.zeros(8*int64(len(l.chains))), r.zeros(8*int64(len(l.at)))
}

func (r *chainFoldRun) uploadBytes(b []byte) gpu.Ptr {
	p := r.alloc(int64(len(b)))
	if r.err == nil && len(b) > 0 {
		r.err = r.device.CopyIn(p, b)
	}
	return p
}

// chainFoldArgs fills ChainFolds.
func (r *chainFoldRun) chainFoldArgs() gpu.Ptr {
	if r.err != nil {
		return 0
	}
	a := r.arrays
	return putArguments(&r.traverse, chainFoldsArguments{
		nodes:  int64(len(r.layout.place)),
		chains: int64(len(r.layout.chains)),
		dist:   r.batches.arrays.dist,
		row:    a.row,
		own:    a.own,
		list:   a.chains,
		ends:   a.ends,
		at:     a.at,
		before: a.before,
		after:  a.after,
		seen:   a.seen,
		branch: a.branch,
		byU:    a.byU,
		byV:    a.byV,
		total:  a.total,
		inner:  a.inner,
	})
}

// chainSums are what the device found; see ChainFolds.
type chainSums struct{ branch, byU, byV, total, inner []int64 }

// leadBack fills the folds of all nodes, and of how many others they are.
func (r *chainFoldRun) leadBack() error {
	l := &r.layout
	bins := len(l.at) + len(l.chains)
	s := chainSums{make([]int64, len(l.place)), make([]int64, bins), make([]int64, bins), make([]int64, len(l.chains)), make([]int64, len(l.at))}
	a := &r.arrays
	for _, x := range []struct {
		to   []int64
		from gpu.Ptr
	}{{s.branch, a.branch}, {s.byU, a.byU}, {s.byV, a.byV}, {s.total, a.total}, {s.inner, a.inner}} {
		if r.err == nil && len(x.to) > 0 {
			r.err = gpu.Download(r.device, x.to, x.from)
		}
	}
	if r.err != nil {
		return r.err
	}
	for b, v := range r.core.Branch {
		fold := s.branch[l.place[b]]
		if r.fold == closeness.Greatest {
			fold-- // see raise
		}
		r.tell(v, l.component[b], fold)
	}
	for k, t := range l.turned {
		chain := &r.core.Chains[t]
		nodes, at := r.core.Of(chain)
		first, bin := int(l.chains[k].first), int(l.chains[k].first)+k
		folds := s.inner[first : first+len(nodes)]
		byU, byV := s.byU[bin:bin+len(nodes)+1], s.byV[bin:bin+len(nodes)+1]
		component := l.component[chain.U]
		if r.fold == closeness.Greatest {
			greatestAlong(folds, byU, byV, at, chain.Length)
		} else {
			outside := int64(l.count[component]) - int64(l.masses[bin+len(nodes)])
			sumsAlong(folds, byU, byV, at, chain.Length, outside, s.total[k])
		}
		for j, v := range nodes {
			r.tell(v, component, folds[j])
		}
	}
	return nil
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

// tell writes the fold of a node.
func (r *chainFoldRun) tell(v, component int32, fold int64) {
	r.job.Counts[v] = r.layout.count[component] - r.job.Masses[v]
	if r.fold == closeness.Greatest {
		r.job.Nodes[v] = float64(max(fold, 0))
		return
	}
	r.job.Nodes[v] = float64(fold) + (r.layout.inside[component] - r.job.Insides[v])
}
