//go:build cuda || emulate

package traversal

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// TestWithinRanges compares all strategies with the CPU within ranges, by hops and by weights.
func TestWithinRanges(t *testing.T) {
	d := devicetest.Open(t)
	for i, weighted := range []bool{false, true} {
		enginetest.AgreeWithinRanges(t, d, inTurn(Engines(), i), weighted)
	}
}

// TestChosenPairs compares all strategies with the CPU for some targets and for masses of nodes, by hops and by
// weights.
func TestChosenPairs(t *testing.T) {
	d := devicetest.Open(t)
	for i, weighted := range []bool{false, true} {
		enginetest.AgreeOnChosenPairs(t, d, inTurn(Engines(), i), weighted)
	}
}

// TestChosenPairsInAtoms cuts sources into shards of several atoms, because there is memory for two blocks only.
func TestChosenPairsInAtoms(t *testing.T) {
	d, random := devicetest.Open(t), rand.New(rand.NewPCG(2, 3))
	var graphs []*export.Graph
	for _, directed := range []bool{false, true} {
		var links []graphtest.Link
		for range 300 {
			links = append(links, graphtest.Link{From: random.Int32N(130), To: random.Int32N(130),
				Weight: float64(1+random.IntN(9)) / 4})
		}
		graphs = append(graphs, graphtest.Links(t, 130, directed, true, links))
	}
	for i, measure := range []string{"betweenness", "stress", "closeness", "harmonic"} {
		m, _ := kernels.Lookup(measure)
		for turn := range 4 { // targets as well as masses of both, masses of sources, and a list
			g, r := graphs[(i+turn)%2], kernels.Request{Nodes: true, Params: kernels.Params{Weighted: (i+turn/2)%2 > 0}}
			r.Pairs = enginetest.SomePairs(random, g, turn)
			r.Edges = true
			r.Edges = m.Check(r) == nil
			task := enginetest.Task{Engine: OneByOne(), Graph: g, Measure: measure, Request: r}
			task.Free = memoryFor(d.Info(), task, 2)
			enginetest.Agree(t, d, fmt.Sprintf("%s, turn %d", measure, turn), task)
		}
	}
}
