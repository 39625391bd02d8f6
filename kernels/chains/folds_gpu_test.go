//go:build cuda || emulate

package chains

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/weighted"
)

// foldTask folds distances over chains, as a worker does.
type foldTask struct {
	graph   *export.Graph
	measure string
	request kernels.Request
	engine  *Folds
	trees   *closeness.Trees
	middles *closeness.Subdivided
	// mul and div convert a length of the trees to one of the graph.
	mul, div float64
	shards   int
	free     int64
}

// newFoldTask reduces the graph of a request; ok is false where there are no chains to contract.
func newFoldTask(t *testing.T, g *export.Graph, measure string, r kernels.Request) (k *foldTask, ok bool) {
	t.Helper()
	k = &foldTask{graph: g, measure: measure, request: r, mul: 1, div: 1, free: 1 << 30}
	weights := make([]float64, g.Arcs())
	for i := range weights {
		weights[i] = 1
	}
	if r.Weighted {
		ticks, mul, div, whole := lengths.WholeTicks(g)
		if !whole {
			t.Fatal("weights that are not whole ticks")
		}
		for i, length := range ticks {
			weights[i] = float64(length)
		}
		k.mul, k.div = mul, div
	}
	fold, _ := reductions.TreeFold(measure)
	k.middles, k.trees = closeness.FoldTrees(g, weights, fold, r.Edges)
	if k.trees == nil {
		t.Fatal("trees whose numbers do not fit")
	}
	branch, _ := closeness.CountBranches(k.trees.Graph)
	core := closeness.Contract(k.trees.Graph)
	if branch == int64(k.trees.Standing()) || core == nil {
		return nil, false
	}
	k.engine = NewFolds(core, fold, k.trees.Omega, k.trees.Inside)
	return k, true
}

// job is that of the graph which trees left.
func (k *foldTask) job() *device.Job {
	h, mass := k.trees.Graph, 0.0
	for _, omega := range k.trees.Omega {
		mass += omega
	}
	m, _ := kernels.Lookup(k.measure)
	r := kernels.Request{Params: k.request.Params, Nodes: true}
	b := kernels.Bounds{Mass: mass, Sources: int64(h.N()), Longest: 1 << 53, Shortest: 1}
	return &device.Job{
		Want: device.Want{
			Measure: k.measure, Params: k.request.Params, Nodes: true, Folded: true,
			Sources: k.engine.Sources(), Size: device.SizeOf(h),
		},
		Request: r, Progress: func(int) {}, Partial: kernels.NewPartial(m, h.N(), 0, r, b),
	}
}

// run computes the scores of the whole graph.
func (k *foldTask) run(ctx context.Context, d gpu.Device) (*outcome, error) {
	j := k.job()
	p, err := k.engine.Prepare(j, d.Info(), k.free)
	if err != nil {
		return nil, err
	}
	result, err := device.Compute(ctx, d, p, j, k.shards)
	if err != nil {
		return nil, err
	}
	folds := j.Partial.Folds()
	all, totals := reductions.UnfoldTrees(k.trees, k.middles, folds.Nodes, folds.NodeCounts, func(ticks float64) float64 {
		return ticks * k.mul / k.div
	})
	out := &outcome{note: result.Note, Scores: kernels.Scores{Totals: totals, Ties: result.Ties}}
	if k.request.Nodes {
		out.Nodes = make([]float64, k.graph.N())
	}
	if k.request.Edges {
		out.Edges = make([]float64, k.graph.M())
	}
	return out, all.Scores(k.measure, k.graph, k.request, out.Nodes, out.Edges)
}

