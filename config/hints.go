package config

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/internal/nearest"
)

// examples show how keys are written that must be there, or must not be empty.
var examples = map[string]string{
	"name": "name: hubs", "type": "type: ROUTE", "measure": "measure: betweenness",
	"graph":    "graph: {nodes: [Airport], relationships: [ROUTE]}",
	"nodes":    "nodes: [Airport]",
	"measures": "measures: [{measure: betweenness, nodes: betweenness}]",
	"property": "property: zone", "value": "value: 2", "values": "values: [2, 3]",
	"relationships": "relationships: [{type: ROUTE}]",
	"where":         `where: [{property: zone, is: "<=", value: 2}]`,
	"on":            "on: [failure]", "exec": "exec: [/usr/local/bin/page-me]",
	"hooks":   `hooks: [{on: [failure], url: "https://example.org/hook"}]`,
	"hosts":   "hosts: [scores.example.org]",
	"file":    "file: hubs.parquet",
	"outputs": "outputs: [{file: hubs.parquet, properties: [name]}]",
}

// exampleOf is a hint that shows how the last key of a path is written.
func exampleOf(path string) string {
	key := path[strings.LastIndex(path, ".")+1:]
	key, _, _ = strings.Cut(key, "[")
	switch {
	case key == "version":
		return "write version: 1"
	case key == "jobs":
		return "linchpin init writes a file with an example"
	case examples[key] == "":
		return ""
	}
	return "such as " + examples[key]
}

// patternHint says in words what the pattern of a key lets pass.
func patternHint(path string) string {
	if strings.HasSuffix(path, ".device") {
		return "auto, cpu, gpu, GPUs by their numbers, such as gpu:0 or gpu:0,2, or gpu:all"
	}
	return "letters, digits, dots, dashes and underscores, at most 64, a letter or digit first"
}

// gdsKeys says what words of the Graph Data Science library are called here.
var gdsKeys = map[string]string{
	"aggregation":                    "parallel: keep, min, max, sum or count",
	"concurrency":                    "compute: {threads: 4}, and neo4j: {connections: 4}",
	"readConcurrency":                "neo4j: {connections: 4}",
	"writeConcurrency":               "neo4j: {connections: 4}",
	"defaultValue":                   "defaultWeight: 1",
	"graphName":                      "graph: with nodes and relationships",
	"maxIterations":                  "iterations: 10",
	"maxLevels":                      "levels: 10",
	"mutateProperty":                 "nodes: and the property, or relationships: for scores of relationships",
	"includeIntermediateCommunities": "the measure again with levels: 1, levels: 2, and so on, and a property of its own for each",
	"nodeLabels":                     "nodes: [Airport] under graph",
	"nodeProjection":                 "nodes: [Airport] under graph",
	"randomSeed":                     "compute: {seed: 1}",
	"relationshipProjection":         "relationships: [{type: ROUTE}] under graph",
	"relationshipTypes":              "relationships: [{type: ROUTE}] under graph",
	"relationshipWeightProperty": "weight: and the property in a relationship type under graph, and weighted: true in " +
		"the measure",
	"samplingSeed":                "compute: {seed: 1}",
	"samplingSize":                "compute: {sample: 1000}",
	"undirectedRelationshipTypes": "orientation: undirected in a relationship type",
	"useWassermanFaust":           "variant: wassermanFaust",
	"writeProperty":               "nodes: and the property, or relationships: for scores of relationships",
}

// keyHint says what to write instead of a key that does not exist.
func keyHint(key string, known []string) string {
	if ours := gdsKeys[key]; ours != "" {
		return fmt.Sprintf("GDS calls it %s; write %s", key, ours)
	}
	return nearest.DidYouMean(key, known)
}

// gdsMeasures are names that GDS has for measures, in lower case, and ours.
var gdsMeasures = map[string]string{
	"wcc": "components", "scc": "strongComponents", "trianglecount": "triangles", "kcore": "core",
	"localclusteringcoefficient": "clustering", "articulationpoints": "articulation",
}

// otherMeasures are names of algorithms that people look for and linchpin does not have.
var otherMeasures = regexp.MustCompile(
	`(?i)^node[-_ ]?similarity|^knn$|^fast[-_ ]?rp|^node2vec|^graph[-_ ]?sage|^k1coloring|^celf$`,
)

// measureHint says what to write instead of a measure that does not exist.
func measureHint(name string) string {
	if ours := gdsMeasures[strings.ToLower(name)]; ours != "" {
		return fmt.Sprintf("GDS calls it %s; write %s", name, ours)
	}
	if otherMeasures.MatchString(name) {
		return "linchpin computes other measures: one of " + strings.Join(measureNames(), ", ") +
			"; GDS and others have this one"
	}
	return nearest.DidYouMean(name, measureNames())
}

var comparison = regexp.MustCompile(`^\s*(?:\w+\.)?(\w+)\s*(<>|<=|>=|=|<|>)\s*(.+?)\s*$`)

// conditionHint says how a condition in Cypher is written in the config, at this path.
func conditionHint(text, path string) string {
	found := comparison.FindStringSubmatch(text)
	if found == nil {
		return exampleOf("where")
	}
	value := found[3]
	if strings.HasPrefix(value, "'") {
		value = fmt.Sprintf("%q", strings.Trim(value, "'"))
	}
	hint := fmt.Sprintf("{property: %s, is: %q, value: %s}", found[1], found[2], value)
	if strings.HasSuffix(path, "]") {
		return "write " + hint
	}
	return "write [" + hint + "]"
}

// valueHint shows a value of a type.
func valueHint(t reflect.Type) string {
	if t == reflect.TypeFor[time.Duration]() {
		return "such as 30s"
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return "such as 4"
	case reflect.Float64:
		return "such as 0.9"
	case reflect.Bool:
		return "write true or false"
	}
	return ""
}

var (
	// blockValue and flowValue find a key and a value that begins with a character which YAML keeps for itself.
	blockValue = regexp.MustCompile("^\\s*(?:- +)?(\\w+): +([*@%`][^#\"']*?)\\s*(?: #.*)?$")
	flowValue  = regexp.MustCompile("[{,]\\s*(\\w+): +([*@%`][^#\"',}]*?)\\s*[,}]")
)

// quotesHint says how to quote a value of this line that begins with a character which YAML keeps for itself, or "".
func quotesHint(line string) string {
	for _, pattern := range []*regexp.Regexp{blockValue, flowValue} {
		if found := pattern.FindStringSubmatch(line); found != nil {
			return fmt.Sprintf("put quotes around it: %s: %q", found[1], found[2])
		}
	}
	return ""
}

// syntaxMessage describes what the parser does not accept, and what to do about it. The line is the one of the error.
func syntaxMessage(message, line string) (text, hint string) {
	if strings.HasPrefix(strings.TrimLeft(line, " "), "\t") {
		return "a tab: YAML indents with spaces", "replace it by spaces"
	}
	hint = quotesHint(line)
	return "not YAML: " + cmp.Or(oneLine(message), "it cannot be read"), hint
}
