package connector

import "github.com/linchpin-graph/linchpin/export"

// Scores are the scores of one property, with what each belongs to.
type Scores struct {
	On Entity
	// Property is their name in the file or the database.
	Property string
	// Graph is the digest of the graph that they were computed on; "" if it is not known.
	Graph string
	// IDs are those of the nodes or relationships. A file has none of relationships.
	IDs export.IDs
	// Source and Target are the ids of the ends of each relationship.
	Source, Target export.IDs
	Values         []float64
	// Empty is how many rows of a file have no score. They are left out.
	Empty int
}
