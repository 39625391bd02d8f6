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
		shareIn(group)
		out = append(out, group...)
	}
	return out
}

// shareIn has computations of a group share what they have in common. The last one lets go of it.
func shareIn(group []pass) {
	if len(group) == 1 {
		return
	}
	shared := &kernels.Shared{}
	for _, p := range group {
		shared.Requests = append(shared.Requests, p.work.Task.Request)
	}
	for i, p := range group {
		p.work.Task.Request.Shared, p.work.Task.Request.Place = shared, i
	}
}