// randomChains draws a graph of chains: components of branch nodes with loops and parallel chains, rings, trees that
// hang from all of it, nodes alone. One chain in `long` is long.
func randomChains(t testing.TB, random *rand.Rand, long int, weighted bool, weight func() float64) *export.Graph {
	t.Helper()
	var links []graphtest.Link
	n := int32(0)
	node := func() int32 { n++; return n - 1 }
	path := func(u, v int32, inner int) {
		for range inner {
			w := node()
			links = append(links, graphtest.Link{From: u, To: w, Weight: weight()})
			u = w
		}
		links = append(links, graphtest.Link{From: u, To: v, Weight: weight()})
	}
	inner := func() int {
		switch {
		case random.IntN(long) == 0:
			return 40 + random.IntN(40)
		case random.IntN(4) == 0:
			return 0
		}
		return random.IntN(6)
	}
	for range 1 + random.IntN(3) {
		first, count := n, int32(1+random.IntN(8))
		for range count {
			if v := node(); v > first {
				path(first+int32(random.IntN(int(v-first))), v, inner())
			}
		}
		for range random.IntN(2 * int(count)) {
			path(first+int32(random.IntN(int(count))), first+int32(random.IntN(int(count))), inner())
		}
	}
	for random.IntN(3) == 0 {
		v := node()
		path(v, v, random.IntN(50))
	}
	for range random.IntN(int(n)) { // trees, mostly on what was there
		v := int32(random.IntN(int(n)))
		links = append(links, graphtest.Link{From: v, To: node(), Weight: weight()})
	}
	n += int32(random.IntN(3))
	random.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
	number := random.Perm(int(n))
	for i := range links {
		links[i].From, links[i].To = int32(number[links[i].From]), int32(number[links[i].To])
	}
	return graphtest.Links(t, int(n), false, weighted, links)
}

// compareFolds compares a task with a search of the whole graph on the CPU, and its shards with the whole.
func compareFolds(t *testing.T, d gpu.Device, at string, k *foldTask, shards int) (got *outcome) {
	t.Helper()
	m, _ := kernels.Lookup(k.measure)
	r := k.request
	r.Reduce = kernels.ReduceOff
	want, err := cpu.Compute(t.Context(), m, k.graph, r)
	if err != nil {
		t.Fatal(err)
	}
	k.shards = 1
	if got, err = k.run(t.Context(), d); err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	if !strings.Contains(got.note, "branch nodes") {
		t.Errorf("%s: %q", at, got.note)
	}
	if difference, where := enginetest.Worst(got.Nodes, want.Nodes); difference > 1e-12 {
		t.Errorf("%s: %s", at, where)
	}
	if difference, where := enginetest.Worst(got.Edges, want.Edges); difference > 1e-12 {
		t.Errorf("edge %s: %s", at, where)
	}
	if got.Totals.Pairs != want.Totals.Pairs || got.Ties != want.Ties {
		t.Errorf("%s: totals %+v, ties %q; want %+v, %q", at, got.Totals, got.Ties, want.Totals, want.Ties)
	}
	switch a, b := got.Totals, want.Totals; {
	case a.NoDistance == (k.engine.fold == closeness.Sum):
		t.Errorf("%s: totals %+v", at, a)
	case !a.NoDistance && math.Abs(a.Distance-b.Distance) > 1e-12*b.Distance:
		t.Errorf("%s: totals %+v; want %+v", at, a, b)
	}
	k.shards = shards
	if again, err := k.run(t.Context(), d); err != nil || !sameBits(again, got) {
		t.Errorf("%s: other bits the second time, in %d shards, %v", at, k.shards, err)
	}
	return got
}

