package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/kernels"
)

// checkSupernodes finds supernodes of no groups, or with a label that is not theirs alone.
func (d *decoder) checkSupernodes(job *Job, path string) {
	asked := job.Supernodes
	if asked == nil || d.failed[path] {
		return
	}
	var groups []string
	for _, m := range job.Measures {
		if spec, _ := kernels.Lookup(m.Measure); spec.Kind.Groups() && m.Nodes != "" {
			groups = append(groups, m.Nodes)
		}
	}
	if asked.Of != "" && !slices.Contains(groups, asked.Of) {
		hint := "add a measure such as {measure: leiden, nodes: " + asked.Of + "}"
		if len(groups) > 0 {
			hint = "the job has groups in " + strings.Join(groups, ", ")
		}
		d.mistake(path+".of", fmt.Sprintf("%q: no measure of the job writes groups there", asked.Of), hint)
	}
	d.checkOwnLabel(job, asked.Label, path+".label")
	if job.Write.Mode == NoMode {
		d.mistake(path, "supernodes need the database, and write.mode is none", "remove supernodes, or choose mode: inplace")
	}
}

// checkOwnLabel finds a label of nodes that linchpin makes that others have.
func (d *decoder) checkOwnLabel(job *Job, label, path string) {
	switch {
	case strings.HasPrefix(label, "Linchpin"):
		d.mistake(path, fmt.Sprintf("%q: labels that begin with Linchpin are of linchpin itself", label),
			"choose another label")
	case slices.Contains(job.Graph.Nodes, label):
		d.mistake(path, fmt.Sprintf("%q: the nodes of the graph have this label", label), "choose a label that no node has")
	}
}
