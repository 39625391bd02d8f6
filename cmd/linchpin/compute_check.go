package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/policy"
	"github.com/linchpin-graph/linchpin/internal/nearest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// check finds what the flags cannot mean, before any file is opened.
func (o *computeOptions) check() (kernels.Measure, error) {
	if o.measure == "" {
		return kernels.Measure{}, withHint(usagef("--measure is missing"), "one of "+strings.Join(measureNames(), ", "))
	}
	spec, ok := kernels.Lookup(o.measure)
	if !ok {
		return spec, withHint(usagef("--measure %s: unknown measure", o.measure),
			nearest.DidYouMean(o.measure, measureNames()))
	}
	for _, check := range []func(kernels.Measure) error{o.checkWords, o.checkDevice, o.checkChains, o.checkOptions,
		o.checkZeroWeights, o.checkWeightAs, o.checkApproximation, o.checkAdaptive, o.checkSampling,
		o.checkPairs, o.checkOutputs} {
		if err := check(spec); err != nil {
			return spec, err
		}
	}
	// The measure has the last word: it may refuse what the checks above do not know of.
	if err := spec.Check(o.request(spec)); err != nil {
		return spec, asUsage(err)
	}
	return spec, nil
}

// request is what the flags ask for, without the sources, which need the graph.
func (o *computeOptions) request(spec kernels.Measure) kernels.Request {
	r := kernels.Request{
		Params: o.Params, Nodes: o.nodesOut != "" || o.nodes, Edges: o.edgesOut != "" || o.edges, Threads: o.threads,
		Reduce: o.reduce, Seed: o.seed,
	}
	if o.pairs.asked() {
		r.Pairs = &kernels.Pairs{Within: o.pairs.longest()}
	}
	if o.adapts() {
		r.Nodes, r.Reduce = true, kernels.ReduceOff
		return r
	}
	if !r.Nodes && !r.Edges { // a look, or a measurement
		r.Nodes = spec.Node != ""
		r.Edges = spec.Edge != "" && (o.look || !r.Nodes) && o.Top == nil
	}
	return r
}

// mostShards is more than any machine has a use for.
const mostShards = 10_000

// deviceWords says what --device takes.
const deviceWords = "auto, cpu, gpu, GPUs by their numbers, such as gpu:0 or gpu:0,2, or gpu:all"

// The words that flags take, the default first.
func parallels() []string   { return []string{"keep", "min", "max", "sum", "count"} }
func reduceModes() []string { return []string{kernels.ReduceAuto, kernels.ReduceOn, kernels.ReduceOff} }

// strategies are the words that --strategy takes.
func (o *computeOptions) strategies(spec kernels.Measure) []string {
	return append([]string{"auto"}, spec.StrategiesFor(o.Weighted)...)
}

// checkWords checks the flags that take one of a few words.
func (o *computeOptions) checkWords(spec kernels.Measure) error {
	if o.header && o.noHeader {
		return usagef("--header and --no-header exclude one another")
	}
	for _, f := range []struct {
		flag, value string
		words       []string
	}{
		{"parallel", o.parallel, parallels()},
		{"precision", o.precision, kernels.Precisions()},
		{"strategy", o.strategy, o.strategies(spec)},
	} {
		if slices.Contains(f.words, f.value) {
			continue
		}
		hint := nearest.DidYouMean(f.value, f.words)
		if f.flag == "strategy" {
			return withHint(usagef("--%s %s: %s has no such %s", f.flag, f.value, spec.Name, f.flag), hint)
		}
		return withHint(usagef("--%s %s is not known", f.flag, f.value), hint)
	}
	if err := checkDeviceFlag(o.device); err != nil {
		return err
	}
	switch p, err := o.where(); {
	case err != nil:
		return withHint(usagef("--devices %s: %v", o.devices, err), "all, or numbers such as 0,2")
	case isShared(p) && (o.approximates() || o.adapts()):
		return usagef("%s on several GPUs has no effect: samples with a bound and adaptive ones are not shared", p)
	case o.shards < 0:
		return usagef("--shards %d: 0 leaves the number to the plan", o.shards)
	case o.shards > mostShards:
		return usagef("--shards %d: at most %d", o.shards, mostShards)
	case o.given["shards"] && (o.approximates() || o.adapts()):
		return usagef("--shards has no effect: samples with a bound and adaptive ones are not cut")
	}
	if o.threads < 0 {
		return usagef("--threads %d: 0 stands for all", o.threads)
	}
	return nil
}

