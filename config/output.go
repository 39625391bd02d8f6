package config

import (
	"regexp"
	"strings"
	"time"
)

// NoMode is the Write.Mode of jobs that write no scores to the database.
const NoMode = "none"

// Nodes and relationships are what Output.Of names. The file of a dendrogram has a key of its own.
const (
	OfNodes         = "nodes"
	OfRelationships = "relationships"
	OfDendrogram    = "dendrogram"
)

// Output is a file of scores.
type Output struct {
	// File to write. Its extension is the format: .csv, .csv.gz, .parquet or .arrow. {of}, {job}, {run} and {date} in it
	// stand for nodes or relationships, the job, the run's id, and the day of its start (UTC). A relative path starts at
	// the folder of this file.
	File string `yaml:"file" jsonschema:"required,minLength=1"`
	// Of says whose scores the file takes. A job that scores nodes and relationships needs it, or {of} in the file's name
	// for a file of each.
	Of string `yaml:"of" json:",omitempty" jsonschema:"enum=nodes,enum=relationships"`
	// Properties are read from the nodes or relationships and become columns. A name alone may be written without keys.
	Properties []Property `yaml:"properties" json:",omitempty"`
}

// Property is a property of nodes or relationships that becomes a column of an output.
type Property struct {
	// Property to read.
	Property string `yaml:"property" jsonschema:"required,minLength=1"`
	// As is the name of its column; without it that of the property, as in miles, or source_code for one of an end.
	As string `yaml:"as" json:",omitempty" jsonschema:"minLength=1"`
	// Of reads the property of an end of each relationship: of its source or its target.
	Of string `yaml:"of" json:",omitempty" jsonschema:"enum=source,enum=target"`
}

// setText lets an output be written as its file alone.
func (o *Output) setText(text string) string {
	o.File = text
	return "file"
}

// setText lets a property be written as its name alone.
func (p *Property) setText(text string) string {
	p.Property = text
	return "property"
}

// Column is the name of the property's column.
func (p Property) Column() string {
	switch {
	case p.As != "":
		return p.As
	case p.Of != "":
		return p.Of + "_" + p.Property
	}
	return p.Property
}

// Targets returns what the output has files of, each as Of names it: where Of does not say, all that the job scores.
func (o Output) Targets(j *Job) []string {
	if o.Of != "" {
		return []string{o.Of}
	}
	var out []string
	nodes, relationships := j.scores()
	if nodes {
		out = append(out, OfNodes)
	}
	if relationships {
		out = append(out, OfRelationships)
	}
	return out
}

// Files returns the job's outputs with what each has files of, the dendrogram's as the last.
func (j *Job) Files() (out []Output) {
	for _, o := range j.Outputs {
		for _, of := range o.Targets(j) {
			o.Of = of
			out = append(out, o)
		}
	}
	if asked := j.Dendrogram; asked != nil && asked.File != "" {
		out = append(out, Output{File: asked.File, Of: OfDendrogram})
	}
	return out
}

// scores says what the job scores.
func (j *Job) scores() (nodes, relationships bool) {
	for _, m := range j.Measures {
		nodes, relationships = nodes || m.Nodes != "", relationships || m.Relationships != ""
	}
	return nodes, relationships
}

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// Path returns the file's name for a run.
func (o Output) Path(job, of, run string, started time.Time) string {
	return strings.NewReplacer("{job}", job, "{of}", of, "{run}", run, "{date}",
		started.UTC().Format(time.DateOnly)).Replace(o.File)
}
