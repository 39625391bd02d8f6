package communities

import "github.com/linchpin-graph/linchpin/export"

// Work is what a clustering takes, as predicted.
type Work struct {
	// Seconds is the time on one thread, without a limit.
	Seconds float64
	// Bytes is the memory with the rows of all blocks, Least without any.
	Bytes, Least int64
	// Block is the number of nodes of the largest biconnected block.
	Block int
}

// DeviceThreads is as how many threads of a CPU a device counts, here and in engine/plan; docs/notes/047 says that it
// is an estimate.
const DeviceThreads = 64

// Blocks returns the numbers of nodes of the biconnected blocks of a graph, without those of one edge.
func Blocks(g *export.Graph) (nodes []int64) {
	whole, _, _ := remaining(g, nil)
	for _, f := range decompose(whole, whole.node) {
		if len(f.edges) > 1 {
			nodes = append(nodes, int64(len(f.nodes)))
		}
	}
	return nodes
}

// Rates of the prediction, fitted to whole clusterings; docs/notes has the measurements.
const (
	// secondsPerVisit is the time that a search takes for a node, or for an arc.
	secondsPerVisit = 10e-9
	// sharePerCut is the part of all searches of a block that a cut costs for each of the block's edges, on average over
	// the clustering: with rows, and without.
	sharePerCut, sharePerCutAlone = 0.01, 0.15
	// secondsPerCut is what a cut takes at the least, and weightedFactor how much longer searches by weights take.
	secondsPerCut = 2e-5
	// searchesPerBatch is how many times all searches of a block are made again, times the share of edges that batches
	// cut; docs/notes/054.
	searchesPerBatch = 0.2
	weightedFactor   = 3
)

// Again is how many times as long as all searches of a block the updates of its scores take, until its edges are cut:
// each update takes a share of the searches, or all of them where batches cut a share of the edges.
func Again(edges, perCut, batch float64) float64 {
	if batch > 0 {
		return min(perCut*edges, searchesPerBatch/batch)
	}
	return perCut * edges
}

// Estimate predicts the work for a graph. Rows take at most so many bytes. Batches are as in Options.
func Estimate(g *export.Graph, weighted bool, bytes int64, batch float64) Work {
	whole, _, _ := remaining(g, nil)
	n, m := int64(len(whole.node)), int64(len(whole.edges))
	w := Work{Least: 120*n + 160*m}
	perPair := inHops{}.rowBytes()
	if weighted {
		perPair = inWeights[int64]{}.rowBytes()
	}
	rows := int64(0)
	for _, f := range decompose(whole, whole.node) {
		nodes, edges := float64(len(f.nodes)), float64(len(f.edges))
		w.Block = max(w.Block, len(f.nodes))
		if len(f.edges) == 1 {
			w.Seconds += secondsPerCut
			continue
		}
		share, need := sharePerCut, perPair*int64(nodes)*int64(nodes)
		if need > bytes {
			share = sharePerCutAlone
		}
		rows += need
		w.Seconds += nodes*(4*nodes+2*edges)*secondsPerVisit*(1+Again(edges, share, batch)) + secondsPerCut*edges
	}
	if weighted {
		w.Seconds *= weightedFactor
	}
	w.Bytes = w.Least + rows
	return w
}
