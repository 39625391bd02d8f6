package connector

import "github.com/linchpin-graph/linchpin/export"

// Condition is met by an entity whose property stands in the given relation to a value. An entity without the property
// meets none but that it is missing.
type Condition struct {
	Property string
	// Is one of =, <>, <, <=, >, >=, in, starts with, ends with, contains, present, missing.
	Is string
	// Value is a text, an integer, a float64 or a bool; under in, a list of these; nil under present and missing.
	Value any
}

// Query is a projection in the source's own language. It returns columns named source, target and, if wanted, weight:
// a relationship a row, or lists of the same length. Ends are nodes or their ids.
type Query struct {
	Text        string
	Orientation export.Orientation
	Parallel    export.Parallel
}

// NodeSet are some nodes of a source: those of labels that meet all conditions, or those that a query returns.
type NodeSet struct {
	// Key is where the config has it, for messages.
	Key    string
	Labels []string
	Where  []Condition
	Query  string
}
