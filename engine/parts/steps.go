package parts

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// OnCPU is the engine of a Step for sources that only 128-bit integers tell apart: protocol.OnCPU.
const OnCPU = -1

// Step is one of those that a run may take. All parts do one before any does the next; most runs take the zero Step
// alone. It is protocol.Step, with lists in place of files.
type Step struct {
	// Engine is 0 for the engine of the way, then 1, 2 ... for those that do what it leaves, and OnCPU for the CPU. Pass
	// is one of the engine's.
	Engine, Pass int
	// Sources are those that the engine gets, nil for those of the way; Only those that its passes before this one left,
	// nil for all.
	Sources, Only []int32
}

// First reports whether it is the step that all runs begin with.
func (s Step) First() bool { return s.Engine == 0 && s.Pass == 0 && s.Sources == nil && s.Only == nil }

// Found is what a step of a part found.
type Found struct {
	// Partial is what the sources of the part add up to, without those in Left.
	Partial *kernels.Partial
	Left    []int32
	By      Way
	Told    Told
}

// Empty returns what no part of the same way found.
func (f *Found) Empty() *Found { return &Found{Partial: f.Partial.Empty(), By: f.By} }

// Join adds what another part found in the same step, in the same way. Left is in ascending order, whatever that of the
// parts.
func (f *Found) Join(part *Found) error {
	if err := f.By.Check(part.By); err != nil {
		return err
	}
	if err := f.Partial.Join(part.Partial); err != nil {
		return err
	}
	f.Left = append(f.Left, part.Left...)
	slices.Sort(f.Left)
	a, b := &f.Told, part.Told
	a.Left, a.Pass, a.Doubtful = len(f.Left), max(a.Pass, b.Pass), a.Doubtful || b.Doubtful
	a.Reason, a.Ties, a.Reduction = cmp.Or(a.Reason, b.Reason), cmp.Or(a.Ties, b.Ties), cmp.Or(a.Reduction, b.Reduction)
	return nil
}

// Told is what a part says of itself besides its sums.
type Told struct {
	// Left is how many sources are left to the next step; Pass and Doubtful say which that is: see device.Result.
	Left     int  `json:"left,omitempty"`
	Pass     int  `json:"pass,omitempty"`
	Doubtful bool `json:"doubtful,omitempty"`
	// Reason is one line on why it was computed in this way; Ties and Reduction are those of kernels.Scores.
	Reason    string             `json:"reason,omitempty"`
	Ties      string             `json:"ties,omitempty"`
	Reduction *kernels.Reduction `json:"reduction,omitempty"`

	// Start and Preprocess are seconds, Peak bytes of the device: no file keeps them.
	Start, Preprocess float64 `json:"-"`
	Peak              int64   `json:"-"`
}

// Joined is what all parts of a run add up to.
type Joined struct {
	Partial *kernels.Partial
	By      Way
	// Ties is the first that a part told of ties.
	Ties string
	// Told are what the parts told in the last step.
	Told []Told
	// Steps is how many there were.
	Steps int
}

// Scores makes scores of the sums of a graph that was searched as it is: see Way.Plain. It returns the numbers of
// nodes, and then of edges, in one list as well.
func (j *Joined) Scores(m kernels.Measure, g *export.Graph, r kernels.Request) (*kernels.Scores, []float64, error) {
	all := kernels.NewPartial(m, g.N(), g.M(), r, kernels.BoundsOf(g, r, 0))
	if err := all.Join(j.Partial); err != nil {
		return nil, nil, err
	}
	s := &kernels.Scores{Ties: j.Ties, Single: j.By.Single, Totals: all.Totals, Reduction: j.Told[0].Reduction}
	values := make([]float64, g.N()+g.M())
	if !r.Nodes {
		values = values[g.N():]
	} else {
		s.Nodes = values[:g.N():g.N()]
	}
	if !r.Edges {
		values = values[:len(values)-g.M()]
	} else {
		s.Edges = values[len(values)-g.M():]
	}
	return s, values, all.Finish(m, g, r, s.Nodes, s.Edges)
}

// ErrJoin is the error of parts that do not add up to a run.
var ErrJoin = errors.New("parts do not fit together")

// Join joins what the parts of a run find, one step after another, until no source is left. do does a step of all
// parts, and returns what each found, in their order. sources returns all sources of the run.
func Join(m kernels.Measure, sources func() []int32, do func(Step) iter.Seq2[*Found, error]) (*Joined, error) {
	j := &Joined{}
	var step Step
	for more := true; more; j.Steps++ {
		left, err := j.add(do(step))
		if err != nil {
			return nil, err
		}
		if step, more = j.next(step, left); more && step.Pass == 0 && m.Kind == kernels.PathCounts {
			j.Partial.ClearPaths() // counts so great would not add up exactly with those of other sources
			step.Sources = sources()
		}
	}
	return j, nil
}

// add joins what a step of all parts found, and returns the sources that they left.
func (j *Joined) add(found iter.Seq2[*Found, error]) (left []int32, err error) {
	j.Told = nil
	seen := map[int32]int{}
	for f, err := range found {
		number := len(j.Told)
		if err != nil {
			return nil, err
		}
		if j.Partial == nil {
			j.Partial, j.By = f.Partial.Empty(), f.By
		}
		if a, b := f.By.bits(), j.By.bits(); a != b {
			return nil, fmt.Errorf("%w: part %d was computed by %s, and others by %s", ErrJoin, number, f.By.how(), j.By.how())
		}
		if err := j.Partial.Join(f.Partial); err != nil {
			return nil, fmt.Errorf("%w: part %d: %w", ErrJoin, number, err)
		}
		for _, v := range f.Left { // it would be counted twice
			if other, twice := seen[v]; twice {
				return nil, fmt.Errorf("%w: parts %d and %d leave the same source", ErrJoin, other, number)
			}
			seen[v] = number
		}
		j.Ties = cmp.Or(j.Ties, f.Told.Ties)
		left, j.Told = append(left, f.Left...), append(j.Told, f.Told)
	}
	return left, nil
}

// next returns the step after one, as device.Compute goes on; more is false without sources that are left.
func (j *Joined) next(step Step, left []int32) (next Step, more bool) {
	pass, doubtful := 0, false
	for _, t := range j.Told {
		pass, doubtful = max(pass, t.Pass), doubtful || t.Doubtful
	}
	switch {
	case len(left) == 0:
		return step, false
	case pass > 0:
		return Step{Engine: step.Engine, Pass: pass, Sources: step.Sources, Only: left}, true
	case doubtful:
		return Step{Engine: OnCPU, Sources: left}, true
	}
	return Step{Engine: step.Engine + 1, Sources: left}, true
}
