package neo4j

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
)

// Readers are the Cypher statements by which applications read a job's published scores, each a subquery like a view
// and an example that uses it. A statement asks once which run is published, so all that it returns is of that run. One
// that the job has no scores for is "".
type Readers struct {
	// Nodes yields n and the scores of nodes.
	Nodes string `json:"nodes,omitempty"`
	// Relationships yields source, r, target and the scores of relationships.
	Relationships string `json:"relationships,omitempty"`
	// Both yields source, r, target and the scores of all three, of the same run, with source_, r_ and target_ before
	// their names. Under InPlace, which cannot promise that, there is none.
	Both string `json:"both,omitempty"`
}

// ReadersOf writes the statements for a job that computes these scores.
func ReadersOf(job string, m connector.Mode, p connector.Projection, nodes, relationships []string) Readers {
	v := view{job: job, mode: m}
	var r Readers
	labels, types := notOurs(), ""
	if len(p.Labels) > 0 {
		labels = ":" + quoteAll(p.Labels)
	}
	for i, rel := range p.Relationships {
		types += [2]string{":", "|"}[min(i, 1)] + quote(rel.Type)
	}
	n, source, rel, target := unused("n", nodes), unused("source", relationships), unused("r",
		relationships), unused("target", relationships)
	if len(nodes) > 0 {
		r.Nodes = v.text("("+n+labels+")", []string{n}, v.scores(n, "", nodes), nil)
	}
	if len(relationships) > 0 {
		r.Relationships = v.text(fmt.Sprintf("(%s)-[%s%s]->(%s)", source, rel, types, target), []string{source, rel, target},
			v.scores(rel, "", relationships), nil)
	}
	if v.slots() && len(nodes) > 0 && len(relationships) > 0 {
		ends := slices.Concat(v.scores("source", "source_", nodes), v.scores("target", "target_", nodes))
		r.Both = v.text(fmt.Sprintf("(source)-[r%s]->(target)", types), []string{"source", "r", "target"},
			v.scores("r", "r_", relationships), ends)
	}
	return r
}

// unused returns a variable that is none of the names.
func unused(variable string, names []string) string {
	for slices.Contains(names, variable) {
		variable += "_"
	}
	return variable
}

// view writes one statement.
type view struct {
	job  string
	mode connector.Mode
}

// slots says that readers have to ask which property to read.
func (v view) slots() bool { return len(v.mode.Slots()) > 1 }

// score is an expression and its name.
type score struct{ expression, alias string }

// scores picks the property of an entity that holds the published score.
func (v view) scores(entity, prefix string, names []string) []score {
	var out []score
	for _, name := range names {
		expression := entity + "." + quote(name)
		if v.slots() {
			expression = "CASE slot"
			for _, s := range v.mode.Slots() {
				expression += fmt.Sprintf(" WHEN '%s' THEN %s.%s", s, entity, quote(v.mode.Property(name, s)))
			}
			expression += " END"
		}
		out = append(out, score{expression, quote(prefix + name)})
	}
	return out
}

// text writes a view of what has one of the scores, with further ones beside them.
func (v view) text(pattern string, variables []string, scores, further []score) string {
	var b strings.Builder
	b.WriteString("CALL () {\n")
	if v.slots() {
		fmt.Fprintf(&b, "  MATCH (job:%s {name: %s})\n  WITH job.slot AS slot\n", jobLabel, literal(v.job))
	}
	fmt.Fprintf(&b, "  MATCH %s\n  WITH %s", pattern, strings.Join(variables, ", "))
	names, present := slices.Clone(variables), []string{}
	for i, s := range slices.Concat(scores, further) {
		fmt.Fprintf(&b, ",\n    %s AS %s", s.expression, s.alias)
		names = append(names, s.alias)
		if i < len(scores) {
			present = append(present, s.alias+" IS NOT NULL")
		}
	}
	all := strings.Join(names, ", ")
	fmt.Fprintf(&b, "\n  WHERE %s\n  RETURN %s\n}\n", strings.Join(present, " OR "), all)
	fmt.Fprintf(&b, "RETURN %s ORDER BY %s DESC LIMIT 10", all, scores[0].alias)
	return b.String()
}

// literal returns a text as it stands in a query.
func literal(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}
