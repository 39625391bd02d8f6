package plan

import (
	"cmp"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// replay is a record with its prediction, in seconds.
type replay struct {
	record
	predicted, elapsed float64
	// reduced reports that reductions came first.
	reduced bool
	// pruned reports that Candidates leaves the way out without a prediction.
	pruned bool
}

// machine is the one of the records.
func (r record) machine() Machine {
	threads := 16
	if r.Strategy == "cpu-1" {
		threads = 1
	}
	rates := H200()
	if strings.Contains(r.Device, "H100") {
		rates = rates.ScaledTo(gpu.Info{Bandwidth: 3.35e12})
	}
	return Machine{Rates: rates, Threads: threads, GPU: true, Warm: true}
}

// predict returns the prediction for what a record measured. ok is false where there is none.
func (r record) predict(g facts) (out replay, ok bool) {
	f := r.features(g)
	left := f.Guess()
	if g.Info != nil {
		left = ReductionsOf(*g.Info, 0)
		left.Seconds = H200().Planning(f, Reductions{}, GPU)
	}
	reduced := r.Strategy == "auto" && f.mayReduce(GPU) && wasReduced(f, left)
	if r.Taken == Levels || r.Taken == Deep {
		reduced = strings.Contains(r.Reason, "on what trees and blocks leave")
	}
	proposed := Candidates(f, left, r.machine())
	pruned := !slices.ContainsFunc(proposed, func(c Candidate) bool { return c.Engine == r.way() })
	if l := (&list{f: f, left: left, m: r.machine()}); pruned && f.ByHops() {
		l.byHops()
		l.oneByOne()
		proposed = l.out
	}
	for _, c := range proposed {
		if c.Engine != r.way() || (c.Device == CPU) != (r.Taken == "cpu") {
			continue
		}
		if c.Reductions != nil != reduced && c.Engine != Chains && c.Engine != ChainFolds {
			continue
		}
		share := 1.0
		if !f.All && r.Drawn == 0 {
			share = f.share() // what does not depend on sources was recorded pro rata
		}
		compute := c.Cost.Prepare*share + c.Cost.Search
		return replay{r, compute, c.Seconds, c.Reductions != nil, pruned}, true
	}
	return replay{}, false
}

// wasReduced reports whether auto took what trees and blocks leave in records that do not say so: a rule of the time
// when they were made.
func wasReduced(f *Features, left Reductions) bool {
	n, m, leaves := float64(f.Nodes), float64(f.Edges), float64(f.Degrees().Leaves)
	saved := n*m - (n-leaves)*(m-leaves)
	if f.Kind == kernels.FoldedDistances {
		return f.Weighted && !f.EdgeScores && left.Trees <= 0.9 && saved/40e9 > 40e-9*(n+m)
	}
	return left.Union <= 0.9 && saved/(5.5e9*f.MeanDegree()) > 250e-9*(n+m)
}

// name is the way with its reductions: what Rank chooses among.
func (x replay) name() string {
	if x.reduced {
		return x.way() + " on what reductions leave"
	}
	return x.way()
}

// each is the predicted time per source; without end for a way that is left out.
func (x replay) each() float64 {
	if x.pruned {
		return math.Inf(1)
	}
	return x.predicted / float64(x.Sources)
}

func replays(t *testing.T) []replay {
	t.Helper()
	graphs := readFacts(t)
	var out []replay
	for _, r := range readRecords(t) {
		g, ok := graphs[r.Graph]
		if !ok || r.inAnotherOrder(g) || r.inOldNumbers(g) {
			continue
		}
		if x, ok := r.predict(g); ok {
			out = append(out, x)
		}
	}
	return out
}

// measured is the recorded time per source.
func (x replay) measured() float64 { return x.Seconds.Compute / float64(x.Sources) }

// shortest is the least time per source of a way: it may have been recorded twice, by name and by auto.
func shortest(list []replay, name string) float64 {
	taken := math.Inf(1)
	for _, x := range list {
		if x.name() == name {
			taken = min(taken, x.measured())
		}
	}
	return taken
}

// least returns the replay that is least by some number.
func least(list []replay, by func(replay) float64) replay {
	return slices.MinFunc(list, func(a, b replay) int { return cmp.Compare(by(a), by(b)) })
}

// off is how many times a prediction is too long, or too short.
func off(predicted, measured float64) float64 {
	return math.Exp(math.Abs(math.Log(predicted / measured)))
}

// TestPredictions holds predictions within a factor of 2 of what was measured, for at least nine in ten
// records of each family, and of all.
func TestPredictions(t *testing.T) {
	families := map[string][]replay{}
	for _, x := range replays(t) {
		families[x.way()] = append(families[x.way()], x)
	}
	all, good := 0, 0
	if len(families) < 12 {
		t.Errorf("records of %d families alone", len(families))
	}
	for _, way := range slices.Sorted(maps.Keys(families)) {
		list := families[way]
		var errors []float64
		within := 0
		for _, x := range list {
			by := off(x.predicted, x.Seconds.Compute)
			errors = append(errors, by)
			if by <= 2 {
				within++
			} else if os.Getenv("PLAN_VERBOSE") != "" {
				t.Logf("%s %s %s, %d sources: measured %.3g, predicted %.3g", x.file, x.question(), way, x.Sources,
					x.Seconds.Compute, x.predicted)
			}
		}
		slices.Sort(errors)
		t.Logf("%-22s %3d records, %3d within 2x; median %.2fx, nine in ten %.2fx, worst %.2fx", way, len(list), within,
			errors[len(errors)/2], errors[len(errors)*9/10], errors[len(errors)-1])
		all, good = all+len(list), good+within
		if way == Plain && within < len(list) {
			t.Errorf("%s: not all are within 2x", way)
		}
		if float64(within) < 0.9*float64(len(list)) {
			t.Errorf("%s: fewer than nine in ten are within 2x", way)
		}
	}
	t.Logf("all: %d of %d within 2x (%.1f %%)", good, all, 100*float64(good)/float64(all))
}

// misjudged are the questions whose best way is not ranked first, with the reason.
var misjudged = map[string]string{
	`["rmat10-16","betweenness",-1,false,false,"double",64]`: "0.49 ms by auto, 8 threads per node, against 0.43 by " +
		"name, 4: 0.26 and 0.17 are preparation, 0.23 and 0.26 searches",

	// On the H100, runs of the same way differ by up to a third.
	`H100 ["road-LosAngeles+own","betweenness",-1,true,false,"double",0]`: "318 ms, but 228 to 239 in the same call, against 243",
}

// TestElapsed holds what a caller waits for, with the way to a warm worker and back, within a factor of 2
// for nine in ten records of drawn sources.
func TestElapsed(t *testing.T) {
	var errors []float64
	for _, x := range replays(t) {
		if x.Drawn > 0 {
			errors = append(errors, off(x.elapsed, x.Seconds.Elapsed))
		}
	}
	slices.Sort(errors)
	t.Logf("%d records: median %.2fx, nine in ten %.2fx, worst %.2fx", len(errors), errors[len(errors)/2],
		errors[len(errors)*9/10], errors[len(errors)-1])
	if errors[len(errors)*9/10] > 2 {
		t.Error("fewer than nine in ten are within 2x")
	}
}

// TestChoices holds the way that the model ranks first within 10 % of the best that was measured.
func TestChoices(t *testing.T) {
	groups := map[string][]replay{}
	for _, x := range replays(t) {
		if x.Taken != "cpu" {
			groups[x.question()] = append(groups[x.question()], x)
		}
	}
	asked, right := 0, 0
	for _, question := range slices.Sorted(maps.Keys(groups)) {
		list := groups[question]
		ways := map[string]bool{}
		for _, x := range list {
			ways[x.name()] = true
		}
		if len(ways) < 2 {
			continue
		}
		asked++
		best := least(list, replay.measured)
		first := least(list, replay.each)
		taken := shortest(list, first.name())
		if taken <= 1.1*best.measured() {
			right++
			continue
		}
		if misjudged[question] == "" {
			t.Errorf("%s is not among the exceptions", question)
		}
		t.Logf("%s: ranks %s first, %.2fx of %s", question, first.name(), taken/best.measured(), best.name())
		for _, x := range list {
			t.Logf("    %-40s %-24s %7d sources: measured %.4g, predicted %.4g", x.name(), x.Strategy, x.Sources,
				x.Seconds.Compute, x.predicted)
		}
	}
	t.Logf("%d of %d groups right", right, asked)
	if asked < 190 {
		t.Errorf("%d groups alone have two ways", asked)
	}
}

// TestDevices holds the device that is ranked first, with a warm worker, within 10 % of the better one that
// was measured, where both were.
func TestDevices(t *testing.T) {
	groups := map[string][]replay{}
	for _, x := range replays(t) {
		if f := x.file; f == "h200-cabral.jsonl" || f == "h200-small.jsonl" {
			groups[x.question()] = append(groups[x.question()], x)
		}
	}
	right, asked := 0, 0
	for _, question := range slices.Sorted(maps.Keys(groups)) {
		list := groups[question]
		if len(list) < 2 {
			continue
		}
		asked++
		best := least(list, func(x replay) float64 { return x.Seconds.Elapsed })
		first := least(list, func(x replay) float64 { return x.elapsed })
		if first.Seconds.Elapsed <= 1.1*best.Seconds.Elapsed {
			right++
			continue
		}
		t.Logf("%s: ranks %s first: %.3g s, predicted %.3g; %s took %.3g, predicted %.3g", question, first.name(),
			first.Seconds.Elapsed, first.elapsed, best.name(), best.Seconds.Elapsed, best.elapsed)
	}
	t.Logf("%d of %d groups right", right, asked)
	if asked < 70 || float64(right) < 0.9*float64(asked) {
		t.Error("fewer than nine in ten are right")
	}
}
