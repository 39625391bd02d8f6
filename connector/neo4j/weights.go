package neo4j

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// weigher turns the values of properties into weights.
type weigher struct {
	policy export.WeightPolicy
	def    *float64 // for missing values; nil for none
	parse  bool     // texts that show numbers are numbers
}

// weigh returns the weight to use; see export.WeightPolicy.Check. A missing value is an empty map, or nil.
func (w weigher) weigh(value any, d *export.Dropped) (weight float64, keep bool, refused export.WeightFault) {
	switch x := value.(type) {
	case float64:
		return w.policy.Check(x, d)
	case int64:
		return w.integer(x, d)
	case map[string]any, nil:
		if w.def != nil {
			return w.policy.Check(*w.def, d)
		}
		return 0, false, w.policy.Drop(export.Missing, d)
	case string:
		if w.parse {
			return w.text(strings.TrimSpace(x), d)
		}
	}
	return 0, false, w.policy.Drop(export.NotNumber, d)
}

func (w weigher) integer(x int64, d *export.Dropped) (weight float64, keep bool, refused export.WeightFault) {
	f := float64(x)
	if int64(f) == x && f < 1<<63 {
		return w.policy.Check(f, d)
	}
	return 0, false, w.policy.Drop(export.Inexact, d)
}

// text reads a decimal number. One that is too large is infinite.
func (w weigher) text(x string, d *export.Dropped) (weight float64, keep bool, refused export.WeightFault) {
	if i, err := strconv.ParseInt(x, 10, 64); err == nil {
		return w.integer(i, d)
	}
	f, err := strconv.ParseFloat(x, 64)
	if strings.ContainsAny(x, "xX_") || err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false, w.policy.Drop(export.NotNumber, d)
	}
	return w.policy.Check(f, d)
}

// badWeight is a relationship whose weight is refused.
type badWeight struct{ id, source, target, value any }

// Before makes the example of a fault the relationship with the least id, whatever the order of reading.
func (b badWeight) Before(other badWeight) bool {
	if id, ok := b.id.(string); ok {
		o, _ := other.id.(string)
		return id < o
	}
	id, _ := b.id.(int64)
	o, _ := other.id.(int64)
	return id < o
}

// shown is the value of an example; the fault itself says it of those that are missing or zero.
func shown(fault export.WeightFault, value any) string {
	switch fault {
	case export.Missing, export.ZeroWeight:
		return "such as in "
	}
	switch value.(type) {
	case int64, float64:
		return fmt.Sprintf("such as %v in ", value)
	}
	return "such as " + describe(value) + " in "
}

// badWeights is the error that names all kinds of refused weights of all groups; nil if there are none.
func (r *reader) badWeights() error {
	var texts, hints []string
	var remedies []string
	for group, of := range r.projection.Relationships {
		bad := &r.bad[group]
		faults := bad.Faults()
		if len(faults) == 0 {
			continue
		}
		texts = append(texts, fmt.Sprintf("bad weights in %s of %s: %s", of.Weight, of.Type,
			bad.Text(func(f export.WeightFault, b badWeight) string {
				return fmt.Sprintf("%srelationship %v, (%v)-[:%s]->(%v)", shown(f, b.value), b.id, b.source, of.Type, b.target)
			})))
		hints = append(hints, r.showBad(of, faults))
		for _, f := range faults {
			remedies = append(remedies, remedy(f, of.Parse))
		}
	}
	if len(texts) == 0 {
		return nil
	}
	slices.Sort(remedies)
	return &connector.Error{
		Kind: connector.BadData, Msg: strings.Join(texts, "; "),
		Hint: fmt.Sprintf("look at them: %s; or set %s", strings.Join(hints, "; "),
			strings.Join(slices.Compact(remedies), ", ")),
	}
}

// remedy is what a job can set so that weights with the fault pass.
func remedy(f export.WeightFault, parse bool) string {
	switch {
	case f == export.Missing:
		return "defaultWeight: and a number (if missing), invalidWeights: skip"
	case f == export.NotNumber && !parse:
		return "parse: true (if texts show numbers), invalidWeights: skip"
	case f == export.ZeroWeight:
		return "zeroWeights: skip or epsilon"
	}
	return "invalidWeights: skip"
}

// showBad is a statement that returns relationships with these faults. It needs no ids, whose function is deprecated.
func (r *reader) showBad(of connector.Relationship, faults []export.WeightFault) string {
	var labels []string
	for _, l := range r.projection.Labels {
		labels = append(labels, quote(l))
	}
	ends := ""
	if len(labels) > 0 {
		ends = ":" + strings.Join(labels, "|")
	}
	var conditions []string
	for _, f := range faults {
		conditions = append(conditions, condition(f, "r."+quote(of.Weight), of.Parse))
	}
	return fmt.Sprintf("MATCH (a%[1]s)-[r:%[2]s]->(b%[1]s) WHERE %[3]s RETURN a, r, b LIMIT 10", ends, quote(of.Type),
		strings.Join(conditions, " OR "))
}

// condition is true of the relationships whose property has the fault.
func condition(f export.WeightFault, property string, parse bool) string {
	number := property
	if parse {
		number = "toFloatOrNull(" + property + ")"
	}
	switch f {
	case export.Missing:
		return property + " IS NULL"
	case export.NotNumber: // such values compare with no number
		return fmt.Sprintf("(%s IS NOT NULL AND (%s < 0) IS NULL)", property, number)
	case export.ZeroWeight:
		return number + " = 0"
	case export.Negative:
		return number + " < 0"
	case export.NotFinite:
		return fmt.Sprintf("%s IN [1.0 / 0.0, -1.0 / 0.0] OR %[1]s <> %[1]s", number)
	}
	return number + " >= 9007199254740992" // 2^53
}
