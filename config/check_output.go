package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/internal/nearest"
)

// checkFiles checks the outputs of a job.
func (d *decoder) checkFiles(job *Job, path string, checks Checks) {
	if job.Write.Mode == NoMode && len(job.Outputs) == 0 && !d.failed[path+".write.mode"] && !d.failed[path+".outputs"] {
		d.mistake(path+".write.mode", "none writes no scores to the database, and the job has no outputs",
			"add "+examples["outputs"])
	}
	for k := range job.Outputs {
		o, at := &job.Outputs[k], fmt.Sprintf("%s.outputs[%d]", path, k)
		d.checkFile(o, at+".file", checks)
		if o.File == "" || d.failed[at+".file"] || d.failed[at+".of"] {
			continue
		}
		if m := o.mistake(job); m.problem != "" {
			d.mistake(at+m.key, m.problem, m.hint)
		}
	}
}

func (d *decoder) checkFile(o *Output, path string, checks Checks) {
	if o.File == "" || d.failed[path] {
		return
	}
	if problem, hint := unknownPlaceholder(o.File); problem != "" {
		d.fail(path, problem, hint)
		return
	}
	if checks.Output == nil {
		return
	}
	if hint, err := checks.Output(o.File); err != nil {
		d.fail(path, err.Error(), hint)
	}
}

func unknownPlaceholder(file string) (problem, hint string) {
	known := []string{"{of}", "{job}", "{run}", "{date}"}
	for _, p := range placeholder.FindAllString(file, -1) {
		if !slices.Contains(known, p) {
			return p + " stands for nothing", nearest.DidYouMean(p, known)
		}
	}
	return "", ""
}

// Check returns what is wrong with the output of a job, and a hint; "" for nothing.
func (o Output) Check(job *Job) (problem, hint string) {
	if problem, hint := unknownPlaceholder(o.File); problem != "" {
		return problem, hint
	}
	m := o.mistake(job)
	return m.problem, m.hint
}

// outputMistake is a mistake in an output, at one of its keys.
type outputMistake struct{ key, problem, hint string }

// mistake returns the first mistake in what the output asks of the job.
func (o Output) mistake(job *Job) outputMistake {
	nodes, relationships := job.scores()
	switch {
	case o.Of == "" && nodes && relationships && !strings.Contains(o.File, "{of}"):
		return outputMistake{"", "the job scores nodes and relationships, and the output does not say which it takes",
			"say which by of: nodes or of: relationships (--of), or put {of} into the file's name for a file of each"}
	case o.Of == OfNodes && !nodes && relationships, o.Of == OfRelationships && !relationships && nodes:
		return outputMistake{".of", fmt.Sprintf("no measure of the job scores %s", o.Of),
			fmt.Sprintf("add %s: and a name to a measure", o.Of)}
	}
	for _, of := range o.Targets(job) {
		if m := o.columnMistake(job, of); m.problem != "" {
			return m
		}
	}
	return outputMistake{}
}

// columnMistake finds columns of the same name.
func (o Output) columnMistake(job *Job, of string) outputMistake {
	taken := map[string]string{}
	own := []string{"id", "labels"}
	if of == OfRelationships {
		own = []string{"source", "target", "type"}
	}
	for _, name := range own {
		taken[name] = "every output of " + of + " has"
	}
	for _, m := range job.Measures {
		score := m.Nodes
		if of == OfRelationships {
			score = m.Relationships
		}
		if by := taken[score]; score != "" && by != "" && by != "a measure has" { // which is another mistake
			return outputMistake{"", fmt.Sprintf("the score %q has the name of a column that %s", score, by),
				"give the score another name"}
		}
		taken[score] = "a measure has"
	}
	for i, p := range o.Properties {
		if p.Of != "" && of != OfRelationships {
			return outputMistake{fmt.Sprintf(".properties[%d].of", i), fmt.Sprintf("a node has no %s", p.Of),
				"only relationships have ends: add of: relationships to the output"}
		}
		if by := taken[p.Column()]; by != "" && p.Property != "" {
			return outputMistake{fmt.Sprintf(".properties[%d]", i), fmt.Sprintf("the column %q is one that %s", p.Column(), by),
				fmt.Sprintf("name it otherwise: {property: %s, as: %s_%s}", p.Property, strings.TrimSuffix(of, "s"), p.Property)}
		}
		taken[p.Column()] = "another property has"
	}
	return outputMistake{}
}

// checkSameFile finds outputs that would replace one another.
func (d *decoder) checkSameFile(c *Config) {
	taken := map[string]string{}
	for i := range c.Jobs {
		job := &c.Jobs[i]
		for k, o := range job.Outputs {
			path := fmt.Sprintf("jobs[%d].outputs[%d].file", i, k)
			for _, of := range o.Targets(job) {
				file := filepath.Clean(o.Path(job.Name, of, "{run}", time.Time{}))
				if earlier := taken[file]; earlier == path {
					break // that the output has to say whose scores it takes is another mistake
				}
				if o.File != "" {
					d.checkUnique(taken, file, path, "the file %q is written by %s", "choose another file")
				}
			}
		}
		if asked := job.Dendrogram; asked != nil && asked.File != "" {
			file := filepath.Clean(Output{File: asked.File}.Path(job.Name, OfDendrogram, "{run}", time.Time{}))
			d.checkUnique(taken, file, fmt.Sprintf("jobs[%d].dendrogram.file", i), "the file %q is written by %s",
				"choose another file")
		}
	}
}
