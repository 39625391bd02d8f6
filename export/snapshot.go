package export

import (
	"encoding/binary"
	"fmt"
	"hash"
	"math"

	"crypto/sha256"
)

// Snapshot is an exported subgraph: the CSR graph, and what its nodes and edges are called where they came from.
type Snapshot struct {
	Graph *Graph
	// Nodes has the id of every node, by node index.
	Nodes IDs
	// Rels has what the source calls relationships: rows of a file, relationships of a database.
	Rels Relationships
	// Dropped counts what the builder left out.
	Dropped Dropped
}

// Relationships are the source's relationships, grouped by the node they start at: those of node v stand at
// Offsets[v]:Offsets[v+1], sorted by target, then by id. Direction is the stored one, before any orientation.
type Relationships struct {
	Offsets []int64
	Targets []int32
	// Edges has the edge that each relationship became; several share one when the parallel rule merged them.
	Edges []int32
	// Back has the second edge of an undirected relationship in a graph that also has directed ones, or -1; nil when
	// no relationship has a second edge.
	Back []int32
	// IDs names them; empty for a file, whose relationships are rows.
	IDs IDs
	// Positions has the place of each in the source's own order (rows of a file); nil when the source has no order.
	Positions []int32
}

// Len returns the number of relationships.
func (r *Relationships) Len() int { return len(r.Targets) }

// Dropped counts relationships that were left out of a graph, by cause.
type Dropped struct {
	Dangling   int64 `json:"dangling"`   // an end is not among the nodes
	Duplicates int64 `json:"duplicates"` // the same relationship was read twice
	ZeroWeight int64 `json:"zeroWeight"` // weight 0, under zeroWeights: skip
	BadWeight  int64 `json:"badWeight"`  // weight missing, negative or not finite, under invalidWeights: skip
}

// Spread turns a score an edge into a score a relationship. With sum, a relationship that stands for two edges gets
// the sum of both; otherwise the score of the first.
func (r *Relationships) Spread(edgeScores []float64, sum bool) []float64 {
	out := make([]float64, r.Len())
	for i, e := range r.Edges {
		out[i] = edgeScores[e]
		if sum && r.Back != nil && r.Back[i] >= 0 {
			out[i] += edgeScores[r.Back[i]]
		}
	}
	return out
}

// Digest returns a hash of everything that a score can depend on: ids, arcs, weights and relationships. It does not
// depend on the order in which the source delivered them.
func (s *Snapshot) Digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "linchpin 1 %t %d %d %d\n", s.Graph.Directed, s.Graph.N(), s.Graph.M(), s.Rels.Len())
	hashInts(h, s.Graph.Offsets, 8, func(x int64) uint64 { return uint64(x) })
	hashInts(h, s.Graph.Targets, 4, func(x int32) uint64 { return uint64(x) })
	hashInts(h, s.Graph.Weights, 8, math.Float64bits)
	hashInts(h, s.Rels.Edges, 4, func(x int32) uint64 { return uint64(x) })
	for _, ids := range []IDs{s.Nodes, s.Rels.IDs} {
		hashInts(h, ids.Ints, 8, func(x int64) uint64 { return uint64(x) })
		for _, t := range ids.Texts {
			fmt.Fprintf(h, "%d:%s", len(t), t)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

func hashInts[T any](h hash.Hash, column []T, width int, bits func(T) uint64) {
	buf := make([]byte, 0, 1<<16)
	for _, x := range column {
		if width == 4 {
			buf = binary.LittleEndian.AppendUint32(buf, uint32(bits(x)))
		} else {
			buf = binary.LittleEndian.AppendUint64(buf, bits(x))
		}
		if len(buf) >= 1<<16-8 {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	h.Write(buf)
}
