package communities

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Run is a request for communities.
type Run struct {
	graph   *export.Graph
	request kernels.Request
	options Options
	cuts    *Cuts // nil before Cut
	resumed int   // cuts that were in the journal
}

// mostSeconds is the longest predicted time of a run that has no limit: a day.
const mostSeconds = 24 * 60 * 60

// NewRun prepares a request, with a device or without. It refuses one that is predicted to take longer than a day and
// has no limit of time.
func NewRun(g *export.Graph, r kernels.Request, threads int, d Device) (*Run, error) {
	o := optionsOf(r)
	o.Threads, o.Bytes, o.Device = threads, freeBytes(), d
	speed := float64(threads)
	if d != nil {
		speed = math.Max(speed, DeviceThreads)
	}
	if work := Estimate(g, r.Weighted, o.Bytes, r.Batch); r.Limit == 0 && work.Seconds > speed*mostSeconds {
		return nil, fmt.Errorf("communities: predicted to take %.1f days: a biconnected block has %d nodes; "+
			"set limit to a number of seconds, and take the groups found by then", work.Seconds/speed/mostSeconds, work.Block)
	}
	return &Run{graph: g, request: r, options: o}, nil
}

func optionsOf(r kernels.Request) Options {
	o := Options{Weighted: r.Weighted, Tolerance: r.Tolerance, Batch: r.Batch,
		Limit: time.Duration(r.Limit * float64(time.Second))}
	if r.Groups != nil {
		o.Groups = *r.Groups
	}
	return o
}

// freeBytes is the memory for rows: half of what is free.
func freeBytes() int64 {
	if free, err := hostmem.Available(); err == nil {
		return free / 2
	}
	return 1 << 30
}

// Cut cuts edges, and writes the number of each node's group.
func (r *Run) Cut(ctx context.Context, groups []float64) (err error) {
	o, made := r.options, func(Cut) error { return nil }
	if r.request.Journal != "" {
		journal, done, err := OpenJournal(r.request.Journal, r.journalOf())
		if err != nil {
			return err
		}
		defer journal.Close() // a cut that is lost is made again
		o.Done, made = done, journal.Made
	}
	count := len(o.Done)
	o.Made = func(cut Cut) error {
		if count++; r.request.Progress != nil {
			r.request.Progress(count, r.graph.M())
		}
		return made(cut)
	}
	if r.cuts, err = Find(ctx, r.graph, o); err != nil {
		return err
	}
	r.resumed = min(len(o.Done), len(r.cuts.All))
	all, _ := r.Grouping(nil)
	for v, group := range all.Of {
		groups[v] = float64(group)
	}
	return nil
}

// journalOf is what a journal of the request is of.
func (r *Run) journalOf() string {
	return fmt.Sprint(r.request.JournalOf, " weighted ", r.options.Weighted, " tolerance ", r.options.Tolerance, " batch ",
		r.options.Batch)
}

// NewJournaled prepares a request whose cuts another process makes, and leaves in the journal.
func NewJournaled(g *export.Graph, r kernels.Request) (*Run, error) {
	run := &Run{graph: g, request: r, options: optionsOf(r)}
	made, err := run.made()
	run.resumed = len(made)
	return run, err
}

// made returns the cuts in the journal.
func (r *Run) made() ([]Cut, error) {
	journal, done, err := OpenJournal(r.request.Journal, r.journalOf())
	if err != nil {
		return nil, err
	}
	return done, journal.Close()
}

// Read takes the cuts in the journal as those of this run.
func (r *Run) Read(ctx context.Context) (err error) {
	o := r.options
	if o.Done, err = r.made(); err != nil {
		return err
	}
	if r.cuts, err = madeBefore(ctx, r.graph, o); err == nil {
		r.resumed = min(r.resumed, len(r.cuts.All))
	}
	return err
}

// Grouping returns the groups that were asked for, or those of the greatest modularity, and how equal path lengths were
// told. Without cuts of this run it takes the given groups, and knows no merges.
func (r *Run) Grouping(groups []float64) (all *kernels.Grouping, ties string) {
	if r.cuts == nil {
		return kernels.NewGrouping(r.graph, groups, false), ""
	}
	d := DendrogramOf(r.graph, r.cuts)
	count := d.Best()
	if r.options.Groups > 0 {
		count = min(r.options.Groups, d.Groups)
	}
	return &kernels.Grouping{
		Of: d.Members(count), Count: count, Components: d.Fewest(), Modularity: d.ModularityOf(count),
		Cuts: len(r.cuts.All), Limited: r.cuts.Limited, Resumed: r.resumed, Base: d.Base, Merges: d.Merges,
	}, r.cuts.Ties
}

// Bytes bounds the memory besides the graph and the rows, which take what is there.
func Bytes(g kernels.Size, weighted bool) int64 {
	bytes := 250*g.Nodes + 250*g.Edges
	if weighted {
		bytes += 48 * g.Edges
	}
	return bytes
}
