package plan

import (
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
)

// TestPlansAreMadeWhereTheyPay asks, of every graph whose reductions are known, whether the estimate from degrees has
// them planned where a reduced way is the fastest by more than a tenth.
func TestPlansAreMadeWhereTheyPay(t *testing.T) {
	missed, asked, needless := 0, 0, 0
	for name, g := range readFacts(t) {
		if g.Info == nil {
			continue
		}
		for _, measure := range []string{"betweenness", "closeness"} {
			for _, weighted := range []bool{false, true} {
				for _, device := range []Device{CPU, GPU} {
					m, _ := kernels.Lookup(measure)
					request := kernels.Request{Nodes: true}
					request.Weighted = weighted
					f := g.features(TraitsOf(m, request))
					c := Choose(f, machine())
					plans := c.Plans(device, c.On(device))
					c.Know(ReductionsOf(*g.Info, machine().Rates.planning(f, Reductions{}, device)))
					ways := c.On(device)
					plain := fastest(ways, func(x Candidate) bool { return x.Reductions == nil })
					pays := ways[0].Reductions != nil && ways[0].Seconds < (1-planShare)*plain
					asked++
					switch {
					case pays && !plans:
						missed++
						t.Logf("%s of %s, weighted %t, %s: %.3g s, not %.3g", measure, name, weighted, device, ways[0].Seconds, plain)
					case plans && !pays && machine().Rates.planning(f, Reductions{}, device) > planShare*plain:
						needless++
					}
				}
			}
		}
	}
	t.Logf("%d of %d missed, %d plans of over a tenth of the time that do not pay", missed, asked, needless)
	if asked < 100 || missed > asked/50 || needless > asked/25 {
		t.Error("more than one in fifty is missed, or more than one in 25 is needless")
	}
}

// TestPlansCostLittle: no plan of reductions takes over a tenth of the best way unless the estimate says that it pays.
func TestPlansCostLittle(t *testing.T) {
	for _, g := range readFacts(t) {
		f := g.features(Traits{Kind: kernels.Dependencies, Reducible: true, Chained: true, MayReduce: true})
		c := Choose(f, machine())
		ways := c.On(GPU)
		best := fastest(ways, func(x Candidate) bool { return x.Reductions == nil })
		if c.Plans(GPU, ways) && ways[0].Reductions == nil && c.Machine.Rates.planning(f, Reductions{}, GPU) > planShare*best {
			t.Errorf("%s: planned", g.Graph)
		}
	}
}

// TestMostLeft: the share that may be left is where the two ways take as long.
func TestMostLeft(t *testing.T) {
	g := readFacts(t)["rmat13-16"]
	f := g.features(Traits{Kind: kernels.Dependencies, Reducible: true, Chained: true, MayReduce: true})
	c := Choose(f, Machine{Rates: H200(), Threads: 1})
	most := c.MostLeft(CPU, nil)
	if most < 0.4 || most > 0.6 {
		t.Errorf("%g of the work may be left", most)
	}
	c.Know(Reductions{Union: most, Search: most - 0.02, Planned: true})
	if first := c.On(CPU)[0]; first.Engine != Reduced {
		t.Errorf("a little less: %s", first.Line())
	}
	c.Know(Reductions{Union: most, Search: most + 0.02, Planned: true})
	if first := c.On(CPU)[0]; first.Engine != Plain {
		t.Errorf("a little more: %s", first.Line())
	}
	if c.MostLeft(GPU, nil) != 0 || slices.ContainsFunc(c.Ranked(nil, Free{}), func(x Candidate) bool { return x.Device == GPU }) {
		t.Error("there is no device")
	}
}
