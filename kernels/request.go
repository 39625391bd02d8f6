package kernels

import (
	"errors"
	"fmt"
	"math"
)

// Check reports what the measure cannot do of a request. It needs no graph, so that a config can be checked early.
func (m Measure) Check(r Request) error {
	if err := m.checkWanted(r); err != nil {
		return err
	}
	if err := m.CheckOptions(r.Params); err != nil {
		return err
	}
	if err := m.checkTop(r); err != nil {
		return err
	}
	if err := m.checkSampling(r); err != nil {
		return err
	}
	return m.CheckPairs(r)
}

func (m Measure) checkWanted(r Request) error {
	switch {
	case !r.Nodes && !r.Edges:
		return fmt.Errorf("%s: neither node nor edge scores are asked for; ask for one of them", m.Name)
	case r.Nodes && m.Node == "":
		return fmt.Errorf("%s has no node scores; ask for edge scores", m.Name)
	case r.Edges && m.Edge == "":
		return fmt.Errorf("%s has no edge scores; ask for node scores", m.Name)
	}
	if err := CheckReduce(r.Reduce); err != nil {
		return fmt.Errorf("%s: reduce %w", m.Name, err)
	}
	return nil
}

// checkTop reports what does not go with the highest scores alone.
func (m Measure) checkTop(r Request) error {
	switch {
	case r.Top == nil:
		return nil
	case r.Edges:
		return fmt.Errorf("%s: top %d is of nodes; leave out the scores of edges", m.Name, *r.Top)
	case r.Sources != nil || r.Pairs != nil:
		return fmt.Errorf("%s: top %d counts all pairs of nodes, exactly; leave out sources, targets, range and demand",
			m.Name, *r.Top)
	}
	return nil
}

func (m Measure) checkSampling(r Request) error {
	scaled := r.Scale != 0 && r.Scale != 1
	switch {
	case !(r.Scale >= 0 && r.Scale <= math.MaxFloat64):
		return fmt.Errorf("%s: scale %v; a scale is finite and at least 0", m.Name, r.Scale)
	case scaled && !m.BySource:
		return fmt.Errorf("%s is no sum over sources and cannot be scaled from a sample of them; leave out the sample",
			m.Name)
	case r.Sources != nil && !m.Kind.FromSources() && !m.Kind.Restarts():
		return fmt.Errorf("%s does not search from sources; leave them out", m.Name)
	case r.Shares != nil && (!m.Kind.Restarts() || len(r.Shares) != len(r.Sources)):
		return fmt.Errorf("%s: %d shares of %d sources; leave them out, or name one of each", m.Name, len(r.Shares),
			len(r.Sources))
	case r.Sources != nil && len(r.Sources) == 0:
		return errors.New(m.Name + ": the list of sources is empty; name at least one, or leave it out for all")
	case r.Threads < 0:
		return fmt.Errorf("%s: %d threads; 0 stands for all", m.Name, r.Threads)
	}
	return nil
}
