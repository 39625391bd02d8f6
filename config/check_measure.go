package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/linchpin-graph/linchpin/internal/nearest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// checkMeasures checks the measures of a job against the table of kernels.
func (d *decoder) checkMeasures(job *Job, path string) {
	sampled, strategic, reduced, unknown := false, false, false, false
	for i := range job.Measures {
		m := &job.Measures[i]
		mpath := fmt.Sprintf("%s.measures[%d]", path, i)
		if m.Measure == "" || d.failed[mpath+".measure"] {
			continue
		}
		spec, ok := kernels.Lookup(m.Measure)
		if !ok {
			d.mistake(mpath+".measure", fmt.Sprintf("unknown measure %q", m.Measure), measureHint(m.Measure))
			unknown = true
			continue
		}
		d.checkOutputs(m, spec, mpath)
		d.defaultWeighted(m, spec, &job.Graph, mpath)
		d.checkOptions(m, spec, mpath)
		d.checkWeighted(m, spec, &job.Graph, mpath)
		d.checkPairs(m, spec, job, mpath)
		d.checkTop(m, job, mpath+".top")
		d.checkValue(m, spec, job, mpath+".value")
		d.checkDirections(spec, &job.Graph, mpath)
		d.checkStrategy(&job.Compute, m, spec, path+".compute.strategy")
		reduced = reduced || spec.Reducible
		sampled, strategic = sampled || spec.BySource, strategic || len(spec.Strategies) > 0
	}
	c, idle := &job.Compute, "%v has no effect: no measure of the job %s"
	if err := kernels.CheckReduce(c.Reduce); err != nil && !d.failed[path+".compute.reduce"] {
		d.mistake(path+".compute.reduce", err.Error(), "")
	} else if c.Reduce != kernels.ReduceAuto && !reduced && !unknown {
		d.mistake(path+".compute.reduce", fmt.Sprintf(idle, c.Reduce, "is computed on a reduced graph"), "remove it")
	}
	if c.Reuse && !unknown {
		d.checkReuse(job, path+".compute.reuse")
	}
	if !unknown {
		d.checkSample(job, path+".compute.sample", sampled)
	}
	if c.Adaptive > 0 && !unknown {
		d.checkAdaptive(job, path)
	}
	if c.Strategy != "auto" && !strategic && !unknown {
		d.mistake(path+".compute.strategy", fmt.Sprintf(idle, c.Strategy, "has strategies"), "remove it")
	}
	if c.Precision != kernels.DefaultPrecision && !strategic && !unknown {
		d.mistake(path+".compute.precision", fmt.Sprintf(idle, c.Precision, "is computed on a GPU"), "remove it")
	}
	d.checkDevices(c, path+".compute")
	if strategic {
		d.checkCPU(c, path+".compute")
	}
}

// checkReuse finds a job in which nothing can be reused.
func (d *decoder) checkReuse(job *Job, path string) {
	reusable := func(m Measure) bool {
		spec, ok := kernels.Lookup(m.Measure)
		sums := spec.Kind == kernels.Dependencies || spec.Kind == kernels.FoldedDistances
		return ok && sums && m.Top == nil && m.Sources == nil && m.Targets == nil && m.Within == nil && m.Demand == nil
	}
	c := &job.Compute
	switch {
	case !slices.ContainsFunc(job.Measures, reusable):
		d.mistake(path, "true has no effect: no measure of the job is betweenness or of the closeness family, of all pairs",
			"remove it")
	case c.Sample.Sources > 0 || c.Sample.Bounded() || c.Adaptive > 0:
		d.mistake(path, "true has no effect on a sample", "remove it, or remove sample and adaptive")
	}
}

// isDirected reports whether any edge of the graph has a direction.
func isDirected(g *Graph) bool {
	return g.RelationshipQuery != "" && g.Orientation != "undirected" ||
		slices.ContainsFunc(g.Relationships, func(r Relationship) bool { return r.Orientation != "undirected" })
}

