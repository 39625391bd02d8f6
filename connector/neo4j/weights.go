package neo4j

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// weight turns a property's value into a weight, by the rules of the projection. An integer that float64 cannot hold
// exactly is refused, not rounded: two different weights must not become equal.
func (r *reader) weight(group int, value any, d *export.Dropped) (w float64, keep bool, err error) {
	w, keep, err = weightOf(value, r.projection.Weights, r.projection.Relationships[group].DefaultWeight, d)
	if err != nil && isMissing(value) {
		err = fmt.Errorf("%w (set a defaultWeight, or invalidWeights: skip)", err)
	}
	return w, keep, err
}

func isMissing(value any) bool {
	_, empty := value.(map[string]any)
	return empty || value == nil
}

// insteadOf is what a job can set so that a value passes which weightOf refuses; a missing one depends on where it is missing.
func insteadOf(value any) string {
	switch {
	case isMissing(value):
		return ""
	case value == 0.0 || value == int64(0):
		return " (or set zeroWeights: skip, or an epsilon)"
	}
	return " (or set invalidWeights: skip)"
}

// weightOf is weight for a policy and a default, which may be nil. A missing value is an empty map, or nil.
func weightOf(value any, policy export.WeightPolicy, def *float64, d *export.Dropped) (w float64, keep bool, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%w%s", err, insteadOf(value))
		}
	}()
	switch x := value.(type) {
	case float64:
		return policy.Check(x, false, d)
	case int64:
		if w = float64(x); int64(w) == x && w < 1<<63 {
			return policy.Check(w, false, d)
		}
		err = fmt.Errorf("%w: the integer %d has no exact float64 (2^53 is the last before gaps)", export.ErrWeight, x)
	case map[string]any, nil:
		if def != nil {
			return policy.Check(*def, false, d)
		}
		return policy.Check(0, true, d)
	default:
		err = fmt.Errorf("%w: %s; weights are numbers", export.ErrWeight, describe(value))
	}
	if policy.Invalid == "skip" {
		d.BadWeight++
		return 0, false, nil
	}
	return 0, false, err
}

// badWeight names the relationship whose weight cannot be used.
func (r *reader) badWeight(group int, id, source, target any, err error) error {
	of := r.projection.Relationships[group]
	show := fmt.Sprintf("MATCH ()-[r]->() WHERE id(r) = %v RETURN r", id)
	if text, ok := id.(string); ok {
		show = fmt.Sprintf("MATCH ()-[r]->() WHERE elementId(r) = %q RETURN r", text)
	}
	return &connector.Error{
		Kind: connector.BadData,
		Msg:  fmt.Sprintf("weight %s of relationship %v, (%v)-[:%s]->(%v)", of.Weight, id, source, of.Type, target),
		Err:  err,
		Hint: "look at it: " + show,
	}
}
