package config

import (
	"fmt"
	"strings"
)

// checkDistances finds settings of distances that do not fit the graph.
func (d *decoder) checkDistances(job *Job, path string) {
	asked := job.Distances
	if asked == nil || d.failed[path] {
		return
	}
	if asked.Weighted && !job.Graph.hasWeights() && !d.failed[path+".weighted"] {
		d.mistake(path+".weighted", "true, and no relationship has a weight",
			"add weight: to a relationship, or write weighted: false")
	}
	if asked.File != "" && !strings.HasSuffix(strings.ToLower(asked.File), ".npy") && !d.failed[path+".file"] {
		d.mistake(path+".file", fmt.Sprintf("%q: the extension names no format of distances", asked.File), "use .npy")
	}
}