// TestFolds compares with a search of the whole graph on the CPU, and with the definition.
func TestFolds(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(31, 41))
	taken, rings := 0, 0
	for i := range devicetest.Sized(150, 30) {
		weighted, unit := i%3 > 0, []float64{1, 10, 8}[i%3]
		g := randomChains(t, random, []int{12, 12, 4}[i%4%3], weighted, func() float64 {
			switch i % 7 {
			case 3: // some ways are much longer than others
				return math.Ceil(math.Pow(1000, random.Float64())) / unit
			case 5: // all alike
				return 3 / unit
			}
			return float64(1+random.IntN(9)) / unit
		})
		for _, measure := range []string{"closeness", "eccentricity", "graph"} {
			r := kernels.Request{Nodes: i%4 != 2, Edges: i%4 > 1, Params: kernels.Params{Weighted: weighted}}
			if measure == "closeness" {
				r.Variant = []string{"", kernels.WassermanFaust, kernels.Classic}[i%3]
			}
			k, ok := newFoldTask(t, g, measure, r)
			if !ok {
				continue
			}
			if taken++; k.engine.Sources() == 1 {
				rings++
			}
			at := fmt.Sprintf("%s of graph %d (n %d, m %d)", measure, i, g.N(), g.M())
			got := compareFolds(t, d, at, k, []int{1, 2 + i%5}[i%2])
			if r.Nodes && r.Variant == "" && i < 12 {
				exact := oracle.Of(g, weighted).Distant(g.N())[measure]
				if difference, where := enginetest.Worst(got.Nodes, exact); difference > 1e-9 {
					t.Errorf("%s, by the definition: %s", at, where)
				}
			}
		}
	}
	if taken < devicetest.Sized(400, 75) || rings < devicetest.Sized(10, 2) {
		t.Errorf("%d runs with chains, %d from one node alone", taken, rings)
	}
}

// launches counts what is launched on a device.
type launches struct {
	gpu.Device
	of map[gpu.Kernel]int
}

func (l launches) Launch(kernel gpu.Kernel, s gpu.Shape, args ...any) error {
	l.of[kernel]++
	return l.Device.Launch(kernel, s, args...)
}

// TestShardsOfFoldsSearchOnce: the shards on one device find the distances between branch nodes once, and the same
// folds, with room for the folds over chains and without.
func TestShardsOfFoldsSearchOnce(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(7, 19))
	g := randomChains(t, random, 4, true, func() float64 { return float64(1 + random.IntN(9)) })
	for _, measure := range []string{"closeness", "eccentricity"} {
		k, ok := newFoldTask(t, g, measure, kernels.Request{Nodes: true, Params: kernels.Params{Weighted: true}})
		if !ok {
			t.Fatal("no chains")
		}
		for _, free := range []int64{1 << 30, 0} {
			if k.free = free; free == 0 { // all but the folds over chains
				p, err := k.engine.Prepare(k.job(), d.Info(), 1<<30)
				if err != nil {
					t.Fatal(err)
				}
				k.free = p.Plan().DeviceBytes - 1
				if p, err = k.engine.Prepare(k.job(), d.Info(), k.free); err != nil || p.(*preparedFolds).layout.keepsSeen {
					t.Fatalf("%v, or the folds over chains are kept", err)
				}
			}
			one, three := launches{d, map[gpu.Kernel]int{}}, launches{d, map[gpu.Kernel]int{}}
			k.shards = 1
			want, err := k.run(t.Context(), one)
			if err != nil {
				t.Fatal(err)
			}
			k.shards = 3
			got, err := k.run(t.Context(), three)
			if err != nil || !sameBits(got, want) {
				t.Errorf("%s: other bits in 3 shards, %v", measure, err)
			}
			for kernel, n := range one.of {
				folds := strings.Contains(fmt.Sprint(kernel), "chain_folds_")
				if folds && three.of[kernel] > 3*n || !folds && three.of[kernel] != n {
					t.Errorf("%s: %v was launched %d times for 3 shards, %d times for one", measure, kernel, three.of[kernel], n)
				}
			}
		}
	}
}

// TestFoldsOfNastyGraphs: stars, paths, cycles, grids, nodes alone, loops, parallel edges, by hops and by weights.
func TestFoldsOfNastyGraphs(t *testing.T) {
	d := devicetest.Open(t)
	taken := 0
	for _, weighted := range []bool{false, true} {
		for _, c := range enginetest.Nasty(t, weighted) {
			for _, measure := range []string{"closeness", "eccentricity"} {
				r := kernels.Request{Nodes: true, Edges: true, Params: kernels.Params{Weighted: weighted}}
				if c.Graph.Directed {
					continue
				}
				if k, ok := newFoldTask(t, c.Graph, measure, r); ok {
					taken++
					compareFolds(t, d, c.At(measure, r), k, 3)
				}
			}
		}
	}
	if taken < 4 {
		t.Errorf("%d runs with chains", taken)
	}
}

