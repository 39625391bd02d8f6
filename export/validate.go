package export

import "fmt"

// Validate checks the invariants of the graph and that nodes and relationships fit it. It reports the first that is
// broken.
func (s *Snapshot) Validate() error {
	if s.Graph == nil {
		return fmt.Errorf("snapshot: no graph")
	}
	if err := s.Graph.Validate(); err != nil {
		return err
	}
	if s.Nodes.Len() != s.Graph.N() {
		return fmt.Errorf("snapshot: %d ids for %d nodes", s.Nodes.Len(), s.Graph.N())
	}
	if s.Keys != nil && len(s.Keys) != s.Graph.N() {
		return fmt.Errorf("snapshot: %d keys for %d nodes", len(s.Keys), s.Graph.N())
	}
	return s.Rels.validate(s.Graph.N(), s.Graph.M())
}

func (r *Relationships) validate(n, m int) error {
	if r.Offsets == nil && r.Len() == 0 {
		return nil // a graph without a source
	}
	count := r.Len()
	if len(r.Offsets) != n+1 || r.Offsets[0] != 0 || r.Offsets[n] != int64(count) {
		return fmt.Errorf("snapshot: the offsets of relationships do not fit %d nodes and %d relationships", n, count)
	}
	for v := range n {
		if r.Offsets[v] > r.Offsets[v+1] {
			return fmt.Errorf("snapshot: the offsets of relationships fall at node %d", v)
		}
	}
	if len(r.Edges) != count || r.Back != nil && len(r.Back) != count || r.Positions != nil && len(r.Positions) != count ||
		r.IDs.Len() != 0 && r.IDs.Len() != count {
		return fmt.Errorf("snapshot: columns of relationships of unequal length")
	}
	seen := make([]bool, len(r.Positions))
	for i := range count {
		switch {
		case r.Targets[i] < 0 || int(r.Targets[i]) >= n:
			return fmt.Errorf("snapshot: relationship %d points at node %d of %d", i, r.Targets[i], n)
		case r.Edges[i] < 0 || int(r.Edges[i]) >= m:
			return fmt.Errorf("snapshot: relationship %d became edge %d of %d", i, r.Edges[i], m)
		case r.Back != nil && (r.Back[i] < -1 || int(r.Back[i]) >= m):
			return fmt.Errorf("snapshot: relationship %d became edge %d of %d", i, r.Back[i], m)
		case r.Positions != nil && (r.Positions[i] < 0 || int(r.Positions[i]) >= count || seen[r.Positions[i]]):
			return fmt.Errorf("snapshot: the positions of relationships are not a permutation")
		case r.Positions != nil:
			seen[r.Positions[i]] = true
		}
	}
	return nil
}