// checkCPU finds settings of the GPU in a job that never asks for one.
func (d *decoder) checkCPU(c *Compute, path string) {
	if c.Device != "cpu" {
		return
	}
	const hint = "remove it, or remove device: cpu"
	if c.Precision != kernels.DefaultPrecision {
		problem := fmt.Sprintf("%s has no effect: the CPU computes in %s precision", c.Precision, kernels.Double)
		d.mistake(path+".precision", problem, hint)
	}
	if c.Strategy != "auto" && !d.failed[path+".strategy"] {
		d.mistake(path+".strategy", fmt.Sprintf("%s has no effect: the CPU has no choice of strategies", c.Strategy), hint)
	}
}

func (d *decoder) checkOutputs(m *Measure, spec kernels.Measure, path string) {
	nodes, relationships := path+".nodes", path+".relationships"
	for _, one := range m.split() {
		d.checkScoreName(one.Nodes, nodes)
		d.checkScoreName(one.Relationships, relationships)
	}
	switch {
	case m.Nodes != "" && spec.Node == "":
		d.mistake(nodes, fmt.Sprintf("%s has no scores for nodes", spec.Name), "use relationships")
	case m.Relationships != "" && spec.Edge == "":
		d.mistake(relationships, fmt.Sprintf("%s has no scores for relationships", spec.Name), "use nodes")
	case m.Nodes == "" && m.Relationships == "" && !d.failed[nodes] && !d.failed[relationships]:
		d.mistake(path, "neither nodes nor relationships names a property for the scores", "such as nodes: "+spec.Name)
	}
}

// longestName is the most bytes of a property for scores; Neo4j indexes no text of over 8,000, and linchpin keeps an
// index of the properties that jobs own.
const longestName = 1000

// checkScoreName finds names that the server would refuse in the middle of a write, or that no one could read.
func (d *decoder) checkScoreName(name, path string) {
	switch {
	case name == "":
	case strings.TrimSpace(name) == "":
		d.mistake(path, fmt.Sprintf("%q is no name for a property", name), "")
	case strings.ContainsFunc(name, unicode.IsControl):
		d.mistake(path, shorten(name, 60)+" holds a control character", "leave it out")
	case len(name) > longestName:
		d.mistake(path, fmt.Sprintf("%s has %d bytes", shorten(name, 60), len(name)), fmt.Sprintf("at most %d", longestName))
	}
}

// checkOwnWeights finds scores that would overwrite the weights which the job reads.
func (d *decoder) checkOwnWeights(job *Job, path string, names func(mode, score string) []string) {
	overwrites := func(m Measure, weight string) bool {
		return m.Relationships != "" && weight != "" && slices.Contains(names(job.Write.Mode, m.Relationships), weight)
	}
	for i := range job.Measures {
		for k, r := range job.Graph.Relationships {
			if slices.ContainsFunc(job.Measures[i].split(), func(m Measure) bool { return overwrites(m, r.Weight.Property) }) {
				d.mistake(fmt.Sprintf("%s.measures[%d].relationships", path, i),
					fmt.Sprintf("the scores would overwrite %q, the weights of %s.graph.relationships[%d]", r.Weight.Property, path,
						k), "choose another property")
				break
			}
		}
	}
}

// checkOptions finds options that the measure does not have, and values that they cannot take.
func (d *decoder) checkOptions(m *Measure, spec kernels.Measure, path string) {
	if e := spec.CheckOptions(m.Params); e != nil && !d.failed[path+"."+e.Option] {
		d.mistake(path+"."+e.Option, e.Problem, optionHint(e))
		return
	}
	if m.Tolerance != 0 && !m.Weighted && !d.failed[path+".tolerance"] {
		d.mistake(path+".tolerance", fmt.Sprintf("%v has no effect: hops are counted exactly", m.Tolerance),
			"write weighted: true, and name a weight")
	}
}

