package communities

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

func (c *cutter) all() map[int32]int64 {
	out := map[int32]int64{}
	for _, b := range c.queue {
		for e, sum := range b.sums {
			if !b.gone[e] {
				out[b.edges[e].whole] = sum
			}
		}
	}
	return out
}

// TestUpdatesAreRecomputations: after every cut, or batch of cuts, all scores have the bits of those of a computation
// from the start, by hops and by weights, in exact numbers and within a tolerance, on one thread and on several, with
// rows kept and without.
func TestUpdatesAreRecomputations(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		n, weighted := 2+random.IntN(30), i%2 == 1
		g := graphtest.Random(t, random, n, false, true, weighted)
		l, err := lengths.New(t.Context(), g, weighted, 0)
		if err != nil {
			t.Fatal(err)
		}
		measured := lengthsOf(g, l, lengths.DefaultTolerance)
		bytes, batch, few := []int64{1 << 30, 0, 3000}[i%3], []float64{0, 0.1, 0.5, 1}[i/2%4], []int{1, 3, 100}[i/3%3]
		t.Run(fmt.Sprint(i, tiesOf(measured), bytes, batch, few), func(t *testing.T) {
			compareCuts(t, g, measured, bytes, batch, few)
		})
	}
}

func compareCuts(t *testing.T, g *export.Graph, measured edgeLengths, bytes int64, batch float64, few int) {
	stop := stopper.New(t.Context())
	whole, _, largest := remaining(g, nil)
	s := scaleFor(largest)
	c := newCutter(whole, s, 2, measured, bytes, stop, nil, batch)
	c.together = func(_, _ time.Duration, made, _ int) bool { return made >= few }
	var done []Cut
	for len(c.queue) > 0 {
		done = append(done, c.cutBatch(0)...)
		if last := done[len(done)-1]; last.Groups != c.groups || last.Left != 0 {
			t.Fatalf("the last cut of a batch is %+v, of %d groups", last, c.groups)
		}
		left, _, _ := remaining(g, done)
		fresh := newCutter(left, s, 1, measured, 1<<30, stop, nil, 0)
		if fresh.groups != c.groups {
			t.Fatalf("%d groups, want %d", c.groups, fresh.groups)
		}
		if got, want := c.all(), fresh.all(); !maps.Equal(got, want) {
			t.Fatalf("after %d cuts:\n%v, want\n%v", len(done), got, want)
		}
	}
	if c.overflowed() {
		t.Fatal("overflowed")
	}
}
