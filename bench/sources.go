package bench

import "github.com/linchpin-graph/linchpin/export"

// deviceBatch is the number of neighbouring nodes that a sample of sources for a device is made of: strategies that
// search from many neighbouring sources at a time are measured on whole batches.
const deviceBatch = 128

// foldBatch is the same for the closeness family, of which batched searches from 1,024 neighbours at a time.
const foldBatch = 1024

// neighbourOrder returns the nodes ball by ball: up to size nodes around the first node that no earlier ball has, found
// by breadth-first search among those that are left. A node with nothing left around it makes a ball with what follows.
func neighbourOrder(g *export.Graph, size int) []int32 {
	order, taken := make([]int32, 0, g.N()), make([]bool, g.N())
	take := func(v int32) {
		taken[v] = true
		order = append(order, v)
	}
	for v := range int32(g.N()) {
		if taken[v] {
			continue
		}
		at, end := len(order), (len(order)/size+1)*size
		take(v)
		for ; at < len(order) && len(order) < end; at++ {
			for _, w := range g.Row(order[at]) {
				if !taken[w] && len(order) < end {
					take(w)
				}
			}
		}
	}
	return order
}

// spreadSources returns count sources, or somewhat more, as whole batches of consecutive nodes spread evenly over
// 0..n-1, ascending; nil, which stands for all, when they would be all.
func spreadSources(n, count, batch int) []int32 {
	batches, all := (count+batch-1)/batch, (n+batch-1)/batch
	if batches >= all || count >= n {
		return nil
	}
	out := make([]int32, 0, batches*batch)
	for b := range batches {
		first := b * all / batches * batch
		for v := first; v < min(first+batch, n); v++ {
			out = append(out, int32(v))
		}
	}
	return out
}

// checkSources returns count nodes with edges, spread evenly, ascending; fewer when there are no more. Nodes without
// edges would check nothing.
func checkSources(g *export.Graph, count int) []int32 {
	var joined []int32
	for v := range int32(g.N()) {
		if g.Degree(v) > 0 {
			joined = append(joined, v)
		}
	}
	if len(joined) == 0 && g.N() > 0 {
		return []int32{0}
	}
	count = min(count, len(joined))
	out := make([]int32, count)
	for i := range out {
		out[i] = joined[i*len(joined)/count]
	}
	return out
}

// checkWork bounds what the CPU does to check a graph, in nodes and edges visited: seconds on a machine of 16 cores. A
// search by weights takes about five times as long.
const checkWork = 2_500_000_000

// A check is on checkMost sources at most, in runs of checkRun neighbouring nodes: enough that a slow strategy, for
// which the check takes long, needs no other run to be timed.
const (
	checkMost = 128
	checkRun  = 32
)

// checkCount is how many of total sources are checked: all of them where the CPU can search from them in a few seconds,
// otherwise checkMost, or 8 at least in a large graph.
func checkCount(g *export.Graph, weighted bool, total int) int {
	work := int64(checkWork)
	if weighted {
		work /= 5
	}
	affordable := work / int64(g.N()+g.M()+1)
	if affordable >= int64(total) {
		return total
	}
	return min(total, int(min(max(affordable, 8), checkMost)))
}

// depth returns the largest number of hops from a source.
func depth(g *export.Graph, source int32) int {
	seen := make([]bool, g.N())
	seen[source] = true
	level, next, hops := []int32{source}, []int32(nil), 0
	for {
		next = next[:0]
		for _, v := range level {
			for _, w := range g.Row(v) {
				if !seen[w] {
					seen[w] = true
					next = append(next, w)
				}
			}
		}
		if len(next) == 0 {
			return hops
		}
		level, next, hops = next, level, hops+1
	}
}
