package export

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"slices"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
)

// Snapshot is an exported subgraph: the CSR graph, and what its nodes and edges are called where they came from.
type Snapshot struct {
	Graph *Graph
	// Nodes has the id of every node, by node index.
	Nodes IDs
	// Keys has the text of every node's key, by node index; nil where none was asked for.
	Keys []string
	// Rels has what the source calls relationships: rows of a file, relationships of a database.
	Rels Relationships
	// Dropped counts what the builder left out.
	Dropped Dropped
	// Read says how the source was read; no score depends on it.
	Read Reading
}

// Reading says how a source was read.
type Reading struct {
	// Times is how often, because it changed.
	Times int
	// Changed says what was seen to change during the last time; "" for nothing.
	Changed string
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

// Cause is why relationships were left out of a graph, and how many.
type Cause struct {
	Count int64
	What  string
}

// Causes returns the causes that left out any.
func (d Dropped) Causes() []Cause {
	all := []Cause{
		{d.Dangling, "to nodes outside the graph"}, {d.Duplicates, "read twice"},
		{d.ZeroWeight, "of weight 0"}, {d.BadWeight, "without a usable weight"},
	}
	return slices.DeleteFunc(all, func(c Cause) bool { return c.Count <= 0 })
}

// Spread turns a score per edge into a score per relationship. A relationship that stands for two edges gets what both
// makes of their scores, or the score of the first when both is nil.
func (r *Relationships) Spread(edgeScores []float64, both func(first, second float64) float64) []float64 {
	out := make([]float64, r.Len())
	for i, e := range r.Edges {
		out[i] = edgeScores[e]
		if both != nil && r.Back != nil && r.Back[i] >= 0 {
			out[i] = both(out[i], edgeScores[r.Back[i]])
		}
	}
	return out
}

// Bytes returns the memory that the columns take; texts count by their headers alone.
func (s *Snapshot) Bytes() int64 {
	r, text := &s.Rels, int64(unsafe.Sizeof(""))
	b := s.Graph.Bytes() + int64(len(r.Edges)+len(r.Back)+len(r.Positions))*4
	if unsafe.SliceData(r.Targets) != unsafe.SliceData(s.Graph.Targets) {
		b += int64(len(r.Targets)) * 4
	}
	if unsafe.SliceData(r.Offsets) != unsafe.SliceData(s.Graph.Offsets) {
		b += int64(len(r.Offsets)) * 8
	}
	for _, ids := range []IDs{s.Nodes, r.IDs, {Texts: s.Keys}} {
		b += int64(len(ids.Ints))*8 + int64(len(ids.Texts))*text
	}
	return b
}

// Digest returns a hash of everything that a score, or where it is written, can depend on: ids, arcs, weights,
// relationships and, where the source has an order, that order. Two exports of one database have the same digest
// whatever the order in which it delivered.
func (s *Snapshot) Digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "linchpin 1 %t %d\n", s.Graph.Directed, s.Graph.EdgeCount)
	hashColumn(h, len(s.Graph.Offsets), arrow.Int64Traits.CastToBytes(s.Graph.Offsets))
	hashColumn(h, len(s.Graph.Weights), arrow.Float64Traits.CastToBytes(s.Graph.Weights))
	r := &s.Rels
	hashColumn(h, len(r.Offsets), arrow.Int64Traits.CastToBytes(r.Offsets))
	for _, column := range [][]int32{s.Graph.Targets, s.Graph.Edges, r.Targets, r.Edges, r.Back, r.Positions} {
		hashColumn(h, len(column), arrow.Int32Traits.CastToBytes(column))
	}
	hashIDs(h, s.Nodes)
	hashIDs(h, r.IDs)
	if s.Graph.Rests != nil {
		hashColumn(h, len(s.Graph.Rests), arrow.Float64Traits.CastToBytes(s.Graph.Rests))
	}
	if s.Keys != nil { // without keys the digest is that of earlier versions
		h.Write([]byte("keys "))
		hashIDs(h, IDs{Texts: s.Keys})
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// hashColumn hashes a column behind its length, so that no two sequences of columns read the same.
func hashColumn(h hash.Hash, length int, data []byte) {
	fmt.Fprintf(h, "%d:", length)
	h.Write(data)
}

func hashIDs(h hash.Hash, ids IDs) {
	hashColumn(h, len(ids.Ints), arrow.Int64Traits.CastToBytes(ids.Ints))
	fmt.Fprintf(h, "%d:", len(ids.Texts))
	buf := make([]byte, 0, 1<<16)
	for _, t := range ids.Texts {
		buf = append(binary.AppendUvarint(buf, uint64(len(t))), t...)
		if len(buf) >= 1<<16 {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	h.Write(buf)
}
