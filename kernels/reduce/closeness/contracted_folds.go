package closeness

import (
	"context"
	"slices"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
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

// ContractedFolds folds the distances between all nodes of the graph that trees left, contracted: see
// docs/design/reductions.md. What a node folds is complete in one search of Search.
type ContractedFolds struct {
	*Contracted
	trees         *Trees
	greatest      bool
	at            []chainAt
	first, chains []int32 // the chains that start from each branch node
}

// FoldContracted prepares the folds of t.Graph, contracted to c.
func FoldContracted(t *Trees, c *Contracted) *ContractedFolds {
	f := &ContractedFolds{Contracted: c, trees: t, greatest: t.fold == Greatest}
	f.lay()
	return f
}

// Folds returns how many numbers Search finds, one of each node of the graph that trees left.
func (f *ContractedFolds) Folds() int { return f.trees.Graph.N() }

// foldSearch is one call of Search.
type foldSearch struct {
	*ContractedFolds
	run  *pieces.Run
	slot []int32 // the row of each branch node, or -1
	dist []int32 // rows
	into []float64
}

// Search folds the distances of a part of the nodes. It adds them to Folds numbers; those of other parts stay as they
// are. The numbers are the same bits for every number of threads, and of parts. progress may be nil.
func (f *ContractedFolds) Search(
	ctx context.Context, part cores.Part, threads int, progress func(done, total int), into []float64,
) error {
	stop := stopper.New(ctx)
	defer stop.Release()
	s := &foldSearch{f, pieces.NewRun(stop, threads, progress), slices.Repeat([]int32{-1}, len(f.Branch)), nil, into}
	items := f.items()
	first, last := part(len(items))
	items = items[first:last]
	needed, whole := s.lay(items)
	s.run.Expect(len(needed)+whole, 1)
	s.search(needed)
	s.run.Each(len(items), func(int) func(int) {
		w := newContractedWorker(s)
		return func(i int) { w.do(items[i]) }
	})
	return stop.Err()
}

// lay returns the branch nodes whose rows some items read, and how many of the items are of whole branch nodes.
func (s *foldSearch) lay(items []contractedItem) (needed []int32, whole int) {
	need := func(v int32) {
		if s.slot[v] < 0 {
			s.slot[v] = int32(len(needed))
			needed = append(needed, v)
		}
	}
	for _, i := range items {
		need(i.branch)
		if i.whole {
			whole++
		}
		for _, t := range i.chains {
			need(s.at[t].V)
		}
	}
	return needed, whole
}

// search finds the distances of some branch nodes to all others.
func (s *foldSearch) search(from []int32) {
	g, n := s.Graph, len(s.Branch)
	core := &cores.Core{
		Nodes: s.Branch, Omega: make([]float64, n), Offsets: make([]int32, n+1),
		Targets: g.Targets, Lengths: s.Ticks(), Links: g.Edges,
	}
	for v, o := range g.Offsets {
		core.Offsets[v] = int32(o)
	}
	p := cores.NewProblem[int32](core)
	s.dist = make([]int32, n*len(from))
	s.run.Each(len(from), func(int) func(int) {
		search, row := cores.NewSearch(p, s.run.Stopped), cores.NewRow[int32](n)
		return func(i int) {
			row.Dist = s.row(from[i])
			search.From(from[i], row)
			s.run.Done(1, 1)
		}
	})
}

// row has the distances of a branch node whose row was needed.
func (s *foldSearch) row(v int32) []int32 {
	n, at := len(s.Branch), int(s.slot[v])
	return s.dist[at*n : (at+1)*n]
}

// lay makes the running sums of all chains.
func (f *ContractedFolds) lay() {
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

// contractedItem is a branch node, if whole, and some of the chains that start from it.
type contractedItem struct {
	branch int32
	chains []int32
	whole  bool
}

// items divides the work: an item has few chains, so that no thread has all of a hub's.
func (f *ContractedFolds) items() []contractedItem {
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

// Unfold adds what lies inside the other nodes of each component to what Search found in all parts, and counts these.
// It returns what Trees.Unfold takes.
func (f *ContractedFolds) Unfold(found []float64) (folds, sums []float64) {
	t := f.trees
	component, components := f.components()
	count, inside := make([]float64, components), make([]float64, components)
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
	folds, sums = slices.Clone(found), make([]float64, len(found))
	each(func(v, c int32) {
		sums[v] = count[c] - t.Omega[v]
		if !f.greatest {
			folds[v] += inside[c] - t.Inside[v]
		}
	})
	return folds, sums
}

// components numbers the components of the branch nodes, in the order of their first nodes.
func (f *ContractedFolds) components() (of []int32, count int) {
	of = slices.Repeat([]int32{-1}, len(f.Branch))
	var queue []int32
	for v := range of {
		if of[v] >= 0 {
			continue
		}
		of[v] = int32(count)
		for queue = append(queue[:0], int32(v)); len(queue) > 0; {
			u := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			for _, w := range f.Graph.Row(u) {
				if of[w] < 0 {
					of[w] = int32(count)
					queue = append(queue, w)
				}
			}
		}
		count++
	}
	return of, count
}
