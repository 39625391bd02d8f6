package jobs

import "github.com/linchpin-graph/linchpin/kernels"

// together has computations that can share a pass follow each other, at the place of the first, and share it.
func together(all []pass) []pass {
	groups, at := [][]pass{}, map[string]int{}
	for _, p := range all {
		name := p.measure.Pass(p.work.Task.Request)
		if p.work.Task.Nodes != 0 && p.work.Task.Request.Within() > 0 {
			name = "" // nodes of a fleet search for each range
		}
		i, seen := at[name]
		if !seen || name == "" {
			i = len(groups)
			at[name], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	var out []pass
	for _, group := range groups {
		var work []*Computation
		for _, p := range group {
			work = append(work, p.work)
		}
		Share(work)
		out = append(out, group...)
	}
	return out
}

// Share has several computations share what they have in common. The last one lets go of it.
func Share(all []*Computation) {
	if len(all) < 2 {
		return
	}
	shared := &kernels.Shared{}
	for _, c := range all {
		shared.Requests = append(shared.Requests, c.Task.Request)
	}
	for i, c := range all {
		c.Task.Request.Shared, c.Task.Request.Place = shared, i
	}
}
