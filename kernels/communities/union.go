package communities

// union holds disjoint sets of nodes.
type union struct {
	parent []int32
	count  int
}

func newUnion(n int) *union {
	u := &union{parent: make([]int32, n), count: n}
	for v := range u.parent {
		u.parent[v] = int32(v)
	}
	return u
}

func (u *union) find(v int32) int32 {
	for u.parent[v] != v {
		u.parent[v] = u.parent[u.parent[v]]
		v = u.parent[v]
	}
	return v
}

// join reports whether the sets of two nodes were two; the first one's root is then that of both.
func (u *union) join(a, b int32) bool {
	a, b = u.find(a), u.find(b)
	if a == b {
		return false
	}
	u.parent[b] = a
	u.count--
	return true
}
