package config

import (
	"fmt"
	"strings"
)

// checkRelationshipQuery checks that either relationships or relationshipQuery is set, with the keys that go with it.
func (d *decoder) checkRelationshipQuery(g *Graph, path string) {
	relationships, query := path+".relationships", path+".relationshipQuery"
	none := strings.TrimSpace(g.RelationshipQuery) == ""
	switch {
	case len(g.Relationships) > 0 && !none:
		d.mistake(query, "relationships is set too", "keep one of relationships and relationshipQuery")
	case len(g.Relationships) == 0 && none && !d.failed[relationships] && !d.failed[query]:
		d.mistake(path, "neither relationships nor relationshipQuery says which edges are in the graph",
			"such as relationships: [{type: ROUTE}]")
	}
	for _, key := range []string{".orientation", ".parallel"} {
		if _, given := d.at[path+key]; given && none {
			d.mistake(path+key, "it has no effect without relationshipQuery", "set it in each of relationships")
		}
	}
}

// checkQueryScores finds scores for relationships where there are none to write on.
func (d *decoder) checkQueryScores(job *Job, path string) {
	if job.Graph.RelationshipQuery == "" {
		return
	}
	for i, m := range job.Measures {
		if key := fmt.Sprintf("%s.measures[%d].relationships", path, i); m.Relationships != "" && !d.failed[key] {
			d.mistake(key, "the edges of a relationshipQuery are no relationships to write on",
				"select them by type in relationships, or remove it")
		}
	}
}

// checkConditions checks that values fit how they are compared.
func (d *decoder) checkConditions(all []Condition, path string) {
	for i, c := range all {
		at := fmt.Sprintf("%s[%d]", path, i)
		if d.failed[at+".is"] || d.failed[at+".value"] || d.failed[at] {
			continue
		}
		_, several := c.Value.([]any)
		_, text := c.Value.(string)
		needsText := c.Is == "starts with" || c.Is == "ends with" || c.Is == "contains"
		switch none := c.Is == "present" || c.Is == "missing"; {
		case none && c.Value != nil:
			d.mistake(at+".value", fmt.Sprintf("is: %s compares with nothing", c.Is), "remove value")
		case none:
		case c.Value == nil:
			d.mistake(at, "the key value is missing", exampleOf("value"))
		case c.Is == "in" && !several:
			d.mistake(at+".value", "is: in needs a list", fmt.Sprintf("write [%v]", c.Value))
		case c.Is != "in" && several:
			d.mistake(at+".value", fmt.Sprintf("is: %q compares with one value, not with a list", c.Is), "use is: in")
		case needsText && !text:
			d.mistake(at+".value", fmt.Sprintf("is: %s compares with text", c.Is), "put quotes around it")
		}
	}
}
