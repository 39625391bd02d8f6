package config

import (
	"cmp"
	"fmt"
	"slices"
)

// target is a key that names a score property, with the entities that the scores are written on.
type target struct {
	path string // of the key
	job  string
	// kind is "node" or "relationship", and part is what selects them: "label" or "type".
	kind, part string
	// scopes are the labels or the types; any says that there may be others.
	scopes []string
	any    bool
}

// common returns what both targets write on, as text, or "" if they share no label or type.
func (t target) common(other target) string {
	for _, both := range [][2]target{{t, other}, {other, t}} {
		if both[0].any {
			return fmt.Sprintf(": %s selects nodes of any label", both[0].job)
		}
	}
	for _, scope := range t.scopes {
		if slices.Contains(other.scopes, scope) {
			return fmt.Sprintf(" on %s %s", t.part, scope)
		}
	}
	return ""
}

// checkProperties finds scores that would overwrite one another. Within a job a property belongs to one measure.
// Several jobs may write the same property when they share no label, or no relationship type.
func (d *decoder) checkProperties(c *Config, checks Checks) {
	names := checks.Properties
	if names == nil {
		names = func(_, score string) []string { return []string{score} }
	}
	onNodes, onRelationships := map[string][]target{}, map[string][]target{}
	for i := range c.Jobs {
		job, path := &c.Jobs[i], fmt.Sprintf("jobs[%d]", i)
		d.checkOwnWeights(job, path, names)
		nodes, relationships := targets(job, path)
		onNodes, onRelationships := onNodes, onRelationships
		if job.Write.Mode == NoMode { // its scores are columns of its own files
			onNodes, onRelationships = map[string][]target{}, map[string][]target{}
		}
		for k, m := range job.Measures {
			nodes.path = fmt.Sprintf("%s.measures[%d].nodes", path, k)
			relationships.path = fmt.Sprintf("%s.measures[%d].relationships", path, k)
			for _, one := range m.split() {
				d.checkNames(onNodes, nodes, one.Nodes, names(job.Write.Mode, one.Nodes))
				d.checkNames(onRelationships, relationships, one.Relationships, names(job.Write.Mode, one.Relationships))
			}
		}
	}
}

// targets returns what a job writes its scores on, without the keys that name the properties.
func targets(job *Job, path string) (nodes, relationships target) {
	g, name := &job.Graph, cmp.Or(job.Name, path)
	nodes = target{job: name, kind: "node", part: "label", scopes: g.Nodes, any: g.NodeQuery != "" ||
		slices.Contains(g.Nodes, AllLabels)}
	relationships = target{job: name, kind: "relationship", part: "type"}
	for _, r := range g.Relationships {
		relationships.scopes = append(relationships.scopes, r.Type)
	}
	return nodes, relationships
}

// checkNames notes the names that a score takes, up to the first that an earlier target took.
func (d *decoder) checkNames(taken map[string][]target, t target, score string, names []string) {
	if score == "" || d.failed[t.path] {
		return
	}
	for _, name := range slices.Concat([]string{score}, names) {
		for _, earlier := range taken[name] {
			if d.overwrites(t, earlier, name) {
				return
			}
		}
		taken[name] = append(taken[name], t)
	}
}

// overwrites reports whether two targets write the property on the same entities, which is a mistake.
func (d *decoder) overwrites(t, earlier target, name string) bool {
	switch common := t.common(earlier); {
	case t.path == earlier.path:
		return false
	case t.job == earlier.job:
		d.mistake(t.path, fmt.Sprintf("the %s property %q is written by %s", t.kind, name, earlier.path),
			"choose another property")
	case common == "":
		return false
	default:
		d.mistake(t.path, fmt.Sprintf("the jobs %s and %s both write the %s property %q%s", earlier.job, t.job, t.kind, name,
			common),
			fmt.Sprintf("write another name, such as %ss: %s_%s, or select %ss that no other job writes it on", t.kind, t.job,
				name, t.part))
	}
	return true
}
