package kernels

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Check reports what the measure cannot do of a request. It needs no graph, so that a config can be checked early.
func (m Measure) Check(r Request) error {
	if err := m.checkWanted(r); err != nil {
		return err
	}
	if err := m.checkOptions(r.Params); err != nil {
		return err
	}
	return m.checkSampling(r)
}

func (m Measure) checkWanted(r Request) error {
	switch {
	case !r.Nodes && !r.Edges:
		return fmt.Errorf("%s: neither node nor edge scores are asked for; ask for one of them", m.Name)
	case r.Nodes && m.Node == "":
		return fmt.Errorf("%s has no node scores; ask for edge scores", m.Name)
	case r.Edges && m.Edge == "":
		return fmt.Errorf("%s has no edge scores; ask for node scores", m.Name)
	case r.Weighted && m.Weights == NoWeights:
		return fmt.Errorf("%s does not read weights; leave out weighted", m.Name)
	}
	if err := CheckReduce(r.Reduce); err != nil {
		return fmt.Errorf("%s: reduce %w", m.Name, err)
	}
	return nil
}

func (m Measure) checkOptions(p Params) error {
	given := []struct {
		option Option
		set    bool
	}{
		{OptionNormalized, p.Normalized != nil}, {OptionEndpoints, p.Endpoints}, {OptionVariant, p.Variant != ""},
		{OptionRadius, p.Radius != nil}, {OptionLog, p.Log},
	}
	for _, o := range given {
		if o.set && !slices.Contains(m.Options, o.option) {
			return fmt.Errorf("%s has no option %s; %s", m.Name, o.option, m.optionHint())
		}
	}
	switch {
	case p.Variant != "" && !slices.Contains(m.Variants, p.Variant):
		return fmt.Errorf("%s: unknown variant %q; it has %s", m.Name, p.Variant, strings.Join(m.Variants, ", "))
	case p.Radius != nil && *p.Radius < 0:
		return fmt.Errorf("%s: radius %d; a radius is 0 or more", m.Name, *p.Radius)
	case !(p.Tolerance >= 0 && p.Tolerance < 1):
		return fmt.Errorf("%s: tolerance %v; a tolerance is at least 0 and under 1", m.Name, p.Tolerance)
	}
	return nil
}

func (m Measure) optionHint() string {
	if len(m.Options) == 0 {
		return "it has none"
	}
	names := make([]string, len(m.Options))
	for i, o := range m.Options {
		names[i] = string(o)
	}
	return "it has " + strings.Join(names, ", ")
}

// searches says whether the measure is computed by searches from source nodes.
func (m Measure) searches() bool { return len(m.WeightedStrategies) > 0 }

func (m Measure) checkSampling(r Request) error {
	scaled := r.Scale != 0 && r.Scale != 1
	switch {
	case !(r.Scale >= 0 && r.Scale <= math.MaxFloat64):
		return fmt.Errorf("%s: scale %v; a scale is finite and at least 0", m.Name, r.Scale)
	case scaled && !m.BySource:
		return fmt.Errorf("%s is no sum over sources and cannot be scaled from a sample of them; leave out the sample", m.Name)
	case r.Sources != nil && !m.searches():
		return fmt.Errorf("%s does not search from sources; leave them out", m.Name)
	case r.Sources != nil && len(r.Sources) == 0:
		return errors.New(m.Name + ": the list of sources is empty; name at least one, or leave it out for all")
	case r.Threads < 0:
		return fmt.Errorf("%s: %d threads; 0 stands for all", m.Name, r.Threads)
	}
	return nil
}
