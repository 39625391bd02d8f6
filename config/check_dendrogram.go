package config

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/linchpin-graph/linchpin/kernels"
)

// checkDendrogram finds a dendrogram of no cuts, one that goes nowhere, or one with a label that is not its alone.
func (d *decoder) checkDendrogram(job *Job, path string) {
	asked := job.Dendrogram
	if asked == nil || d.failed[path] {
		return
	}
	if asked.Of != "" && !slices.ContainsFunc(job.Measures, func(m Measure) bool {
		return m.cuts() && m.Nodes == asked.Of
	}) {
		d.mistake(path+".of", fmt.Sprintf("%q: no measure communities of the job writes groups there", asked.Of),
			"add {measure: communities, nodes: "+asked.Of+"}")
	}
	d.checkDendrogramFile(asked.File, path+".file")
	switch {
	case asked.Label == "" && asked.Relationship == "":
		if asked.File == "" {
			d.mistake(path, "neither file nor label says where the dendrogram goes",
				"add file: dendrogram.json, or a label and a relationship")
		}
		return
	case asked.Label == "" || asked.Relationship == "":
		d.mistake(path, "label and relationship go together", "add the other one, or remove both")
	case job.Supernodes != nil && job.Supernodes.Label == asked.Label:
		d.mistake(path+".label", fmt.Sprintf("%q: the supernodes of the job have this label", asked.Label),
			"choose another label")
	}
	d.checkOwnLabel(job, asked.Label, path+".label")
	if job.Write.Mode == NoMode {
		d.mistake(path+".label", "nodes need the database, and write.mode is none",
			"remove label and relationship, or choose mode: inplace")
	}
}

func (d *decoder) checkDendrogramFile(file, path string) {
	if file == "" || d.failed[path] {
		return
	}
	if problem, hint := unknownPlaceholder(file); problem != "" {
		d.mistake(path, problem, hint)
	} else if filepath.Ext(file) != ".json" {
		d.mistake(path, fmt.Sprintf("%q: the extension names no format of dendrograms", file), "use .json")
	}
}

// cuts reports whether the measure finds groups by cuts.
func (m Measure) cuts() bool {
	spec, _ := kernels.Lookup(m.Measure)
	return spec.Kind == kernels.Communities
}
