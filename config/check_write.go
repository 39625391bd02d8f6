package config

import (
	"fmt"
	"slices"
)

// checkNames notes the names that a score takes, up to the first that an earlier key took.
func (d *decoder) checkNames(taken map[string]string, score string, names []string, path, format string) {
	if score == "" {
		return
	}
	for _, name := range slices.Concat([]string{score}, names) {
		if earlier, is := taken[name]; !is || earlier != path {
			d.checkUnique(taken, name, path, format, "choose another property")
		}
		if taken[name] != path {
			return
		}
	}
}

// checkWrite finds settings that the mode of publication cannot follow.
func (d *decoder) checkWrite(w *Write, path string) {
	if d.failed[path+".mode"] {
		return
	}
	if _, given := d.at[path+".onlyChanged"]; given && w.Mode == "stamp" {
		d.mistake(path+".onlyChanged", fmt.Sprintf("%v has no effect: stamp writes every score, with its run", *w.OnlyChanged), "remove it")
	}
	if w.Mode != "inplace" && w.ClearStale != nil && !*w.ClearStale {
		d.mistake(path+".clearStale", fmt.Sprintf("false does not go with %s: readers would see scores of earlier runs", w.Mode),
			"remove it, or choose mode: inplace")
	}
}

// checkProperties finds scores that would overwrite one another, in one job or two: a property belongs to one measure
// of one job.
func (d *decoder) checkProperties(c *Config, checks Checks) {
	names := checks.Properties
	if names == nil {
		names = func(_, score string) []string { return []string{score} }
	}
	onNodes, onRelationships := map[string]string{}, map[string]string{}
	for i, job := range c.Jobs {
		d.checkOwnWeights(&job, fmt.Sprintf("jobs[%d]", i), names)
		for k, m := range job.Measures {
			path := fmt.Sprintf("jobs[%d].measures[%d]", i, k)
			d.checkNames(onNodes, m.Nodes, names(job.Write.Mode, m.Nodes), path+".nodes", "the node property %q is written by %s")
			d.checkNames(onRelationships, m.Relationships, names(job.Write.Mode, m.Relationships), path+".relationships",
				"the relationship property %q is written by %s")
		}
	}
}
