package communities

import (
	"math"

	"github.com/linchpin-graph/linchpin/internal/heap"
)

// weightRows are rows by weights: in ticks, or in float64 within a tolerance. They do what hopRows do, with heaps where
// those have levels.
type weightRows[D int64 | float64] struct {
	stride int
	length []D // of each edge of the block
	far    D   // farther than any node
	slack  float64
	dist   []D
	flow   []flow
}

func newWeightRows[D int64 | float64](b *block, all []D, far D, tolerance float64, stored bool) *weightRows[D] {
	r := &weightRows[D]{stride: len(b.node), length: make([]D, len(b.edges)), far: far, slack: 1 + tolerance}
	for i, e := range b.edges {
		r.length[i] = all[e.whole]
	}
	if stored {
		r.dist, r.flow = make([]D, r.stride*r.stride), make([]flow, r.stride*r.stride)
	}
	return r
}

func (r *weightRows[D]) stored() bool { return r.dist != nil }

// of returns the row of s, in the memory of a worker where no rows are stored.
func (r *weightRows[D]) of(w *worker, s int32) ([]D, []flow) {
	if r.dist == nil {
		dist, _ := w.dist.([]D)
		if len(dist) < r.stride {
			dist = make([]D, r.stride)
			w.dist = dist
		}
		return dist, w.flows(r.stride)
	}
	first, last := int(s)*r.stride, (int(s)+1)*r.stride
	return r.dist[first:last:last], r.flow[first:last:last]
}

// leads reports whether an edge of length a is the last of a shortest path, from a node at one distance to a node at
// another.
func (r *weightRows[D]) leads(from, a, to D) bool {
	if r.slack == 1 {
		return from+a == to
	}
	return from < to && float64(from+a) <= float64(to)*r.slack
}

func (r *weightRows[D]) affected(s, u, v, edge int32) (near, far int32, ok bool) {
	first := int(s) * r.stride
	du, dv, a := r.dist[first+int(u)], r.dist[first+int(v)], r.length[edge]
	switch {
	case r.leads(du, a, dv):
		return u, v, true
	case r.leads(dv, a, du):
		return v, u, true
	}
	return 0, 0, false
}

func (r *weightRows[D]) fill(b *block, w *worker, s int32) {
	dist, flow := r.of(w, s)
	for _, v := range b.alive {
		dist[v] = r.far
	}
	dist[s], flow[s].sigma = 0, 1
	q := weightHeap[D]{{Key: 0, At: s}}
	order := w.queue[:0]
	for len(q) > 0 {
		top := q.Pop()
		v := top.At
		if top.Key != dist[v] || w.mark[v] != 0 {
			continue
		}
		w.mark[v] = queued
		order = append(order, v)
		for _, a := range b.row[v] {
			if to := dist[v] + r.length[a.edge]; to < dist[a.to] {
				dist[a.to] = to
				q.Push(heap.Entry[D]{Key: to, At: a.to})
			}
		}
	}
	for _, v := range order {
		w.mark[v] = 0
		if v != s {
			r.count(b, w, v, dist, flow)
		}
	}
	for i := len(order) - 1; i > 0; i-- {
		v := order[i]
		flow[v].share = r.share(b, v, dist, flow)
		r.contribute(b, w, dist, flow, v, flow[v].share, b.mass[s])
	}
	w.queue = order
	w.nodes += int64(len(order))
}

// weightHeap has the nearest node at its top, or the farthest where keys are negative.
type weightHeap[D int64 | float64] = heap.Heap[D]

// count adds up the number of paths to v.
func (r *weightRows[D]) count(b *block, w *worker, v int32, dist []D, flow []flow) {
	sigma := 0.0
	for _, a := range b.row[v] {
		if r.leads(dist[a.to], r.length[a.edge], dist[v]) {
			sigma += flow[a.to].sigma
		}
	}
	flow[v].sigma = sigma
	w.far = w.far || !(sigma > 0 && sigma <= mostPaths)
}

// share returns what each path to v carries.
func (r *weightRows[D]) share(b *block, v int32, dist []D, flow []flow) float64 {
	share := 0.0
	for _, a := range b.row[v] {
		if r.leads(dist[v], r.length[a.edge], dist[a.to]) {
			share += flow[a.to].share
		}
	}
	return share + float64(b.mass[v])/flow[v].sigma
}

// contribute adds factor times what paths to v, each of which carries so much, add to the edges that they reach v by.
func (r *weightRows[D]) contribute(b *block, w *worker, dist []D, flow []flow, v int32, share float64, factor int64) {
	carried := share * w.unit
	for _, a := range b.row[v] {
		if r.leads(dist[a.to], r.length[a.edge], dist[v]) {
			w.acc[a.edge] += factor * term(flow[a.to].sigma*carried)
		}
	}
}

