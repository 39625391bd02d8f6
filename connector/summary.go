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
	// Groups are those that the scores number; nil of other scores. Then Min, Max, Mean and both histograms are of the
	// sizes of the groups, and nothing is ranked: Top, Rank and Movers are empty.
	Groups *Groups `json:"groups,omitempty"`
	// Histogram counts scores in bins of equal width from Min to Max.
	Histogram []int64 `json:"histogram,omitempty"`
	// Logarithms has the bins on a logarithmic axis; nil for scores that span few decades, or of which some are negative.
	Logarithms *LogHistogram `json:"logarithms,omitempty"`
	// Top are the highest scores.
	Top []Ranked `json:"top,omitempty"`
	// Rank is Spearman's rank correlation with the run before, over the Compared entities of both; nil when there was
	// none, or no variation.
	Rank     *float64 `json:"rank,omitempty"`
	Compared int64    `json:"compared,omitempty"`
	// Movers are the entities whose score changed most.
	Movers []Mover `json:"movers,omitempty"`
}

// Groups are groups of nodes or of relationships.
type Groups struct {
	Count int64 `json:"count"`
	// Largest are the largest of them, the largest first; of equal ones the lower number.
	Largest []Group `json:"largest"`
}

// Group is a group by its number, with its nodes or relationships counted.
type Group struct {
	Number int64 `json:"number"`
	Size   int64 `json:"size"`
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
