package lanes

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	lk "github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

func cpuTime() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6
}

func load(t testing.TB, name string) *export.Graph {
	if spec, ok := strings.CutPrefix(name, "gen:"); ok {
		s, err := parseSpec(spec)
		if err != nil { t.Fatal(err) }
		snap, err := generate.Graph(context.Background(), s)
		if err != nil { t.Fatal(err) }
		return snap.Graph
	}
	f, err := os.Open("/work/shared/data/" + name + "/edges.csv.gz")
	if err != nil { t.Fatal(err) }
	z, _ := gzip.NewReader(f)
	lines := bufio.NewScanner(z)
	lines.Scan()
	index := map[string]int32{}
	node := func(id string) int32 {
		v, ok := index[id]
		if !ok { v = int32(len(index)); index[id] = v }
		return v
	}
	r := export.Rels{}
	for lines.Scan() {
		p := strings.Split(lines.Text(), ",")
		r.Source = append(r.Source, node(p[0]))
		r.Target = append(r.Target, node(p[1]))
	}
	return graphtest.Build(t, graphtest.Orientation(name == "wiki-Vote" && os.Getenv("DIRECTED") != ""), len(index), r)
}

func orders(g *export.Graph) map[string][2][]int32 {
	near := search.Nearby(g, nil)
	d := order.DepthOf(g)
	bn, bt := order.ByHops(g, order.All(g), d, 64, 0)
	dn, _ := order.ByHops(g, order.All(g), d, 64, 1<<30)
	_, _ = bn, bt
	return map[string][2][]int32{"near": {near, near}, "hops": {bn, bt}, "degree": {dn, dn}, "deg/near": {dn, near}, "near/hops": {near, bt}}
}

func TestProto(t *testing.T) {
	for _, name := range strings.Fields(os.Getenv("GRAPHS")) {
		g := load(t, name)
		m, _ := lk.Lookup("betweenness")
		r := lk.Request{Nodes: true, Threads: 1, Params: lk.Params{}}
		r.Reduce = lk.ReduceOff
		var want *lk.Scores
		base := math.Inf(1)
		for range 1 {
			c := cpuTime()
			var err error
			if want, err = cpu.Compute(context.Background(), m, g, r); err != nil { t.Fatal(err) }
			base = min(base, cpuTime()-c)
		}
		fmt.Printf("%-18s n %d arcs %d  scalar %.3f s  %.2f ns/arc/source\n", name, g.N(), g.Arcs(), base, base*1e9/float64(g.N())/float64(g.Arcs()))
		for on, o := range orders(g) {
			if f := os.Getenv("ORDERS"); f != "" && !strings.Contains(f, on) { continue }
			for _, w := range []int{16, 64} {
				best := math.Inf(1)
				var s *Search
				worst := 0.0
				for range 1 {
					c := cpuTime()
					l := NewLayout(g, o[0], false)
					scale := exact.For(8*float64(g.N())*float64(g.N()), int64(4*g.N()))
					sums := exact.NewSums(g.N(), scale)
					s = NewSearch(l, w, scale, stopper.New(context.Background()))
					start := time.Now()
					for i := 0; i < g.N(); i += w {
						s.From(o[1][i:min(i+w, g.N())])
						s.Move(sums)
					}
					_ = start
					best = min(best, cpuTime()-c)
					got := sums.Values()
					worst = 0
					for v := range got {
						f := 1.0
						if !g.Directed { f = 0.5 }
						worst = max(worst, math.Abs(got[v]*f-want.Nodes[v])/max(1, want.Nodes[v]))
					}
				}
				batches := float64((g.N() + w - 1) / w)
				fmt.Printf("   %-10s %2d: %.3f s  x%.2f  entries/node %.2f  sweeps %.1f pushes %.1f rest %d  err %.1e\n", on, w, best, base/best, float64(s.Entries)/batches/float64(g.N()), float64(s.Sweeps)/batches, float64(s.Pushes)/batches, s.Checked, worst)
			}
		}
	}
}

func parseSpec(s string) (generate.Spec, error) {
	switch s {
	case "rmat13":
		return generate.Spec{Kind: generate.RMAT, Scale: 13, Degree: 16}, nil
	case "er":
		return generate.Spec{Kind: generate.ErdosRenyi, Nodes: 10000, Edges: 50000}, nil
	case "ba":
		return generate.Spec{Kind: generate.BarabasiAlbert, Nodes: 10000, Degree: 4}, nil
	case "sw":
		return generate.Spec{Kind: generate.WattsStrogatz, Nodes: 10000, Degree: 10}, nil
	case "rgg":
		return generate.Spec{Kind: generate.Geometric, Nodes: 10000}, nil
	case "grid":
		return generate.Spec{Kind: generate.Grid, Width: 100, Height: 100}, nil
	case "road":
		return generate.Spec{Kind: generate.Road, Width: 60, Height: 60}, nil
	}
	return generate.Spec{}, fmt.Errorf("unknown %s", s)
}
