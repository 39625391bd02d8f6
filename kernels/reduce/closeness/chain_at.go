package closeness

import "sort"

// chainAt is a chain with running sums over its first i inner nodes: of masses, and of masses times distances from U.
// For the greatest it has running maxima instead.
type chainAt struct {
	ContractedChain
	nodes, at       []int32
	masses, moments []int64
	fromU, fromV    []twoBest // the greatest of the first i inner nodes, from U; of all others, from V
}

// sum fills masses and moments.
func (c *chainAt) sum(omega []float64) {
	k := len(c.nodes)
	c.masses, c.moments = make([]int64, k+1), make([]int64, k+1)
	for j, v := range c.nodes {
		mass := int64(omega[v])
		c.masses[j+1], c.moments[j+1] = c.masses[j]+mass, c.moments[j]+mass*int64(c.at[j])
	}
}

// findGreatest fills fromU and fromV.
func (c *chainAt) findGreatest(inside []float64) {
	k := len(c.nodes)
	c.fromU, c.fromV = make([]twoBest, k+1), make([]twoBest, k+1)
	none := twoBest{-1, -1, -1}
	c.fromU[0], c.fromV[k] = none, none
	for j, v := range c.nodes {
		c.fromU[j+1] = c.fromU[j].withNode(int64(inside[v]), int64(c.at[j]), j)
	}
	for j := k - 1; j >= 0; j-- {
		c.fromV[j] = c.fromV[j+1].withNode(int64(inside[c.nodes[j]]), int64(c.Length-c.at[j]), j)
	}
}

// twoBest has the greatest of some numbers, which belongs to node number which, and the greatest of the others; -1 for
// none.
type twoBest struct {
	most, second int64
	which        int
}

// withNode adds node number which, which is so far away and has `inside` behind it.
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

// beyond moves a number of twoBest so much farther away; -1 stays.
func beyond(best, distance int64) int64 {
	if best < 0 {
		return -1
	}
	return best + distance
}

// turn returns how many inner nodes are at most half of bound away from U.
func (c *chainAt) turn(bound int32) int {
	switch {
	case bound <= 1:
		return 0
	case bound >= 2*c.Length-2:
		return len(c.at)
	}
	return sort.Search(len(c.at), func(j int) bool { return 2*c.at[j] > bound })
}

// over folds the distances to the inner nodes from a place that is so far from the ends.
func (c *chainAt) over(greatest bool, toU, toV int32) int64 {
	i, k := c.turn(c.Length+toV-toU), len(c.at)
	if greatest {
		return max(beyond(c.fromU[i].most, int64(toU)), beyond(c.fromV[i].most, int64(toV)))
	}
	byV, length := c.masses[k]-c.masses[i], int64(c.Length)
	return int64(toU)*c.masses[i] + c.moments[i] + (int64(toV)+length)*byV - (c.moments[k] - c.moments[i])
}

// within folds the distances of inner node i to the others; the ends are around apart. Nodes on the wrong side of i
// count with less than their distance, which does not change the greatest.
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
