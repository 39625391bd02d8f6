package lanes

// queue has nodes that wait, the least key first. A node waits once, at the least of its keys.
type queue struct {
	keys    []uint16 // of the nodes; none for those that do not wait
	buckets [][]int32
	at      int // no key is less
	waiting int
}

// none is the key of a node that does not wait.
const none = 1<<16 - 1

func newQueue(n int) queue {
	q := queue{keys: make([]uint16, n)}
	for v := range q.keys {
		q.keys[v] = none
	}
	return q
}

func (q *queue) push(v int32, key uint16) {
	old := q.keys[v]
	if key >= old {
		return
	}
	if old == none {
		q.waiting++
	}
	for int(key) >= len(q.buckets) {
		q.buckets = append(q.buckets, nil)
	}
	q.keys[v], q.buckets[key], q.at = key, append(q.buckets[key], v), min(q.at, int(key))
}

// pop takes a node with the least key; ok is false if there is none.
func (q *queue) pop() (v int32, ok bool) {
	if q.waiting == 0 {
		return 0, false
	}
	for {
		bucket := q.buckets[q.at]
		last := len(bucket) - 1
		if last < 0 {
			q.at++
			continue
		}
		v, q.buckets[q.at] = bucket[last], bucket[:last]
		if int(q.keys[v]) == q.at {
			q.keys[v] = none
			q.waiting--
			return v, true
		}
	}
}

// reset has no node wait.
func (q *queue) reset() {
	for i, bucket := range q.buckets {
		for _, v := range bucket {
			q.keys[v] = none
		}
		q.buckets[i] = bucket[:0]
	}
	q.at, q.waiting = 0, 0
}