// TestFoldsThatDoNotFit: where folds over chains do not, they are made again each time, by shards, too; graphs whose
// distances do not are refused.
func TestFoldsThatDoNotFit(t *testing.T) {
	d := devicetest.Open(t)
	links, n := []graphtest.Link{{From: 0, To: 1, Weight: 2}}, int32(2)
	for range 300 { // three ways between two nodes, with an inner node each
		for inner := range int32(3) {
			links = append(links, graphtest.Link{From: n, To: n + 2 + inner, Weight: 1})
			links = append(links, graphtest.Link{From: n + 2 + inner, To: n + 1, Weight: 2})
		}
		n += 5
	}
	for _, weighted := range []bool{false, true} {
		g := graphtest.Links(t, int(n), false, weighted, links)
		r := kernels.Request{Nodes: true, Params: kernels.Params{Weighted: weighted}}
		k, ok := newFoldTask(t, g, "closeness", r)
		if !ok {
			t.Fatal("no chains")
		}
		for _, k.free = range []int64{1 << 30, 5 << 20, 3 << 19} {
			at := fmt.Sprintf("weighted %v, %d bytes", weighted, k.free)
			p, err := k.engine.Prepare(k.job(), d.Info(), k.free)
			tooLarge := (*gpu.TooLarge)(nil)
			if errors.As(err, &tooLarge) != (k.free == 3<<19) || tooLarge != nil && tooLarge.Need <= k.free {
				t.Errorf("%s: %v", at, err)
			}
			if err != nil {
				continue
			}
			plan := p.(*preparedFolds)
			if plan.layout.keepsSeen != (k.free == 1<<30) || plan.plan.DeviceBytes > k.free {
				t.Errorf("%s: folds over chains are kept: %v, %+v", at, plan.layout.keepsSeen, plan.plan)
			}
			if err := d.Renew(); err != nil {
				t.Fatal(err)
			}
			compareFolds(t, d, at, k, 3)
			if peak := d.Peak(); peak > plan.plan.DeviceBytes {
				t.Errorf("%s: %d are taken, %d were planned", at, peak, plan.plan.DeviceBytes)
			}
		}
	}
}

// TestFoldsStop: a run that is called off during its folds ends with the cause.
func TestFoldsStop(t *testing.T) {
	d := devicetest.Open(t)
	k, _ := newFoldTask(t, graphtest.RingOfPaths(t, 40, 6), "eccentricity", kernels.Request{Nodes: true})
	sources := k.engine.Sources()
	why := errors.New("called off")
	for _, part := range []int{1, 2} { // batches, folds
		ctx, stop := context.WithCancelCause(t.Context())
		j, last := k.job(), 0
		j.Progress = func(done int) {
			if done < last || done > sources {
				t.Errorf("%d of %d done after %d", done, sources, last)
			}
			if last = done; 2*done >= (part-1)*sources {
				stop(why)
			}
		}
		p, err := k.engine.Prepare(j, d.Info(), k.free)
		if err != nil {
			t.Fatal(err)
		}
		if part == 1 {
			stop(why)
		}
		if _, err := p.Run(ctx, d, j); !errors.Is(err, why) {
			t.Errorf("part %d: %v", part, err)
		}
	}
}

// TestEveryAllocationOfFoldsFails: whichever fails, the error says so and all is freed.
func TestEveryAllocationOfFoldsFails(t *testing.T) {
	d := devicetest.Open(t)
	k, _ := newFoldTask(t, graphtest.RingOfPaths(t, 40, 6), "closeness", kernels.Request{Nodes: true})
	for n := 1; ; n++ {
		_, err := k.run(t.Context(), &devicetest.Failing{Device: d, At: n})
		if d.Ledger().Used != 0 {
			t.Fatalf("allocation %d: %d bytes left", n, d.Ledger().Used)
		}
		if err == nil {
			if n < 20 {
				t.Errorf("%d allocations", n)
			}
			return
		}
		if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
			t.Fatalf("allocation %d: %v", n, err)
		}
	}
}

