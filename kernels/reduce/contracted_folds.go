package reduce

import (
	"context"
	"sort"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// LongestContracted bounds the sum of lengths that FoldContracted takes: distances fit 32 bits four times over, as unreached wants it.
const LongestContracted = 1 << 28

// Bytes is the memory of the distances that FoldContracted keeps.
func (c *Contracted) Bytes() int64 { return 4 * int64(len(c.Branch)) * int64(len(c.Branch)) }

// WorkRatio is what searches and pairs of FoldContracted cost, relative to a search from every node of a graph of so many nodes and edges.
// It is 0 for a graph without edges, which leaves nothing to search.
func (c *Contracted) WorkRatio(nodes, edges int) float64 {
	if edges == 0 {
		return 0
	}
	n, chains := float64(len(c.Branch)), float64(len(c.Chains))
	return (n*float64(c.Graph.M()) + chains*(chains+n)) / (float64(nodes) * float64(edges))
}

// Fits says whether FoldContracted can take what is left of trees: lengths are short, and what its numbers come to is exact in float64.
func (c *Contracted) Fits(t *Trees) bool {
	sum, inside := 0.0, 0.0
	for _, w := range c.Graph.Weights {
		sum += w
	}
	for i := range c.Chains {
		sum += float64(c.Chains[i].Length)
	}
	for _, x := range t.Inside {
		inside += x
	}
	return sum < LongestContracted && inside <= 1<<53
}

// contractedFolds is FoldContracted at work; docs/design/reductions.md has what it does.
type contractedFolds struct {
	*Contracted
	run           run
	trees         *Trees
	greatest      bool
	dist          []int32 // a row a branch node
	at            []chainAt
	first, chains []int32 // the chains that start from each branch node
	folds         []int64 // of the nodes of the trees' graph
}

// chainAt is a chain with running sums: of masses and masses times distances from U, of the first i inner nodes; or, with greatest, what these have behind them.
type chainAt struct {
	ContractedChain
	nodes, at       []int32
	masses, moments []int64
	fromU, fromV    []twoBest // the greatest of the first i inner nodes, from U; of all others, from V
}

// twoBest are the greatest of some numbers, and the greatest without that of node number which; -1 for none.
type twoBest struct {
	most, second int64
	which        int
}

// withNode is the best of node number which, too, that is so far away and has `inside` behind it.
func (b twoBest) withNode(inside, distance int64, which int) twoBest {
	if inside == noTarget {
		return b
	}
	x := distance + inside
	if x > b.most {
		return twoBest{x, b.most, which}
	}
	return twoBest{b.most, max(b.second, x), b.which}
}

func (b twoBest) without(which int) int64 {
	if b.which == which {
		return b.second
	}
	return b.most
}

// beyond is a number of twoBest at a distance; -1 for none.
func beyond(best, distance int64) int64 {
	if best < 0 {
		return -1
	}
	return best + distance
}

// FoldContracted folds the distances between all nodes of t.Graph, contracted to c, and returns what t.Unfold takes. Scores are the same bits for
// every number of threads.
func FoldContracted(ctx context.Context, t *Trees, c *Contracted, threads int, progress func(done, total int)) (folds, sums []float64, err error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	n := len(c.Branch)
	o := &Options{Threads: threads, Progress: progress}
	f := &contractedFolds{
		Contracted: c, trees: t, greatest: t.fold == Greatest, dist: make([]int32, n*n), folds: make([]int64, t.Graph.N()),
		run: run{options: o, stop: stop, threads: o.threads()},
	}
	f.run.plan(2*n, 1)
	f.search()
	f.lay()
	items := f.items()
	f.run.parallel(len(items), func(int) func(int) {
		w := newContractedWorker(f)
		return func(i int) { w.do(items[i]) }
	})
	if err := stop.Err(); err != nil {
		return nil, nil, err
	}
	folds, sums = f.finish()
	return folds, sums, nil
}

// search finds the distances between branch nodes.
func (f *contractedFolds) search() {
	g, n := f.Graph, len(f.Branch)
	core := &Core{Nodes: f.Branch, Omega: make([]float64, n), Offsets: make([]int32, n+1), Targets: g.Targets, Lengths: f.Ticks(), Links: g.Edges}
	for v, o := range g.Offsets {
		core.Offsets[v] = int32(o)
	}
	p := NewProblem[int32](core)
	f.run.parallel(n, func(int) func(int) {
		s, row := NewSearch(p, f.run.stop.Stopped), NewRow[int32](n)
		return func(a int) {
			row.Dist = f.dist[a*n : (a+1)*n]
			s.From(int32(a), row)
			f.run.progress(1, 1)
		}
	})
}

// lay makes the running sums of all chains.
func (f *contractedFolds) lay() {
	f.at, f.first = make([]chainAt, len(f.Chains)), make([]int32, len(f.Branch)+2)
	for i := range f.Chains {
		c := chainAt{ContractedChain: f.Chains[i]}
		c.nodes, c.at = f.Of(&f.Chains[i])
		k := len(c.nodes)
		if f.greatest {
			c.fromU, c.fromV = make([]twoBest, k+1), make([]twoBest, k+1)
			none := twoBest{-1, -1, -1}
			c.fromU[0], c.fromV[k] = none, none
			for j, v := range c.nodes {
				c.fromU[j+1] = c.fromU[j].withNode(int64(f.trees.Inside[v]), int64(c.at[j]), j)
			}
			for j := k - 1; j >= 0; j-- {
				c.fromV[j] = c.fromV[j+1].withNode(int64(f.trees.Inside[c.nodes[j]]), int64(c.Length-c.at[j]), j)
			}
		} else {
			c.masses, c.moments = make([]int64, k+1), make([]int64, k+1)
			for j, v := range c.nodes {
				omega := int64(f.trees.Omega[v])
				c.masses[j+1], c.moments[j+1] = c.masses[j]+omega, c.moments[j]+omega*int64(c.at[j])
			}
		}
		f.at[i] = c
		f.first[c.U+2]++
	}
	for v := range f.Branch {
		f.first[v+2] += f.first[v+1]
	}
	f.chains = make([]int32, len(f.Chains))
	for i := range f.Chains {
		at := &f.first[f.Chains[i].U+1]
		f.chains[*at] = int32(i)
		*at++
	}
}

func (f *contractedFolds) row(v int32) []int32 {
	n := len(f.Branch)
	return f.dist[int(v)*n : (int(v)+1)*n]
}

// turn is how many inner nodes are no farther from U than half of bound.
func (c *chainAt) turn(bound int32) int {
	switch {
	case bound <= 1:
		return 0
	case bound >= 2*c.Length-2:
		return len(c.at)
	}
	return sort.Search(len(c.at), func(j int) bool { return 2*c.at[j] > bound })
}

// over folds the distances to the inner nodes, from where the ends are so far.
func (c *chainAt) over(greatest bool, toU, toV int32) int64 {
	i, k := c.turn(c.Length+toV-toU), len(c.at)
	if greatest {
		return max(beyond(c.fromU[i].most, int64(toU)), beyond(c.fromV[i].most, int64(toV)))
	}
	return int64(toU)*c.masses[i] + c.moments[i] + (int64(toV)+int64(c.Length))*(c.masses[k]-c.masses[i]) - (c.moments[k] - c.moments[i])
}

// within folds the distances of inner node i to the others; the ends are around apart. Nodes on the wrong side of i count with less than their distance,
// which the greatest does not see.
func (c *chainAt) within(greatest bool, i int, around int32) int64 {
	at, back, k := int64(c.at[i]), int64(around)+int64(c.Length), len(c.at)
	hi, lo := c.turn(int32(2*at+back)), c.turn(int32(2*at-back-1))
	if greatest {
		next := max(beyond(c.fromU[hi].without(i), -at), beyond(c.fromV[lo].without(i), at-int64(c.Length)))
		return max(next, beyond(c.fromV[hi].most, at+int64(around)), beyond(c.fromU[lo].most, back-at))
	}
	w, m := c.masses, c.moments
	return m[hi] - m[i+1] - at*(w[hi]-w[i+1]) + (at+back)*(w[k]-w[hi]) - (m[k] - m[hi]) +
		at*(w[i]-w[lo]) - (m[i] - m[lo]) + (back-at)*w[lo] + m[lo]
}

// contractedWorker does one item at a time.
type contractedWorker struct {
	*contractedFolds
	own        []int64 // of branch nodes: what they stand for, or what lies behind them
	byU, byV   []int64 // of each chain: the fold of the distances of the ends of the one at hand
	mass, fold []int64 // bins
	back       []int64
}

func newContractedWorker(f *contractedFolds) *contractedWorker {
	w := &contractedWorker{contractedFolds: f, own: make([]int64, len(f.Branch)), byU: make([]int64, len(f.Chains)), byV: make([]int64, len(f.Chains))}
	values := f.trees.Omega
	if f.greatest {
		values = f.trees.Inside
	}
	for b, v := range f.Branch {
		w.own[b] = int64(values[v])
	}
	return w
}

// contractedItem is a branch node, if whole, and some of the chains that start from it.
type contractedItem struct {
	branch int32
	chains []int32
	whole  bool
}

// items shares out the work: few chains each, so that no thread has all of a hub's.
func (f *contractedFolds) items() []contractedItem {
	const most = 64
	var out []contractedItem
	for a := range int32(len(f.Branch)) {
		rest, whole := f.chains[f.first[a]:f.first[a+1]], true
		for whole || len(rest) > 0 {
			count := min(most, len(rest))
			out = append(out, contractedItem{a, rest[:count], whole})
			rest, whole = rest[count:], false
		}
	}
	return out
}

// see folds the distances of a branch node to the inner nodes of each chain.
func (w *contractedWorker) see(row []int32, out []int64) {
	far := unreached[int32]()
	for t := range w.at {
		c := &w.at[t]
		if out[t] = 0; row[c.U] != far {
			out[t] = c.over(w.greatest, row[c.U], row[c.V])
		}
	}
}

// do does an item.
func (w *contractedWorker) do(i contractedItem) {
	row := w.row(i.branch)
	w.see(row, w.byU)
	if i.whole {
		w.from(i.branch, row)
		w.run.progress(1, 1)
	}
	for _, t := range i.chains {
		if w.run.stop.Stopped() {
			return
		}
		w.chain(t, row)
	}
}

// from folds the distances of a branch node, of which byU is.
func (w *contractedWorker) from(a int32, row []int32) {
	far, x := unreached[int32](), int64(0)
	for b, d := range row {
		switch {
		case d == far || b == int(a):
		case w.greatest:
			x = max(x, int64(d)+w.own[b])
		default:
			x += int64(d) * w.own[b]
		}
	}
	for t, y := range w.byU {
		switch {
		case row[w.at[t].U] == far:
		case w.greatest:
			x = max(x, y)
		default:
			x += y
		}
	}
	w.folds[w.Branch[a]] = x
}

// chain folds the distances of the inner nodes of chain t, whose U has this row and is what byU is of.
func (w *contractedWorker) chain(t int32, fromU []int32) {
	c, far := &w.at[t], unreached[int32]()
	k := len(c.nodes)
	fromV := w.row(c.V)
	w.see(fromV, w.byV)
	w.mass, w.fold, w.back = zeroed(w.mass, k+1), zeroed(w.fold, k+1), zeroed(w.back, k)
	if w.greatest {
		for i := range w.mass {
			w.mass[i], w.fold[i] = -1, -1
		}
	}
	b := bins{mass: w.mass, fold: w.fold, greatest: w.greatest}
	for v, toU := range fromU {
		if toU == far {
			continue
		}
		i := c.turn(c.Length + fromV[v] - toU)
		if own := w.own[v]; w.greatest {
			b.put(i, i, 0, int64(toU)+own, int64(fromV[v])+own)
		} else {
			b.put(i, i, own, int64(toU)*own, int64(fromV[v])*own)
		}
	}
	for s := range w.at {
		o := &w.at[s]
		if fromU[o.U] == far || s == int(t) {
			continue
		}
		i, j := c.turn(c.Length+fromV[o.U]-fromU[o.U]), c.turn(c.Length+fromV[o.V]-fromU[o.V])
		lo, hi, mass := min(i, j), max(i, j), int64(0)
		if !w.greatest {
			mass = o.masses[len(o.nodes)]
		}
		b.put(lo, hi, mass, w.byU[s], w.byV[s])
		for j := lo; j < hi; j++ {
			at, rest := c.at[j], c.Length-c.at[j]
			x := o.over(w.greatest, min(at+fromU[o.U], rest+fromV[o.U]), min(at+fromU[o.V], rest+fromV[o.V]))
			if w.greatest {
				w.back[j] = max(w.back[j], x)
			} else {
				w.back[j] += x - (int64(at)*mass + w.byU[s])
			}
		}
	}
	b.along(c, w.back)
	for i, v := range c.nodes {
		if x := c.within(w.greatest, i, fromU[c.V]); w.greatest {
			w.folds[v] = max(w.back[i], x)
		} else {
			w.folds[v] = w.back[i] + x
		}
	}
}

// bins are what the inner nodes of a chain reach by either end: how many nodes the first i reach by U, and how much more U has to them than V; with
// greatest, the farthest that the first i reach by U, and that those from i on reach by V.
type bins struct {
	mass, fold   []int64
	greatest     bool
	outside, byV int64
}

// put has the first lo inner nodes reach by U, those from hi on by V, and those between, in sums, by U.
func (b *bins) put(lo, hi int, mass, byU, byV int64) {
	if b.greatest {
		b.mass[lo], b.fold[hi] = max(b.mass[lo], byU), max(b.fold[hi], byV)
		return
	}
	b.outside += mass
	b.byV += byV
	b.mass[hi] += mass
	b.fold[hi] += byU - byV
}

// along adds to the folds of the inner nodes what the bins say.
func (b *bins) along(c *chainAt, folds []int64) {
	most, mass := int64(-1), int64(0)
	for j := len(folds) - 1; j >= 0; j-- {
		at := int64(c.at[j])
		if b.greatest {
			if most = max(most, b.mass[j+1]); most >= 0 {
				folds[j] = max(folds[j], most+at)
			}
			continue
		}
		mass += b.mass[j+1]
		b.byV += b.fold[j+1]
		folds[j] += at*mass + (int64(c.Length)-at)*(b.outside-mass) + b.byV
	}
	if !b.greatest {
		return
	}
	most = -1
	for j := range folds {
		if most = max(most, b.fold[j]); most >= 0 {
			folds[j] = max(folds[j], most+int64(c.Length-c.at[j]))
		}
	}
}

// finish adds what lies inside of the other nodes of a component, and counts them.
func (f *contractedFolds) finish() (folds, sums []float64) {
	g, t, n := f.trees.Graph, f.trees, len(f.Branch)
	component, far := make([]int32, n), unreached[int32]()
	for v := range component {
		component[v] = -1
	}
	var count, inside []float64
	for v := range int32(n) {
		if component[v] < 0 {
			for w, d := range f.row(v) {
				if d != far {
					component[w] = int32(len(count))
				}
			}
			count, inside = append(count, 0), append(inside, 0)
		}
	}
	each := func(tell func(v, component int32)) {
		for b, v := range f.Branch {
			tell(v, component[b])
		}
		for i := range f.at {
			for _, v := range f.at[i].nodes {
				tell(v, component[f.at[i].U])
			}
		}
	}
	each(func(v, c int32) { count[c], inside[c] = count[c]+t.Omega[v], inside[c]+t.Inside[v] })
	folds, sums = make([]float64, g.N()), make([]float64, g.N())
	each(func(v, c int32) {
		folds[v], sums[v] = float64(f.folds[v]), count[c]-t.Omega[v]
		if !f.greatest {
			folds[v] += inside[c] - t.Inside[v]
		}
	})
	return folds, sums
}
