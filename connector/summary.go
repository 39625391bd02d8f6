package connector

// ScoreSummary says what the scores of one property are like, and how they compare with the run before.
type ScoreSummary struct {
	On       Entity `json:"on"`
	Property string `json:"property"`
	// Digest is equal for equal scores of equal entities.
	Digest string  `json:"digest"`
	Count  int64   `json:"count"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	Mean   float64 `json:"mean"`
	// Histogram counts scores in bins of equal width from Min to Max.
	Histogram []int64 `json:"histogram,omitempty"`
	// Top are the highest scores.
	Top []Ranked `json:"top,omitempty"`
	// Rank is Spearman's rank correlation with the run before, over the Compared entities of both; nil when there was
	// none, or no variation.
	Rank     *float64 `json:"rank,omitempty"`
	Compared int64    `json:"compared,omitempty"`
	// Movers are the entities whose score changed most.
	Movers []Mover `json:"movers,omitempty"`
}

// Ranked is an entity with its score. Source and Target are the ends of a relationship.
type Ranked struct {
	ID     string  `json:"id"`
	Name   string  `json:"name,omitempty"`
	Source string  `json:"source,omitempty"`
	Target string  `json:"target,omitempty"`
	Score  float64 `json:"score"`
}

// Mover is an entity whose score changed.
type Mover struct {
	ID     string  `json:"id"`
	Name   string  `json:"name,omitempty"`
	Source string  `json:"source,omitempty"`
	Target string  `json:"target,omitempty"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// Around is a small graph: the nodes with the highest scores and some of their neighbours.
type Around struct {
	// NodeProperty and RelationshipProperty are what the scores are of; "" for none.
	NodeProperty         string `json:"nodeProperty,omitempty"`
	RelationshipProperty string `json:"relationshipProperty,omitempty"`
	Directed             bool   `json:"directed"`
	Nodes                []Dot  `json:"nodes"`
	Links                []Link `json:"links"`
}

// Dot is a node of Around.
type Dot struct {
	ID    string  `json:"id"`
	Name  string  `json:"name,omitempty"`
	Score float64 `json:"score"`
	// Top says that it is one of the highest, and not only a neighbour.
	Top bool `json:"top,omitempty"`
}

// Link joins two nodes of Around, by their places.
type Link struct {
	From  int     `json:"from"`
	To    int     `json:"to"`
	Score float64 `json:"score"`
}
