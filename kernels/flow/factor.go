package flow

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sort"
)

// factor is the preconditioner of a system: a Cholesky factor of its Laplacian, exact or approximate. Nodes are
// eliminated one after another, of those left one of few resistors first.
type factor struct {
	// Column p has the neighbours of place p when it was eliminated, all of which come later, and the share of each in
	// pivot p, the sum of the conductances.
	offsets []int64
	below   []int32
	share   []float64
	pivot   []float64
	// exact says that the product of the factors is the Laplacian itself. Then the columns from place tail on have all
	// later places, in their order.
	exact bool
	tail  int
}

// column is the shares of column p.
func (f *factor) column(p int) []float64 { return f.share[f.offsets[p]:f.offsets[p+1]] }

// neighbour is the other end of a resistor.
type neighbour struct {
	to          int32
	conductance float64
}

// elimination makes an approximate factor. Exact elimination joins all neighbours of a node that is gone; here a tree
// of so many resistors less one joins them, drawn so that each resistor has its exact conductance on average (Gao, Kyng
// and Spielman, "Robust and practical solution of Laplacian equations by approximate elimination", 2023). Nodes with
// one or two resistors are eliminated exactly, so trees, chains and rings are solved in one step.
type elimination struct {
	rows   [][]neighbour // of nodes that are left, those that are gone among them
	degree []int32       // resistors to nodes that are left, parallel ones counted
	at     []int32       // the place of a node that is gone; -1 before
	queue  byDegree      // stale where the degree has changed
	random *rand.Rand
	out    *factor
}

// newApproximateFactor eliminates n nodes with these resistors, and returns the place of each.
func newApproximateFactor(n int, ends [][2]int32, conductance []float64) (*factor, []int32) {
	e := &elimination{
		rows: make([][]neighbour, n), degree: make([]int32, n), at: make([]int32, n),
		random: rand.New(rand.NewPCG(1, uint64(n))),
		out:    &factor{offsets: make([]int64, 1, n+1), pivot: make([]float64, 0, n)},
	}
	for i, l := range ends {
		e.join(l[0], l[1], conductance[i])
	}
	for v := range e.at {
		e.at[v] = -1
		e.queue.put(int32(v), int(e.degree[v]))
	}
	for range n {
		e.eliminate(e.first())
	}
	for i, v := range e.out.below {
		e.out.below[i] = e.at[v]
	}
	return e.out, e.at
}

func (e *elimination) join(u, v int32, conductance float64) {
	e.rows[u], e.rows[v] = append(e.rows[u], neighbour{v, conductance}), append(e.rows[v], neighbour{u, conductance})
	e.degree[u]++
	e.degree[v]++
}

// first takes the node that is eliminated next.
func (e *elimination) first() int32 {
	for {
		if v, degree := e.queue.take(); e.at[v] < 0 && int(e.degree[v]) == degree {
			return v
		}
	}
}

// eliminate gives a node the next place, writes its column, and joins its neighbours.
func (e *elimination) eliminate(v int32) {
	all, sum := e.neighbours(v)
	e.at[v] = int32(len(e.out.pivot))
	e.out.pivot = append(e.out.pivot, sum)
	for _, a := range all {
		e.out.below, e.out.share = append(e.out.below, a.to), append(e.out.share, a.conductance/sum)
	}
	e.out.offsets = append(e.out.offsets, int64(len(e.out.below)))
	e.joinByTree(all, sum)
	for _, a := range all {
		e.queue.put(a.to, int(e.degree[a.to]))
	}
	e.rows[v] = nil
}

// neighbours returns those of a node that are left, with parallel resistors joined, the weakest first, and the sum of
// them. Their degrees lose the resistors.
func (e *elimination) neighbours(v int32) (all []neighbour, sum float64) {
	row := e.rows[v]
	slices.SortFunc(row, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.conductance, b.conductance))
	})
	for _, a := range row {
		switch last := len(all) - 1; {
		case e.at[a.to] >= 0:
			continue
		case last >= 0 && all[last].to == a.to:
			all[last].conductance += a.conductance
		default:
			all = append(all, a)
		}
		e.degree[a.to]--
	}
	slices.SortFunc(all, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.conductance, b.conductance), cmp.Compare(a.to, b.to))
	})
	for _, a := range all {
		sum += a.conductance
	}
	return all, sum
}

// joinByTree joins the neighbours of a node that is gone: each with one of those after it, drawn by their conductances.
func (e *elimination) joinByTree(all []neighbour, sum float64) {
	after := make([]float64, len(all)+1) // the conductances of those from each on
	for i := len(all) - 1; i >= 0; i-- {
		after[i] = after[i+1] + all[i].conductance
	}
	for i := range max(0, len(all)-1) {
		rest := after[i+1]
		drawn := e.random.Float64() * rest
		count := sort.Search(len(all)-i-2, func(k int) bool { return after[i+2+k] <= drawn })
		e.join(all[i].to, all[i+1+count].to, all[i].conductance*(rest/sum))
	}
}

// solve computes z = M^-1 r, M the product of the factors, and in each lane the product of both. The last pivot is that
// of the sum of all nodes, which is 0: z is a solution up to a constant.
func (f *factor) solve(z, r []row) (product row) {
	copy(z, r)
	last := len(z) - 1
	for p := range last {
		own := z[p]
		for i := f.offsets[p]; i < f.offsets[p+1]; i++ {
			to, share := &z[f.below[i]], f.share[i]
			for k := range own {
				to[k] += share * own[k]
			}
		}
	}
	z[last] = row{}
	for p := last - 1; p >= 0; p-- {
		inverse, sum := 1/f.pivot[p], &z[p]
		for k := range sum {
			sum[k] *= inverse
		}
		for i := f.offsets[p]; i < f.offsets[p+1]; i++ {
			from, share := &z[f.below[i]], f.share[i]
			for k := range sum {
				sum[k] += share * from[k]
			}
		}
		for k := range sum {
			product[k] += sum[k] * r[p][k]
		}
	}
	return product
}
