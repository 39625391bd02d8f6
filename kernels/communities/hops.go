package communities

// hopRows are rows by hops.
type hopRows struct {
	stride int
	dist   []uint16
	flow   []flow
}

// unreached is farther than any node of a block, and mostHops the greatest number of nodes for which that holds.
const (
	unreached = ^uint16(0)
	mostHops  = int(unreached) - 2
)

func newHopRows(b *block, stored bool) *hopRows {
	r := &hopRows{stride: len(b.node)}
	if stored {
		r.dist, r.flow = make([]uint16, r.stride*r.stride), make([]flow, r.stride*r.stride)
	}
	return r
}

func (r *hopRows) stored() bool { return r.dist != nil }

// of returns the row of s, in the memory of a worker where no rows are stored.
func (r *hopRows) of(w *worker, s int32) ([]uint16, []flow) {
	if r.dist == nil {
		dist, _ := w.dist.([]uint16)
		if len(dist) < r.stride {
			dist = make([]uint16, r.stride)
			w.dist = dist
		}
		return dist, w.flows(r.stride)
	}
	first, last := int(s)*r.stride, (int(s)+1)*r.stride
	return r.dist[first:last:last], r.flow[first:last:last]
}

func (r *hopRows) affected(s, u, v, _ int32) (near, far int32, ok bool) {
	// Distances are the same both ways, and these lie side by side for all s.
	du, dv := r.dist[int(u)*r.stride+int(s)], r.dist[int(v)*r.stride+int(s)]
	switch {
	case du+1 == dv:
		return u, v, true
	case dv+1 == du:
		return v, u, true
	}
	return 0, 0, false
}

func (r *hopRows) fill(b *block, w *worker, s int32) {
	dist, flow := r.of(w, s)
	for _, v := range b.alive {
		dist[v] = unreached
	}
	order := append(w.queue[:0], s)
	dist[s], flow[s].sigma = 0, 1
	for i := 0; i < len(order); i++ {
		v := order[i]
		next, sigma := dist[v]+1, 0.0
		for _, a := range b.row[v] {
			switch d := dist[a.to]; {
			case d == unreached:
				dist[a.to] = next
				order = append(order, a.to)
			case d+2 == next:
				sigma += flow[a.to].sigma
			}
		}
		if i > 0 {
			flow[v].sigma = sigma
			w.far = w.far || sigma > mostPaths
		}
	}
	for i := len(order) - 1; i > 0; i-- {
		v := order[i]
		next, share := dist[v]+1, 0.0
		for _, a := range b.row[v] {
			if dist[a.to] == next {
				share += flow[a.to].share
			}
		}
		flow[v].share = float64(b.mass[v])/flow[v].sigma + share
		r.contribute(b, w, dist, flow, v, flow[v].share, b.mass[s])
	}
	w.queue = order
	w.nodes += int64(len(order))
}

// mostPaths is the greatest number of shortest paths between two nodes whose inverse is sure to be a normal number.
const mostPaths = 0x1p1000

// contribute adds factor times what paths to v, each of which carries so much, add to the edges that they reach v by.
func (r *hopRows) contribute(b *block, w *worker, dist []uint16, flow []flow, v int32, share float64, factor int64) {
	before, carried := dist[v]-1, share*w.unit
	for _, a := range b.row[v] {
		if dist[a.to] == before {
			w.acc[a.edge] += factor * term(flow[a.to].sigma*carried)
		}
	}
}

func (r *hopRows) pass(b *block, w *worker, s int32, factor int64) {
	dist, flow := r.of(w, s)
	for _, v := range b.alive {
		if v != s {
			r.contribute(b, w, dist, flow, v, flow[v].share, factor)
		}
	}
}

func (r *hopRows) reseed(b *block, w *worker, s int32, nodes []int32) {
	dist, flow := r.of(w, s)
	top := 0
	for _, v := range nodes {
		if v != s {
			w.mark[v] |= queued
			w.push(v, int(dist[v]))
			top = max(top, int(dist[v]))
		}
	}
	r.backward(b, w, s, top, dist, flow)
}

func (r *hopRows) cut(b *block, w *worker, s, near, far int32) {
	dist, flow := r.of(w, s)
	r.collect(b, w, s, far, dist, flow)
	top := int(dist[w.queue[len(w.queue)-1]])
	if len(w.orphans) == 0 {
		for _, v := range w.queue {
			r.count(b, w, v, dist, flow)
		}
	} else {
		top = r.relocate(b, w, top, dist)
		r.recount(b, w, int(dist[near])+1, top, dist, flow)
	}
	for _, v := range w.queue {
		w.mark[v] |= queued
		w.push(v, int(dist[v]))
	}
	if near != s {
		w.mark[near] |= queued
		w.push(near, int(dist[near]))
	}
	r.backward(b, w, s, top, dist, flow)
}