// checkDeviceFlag checks --device.
func checkDeviceFlag(device string) error {
	if _, err := policy.Parse(device); err != nil {
		return withHint(usagef("--device %s is not known", device), deviceWords)
	}
	return nil
}

// isShared reports whether several GPUs are to share a run.
func isShared(p engine.Policy) bool { return p.Places(2) > 1 }

// where is where to compute.
func (o *computeOptions) where() (engine.Policy, error) { return engine.Policy(o.device).On(o.devices) }

// checkDevice finds flags that have no effect where the scores are computed.
func (o *computeOptions) checkDevice(spec kernels.Measure) error {
	const hint = "leave it out, or leave out --device cpu"
	switch {
	case o.precision != kernels.DefaultPrecision && len(spec.Strategies) == 0:
		return usagef("--precision %s has no effect: %s is computed on the CPU, in %s precision", o.precision, spec.Name,
			kernels.Double)
	case engine.Policy(o.device) != engine.CPU:
		return nil
	case o.precision != kernels.DefaultPrecision:
		return withHint(usagef("--precision %s has no effect: the CPU computes in %s precision", o.precision, kernels.Double),
			hint)
	case o.strategy != "auto":
		return withHint(usagef("--strategy %s has no effect: the CPU has no choice of strategies", o.strategy), hint)
	}
	return nil
}

// checkChains finds flags that do not go with the strategy chains.
func (o *computeOptions) checkChains(kernels.Measure) error {
	switch {
	case o.strategy != kernels.Chains:
		return nil
	case o.directed:
		return usagef("--strategy %s does not go with --directed: only undirected graphs are reduced", o.strategy)
	case o.pairs.asked():
		return usagef("--strategy %s does not go with --targets, --within and --demand: it searches for all pairs",
			o.strategy)
	case o.sources != "all":
		return usagef("--strategy %s does not go with --sources: it searches for all nodes", o.strategy)
	case o.reduce == kernels.ReduceOff:
		return usagef("--strategy %s does not go with --reduce off", o.strategy)
	}
	return nil
}

// checkOptions finds flags that the measure does not have.
func (o *computeOptions) checkOptions(spec kernels.Measure) error {
	if e := spec.CheckOptions(o.Params); e != nil && e.Option == "top" && spec.Name == approximable {
		return withHint(usagef("--top: %s", e.Problem),
			"--sample-top K draws a sample until the K best are told from the others")
	} else if e != nil {
		return withHint(usagef("--%s: %s", e.Option, e.Problem), optionHint(spec, e))
	}
	if err := kernels.CheckReduce(o.reduce); err != nil {
		return usagef("--reduce %v", err)
	}
	switch {
	case o.directed && spec.Kind.Undirected():
		return withHint(usagef("--measure %s has no meaning on a directed graph", spec.Name), "leave out --directed")
	case o.given["reduce"] && !spec.Reducible:
		return usagef("--reduce has no effect: %s is not reduced", spec.Name)
	case o.given["reduce"] && o.directed:
		return usagef("--reduce has no effect: only undirected graphs are reduced")
	case o.Tolerance != 0 && !o.Weighted:
		return withHint(usagef("--tolerance has no effect: hops are counted exactly"), "add --weighted")
	}
	return nil
}

// What weights are, by --weight-as.
const (
	asLength   = "length"
	asStrength = "strength"
)

