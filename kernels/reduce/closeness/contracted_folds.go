package closeness

import (
	"context"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/parallel"
)

// LongestContracted bounds the sum of lengths that FoldContracted takes: 32 bits hold four times any distance, which
// searches need.
const LongestContracted = 1 << 28

// Bytes returns the memory of the distances that FoldContracted keeps.
func (c *Contracted) Bytes() int64 { return 4 * int64(len(c.Branch)) * int64(len(c.Branch)) }

// WorkRatio returns what searches and pairs of FoldContracted cost, relative to a search from every node of a graph of
// so many nodes and edges. It is 0 for a graph without edges, which leaves nothing to search.
func (c *Contracted) WorkRatio(nodes, edges int) float64 {
	if edges == 0 {
		return 0
	}
	n, chains := float64(len(c.Branch)), float64(len(c.Chains))
	return (n*float64(c.Graph.M()) + chains*(chains+n)) / (float64(nodes) * float64(edges))
}

// Fits reports whether FoldContracted can take what trees left: lengths are short, and its sums are exact in float64.
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

// contractedFolds is FoldContracted at work: see docs/design/reductions.md.
type contractedFolds struct {
	*Contracted
	run           *parallel.Run
	trees         *Trees
	greatest      bool
	dist          []int32 // a row per branch node
	at            []chainAt
	first, chains []int32 // the chains that start from each branch node
	folds         []int64 // of the nodes of trees.Graph
}

// FoldContracted folds the distances between all nodes of t.Graph, contracted to c, and returns what t.Unfold takes.
// Scores are the same bits for every number of threads. progress may be nil.
func FoldContracted(
	ctx context.Context, t *Trees, c *Contracted, threads int, progress func(done, total int),
) (folds, sums []float64, err error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	n := len(c.Branch)
	f := &contractedFolds{
		Contracted: c, trees: t, greatest: t.fold == Greatest, dist: make([]int32, n*n), folds: make([]int64, t.Graph.N()),
		run: parallel.NewRun(stop, threads, progress),
	}
	f.run.Expect(2*n, 1)
	f.search()
	f.lay()
	items := f.items()
	f.run.Each(len(items), func(int) func(int) {
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
	core := &cores.Core{
		Nodes: f.Branch, Omega: make([]float64, n), Offsets: make([]int32, n+1),
		Targets: g.Targets, Lengths: f.Ticks(), Links: g.Edges,
	}
	for v, o := range g.Offsets {
		core.Offsets[v] = int32(o)
	}
	p := cores.NewProblem[int32](core)
	f.run.Each(n, func(int) func(int) {
		s, row := cores.NewSearch(p, f.run.Stopped), cores.NewRow[int32](n)
		return func(a int) {
			row.Dist = f.dist[a*n : (a+1)*n]
			s.From(int32(a), row)
			f.run.Done(1, 1)
		}
	})
}

// lay makes the running sums of all chains.
func (f *contractedFolds) lay() {
	f.at, f.first = make([]chainAt, len(f.Chains)), make([]int32, len(f.Branch)+2)
	for i := range f.Chains {
		c := chainAt{ContractedChain: f.Chains[i]}
		c.nodes, c.at = f.Of(&f.Chains[i])
		if f.greatest {
			c.findGreatest(f.trees.Inside)
		} else {
			c.sum(f.trees.Omega)
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

// contractedItem is a branch node, if whole, and some of the chains that start from it.
type contractedItem struct {
	branch int32
	chains []int32
	whole  bool
}

// items divides the work: an item has few chains, so that no thread has all of a hub's.
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

// finish adds what lies inside the other nodes of each component, and counts them.
func (f *contractedFolds) finish() (folds, sums []float64) {
	g, t, n := f.trees.Graph, f.trees, len(f.Branch)
	component, far := make([]int32, n), cores.Unreached[int32]()
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
	each := func(do func(v, component int32)) {
		for b, v := range f.Branch {
			do(v, component[b])
		}
		for i := range f.at {
			for _, v := range f.at[i].nodes {
				do(v, component[f.at[i].U])
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
