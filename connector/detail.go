package connector

// The ends of a relationship.
const (
	SourceEnd = "source"
	TargetEnd = "target"
)

// Detail is what an output has of an entity besides its scores, in one column.
type Detail struct {
	// End is SourceEnd or TargetEnd for a node that the relationship joins; "" for the entity itself.
	End string
	// Property to read. For Name it is the property that names a node; "" for the usual ones.
	Property string
	// Name stands for what people call the node, and ID for the id that the database gives it.
	Name, ID bool
}
