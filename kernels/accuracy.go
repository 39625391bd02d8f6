package kernels

import (
	"errors"
	"fmt"
	"math"
)

// Accuracy says when a sample is enough: when every score is known to within Error, the Top best are told from the
// others, or about so many Seconds are over. One of the three is set.
type Accuracy struct {
	// Error is the greatest error of any score asked for, as a share of n(n-1) ordered pairs, or of half as many for an
	// undirected graph.
	Error float64
	// Top is how many of the best nodes (and edges, if asked for) are to be told from all others.
	Top int
	// Seconds is how long to sample. The scores then depend on the machine.
	Seconds float64
	// Confidence is the probability with which the bound of all scores holds.
	Confidence float64
	// Each asks for a bound on the error of each score.
	Each bool
	// Seed draws the sample.
	Seed int64
}

// DefaultConfidence is the confidence where none is given.
const DefaultConfidence = 0.9

// Check reports what cannot be sampled so.
func (a Accuracy) Check(r Request) error {
	switch {
	case r.Sources != nil || r.Scale != 0:
		return errors.New("a sample with a bound draws for itself; leave sources and scale out")
	case r.Pairs != nil:
		return errors.New("a sample with a bound counts all pairs; leave targets, range and demand out")
	case a.Error != 0 && a.Top != 0:
		return errors.New("error and top cannot be used together in a sample")
	case a.Top < 0:
		return fmt.Errorf("top %d: at least 1", a.Top)
	case a.Seconds != 0 && (a.Error != 0 || a.Top != 0):
		return errors.New("seconds cannot be used together with error or top in a sample")
	case a.Seconds != 0 && !(a.Seconds > 0 && a.Seconds < math.Inf(1)):
		return fmt.Errorf("seconds %v: greater than 0, such as 60", a.Seconds)
	case a.Top == 0 && a.Seconds == 0 && !(a.Error > 0 && a.Error < 1):
		return fmt.Errorf("error %v: greater than 0 and less than 1, such as 0.01", a.Error)
	case !(a.Confidence > 0 && a.Confidence < 1):
		return fmt.Errorf("confidence %v: greater than 0 and less than 1, such as 0.9", a.Confidence)
	}
	return nil
}

// CheckNodes reports a Top that a graph of n nodes does not have.
func (a Accuracy) CheckNodes(n int) error {
	if a.Top > n {
		return fmt.Errorf("top %d: the graph has %d nodes", a.Top, n)
	}
	return nil
}

// Estimate says how scores were approximated, and how sure they are.
type Estimate struct {
	// Request has the scale of the scores, for check.Scores.
	Request Request
	// Pairs is how many pairs of nodes were drawn, Sources how many sources were searched.
	Pairs   int64
	Sources int
	// Bound holds, with the probability Confidence, for the errors of all scores at once, as a share of n(n-1) ordered
	// pairs: |estimate - score| <= Bound n(n-1) when directed, Bound n(n-1)/2 when not. It is 0 for exact scores.
	Bound, Confidence float64
	// OfScores says that Bound is in the unit of the scores instead: the greatest of Nodes and Edges.
	OfScores bool
	// Nodes and Edges bound the errors of each score, in its own unit; nil unless Accuracy asks for Each. They hold all at
	// once, too.
	Nodes, Edges []float64
	// Checks is how often the bound was looked at.
	Checks int
	// Exact says that the scores are exact; Why then says why no sample was taken, if that was a choice.
	Exact bool
	Why   string
}

// String says in one line what was drawn and how sure the scores are.
func (e *Estimate) String() string {
	switch {
	case e.Why != "":
		return "not sampled: " + e.Why
	case e.Exact:
		return "not sampled: all sources were searched"
	case e.Pairs > 0:
		return fmt.Sprintf("sampled %d pairs of nodes; %s", e.Pairs, e.sure())
	}
	return fmt.Sprintf("sampled %d sources; %s", e.Sources, e.sure())
}

func (e *Estimate) sure() string {
	if e.OfScores {
		return fmt.Sprintf("with confidence %v, every error is at most %.3g", e.Confidence, e.Bound)
	}
	return fmt.Sprintf("with confidence %v, every error is at most %.3g of all pairs", e.Confidence, e.Bound)
}
