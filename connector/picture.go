package connector

// Picture is a small graph, a part of the one that was scored: the nodes with the highest scores and the relationships
// that matter most between them. It is small enough for a record: some 120 nodes and 240 links.
type Picture struct {
	// NodeProperty and RelationshipProperty are what the scores are of; "" for none.
	NodeProperty         string `json:"nodeProperty,omitempty"`
	RelationshipProperty string `json:"relationshipProperty,omitempty"`
	Directed             bool   `json:"directed"`
	Nodes                []Dot  `json:"nodes"`
	Links                []Link `json:"links"`
}

// Dot is a node of a Picture.
type Dot struct {
	ID    string  `json:"id"`
	Name  string  `json:"name,omitempty"`
	Score float64 `json:"score"`
	// Top says that it is one of the highest.
	Top bool `json:"top,omitempty"`
	// Place is where it is on Earth; nil when that is not known.
	Place *Place `json:"place,omitempty"`
}

// Place is a point on Earth, in degrees north and east.
type Place struct {
	Latitude  float64 `json:"lat"`
	Longitude float64 `json:"lon"`
}

// Link joins two nodes of a Picture, by their places in its list.
type Link struct {
	From  int     `json:"from"`
	To    int     `json:"to"`
	Score float64 `json:"score"`
}

// LogHistogram counts scores on a logarithmic axis, for scores that span decades.
type LogHistogram struct {
	// Zeros is the number of scores that are 0. They have no place on the axis.
	Zeros int64 `json:"zeros,omitempty"`
	// Low and High are decimal logarithms: the axis reaches from 10^Low to 10^High, in bins of equal ratio.
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Counts []int64 `json:"counts"`
}

// Coordinates are the node properties that say where on Earth a node is: two numbers in degrees, or a spatial point.
// All are "" for those that are common.
type Coordinates struct {
	Latitude, Longitude string
	Point               string
}
