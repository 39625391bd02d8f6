package main

import (
	"cmp"
	"context"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/nearest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// pairOptions are the flags that say which pairs of nodes count, and how much.
type pairOptions struct {
	targets  string
	within   []float64
	several  bool // whether several ranges may be given
	demand   string
	demandOf string
}

// Whose masses a pair counts.
const (
	demandOfBoth    = "both"
	demandOfSources = "sources"
)

func (o *pairOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.targets, "targets", "all",
		"nodes that paths end in, `all|A:B|@FILE`, as in --sources: only pairs of a source and a target count")
	f.Float64SliceVar(&o.within, "within", nil,
		"count only pairs at most `X` apart, in hops, or in weights with --weighted")
	f.Lookup("within").DefValue = "" // help shows no default
	f.StringVar(&o.demand, "demand", "",
		"`FILE` that says how much pairs count: columns src, dst and a number for each pair, or id and a number for each node "+
			"(.csv, .csv.gz, .parquet or .arrow)")
	f.StringVar(&o.demandOf, "demand-of", demandOfBoth,
		"whose numbers of nodes a pair counts, `both|sources`: that of its source times that of its target, or that of its source")
}

// asked reports whether some flag is given, other than --sources.
func (o *pairOptions) asked() bool { return o.targets != "all" || len(o.within) > 0 || o.demand != "" }

// checkPairs finds flags that choose no pairs.
func (o *computeOptions) checkPairs(kernels.Measure) error {
	p := o.pairs
	switch {
	case p.demandOf != demandOfBoth && p.demandOf != demandOfSources:
		return withHint(usagef("--demand-of %s is not known", p.demandOf),
			nearest.DidYouMean(p.demandOf, []string{demandOfBoth, demandOfSources}))
	case o.given["demand-of"] && p.demand == "":
		return withHint(usagef("--demand-of has no effect"), "add --demand FILE")
	case o.given["demand"] && p.demand == "":
		return usagef("--demand names no file")
	case p.asked() && (o.approximates() || o.adapts()):
		return usagef(
			"--targets, --within and --demand do not go with --error, --sample-top and --adaptive, which count all pairs",
		)
	}
	if p.demand != "" {
		if _, err := os.Stat(p.demand); err != nil {
			return usagef("--demand %s: %s", p.demand, plainReason(err))
		}
	}
	return cmp.Or(o.checkRanges(), o.checkTargets())
}

func (o *computeOptions) checkTargets() error {
	if o.pairs.targets == "all" {
		return nil
	}
	choice, err := parseNodes("targets", o.pairs.targets)
	switch {
	case err != nil:
		return err
	case choice.count > 0:
		return withHint(usagef("--targets %s: targets are not drawn", o.pairs.targets),
			"A:B and @FILE name them; --sources N draws sources")
	case choice.file != "":
		if _, err := os.Stat(choice.file); err != nil {
			return usagef("--targets %s: %s", o.pairs.targets, plainReason(err))
		}
	}
	return nil
}

// resolvePairs finds the pairs in the graph. It changes the sources of a request if a file lists pairs.
func (o *computeOptions) resolvePairs(ctx context.Context, s *export.Snapshot, r *kernels.Request) error {
	if !o.pairs.asked() {
		return nil
	}
	r.Pairs = &kernels.Pairs{Within: o.pairs.longest()}
	if o.pairs.targets != "all" {
		choice, err := parseNodes("targets", o.pairs.targets)
		if err != nil {
			return err
		}
		if r.Pairs.Targets, err = choice.find("targets", o.pairs.targets, s); err != nil {
			return err
		}
	}
	if o.pairs.demand == "" {
		return nil
	}
	d := demandFile{path: o.pairs.demand, nodes: s.Nodes, index: indexOf(s.Nodes)}
	if err := d.read(ctx); err != nil {
		return err
	}
	return o.setDemand(&d, r)
}

// setDemand makes a request count by the demand of a file.
func (o *computeOptions) setDemand(d *demandFile, r *kernels.Request) error {
	if d.rows.On == connector.OnNodes {
		masses, err := d.masses()
		r.Pairs.Demand = &kernels.Demand{Sources: masses}
		if o.pairs.demandOf == demandOfBoth {
			r.Pairs.Demand.Targets = masses
		}
		return err
	}
	for _, flag := range []string{"sources", "targets", "demand-of"} {
		if o.given[flag] {
			return usagef("--%s does not go with --demand %s, which lists pairs", flag, d.path)
		}
	}
	from, to, err := d.pairs()
	if err != nil {
		return err
	}
	r.Pairs.Demand = &kernels.Demand{}
	r.Pairs.Demand.Trips, r.Sources = kernels.NewTrips(d.nodes.Len(), from, to, d.rows.Values)
	return nil
}

// demandFile is a file of demand, next to the nodes of a graph.
type demandFile struct {
	path  string
	nodes export.IDs
	index idIndex
	rows  *connector.Scores
}

func (d *demandFile) read(ctx context.Context) (err error) {
	if d.rows, err = file.ReadScores(ctx, d.path, ""); err != nil {
		return withHint(asUsage(err), "--demand needs a header: src,dst,NAME for pairs, or id,NAME for nodes")
	}
	if d.rows.Empty > 0 {
		return withHint(usagef("%s: %s without a demand", d.path, counted(d.rows.Empty, "row")), "0 for none")
	}
	some := false
	for i, x := range d.rows.Values {
		if err := kernels.CheckDemand(x); err != nil {
			return usagef("%s: row %d: %v", d.path, i+1, err)
		}
		some = some || x > 0
	}
	if !some {
		return usagef("%s: all demand is 0: no pair is left", d.path)
	}
	return nil
}

// find finds a node by the id of a row.
func (d *demandFile) find(ids export.IDs, row int) (int32, error) {
	id := ids.String(row)
	v, ok := d.index.find(id)
	if !ok {
		return 0, usagef("%s: row %d: no node has the id %q", d.path, row+1, shorten(id, longestID))
	}
	return v, nil
}

// masses returns the demand of each node. Every node needs one.
func (d *demandFile) masses() ([]float64, error) {
	masses, seen := make([]float64, d.nodes.Len()), make([]bool, d.nodes.Len())
	for i, x := range d.rows.Values {
		v, err := d.find(d.rows.IDs, i)
		switch {
		case err != nil:
			return nil, err
		case seen[v]:
			return nil, usagef("%s: row %d: the node %q has a demand already", d.path, i+1,
				shorten(d.nodes.String(int(v)), longestID))
		}
		masses[v], seen[v] = x, true
	}
	if v := slices.Index(seen, false); v >= 0 {
		return nil, withHint(usagef("%s: the node %q has no demand", d.path, shorten(d.nodes.String(v), longestID)),
			"0 for a node that no pair begins or ends in")
	}
	return masses, nil
}

// pairs returns the ends of each pair.
func (d *demandFile) pairs() (from, to []int32, err error) {
	seen := map[[2]int32]bool{}
	for i := range d.rows.Values {
		s, err := d.find(d.rows.Source, i)
		if err != nil {
			return nil, nil, err
		}
		t, err := d.find(d.rows.Target, i)
		if err != nil {
			return nil, nil, err
		}
		if pair := [2]int32{s, t}; seen[pair] {
			return nil, nil, usagef("%s: row %d: the pair %s, %s is listed already", d.path, i+1, d.rows.Source.String(i),
				d.rows.Target.String(i))
		} else {
			seen[pair] = true
		}
		from, to = append(from, s), append(to, t)
	}
	return from, to, nil
}
