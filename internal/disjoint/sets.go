// Package disjoint keeps numbers in disjoint sets, which join.
package disjoint

// Sets are disjoint sets of the numbers from 0 on.
type Sets struct {
	// Count is the number of sets.
	Count  int
	parent []int32
}

// New returns n sets of one number each.
func New(n int) *Sets {
	s := &Sets{Count: n, parent: make([]int32, n)}
	for v := range s.parent {
		s.parent[v] = int32(v)
	}
	return s
}

// Find returns the root of a number's set: the same one for all of the set.
func (s *Sets) Find(v int32) int32 {
	for s.parent[v] != v {
		s.parent[v] = s.parent[s.parent[v]]
		v = s.parent[v]
	}
	return v
}

// Join joins the sets of two numbers; the first one's root is then that of both. It reports whether they were two.
func (s *Sets) Join(a, b int32) bool {
	a, b = s.Find(a), s.Find(b)
	if a == b {
		return false
	}
	s.parent[b] = a
	s.Count--
	return true
}