// checkWeightAs checks what weights are.
func (o *computeOptions) checkWeightAs(spec kernels.Measure) error {
	switch {
	case o.weightAs != asLength && o.weightAs != asStrength:
		return withHint(usagef("--weight-as %s is not known", o.weightAs), "length or strength")
	case o.weightAs == asLength:
		return nil
	case spec.Kind.Strengths() || spec.Kind == kernels.Degrees:
		return withHint(usagef("--weight-as strength has no effect: %s makes no paths of weights", spec.Name), "remove it")
	case !o.Weighted:
		return withHint(usagef("--weight-as has no effect: hops are counted"), "add --weighted")
	case o.policy.Zero == "epsilon":
		return withHint(usagef("--zero-weights %s makes a connection of a strength of 0, which is none", o.zeroWeights),
			"skip or refuse")
	}
	return nil
}

// checkZeroWeights sets the policy of weights.
func (o *computeOptions) checkZeroWeights(spec kernels.Measure) error {
	if o.given["zero-weights"] && !o.Weighted && spec.Weights != kernels.RequiredWeights {
		return withHint(usagef("--zero-weights has no effect: hops are counted"), "add --weighted")
	}
	switch o.zeroWeights {
	case "refuse", "skip":
		o.policy.Zero = o.zeroWeights
		return nil
	}
	weight, err := strconv.ParseFloat(o.zeroWeights, 64)
	if err != nil || !(weight > 0) || math.IsInf(weight, 0) {
		return withHint(usagef("--zero-weights %s is not known", o.zeroWeights),
			"refuse, skip, or a weight greater than 0, such as 1e-6")
	}
	o.policy.Zero, o.policy.Epsilon = "epsilon", weight
	return nil
}

// optionHint says what could stand in place of an option.
func optionHint(spec kernels.Measure, e *kernels.OptionError) string {
	switch {
	case e.Value != "":
		return nearest.DidYouMean(e.Value, e.Allowed)
	case len(e.Allowed) == 0:
		return spec.Name + " has none"
	}
	return fmt.Sprintf("%s has --%s", spec.Name, strings.Join(e.Allowed, ", --"))
}

func (o *computeOptions) checkSampling(spec kernels.Measure) error {
	if o.sources == "all" {
		if o.given["seed"] && !o.approximates() && !o.adapts() && !spec.Kind.Seeded() {
			return withHint(usagef("--seed has no effect: all nodes are sources"), "--sources N draws N of them")
		}
		return nil
	}
	choice, err := parseSources(o.sources)
	switch {
	case err != nil:
		return err
	case !spec.Kind.FromSources() && !spec.Kind.Restarts():
		return usagef("--sources %s: %s does not search from sources", o.sources, spec.Name)
	case choice.count > 0 && spec.Kind.Restarts():
		return withHint(usagef("--sources %s: %s starts again from named nodes, not from drawn ones", o.sources, spec.Name),
			"A:B and @FILE name them")
	case choice.count > 0 && !spec.BySource:
		return withHint(usagef("--sources %s: %s is no sum over sources, so a drawn sample tells nothing",
			o.sources, spec.Name),
			"A:B and @FILE give the scores with respect to those sources")
	case choice.count == 0 && o.given["seed"]:
		return usagef("--seed has no effect with --sources %s", o.sources)
	case choice.file != "":
		switch info, err := os.Stat(choice.file); { // to open a pipe would empty it
		case err != nil:
			return usagef("--sources %s: %s", o.sources, plainReason(err))
		case info.IsDir():
			return usagef("--sources %s is a folder", o.sources)
		}
	}
	return nil
}

