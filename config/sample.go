package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/linchpin-graph/linchpin/kernels"
)

// Sample says how scores are estimated: from a number of sources, or until they are known well enough.
type Sample struct {
	// Sources is the number of source nodes to draw; the value is then the number alone. 0 for exact scores.
	Sources int `yaml:"-"`
	// Error is the greatest error of any score of betweenness, as a share of all pairs of nodes, such as 0.01.
	Error float64 `yaml:"error" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1"`
	// Top is how many of the best nodes and relationships by betweenness are to be told from all others.
	Top int `yaml:"top" jsonschema:"minimum=1"`
	// Seconds is about how long betweenness is sampled; the bound is what it then is.
	Seconds float64 `yaml:"seconds" jsonschema:"exclusiveMinimum=0"`
	// Confidence is the probability with which the bound on the error of all scores holds; 0.9 where none is given.
	Confidence float64 `yaml:"confidence" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1"`
}

// Bounded reports whether the sample is drawn until scores are known well enough.
func (s Sample) Bounded() bool { return s.Error > 0 || s.Top > 0 || s.Seconds > 0 }

// sample reads a number of sources, or keys.
func (d *decoder) sample(n ast.Node, v reflect.Value, path string) {
	const hint = "write a number of nodes, {error: 0.01, confidence: 0.9}, {top: 10} or {seconds: 60}"
	s, _ := v.Addr().Interface().(*Sample)
	if number, ok := integerOf(n); ok {
		zero := 0.0
		s.Sources = int(number)
		d.checkRules(reflect.ValueOf(s.Sources), rules{minimum: &zero}, path)
		return
	}
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
	default:
		d.fail(path, "expected a number or keys, found "+found(n), hint)
		return
	}
	d.mapping(n, v, path)
	for key := range d.failed {
		if strings.HasPrefix(key, path+".") {
			return
		}
	}
	switch {
	case s.Error > 0 && s.Top > 0:
		d.fail(path, "error and top cannot be used together", "remove one of them")
	case s.Seconds > 0 && (s.Error > 0 || s.Top > 0):
		d.fail(path, "seconds cannot be used together with error or top", "remove one of them")
	case !s.Bounded():
		d.fail(path, "error, top or seconds is missing", hint)
	case s.Confidence == 0:
		s.Confidence = kernels.DefaultConfidence
	}
}

// valueOfBound is Measure.Value of a property that takes bounds.
const valueOfBound = "bound"

// TakesBound reports whether the properties of the measure take the bounds of scores.
func (m *Measure) TakesBound() bool { return m.Value == valueOfBound }

// checkValue finds bounds that no sample gives.
func (d *decoder) checkValue(m *Measure, spec kernels.Measure, job *Job, path string) {
	c := &job.Compute
	switch {
	case !m.TakesBound() || d.failed[path]:
	case spec.Kind == kernels.FoldedDistances && spec.BySource:
		d.checkInterval(m, job, path)
	case spec.Kind != kernels.Dependencies:
		d.mistake(path, m.Measure+" has no sample with a bound", "remove it")
	case !c.Sample.Bounded():
		d.mistake(path, "the job draws no sample with a bound", "add compute: {sample: {error: 0.01}}")
	}
}

// checkInterval finds bounds that no sample of sources gives: closeness has some of undirected graphs, harmonic
// closeness of all.
func (d *decoder) checkInterval(m *Measure, job *Job, path string) {
	fold, _ := kernels.FoldOf(m.Measure)
	switch {
	case m.ChoosesPairs():
		d.mistake(path, "bounds are of all pairs of nodes", "remove it, or sources, targets, within and demand")
	case fold == kernels.FoldSum && isDirected(&job.Graph):
		d.mistake(path, m.Measure+" of a directed graph has no bound: no distance is known to be the longest",
			"use harmonic, or write orientation: undirected")
	case job.Compute.Sample.Sources == 0:
		d.mistake(path, "the job draws no sample", "add compute: {sample: 1000}")
	}
}

// checkSample finds a sample that no measure of the job has.
func (d *decoder) checkSample(job *Job, path string, bySource bool) {
	c := &job.Compute
	switch {
	case d.failed[path] || !c.Sample.Bounded() && (c.Sample.Sources == 0 || bySource):
	case !c.Sample.Bounded():
		d.mistake(path, fmt.Sprintf("%v has no effect: no measure of the job is a sum over source nodes", c.Sample.Sources),
			"remove it; the scores are exact")
	case c.Adaptive > 0:
		d.mistake(path, "a sample with a bound cannot be used together with compute.adaptive", "remove one of them")
	default:
		for _, m := range job.Measures {
			if spec, ok := kernels.Lookup(m.Measure); ok && spec.BySource && spec.Kind != kernels.Dependencies {
				hint := "write a number of source nodes, or move the measure to a job of its own"
				if c.Sample.Top > 0 && slices.Contains(spec.Options, "top") {
					hint = fmt.Sprintf("write top: %d next to measure: %s for its highest scores, which are exact",
						c.Sample.Top, m.Measure)
				}
				d.mistake(path, m.Measure+" has no sample with a bound", hint)
				return
			}
		}
		if !bySource {
			d.mistake(path, "has no effect: no measure of the job has a sample with a bound", "remove it; the scores are exact")
		}
	}
}
