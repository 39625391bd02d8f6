package deep

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// teams is how a device is shared out: one block per batch.
type teams struct {
	teams int
	// entries is the size of a block's stack: one entry per node and round at which some lanes of it are counted,
	// mostly one per node, but up to one per lane among the sources.
	entries int64
}

// arrays are the arrays of a run; see BatchedDeep in deep.cuh.
type arrays struct {
	rows, steps, reached, done, ready, keys, state, exponents, pending, lists gpu.Ptr
	stackNodes, stackMasks, ends, totals, nodes, edges                        gpu.Ptr
}

// words is the number of words of a mask, of the widest kernel.
const words = order.SingleLanes / 32

// lanesOf is the number of sources of a batch.
func lanesOf(single bool) int64 {
	if single {
		return order.SingleLanes
	}
	return doubleLanes
}

// buffers lists the arrays of a run.
func (t teams) buffers(w device.Want, a *arrays) device.Buffers {
	count := int64(t.teams)
	nodes := count * w.Size.Nodes
	list := device.Buffers{
		{Name: "rows", Bytes: nodes * rowBytes, Into: &a.rows},
		{Name: "steps", Bytes: nodes * 8 * words, Into: &a.steps},
		{Name: "lanes that reach a node", Bytes: nodes * 4 * words, Into: &a.reached},
		{Name: "lanes that are counted", Bytes: nodes * 4 * words, Into: &a.done},
		{Name: "lanes that can be counted", Bytes: nodes * 4 * words, Into: &a.ready},
		{Name: "keys", Bytes: nodes * 4, Into: &a.keys},
		{Name: "states", Bytes: nodes * 4, Into: &a.state},
		{Name: "exponents", Bytes: nodes * 4, Into: &a.exponents},
		{Name: "arcs to be counted", Bytes: nodes * 4, Into: &a.pending},
		{Name: "lists of nodes", Bytes: nodes * 16, Into: &a.lists},
		{Name: "nodes on the stack", Bytes: count * t.entries * 4, Into: &a.stackNodes},
		{Name: "masks on the stack", Bytes: count * t.entries * 4 * words, Into: &a.stackMasks},
		{Name: "ends of rounds", Bytes: count * (t.entries + 2) * 4, Into: &a.ends},
		{Name: "totals", Bytes: count * 16, Zero: true, Into: &a.totals},
	}
	return append(list, batches.Sums(w, &a.nodes, &a.edges)...)
}

// bytes bounds the device memory of a run. Up to half of what batches hold is padding.
func (t teams) bytes(w device.Want) int64 {
	return t.buffers(w, &arrays{}).Bytes() + batches.OrderBytes(w) + 8*int64(w.Sources)
}

// fitTeams returns the blocks that fit into free bytes, one per multiprocessor at most: shorter stacks first, then
// fewer blocks. Without any that fit it returns none, and what the least would take.
func fitTeams(w device.Want, d gpu.Info, free int64) (teams, int64) {
	lanes := lanesOf(w.Single)
	count := max(1, (w.Sources+int(lanes)-1)/int(lanes))
	var t teams
	for t.teams = min(count, max(1, d.SMs)); t.teams > 0; t.teams /= 2 {
		for _, perNode := range []int64{longStack, shortStack} {
			t.entries = batches.StackEntries(max(w.Size.Nodes, 1), perNode, lanes*lanes)
			if t.bytes(w) <= free {
				return t, 0
			}
		}
	}
	t.teams = 1
	return teams{}, t.bytes(w)
}

// profile is what the blocks counted, and about how many bytes they moved.
func (t teams) profile(numbers []int64, seconds float64, n int64) *profile.Profile {
	p, vectors := batches.ProfileOf(numbers, seconds)
	p.Bytes = 16*vectors + p.Arcs*(4+8*words) // rows, targets, steps
	// Of an entry: its row, written, read and written again; its node, offsets and masks.
	p.Bytes += p.Entries * (3*rowBytes + 28 + 24*words)
	p.Bytes += p.Batches * n * (rowBytes + 16*words) // distances, written and read, and what is kept of them
	return p
}