// checkTop finds what does not go with the highest scores alone.
func (d *decoder) checkTop(m *Measure, job *Job, path string) {
	c := &job.Compute
	switch {
	case m.Top == nil || d.failed[path]:
	case m.Relationships != "":
		d.mistake(path, fmt.Sprintf("%d is of nodes, and relationships asks for other scores", *m.Top),
			"list the measure twice: with nodes and top, and with relationships")
	case m.Sources != nil || m.Targets != nil || m.Within != nil || m.Demand != nil:
		d.mistake(path, fmt.Sprintf("%d counts all pairs of nodes", *m.Top),
			"remove top, or sources, targets, within and demand")
	case c.Sample != Sample{}:
		d.mistake(path, fmt.Sprintf("%d is exact and does not go with compute.sample", *m.Top), "remove one of them")
	case m.Weighted && strings.HasPrefix(c.Device, "gpu"):
		d.mistake(path, "top by weights is computed on the CPU", "remove device: "+c.Device)
	}
}

func optionHint(e *kernels.OptionError) string {
	switch {
	case e.Value != "" && len(e.Allowed) > 0:
		return nearest.DidYouMean(e.Value, e.Allowed)
	case e.Value != "":
		return "remove it"
	case len(e.Allowed) == 0:
		return "it has none"
	}
	return "it has " + strings.Join(e.Allowed, ", ")
}

func (d *decoder) checkWeighted(m *Measure, spec kernels.Measure, g *Graph, path string) {
	_, given := d.at[path+".weighted"]
	switch {
	case given && !m.Weighted && spec.Weights == kernels.RequiredWeights && !d.failed[path+".weighted"]:
		d.mistake(path+".weighted", fmt.Sprintf("false has no effect: %s always reads weights", spec.Name),
			"remove weighted, or use degree")
	case m.Weighted && spec.Weights == kernels.NoWeights: // checkOptions says so
	case (m.Weighted || spec.Weights == kernels.RequiredWeights) && len(g.Relationships) > 0 && !g.hasWeights():
		key := path + ".weighted"
		if !m.Weighted {
			key = path + ".measure"
		}
		d.mistake(key, fmt.Sprintf("%s needs weights, and no relationship of the job has any", spec.Name),
			"add weight: and the name of a property to a relationship")
	}
}

// checkDirections finds measures that have no meaning on the directed graph of the job.
func (d *decoder) checkDirections(spec kernels.Measure, g *Graph, path string) {
	if isDirected(g) && spec.Kind.Undirected() {
		d.mistake(path+".measure", spec.Name+" has no meaning on a directed graph",
			"write orientation: undirected for all of the graph's relationships")
	}
}

// checkStrategy finds a strategy that a measure does not have. A measure that has none at all ignores it, so that it
// can share a job with one that does.
func (d *decoder) checkStrategy(c *Compute, m *Measure, spec kernels.Measure, path string) {
	strategies, name := spec.StrategiesFor(m.Weighted), spec.Name
	if m.Weighted {
		name += " by weights"
	}
	if c.Strategy != "auto" && len(strategies) > 0 && !slices.Contains(strategies, c.Strategy) && !d.failed[path] {
		d.mistake(path, fmt.Sprintf("%q is no strategy of %s", c.Strategy, name),
			nearest.DidYouMean(c.Strategy, append([]string{"auto"}, strategies...)))
	}
}

// checkAdaptive finds measures that an adaptive sample does not go with.
func (d *decoder) checkAdaptive(job *Job, path string) {
	any := false
	for i, m := range job.Measures {
		spec, _ := kernels.Lookup(m.Measure)
		if spec.Kind != kernels.Dependencies {
			continue
		}
		any = true
		if m.Endpoints {
			d.mistake(fmt.Sprintf("%s.measures[%d].endpoints", path, i), "true does not go with compute.adaptive",
				"remove one of them")
		}
	}
	if !any {
		d.mistake(path+".compute.adaptive",
			fmt.Sprintf("%v has no effect: no measure of the job has adaptive samples", job.Compute.Adaptive), "remove it")
	}
}
