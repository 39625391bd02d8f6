package file

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// weight reads a weight and applies the policy. keep is false when the edge is to be left out, or the weight is
// refused, which badWeights then reports.
func (t *table) weight(text, line []byte) (w float64, keep bool) {
	w, keep, refused := t.check(text)
	if refused != 0 {
		t.bad.Add(refused, badLine{t.in.at, quoted(line)})
	}
	return w, keep
}

func (t *table) check(text []byte) (w float64, keep bool, refused export.WeightFault) {
	switch {
	case len(text) > 0:
		w, ok := parseNumber(text)
		if !ok {
			return 0, false, t.policy.Drop(export.NotNumber, &t.dropped)
		}
		return t.policy.Check(w, &t.dropped)
	case t.rel.DefaultWeight != nil:
		return t.policy.Check(*t.rel.DefaultWeight, &t.dropped)
	}
	return 0, false, t.policy.Drop(export.Missing, &t.dropped)
}

// badLine is a line with a weight that is refused, and the text that stands there; or an entry of a matrix and its
// value.
type badLine struct {
	line int
	text string
}

// Before makes the first line the example.
func (b badLine) Before(other badLine) bool { return b.line < other.line }

// badWeights is the error that names all kinds of refused weights; nil if there are none.
func (t *table) badWeights() error {
	faults := t.bad.Faults()
	if len(faults) == 0 {
		return nil
	}
	e := &connector.Error{
		Kind: connector.BadData,
		Msg: t.in.path + ": bad weights: " + t.bad.Text(func(_ export.WeightFault, b badLine) string {
			if t.entries {
				return fmt.Sprintf("first at entry %d: %s", b.line, b.text)
			}
			return fmt.Sprintf("first on line %d: %s", b.line, b.text)
		}),
	}
	if slices.Contains(faults, export.ZeroWeight) {
		e.Hint = "--zero-weights skip leaves edges of weight 0 out, --zero-weights 1e-6 has them weigh that much"
	}
	return e
}

// parseNumber reads a decimal number. Too large a number is infinite; NaN and Inf are numbers here, for the policy to
// refuse.
func parseNumber(text []byte) (float64, bool) {
	if len(text) <= 15 {
		if w, ok := parseDigits(text); ok {
			return float64(w), true
		}
	}
	if bytes.ContainsAny(text, "xX_") {
		return 0, false
	}
	w, err := strconv.ParseFloat(string(text), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	return w, true
}

// parseDigits reads an integer of at most 18 digits, without a sign.
func parseDigits(text []byte) (int64, bool) {
	if len(text) == 0 || len(text) > 18 {
		return 0, false
	}
	var x int64
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		x = 10*x + int64(c-'0')
	}
	return x, true
}
