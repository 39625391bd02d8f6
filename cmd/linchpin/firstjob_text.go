package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
)

// firstConfig is a config that init --from writes.
type firstConfig struct {
	server neo4j.Server
	neo4j  config.Neo4j
	from   string // the flag's own
	found  *neo4j.Discovery
	jobs   []firstJob
	others []neo4j.FoundType
}

// text returns the file.
func (c *firstConfig) text() string {
	var b strings.Builder
	b.WriteString(config.Modeline("./" + schemaFile))
	fmt.Fprintf(&b,
		"# Written by linchpin init --from. It looked into the database %s: Neo4j %s, %d nodes, %d relationships,\n",
		plain(c.server.Database), c.server.Version, c.found.Nodes, c.found.Relationships)
	b.WriteString("# by the server's counts and by small samples. Comments say what it guessed from them.\n")
	b.WriteString("# All settings, with explanations: linchpin init all-settings.yml\n\nversion: 1\n\nneo4j:\n")
	fmt.Fprintf(&b, "  uri: %s\n  database: %s\n", yamlText(c.from), yamlText(c.server.Database))
	if c.neo4j.Username != config.Default().Neo4j.Username {
		fmt.Fprintf(&b, "  username: %s\n", yamlText(c.neo4j.Username))
	}
	if c.neo4j.PasswordFile != "" {
		fmt.Fprintf(&b, "  passwordFile: %s\n", yamlText(c.neo4j.PasswordFile))
	} else {
		b.WriteString(
			"  # The password is not kept here: set LINCHPIN_NEO4J_PASSWORD, or passwordFile to the name of a file.\n",
		)
	}
	b.WriteString("\njobs:\n")
	for i := range c.jobs {
		if i > 0 {
			b.WriteString("\n")
		}
		c.jobs[i].write(&b)
	}
	c.writeOthers(&b)
	return b.String()
}

func (j *firstJob) write(b *strings.Builder) {
	fmt.Fprintf(b, "  # %s: %d nodes, %d relationships of type %s.\n", j.about(), j.nodes, j.kind.Count,
		plain(j.kind.Name))
	fmt.Fprintf(b,
		"  - name: %s\n    # schedule: \"0 3 * * *\"   # each night, under linchpin serve\n    graph:\n      nodes: %s\n",
		yamlText(j.name), j.nodeList())
	for _, line := range j.why {
		fmt.Fprintf(b, "      # %s\n", line)
	}
	weight := ""
	if j.weight != "" {
		weight = ", weight: " + yamlText(j.weight)
	}
	fmt.Fprintf(b, "      relationships:\n        - {type: %s, orientation: %s, parallel: min%s}\n", yamlText(j.kind.Name),
		j.orientation, weight)
	if j.skip {
		fmt.Fprintf(b,
			"      # Only %d weights were looked at. Relationships with others that cannot be used are left out, with a warning.\n", j.kind.Sampled)
		b.WriteString("      invalidWeights: skip\n      zeroWeights: skip\n")
	}
	if j.caption != "" {
		fmt.Fprintf(b, "      caption: %s   # what nodes are called: a guess\n", yamlText(j.caption))
	}
	b.WriteString("    measures:\n")
	for _, m := range j.measures {
		line := fmt.Sprintf("measure: %s, nodes: %s", m.measure, yamlText(m.nodes))
		if m.relationships != "" {
			line += ", relationships: " + yamlText(m.relationships)
		}
		if j.weight != "" {
			line += ", weighted: true"
		}
		fmt.Fprintf(b, "      - {%s}\n", line)
	}
	if j.sources > 0 {
		fmt.Fprintf(b,
			"    # Exact scores of a graph of this size take long, so they are estimated from %d nodes. linchpin estimate %s\n",
			j.sources, j.name)
		fmt.Fprintf(b, "    # tells how long exact ones would take without this line.\n    compute: {sample: %d}\n",
			j.sources)
	}
}

func (j *firstJob) about() string {
	by := "counted in hops"
	if j.weight != "" {
		by = "along " + plain(j.weight)
	}
	return "Who lies on the shortest paths, " + by
}

func (j *firstJob) nodeList() string {
	if len(j.labels) == 0 {
		return `["*"]   # all labels: the relationships join too many different ones`
	}
	return yamlList(j.labels)
}

// mostOthers is how many types without a job a comment names.
const mostOthers = 20

func (c *firstConfig) writeOthers(b *strings.Builder) {
	if len(c.others) > 0 {
		b.WriteString("\n# Also in the database, without a job yet:\n")
	}
	for i, f := range c.others {
		if i == mostOthers {
			fmt.Fprintf(b, "#   and %d more types\n", len(c.others)-i)
			break
		}
		fmt.Fprintf(b, "#   %s: %d", plain(f.Name), f.Count)
		if len(f.From) > 0 && len(f.To) > 0 {
			fmt.Fprintf(b, ", from %s to %s", plainList(f.From), plainList(f.To))
		}
		b.WriteString("\n")
	}
	if left := c.found.Types - c.found.Counted; left > 0 {
		fmt.Fprintf(b, "# %d more types were not counted: there are too many.\n", left)
	}
}

var simpleName = regexp.MustCompile(`^[\pL_][\pL\pN_]*$`)

// plain returns a name for a comment: as it stands if it is simple, or else in quotes and on one line.
func plain(name string) string {
	if simpleName.MatchString(name) {
		return name
	}
	return quoted(shorten(name, 60))
}

func plainList(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = plain(name)
	}
	return strings.Join(out, " or ")
}

// yamlWords are words that YAML takes for something else than text.
var yamlWords = []string{"true", "false", "yes", "no", "on", "off", "null", "y", "n"}

// bare is what YAML takes for text without quotes, except yamlWords.
var bare = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// yamlText returns a text as a value in YAML.
func yamlText(text string) string {
	if bare.MatchString(text) && !slices.Contains(yamlWords, strings.ToLower(text)) {
		return text
	}
	return quoted(text)
}

// quoted is a text in double quotes, as both JSON and YAML read it.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return `""`
	}
	escapes := strings.NewReplacer("\u0085", `\u0085`, "\ufeff", `\ufeff`, "\u007f", `\u007f`)
	return escapes.Replace(strings.TrimSpace(b.String()))
}

func yamlList(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = yamlText(name)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// labelPattern is the label part of a Cypher pattern.
func labelPattern(labels []string) string { return cypherNames(labels) }
