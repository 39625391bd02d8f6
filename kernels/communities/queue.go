package communities

// queue has the block at its top whose best edge is cut next.
type queue []*block

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if a.rank != b.rank {
		return a.rank > b.rank
	}
	return a.edges[a.best].whole < b.edges[b.best].whole
}

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].at, q[j].at = i, j
}

// Push is for container/heap.
func (q *queue) Push(x any) {
	b := x.(*block)
	b.at = len(*q)
	*q = append(*q, b)
}

// Pop is for container/heap.
func (q *queue) Pop() any {
	last := len(*q) - 1
	b := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return b
}
