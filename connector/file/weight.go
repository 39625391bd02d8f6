package file

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/linchpin-graph/linchpin/connector"
)

// weight reads a weight and applies the policy. keep is false when the edge is to be left out.
func (t *table) weight(text, line []byte) (w float64, keep bool, err error) {
	missing := len(text) == 0
	if missing && t.rel.DefaultWeight != nil {
		w, missing = *t.rel.DefaultWeight, false
	} else if !missing {
		var ok bool
		if w, ok = parseNumber(text); !ok {
			return 0, false, t.in.lineErrorf(line, "the weight %s is not a number", quoted(text))
		}
	}
	used, keep, err := t.policy.Check(w, missing, &t.dropped)
	if err != nil {
		err = t.in.lineErrorf(line, "%s", err)
		if e := (*connector.Error)(nil); w == 0 && !missing && errors.As(err, &e) {
			e.Hint = "--zero-weights skip leaves edges of weight 0 out, --zero-weights 1e-6 has them weigh that much"
		}
		return 0, false, err
	}
	return used, keep, nil
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