// checkOutputs finds outputs that the measure does not have, or in a format that is not written.
func (o *computeOptions) checkOutputs(spec kernels.Measure) error {
	switch {
	case o.nodesOut != "" && spec.Node == "":
		return usagef("--nodes-out: %s has no scores for nodes", spec.Name)
	case o.edgesOut != "" && spec.Edge == "":
		return usagef("--edges-out: %s has no scores for edges", spec.Name)
	case spec.Kind != kernels.Communities && o.dendrogramOut != "":
		return usagef("--dendrogram-out: %s has no dendrogram", spec.Name)
	case spec.Kind != kernels.Communities && o.journal != "":
		return usagef("--journal: %s makes no cuts", spec.Name)
	case o.dendrogramOut != "" && !strings.HasSuffix(o.dendrogramOut, ".json"):
		return withHint(usagef("--dendrogram-out %s: the extension names no format of dendrograms", o.dendrogramOut),
			"use .json")
	case o.backboneOut != "" && o.edgesOut != "" && filepath.Clean(o.backboneOut) == filepath.Clean(o.edgesOut):
		return usagef("--edges-out and --backbone-out are both %s", o.edgesOut)
	case o.nodesOut != "" && o.edgesOut != "" && filepath.Clean(o.nodesOut) == filepath.Clean(o.edgesOut):
		return usagef("--nodes-out and --edges-out are both %s", o.nodesOut)
	}
	if err := o.checkDrawn(spec); err != nil {
		return err
	}
	for flag, path := range map[string]string{"nodes-out": o.nodesOut, "edges-out": o.edgesOut} {
		if path == "" {
			if o.given[flag] {
				return usagef("--%s names no file", flag)
			}
			continue
		}
		if _, err := file.SinkFormatOf(path); err != nil {
			return withHint(usagef("--%s %s: the extension names no format of scores", flag, path), hintOf(err))
		}
	}
	return nil
}

// checkDrawn finds outputs of groups or of a backbone that the measure does not have, or in a format that is not
// written.
func (o *computeOptions) checkDrawn(spec kernels.Measure) error {
	switch {
	case !spec.Kind.Groups() && o.hierarchyOut != "":
		return withHint(usagef("--hierarchy-out: %s finds no groups", spec.Name), "use --measure communities or leiden")
	case o.hierarchyOut != "" && !strings.HasSuffix(o.hierarchyOut, ".json"):
		return withHint(usagef("--hierarchy-out %s: the extension names no format of hierarchies", o.hierarchyOut),
			"use .json")
	case spec.Kind != kernels.Backbones && o.backboneOut != "":
		return withHint(usagef("--backbone-out: %s keeps all edges", spec.Name), "use --measure backbone")
	case o.backboneOut != "" && !strings.HasSuffix(o.backboneOut, ".csv"):
		return withHint(usagef("--backbone-out %s: the extension names no format of edges", o.backboneOut), "use .csv")
	case spec.Kind != kernels.Backbones && !spec.Kind.Groups() && o.pictureOut != "":
		return withHint(usagef("--picture-out: %s has neither a backbone nor groups to draw", spec.Name),
			"use --measure backbone or leiden")
	case o.pictureOut != "" && !slices.Contains([]string{".svg", ".png"}, filepath.Ext(o.pictureOut)):
		return withHint(usagef("--picture-out %s: the extension names no format of pictures", o.pictureOut),
			"use .svg or .png")
	}
	return nil
}

// checkOverwrites finds an output that would replace a file which is read: a graph, a list of sources or targets, or a
// demand.
func (o *computeOptions) checkOverwrites(flag, path string, graphs []string) error {
	target, err := os.Stat(path)
	if err != nil || !target.Mode().IsRegular() {
		return nil
	}
	graphs = slices.Clone(graphs)
	for _, text := range []string{o.sources, o.pairs.targets, "@" + o.pairs.demand} {
		if list, ok := strings.CutPrefix(text, "@"); ok {
			graphs = append(graphs, list)
		}
	}
	for _, read := range graphs {
		if info, err := os.Stat(read); err == nil && os.SameFile(info, target) {
			return withHint(usagef("--%s %s would overwrite %s, which is read", flag, path, read), "choose another file")
		}
	}
	return nil
}