func (r *weightRows[D]) pass(b *block, w *worker, s int32, factor int64) {
	dist, flow := r.of(w, s)
	for _, v := range b.alive {
		if v != s {
			r.contribute(b, w, dist, flow, v, flow[v].share, factor)
		}
	}
}

func (r *weightRows[D]) reseed(b *block, w *worker, s int32, nodes []int32) {
	dist, flow := r.of(w, s)
	var q weightHeap[D]
	for _, v := range nodes {
		r.await(w, &q, s, v, dist)
	}
	r.backward(b, w, s, q, dist, flow)
}

// await has the share of v computed again, after those of all nodes that are farther.
func (r *weightRows[D]) await(w *worker, q *weightHeap[D], s, v int32, dist []D) {
	if v != s && w.mark[v]&queued == 0 {
		w.mark[v] |= queued
		q.Push(heap.Entry[D]{Key: -dist[v], At: v})
	}
}

func (r *weightRows[D]) cut(b *block, w *worker, s, near, far int32) {
	dist, flow := r.of(w, s)
	r.collect(b, w, s, far, dist, flow)
	if len(w.orphans) > 0 {
		r.relocate(b, w, dist)
	}
	var order, q weightHeap[D]
	for _, v := range w.queue {
		order.Push(heap.Entry[D]{Key: dist[v], At: v})
	}
	for len(order) > 0 {
		r.count(b, w, order.Pop().At, dist, flow)
	}
	for _, v := range w.queue {
		r.await(w, &q, s, v, dist)
	}
	r.await(w, &q, s, near, dist)
	r.backward(b, w, s, q, dist, flow)
}

// collect lists the nodes that paths from far lead to, nearer ones first, in the queue. See hopRows.collect.
func (r *weightRows[D]) collect(b *block, w *worker, s, far int32, dist []D, flow []flow) {
	q := weightHeap[D]{{Key: dist[far], At: far}}
	w.mark[far] = changed
	w.queue, w.orphans = w.queue[:0], w.orphans[:0]
	for len(q) > 0 {
		v := q.Pop().At
		w.queue = append(w.queue, v)
		r.contribute(b, w, dist, flow, v, flow[v].share, -b.mass[s])
		alone := true
		for _, a := range b.row[v] {
			length := r.length[a.edge]
			// Within a tolerance paths of several lengths are shortest, and only one of the least gives the distance.
			if dist[a.to]+length == dist[v] && w.mark[a.to]&orphan == 0 {
				alone = false
			}
			if w.mark[a.to] == 0 && r.leads(dist[v], length, dist[a.to]) {
				w.mark[a.to] = changed
				q.Push(heap.Entry[D]{Key: dist[a.to], At: a.to})
			}
		}
		if alone {
			w.mark[v] |= orphan
			w.orphans = append(w.orphans, v)
		}
	}
	w.nodes += int64(len(w.queue))
}

// relocate finds the distances of orphans.
func (r *weightRows[D]) relocate(b *block, w *worker, dist []D) {
	var q weightHeap[D]
	for _, v := range w.orphans {
		dist[v] = r.far
	}
	for _, v := range w.orphans {
		for _, a := range b.row[v] {
			if w.mark[a.to]&orphan == 0 {
				dist[v] = min(dist[v], dist[a.to]+r.length[a.edge])
			}
		}
		if dist[v] != r.far {
			q.Push(heap.Entry[D]{Key: dist[v], At: v})
		}
	}
	for len(q) > 0 {
		top := q.Pop()
		if top.Key != dist[top.At] {
			continue
		}
		for _, a := range b.row[top.At] {
			if to := top.Key + r.length[a.edge]; w.mark[a.to]&orphan != 0 && to < dist[a.to] {
				dist[a.to] = to
				q.Push(heap.Entry[D]{Key: to, At: a.to})
			}
		}
	}
}

// backward computes shares again, of farther nodes first. See hopRows.backward.
func (r *weightRows[D]) backward(b *block, w *worker, s int32, q weightHeap[D], dist []D, flow []flow) {
	factor := b.mass[s]
	for len(q) > 0 {
		v := q.Pop().At
		mark, old := w.mark[v], flow[v].share
		w.mark[v] = 0
		w.nodes++
		share := r.share(b, v, dist, flow)
		flow[v].share = share
		if share == old && mark&changed == 0 {
			continue
		}
		if mark&changed == 0 {
			r.contribute(b, w, dist, flow, v, old, -factor)
		}
		r.contribute(b, w, dist, flow, v, share, factor)
		if share == old && mark&orphan == 0 {
			continue
		}
		for _, a := range b.row[v] {
			if r.leads(dist[a.to], r.length[a.edge], dist[v]) {
				r.await(w, &q, s, a.to, dist)
			}
		}
	}
}

// farTicks is farther than any path in ticks, and leaves room for one more edge.
const farTicks = math.MaxInt64 / 2