// collect lists the nodes that paths from far lead to, level by level, in the queue: their numbers of paths change. It
// takes back what paths contributed to the edges that lead to them, and lists those that no shortest path of the old
// length leads to any more.
func (r *hopRows) collect(b *block, w *worker, s, far int32, dist []uint16, flow []flow) {
	factor := b.mass[s]
	queue, orphans := append(w.queue[:0], far), w.orphans[:0]
	w.mark[far] = changed
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		d, carried, alone := dist[v], flow[v].share*w.unit, true
		for _, a := range b.row[v] {
			switch dist[a.to] {
			case d - 1:
				w.acc[a.edge] -= factor * term(flow[a.to].sigma*carried)
				alone = alone && w.mark[a.to]&orphan != 0
			case d + 1:
				if w.mark[a.to] == 0 {
					w.mark[a.to] = changed
					queue = append(queue, a.to)
				}
			}
		}
		if alone {
			w.mark[v] |= orphan
			orphans = append(orphans, v)
		}
	}
	w.queue, w.orphans = queue, orphans
	w.nodes += int64(len(queue))
}

// relocate finds the distances of orphans, and returns the deepest level of those and of top.
func (r *hopRows) relocate(b *block, w *worker, top int, dist []uint16) int {
	for _, v := range w.orphans {
		dist[v] = unreached
	}
	pool, least := w.pool[:0], len(w.head)
	push := func(v int32, level int) {
		pool = append(pool, entry{v, w.head[level]})
		w.head[level] = int32(len(pool) - 1)
	}
	for _, v := range w.orphans {
		nearest := unreached
		for _, a := range b.row[v] {
			if w.mark[a.to]&orphan == 0 {
				nearest = min(nearest, dist[a.to]+1)
			}
		}
		if nearest != unreached {
			dist[v] = nearest
			push(v, int(nearest))
			least = min(least, int(nearest))
		}
	}
	waiting := len(pool)
	for level := least; waiting > 0; level++ {
		for w.head[level] >= 0 {
			e := pool[w.head[level]]
			w.head[level] = e.next
			waiting--
			if int(dist[e.node]) != level {
				continue
			}
			top = max(top, level)
			for _, a := range b.row[e.node] {
				if w.mark[a.to]&orphan != 0 && int(dist[a.to]) > level+1 {
					dist[a.to] = uint16(level + 1)
					push(a.to, level+1)
					waiting++
				}
			}
		}
	}
	w.pool = pool
	return top
}

// count adds up the number of paths to v.
func (r *hopRows) count(b *block, w *worker, v int32, dist []uint16, flow []flow) {
	before, sigma := dist[v]-1, 0.0
	for _, a := range b.row[v] {
		if dist[a.to] == before {
			sigma += flow[a.to].sigma
		}
	}
	flow[v].sigma = sigma
	w.far = w.far || sigma > mostPaths
}

// recount adds up the numbers of paths of the nodes in the queue, nearer ones first.
func (r *hopRows) recount(b *block, w *worker, first, top int, dist []uint16, flow []flow) {
	for _, v := range w.queue {
		w.push(v, int(dist[v]))
	}
	for level := first; level <= top; level++ {
		for v := w.head[level]; v >= 0; v = w.next[v] {
			r.count(b, w, v, dist, flow)
		}
		w.head[level] = -1
	}
}

// backward computes the shares of the nodes in the levels up to top again, and of those before them whose shares change
// by that. It leaves the levels empty and all nodes without marks.
func (r *hopRows) backward(b *block, w *worker, s int32, top int, dist []uint16, flow []flow) {
	factor := b.mass[s]
	for level := top; level > 0; level-- {
		for w.head[level] >= 0 {
			v := w.head[level]
			w.head[level] = w.next[v]
			mark := w.mark[v]
			w.mark[v] = 0
			w.nodes++
			share, old := 0.0, flow[v].share
			for _, a := range b.row[v] {
				if int(dist[a.to]) == level+1 {
					share += flow[a.to].share
				}
			}
			share += float64(b.mass[v]) / flow[v].sigma
			flow[v].share = share
			if share == old && mark&changed == 0 {
				continue
			}
			carried, taken := share*w.unit, old*w.unit
			if mark&changed != 0 {
				taken = 0
			}
			onward := share != old || mark&orphan != 0
			for _, a := range b.row[v] {
				if int(dist[a.to]) != level-1 {
					continue
				}
				sigma := flow[a.to].sigma
				w.acc[a.edge] += factor * (term(sigma*carried) - term(sigma*taken))
				if onward && w.mark[a.to] == 0 && level > 1 {
					w.mark[a.to] = queued
					w.push(a.to, level-1)
				}
			}
		}
	}
}
