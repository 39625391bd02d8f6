package worker

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/gpu"
)

// suited leaves out, for auto, the strategies that compute something else, or say of
// themselves that they do not suit the graph and the sources.
func suited(all []Strategy, name string, j *Job, d gpu.Info) []Strategy {
	if name != "auto" {
		return all
	}
	var out []Strategy
	for _, s := range all {
		if !s.Fits(j.Want, j.Host.Directed) {
			continue
		}
		choosy, ok := s.(interface{ Suits(*Job, gpu.Info) bool })
		if !ok || choosy.Suits(j, d) {
			out = append(out, s)
		}
	}
	return out
}

// find returns the strategy of a name, or for "auto" the one that Choose takes, and one line on why.
func find(all []Strategy, name string, w Want, directed bool, d gpu.Info) (Strategy, string, error) {
	if name == "auto" {
		return choose(all, w, directed, d)
	}
	for _, s := range all {
		if s.Name() != name {
			continue
		}
		if !s.Fits(w, directed) {
			return nil, "", fmt.Errorf("strategy %s does not compute %s", name, w)
		}
		return s, "asked for", nil
	}
	return nil, "", fmt.Errorf("this build has no device code for strategy %s", name)
}

// choose takes the strategy that is best by what the graph is like; see best. Where there is none of that name, it is
// the first that fits.
func choose(all []Strategy, w Want, directed bool, d gpu.Info) (Strategy, string, error) {
	name, why := best(w, d)
	var first Strategy
	for _, s := range all {
		if !s.Fits(w, directed) {
			continue
		}
		if s.Name() == name {
			return s, "auto: " + why, nil
		}
		if first == nil {
			first = s
		}
	}
	if first == nil {
		return nil, "", fmt.Errorf("this build has no device code for %s", w)
	}
	return first, fmt.Sprintf("auto: the first of %d strategies that computes %s", len(all), w), nil
}

// String names what is wanted in a few words.
func (w Want) String() string {
	text := w.Measure
	if w.Weighted {
		text = "weighted " + text
	}
	switch {
	case w.Nodes && w.Edges:
		return text + " of nodes and edges"
	case w.Edges:
		return text + " of edges"
	}
	return text + " of nodes"
}
