package closeness

import (
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// contractedWorker does one item at a time.
type contractedWorker struct {
	*foldSearch
	own        []int64 // of branch nodes: what they stand for, or what lies behind them
	byU, byV   []int64 // of each chain: the fold of the distances of the ends of the one at hand
	mass, fold []int64 // bins
	back       []int64
}

func newContractedWorker(f *foldSearch) *contractedWorker {
	w := &contractedWorker{foldSearch: f, own: make([]int64, len(f.Branch))}
	w.byU, w.byV = make([]int64, len(f.Chains)), make([]int64, len(f.Chains))
	values := f.trees.Omega
	if f.greatest {
		values = f.trees.Inside
	}
	for b, v := range f.Branch {
		w.own[b] = int64(values[v])
	}
	return w
}

// see folds the distances of a branch node to the inner nodes of each chain.
func (w *contractedWorker) see(row []int32, out []int64) {
	far := cores.Unreached[int32]()
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
		w.run.Done(1, 1)
	}
	for _, t := range i.chains {
		if w.run.Stopped() {
			return
		}
		w.chain(t, row)
	}
}

// from folds the distances of a branch node, whose row and byU are at hand.
func (w *contractedWorker) from(a int32, row []int32) {
	far, x := cores.Unreached[int32](), int64(0)
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
	w.into[w.Branch[a]] += float64(x)
}

// chain folds the distances of the inner nodes of chain t. fromU is the row of its U, and byU is of that.
func (w *contractedWorker) chain(t int32, fromU []int32) {
	c := &w.at[t]
	k := len(c.nodes)
	fromV := w.row(c.V)
	w.see(fromV, w.byV)
	w.mass, w.fold, w.back = pieces.Zeroed(w.mass, k+1), pieces.Zeroed(w.fold, k+1), pieces.Zeroed(w.back, k)
	if w.greatest {
		for i := range w.mass {
			w.mass[i], w.fold[i] = -1, -1
		}
	}
	b := bins{mass: w.mass, fold: w.fold, greatest: w.greatest}
	w.toBranches(c, &b, fromU, fromV)
	w.toChains(t, &b, fromU, fromV)
	b.along(c, w.back)
	for i, v := range c.nodes {
		if x := c.within(w.greatest, i, fromU[c.V]); w.greatest {
			w.into[v] += float64(max(w.back[i], x))
		} else {
			w.into[v] += float64(w.back[i] + x)
		}
	}
}

// toBranches puts the branch nodes into the bins of chain c, whose ends have these rows.
func (w *contractedWorker) toBranches(c *chainAt, b *bins, fromU, fromV []int32) {
	far := cores.Unreached[int32]()
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
}

// toChains puts the inner nodes of all chains except t into the bins of t, whose ends have these rows. Inner nodes of t
// between the cuts of the two ends of a chain fold their distances to it one by one, into back.
func (w *contractedWorker) toChains(t int32, b *bins, fromU, fromV []int32) {
	c, far := &w.at[t], cores.Unreached[int32]()
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
}

// bins are what the inner nodes of a chain reach by either end: how many nodes the first i reach by U, and how much
// farther these are from U than from V. For the greatest: the farthest that the first i reach by U, and those from i on
// by V.
type bins struct {
	mass, fold   []int64
	greatest     bool
	outside, byV int64
}

// put adds nodes that the first lo inner nodes reach by U, and those from hi on by V. In sums, those between reach them
// by U.
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

// along adds what is in the bins to the folds of the inner nodes.
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
