// Package ranges has a device compute the scores within several ranges in one pass.
package ranges

import (
	"cmp"
	"errors"
	"slices"

	"github.com/linchpin-graph/linchpin/engine/engines"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// All are requests that differ in their range alone, ascending. Place is that of each among those that share a pass.
type All []kernels.Request

// Of returns the requests that a device may compute in one pass with r, itself included; nil where there are none,
// where targets or a demand are chosen, and once a device did not compute them so.
func Of(r kernels.Request) All {
	all := All(slices.Clone(r.Ranges()))
	for i, q := range all {
		all[i].Place = i
		if q.Top != nil || q.Pairs.Targets != nil || q.HasDemand() || q.Nodes != r.Nodes || q.Edges != r.Edges ||
			q.Scale != r.Scale {
			return nil
		}
	}
	slices.SortStableFunc(all, func(a, b kernels.Request) int { return cmp.Compare(a.Within(), b.Within()) })
	if len(all) < 2 || failure(r.Shared, nil) != nil {
		return nil
	}
	return all
}

// Within are the ranges; nil for none.
func (a All) Within() []float64 {
	var out []float64
	for _, r := range a {
		out = append(out, r.Within())
	}
	return out
}

// Widest is a request with the greatest of the ranges in place of its own.
func (a All) Widest(r kernels.Request) kernels.Request {
	r.Pairs = a[len(a)-1].Pairs
	return r
}

// InOnePass reports whether a way on a device computes the ranges of a measure in one pass. c may be nil.
func (a All) InOnePass(c *plan.Candidate, m kernels.Measure) bool {
	if len(a) == 0 || c == nil || c.Device == plan.CPU || c.Shards > 1 {
		return false
	}
	r := a[len(a)-1]
	w := device.Want{Measure: m.Name, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges, Ranges: a.Within()}.Of(r.Pairs)
	return slices.ContainsFunc(engines.All(), func(e device.Engine) bool {
		return e.Name() == c.Engine && e.Accepts(w, false)
	})
}

// Take returns the part of r in what a pass over all ranges found. The first of them makes the pass. An error is that
// of the pass, for all.
func Take[T any](r kernels.Request, pass func() ([]T, error)) (part T, err error) {
	if err := failure(r.Shared, nil); err != nil {
		return part, err
	}
	found, err := kernels.Make(r.Shared, passKey{}, pass)
	if err != nil {
		return part, failure(r.Shared, err)
	}
	return found[r.Place], nil
}

type passKey struct{}

type failureKey struct{}

// failed is why a pass failed.
type failed struct{ err error }

// failure returns why the pass over ranges failed: now, for the reason that is given, or before. nil where it did not.
func failure(s *kernels.Shared, now error) error {
	made, err := kernels.Make(s, failureKey{}, func() (failed, error) {
		if now == nil {
			return failed{}, errNone
		}
		return failed{now}, nil
	})
	if err != nil {
		return nil
	}
	return made.err
}

var errNone = errors.New("no pass failed")
