package communities

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// TestIgraph: igraph finds the same groups at every level of 50 graphs, where it cuts the first of edges that tie, and
// otherwise groups that some cut of tied edges gives: igraph compares sums in float64, so that equal scores may differ
// there in their last bits.
func TestIgraph(t *testing.T) {
	python := os.Getenv("LINCHPIN_PEER_PYTHON")
	if python == "" {
		if testing.Short() {
			t.Skip("LINCHPIN_PEER_PYTHON is not set")
		}
		t.Fatal("LINCHPIN_PEER_PYTHON must name a Python that has igraph (make test sets it; or use -short)")
	}
	random, graphs := rand.New(rand.NewPCG(11, 12)), make([]*export.Graph, 50)
	for i := range graphs {
		graphs[i] = planted(t, random, 2+random.IntN(4), 3+random.IntN(9))
	}
	same := 0
	for i, merges := range igraphMerges(t, python, graphs) {
		g := graphs[i]
		cuts, err := Find(t.Context(), g, Options{Threads: 1, Bytes: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		d, levels := DendrogramOf(g, cuts), levelsOf(g.N(), merges)
		if agrees(d, levels) {
			same++
			continue
		}
		f := follower{t: t, g: g, levels: levels, seen: map[string]bool{}, stop: stopper.New(t.Context())}
		if !f.follow(nil) {
			t.Errorf("graph %d (%d nodes, %d edges): no cuts of tied edges give igraph's groups, of %d tries", i, g.N(), g.M(),
				len(f.seen))
		}
	}
	t.Logf("%d of %d graphs have the same groups without a look at ties", same, len(graphs))
	if same < len(graphs)/2 {
		t.Errorf("only %d", same)
	}
}

// planted is a graph of groups that have more edges within than between.
func planted(t *testing.T, random *rand.Rand, groups, size int) *export.Graph {
	var links []graphtest.Link
	for v := range groups * size {
		for u := range v {
			chance := 0.45
			if u/size != v/size {
				chance = 0.05
			}
			if random.Float64() < chance {
				links = append(links, graphtest.Link{From: int32(u), To: int32(v), Weight: 1})
			}
		}
	}
	return graphtest.Links(t, groups*size, false, false, links)
}

func igraphMerges(t *testing.T, python string, graphs []*export.Graph) [][][2]int {
	t.Helper()
	var in, out bytes.Buffer
	for _, g := range graphs {
		source, target := g.Ends()
		edges := make([][2]int32, g.M())
		for e := range edges {
			edges[e] = [2]int32{source[e], target[e]}
		}
		if err := json.NewEncoder(&in).Encode(map[string]any{"n": g.N(), "edges": edges}); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), python, "testdata/igraph_communities.py")
	command.Stdin, command.Stdout, command.Stderr = &in, &out, os.Stderr
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
	merges := make([][][2]int, len(graphs))
	for d, i := json.NewDecoder(&out), 0; d.More(); i++ {
		if err := d.Decode(&merges[i]); err != nil {
			t.Fatal(err)
		}
	}
	return merges
}

// levelsOf returns the groups of each node by the number of groups, as igraph's merges have them.
func levelsOf(n int, merges [][2]int) map[int][]int32 {
	u, first, out := disjoint.New(n), make([]int32, n, 2*n), map[int][]int32{}
	for v := range first {
		first[v] = int32(v)
	}
	out[n], _ = number(u, n)
	for _, m := range merges {
		u.Join(first[m[0]], first[m[1]])
		first = append(first, first[m[0]])
		out[u.Count], _ = number(u, n)
	}
	return out
}

func agrees(d *Dendrogram, levels map[int][]int32) bool {
	for groups := d.Fewest(); groups <= d.Groups; groups++ {
		if !slices.Equal(d.Members(groups), levels[groups]) {
			return false
		}
	}
	return true
}

// follower looks for cuts of tied edges that give the groups of every level.
type follower struct {
	t      *testing.T
	g      *export.Graph
	levels map[int][]int32
	seen   map[string]bool
	stop   *stopper.Stopper
}

const mostTries = 20000

func (f *follower) follow(done []Cut) bool {
	gone := make([]byte, f.g.M())
	for _, cut := range done {
		gone[cut.Edge] = 1
	}
	if f.seen[string(gone)] || len(f.seen) > mostTries {
		return false
	}
	f.seen[string(gone)] = true
	left, _, _ := remaining(f.g, done)
	c := newCutter(left, scaleFor(f.g.N()), 1, inHops{}, 1<<30, f.stop, nil, 0)
	if groups := groupsOf(left, f.g.N()); !slices.Equal(groups, f.levels[c.groups]) {
		return false
	}
	if len(c.queue) == 0 {
		return true
	}
	for _, e := range c.tied() {
		if f.follow(append(slices.Clone(done), Cut{Edge: e})) {
			return true
		}
	}
	return false
}

// groupsOf returns the groups that a piece falls into.
func groupsOf(p *piece, n int) []int32 {
	u := disjoint.New(n)
	for _, e := range p.edges {
		u.Join(e.from, e.to)
	}
	of, _ := number(u, n)
	return of
}

// tied returns the edges of the highest rank, in ascending order.
func (c *cutter) tied() (out []int32) {
	best := c.queue[0].rank
	for _, b := range c.queue {
		for e, sum := range b.sums {
			if !b.gone[e] && c.scale.rank(sum) == best {
				out = append(out, b.edges[e].whole)
			}
		}
	}
	slices.Sort(out)
	return out
}