// foldsAreRight compares the scores of a graph, of nodes alone and with edges, and returns the last task.
func foldsAreRight(t *testing.T, d gpu.Device, g *export.Graph, measure string) (k *foldTask) {
	t.Helper()
	for _, edges := range []bool{false, true} {
		r := kernels.Request{Nodes: true, Edges: edges, Params: kernels.Params{Weighted: g.Weights != nil}}
		var ok bool
		if k, ok = newFoldTask(t, g, measure, r); !ok {
			t.Fatal("no chains")
		}
		compareFolds(t, d, fmt.Sprintf("%s, weighted %t, edges %t", measure, r.Weighted, edges), k, 2)
	}
	return k
}

// TestFoldsOfLongChains: inner nodes see parallel chains of over kLongRange inner nodes in ways of their own.
func TestFoldsOfLongChains(t *testing.T) {
	d := devicetest.Open(t)
	ring := graphtest.RingOfPaths(t, 3, 100)
	weighing := graphtest.Weighing(ring, func(edge int32) float64 { return 1 + float64(edge*7%5) })
	for _, g := range []*export.Graph{ring, weighing} {
		for _, measure := range []string{"closeness", "eccentricity"} {
			if k := foldsAreRight(t, d, g, measure); k.engine.Sources() != 3 {
				t.Fatalf("%s: %d sources", measure, k.engine.Sources())
			}
		}
	}
}

// TestFoldsOfManyBatches has more branch nodes than a batch in one component, and leaves.
func TestFoldsOfManyBatches(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(12, 34))
	hubs := int32(devicetest.Sized(1000, 200))
	var links []graphtest.Link
	n := hubs
	weight := func() float64 { return float64(1 + random.IntN(10)) }
	for v := range hubs {
		for range 1 + random.IntN(2) {
			at := v
			for range random.IntN(4) {
				links = append(links, graphtest.Link{From: at, To: n, Weight: weight()})
				at, n = n, n+1
			}
			links = append(links, graphtest.Link{From: at, To: max(0, v-1-random.Int32N(9)), Weight: weight()})
		}
		if v%4 == 0 {
			links = append(links, graphtest.Link{From: random.Int32N(n), To: n, Weight: weight()})
			n++
		}
	}
	for _, weighs := range []bool{false, true} {
		g := graphtest.Links(t, int(n), false, weighs, links)
		for _, measure := range []string{"closeness", "eccentricity"} {
			k := foldsAreRight(t, d, g, measure)
			if k.trees.Folded() == 0 || k.engine.Sources() < 3*weighted.Lanes {
				t.Fatalf("%s: %d folded, %d sources", measure, k.trees.Folded(), k.engine.Sources())
			}
		}
	}
}

// TestListsFillTheirArrays: what is uploaded is as long as what was planned.
func TestListsFillTheirArrays(t *testing.T) {
	for _, measure := range []string{"closeness", "eccentricity"} {
		k, _ := newFoldTask(t, graphtest.RingOfPaths(t, 40, 6), measure, kernels.Request{Nodes: true})
		order := make([]int32, k.engine.Sources())
		for i := range order {
			order[i] = int32(i)
		}
		l := newFoldLayout(k.engine.core, k.engine.fold)
		list := l.buffers(&foldArrays{}, newFoldLists(k.engine, order, slices.Clone(order)))
		filled := 0
		for _, x := range list {
			if x.From != nil {
				if filled++; int64(len(x.From)) != x.Bytes {
					t.Errorf("%s: %s has %d bytes, %d were planned", measure, x.Name, len(x.From), x.Bytes)
				}
			}
		}
		if filled != 7 {
			t.Errorf("%s: %d arrays are filled", measure, filled)
		}
	}
}
