package batches

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// Ordered is the graph of a job on the device with its nodes in the order of batches.
type Ordered struct {
	calls *device.Calls
	job   *device.Job
	// Nodes gives the old number of each new node, Place the reverse. Turns are the old nodes in the order in which they make
	// batches as sources.
	Nodes, Place, Turns []int32
	// Parts are the sources, split by ByHops.Close, and Apart those without a part.
	Parts [][]int32
	Apart []int32
	// Out and In are the rows along the arcs and against them; the same where the graph is undirected.
	Out, In Rows
}

// Rows are the rows of a graph in the new order.
type Rows struct {
	Offsets, Targets, Edges gpu.Ptr
	// Begins are the offsets in host memory.
	Begins []uint32
}

// Hubs are the rows that a block handles together, the longest first: those of over hub arcs. That is hubDegree, or more where more than
// most rows are longer.
func (r Rows) Hubs(most int) (nodes []int32, hub int64) {
	for i, begin := range r.Begins[:len(r.Begins)-1] {
		if r.Begins[i+1]-begin > hubDegree {
			nodes = append(nodes, int32(i))
		}
	}
	slices.SortStableFunc(nodes, func(a, b int32) int { return cmp.Compare(r.Degree(b), r.Degree(a)) })
	if len(nodes) <= most {
		return nodes, hubDegree
	}
	hub = r.Degree(nodes[most])
	return slices.DeleteFunc(nodes, func(v int32) bool { return r.Degree(v) <= hub }), hub
}

// Degree is the length of a row.
func (r Rows) Degree(v int32) int64 { return int64(r.Begins[v+1] - r.Begins[v]) }

// ByHops is the order of a prepared run in batches by hops. Its first shard finds it for all of them.
type ByHops struct {
	// Lanes is the number of sources of a batch, AlikeFrom the number from which on they are in the order of alike.
	Lanes     int64
	AlikeFrom int
	// Close, unless 0, splits the sources of a deep graph into parts that lie close together, for batches of so many.
	Close int
	// begun is done once the order is in the making; the rest is there when making is done.
	begun  sync.Once
	making sync.WaitGroup
	// nodes and turns are as those of Ordered, parts and apart as Parts and Apart.
	nodes, turns, apart []int32
	parts               [][]int32
}

// Begin begins to find the order of a job, on threads of its own; see device.Beginner.
func (o *ByHops) Begin(j *device.Job) (wait func()) {
	if j.Host.N() == 0 {
		return func() {}
	}
	o.begun.Do(func() {
		of := *j // so that others may change the job
		o.making.Go(func() { o.find(&of) })
	})
	return o.making.Wait
}

// find finds the order, or has it from another worker.
func (o *ByHops) find(j *device.Job) {
	key := fmt.Sprint("by hops ", o.Lanes, o.AlikeFrom, o.Close, order.Sum(j.Sources))
	if o.Close == 0 {
		lists := j.Once.Find(key, func() [][]int32 {
			nodes, turns := order.ByHops(j.Host, j.Sources, j.Depth(), o.Lanes, o.AlikeFrom)
			return [][]int32{nodes, turns}
		})
		o.nodes, o.turns = lists[0], lists[1]
		return
	}
	lists := j.Once.Find(key, func() [][]int32 {
		nodes := order.Nodes(j.Host, true, j.Depth().End, o.Lanes)
		parts, apart := order.CloseSources(j.Host, j.Sources, nodes, o.Close)
		return append([][]int32{nodes, apart}, parts...)
	})
	o.nodes, o.turns, o.apart, o.parts = lists[0], lists[0], lists[1], lists[2:]
}

// Put puts the graph of the run's job into the order; bothEdges keeps the edges of arcs backwards, too.
func (o *ByHops) Put(c *device.Calls, j *device.Job, bothEdges bool) *Ordered {
	o.Begin(j)()
	out := InOrder(c, j, o.nodes, o.turns, bothEdges)
	out.Parts, out.Apart = o.parts, o.apart
	return out
}

// InOrder puts the graph of a job into a given order.
func InOrder(c *device.Calls, j *device.Job, nodes, turns []int32, bothEdges bool) *Ordered {
	o := &Ordered{calls: c, job: j, Nodes: nodes, Turns: turns, Place: make([]int32, len(nodes))}
	inparts.Do(len(nodes), func(first, last int) {
		for i, v := range nodes[first:last] {
			o.Place[v] = int32(first + i)
		}
	})
	from, to := device.Upload(c, o.Nodes), device.Upload(c, o.Place)
	g := j.Graph
	o.Out = o.rows(j.Host, g, from, to, j.Edges)
	o.In = o.Out
	if g.In != g {
		o.In = o.rows(j.Host.Transpose(), g.In, from, to, bothEdges && j.Edges)
	}
	c.Free(to)
	c.Free(from)
	return o
}

func (o *Ordered) rows(host *export.Graph, g *device.Graph, from, to gpu.Ptr, withEdges bool) Rows {
	c := o.calls
	out := Rows{Begins: make([]uint32, g.N+1)}
	ends, end := out.Begins[1:], uint32(0)
	inparts.Do(len(ends), func(first, last int) {
		for i, v := range o.Nodes[first:last] {
			ends[first+i] = uint32(host.Degree(v)) // which comes after the ends before it, below
		}
	})
	for i, degree := range ends {
		end += degree
		ends[i] = end
	}
	out.Offsets, out.Targets = device.Upload(c, out.Begins), c.Alloc(4*g.Arcs)
	if withEdges {
		out.Edges = c.Alloc(4 * g.Arcs)
	}
	c.Launch(KernelRelabelRows, device.ForEach(32*g.N),
		uint32(g.N), g.Offsets, g.Targets, g.Edges, from, to, out.Offsets, out.Targets, out.Edges)
	return out
}

// Sources are the new numbers of the job's sources, in the order of batches: of all of them, or of those that are left.
func (o *Ordered) Sources() []int32 {
	wanted := o.job.Sources
	if o.job.Only != nil {
		wanted = o.job.Only
	}
	return o.Places(order.Arrange(wanted, o.Turns, o.job.Host.N()))
}

// Places replaces nodes by their new numbers.
func (o *Ordered) Places(nodes []int32) []int32 { return through(nodes, o.Place) }

// Old replaces new numbers by nodes.
func (o *Ordered) Old(places []int32) []int32 { return through(places, o.Nodes) }

func through(values, table []int32) []int32 {
	for i, v := range values {
		values[i] = table[v]
	}
	return values
}

// Moved uploads values of nodes, in the new order; nil gives 0.
func (o *Ordered) Moved(values []float64) gpu.Ptr {
	if values == nil {
		return 0
	}
	out := make([]float64, len(o.Nodes))
	for i, v := range o.Nodes {
		out[i] = values[v]
	}
	return device.Upload(o.calls, out)
}

// AddNodes adds exact sums of nodes in the new order to those of the host.
func (o *Ordered) AddNodes(into *exact.Sums, sums gpu.Ptr) {
	if o.calls.Err != nil || into == nil {
		return
	}
	words := o.calls.Words(sums, int64(len(o.Nodes)))
	inparts.Do(len(words), func(first, last int) {
		for i, w := range words[first:last] {
			into.Words[o.Nodes[first+i]].Add(w)
		}
	})
}

// AddEdges adds exact sums of arcs in the new order to those of the host's edges.
func (o *Ordered) AddEdges(into *exact.Sums, sums gpu.Ptr) {
	if o.calls.Err != nil || into == nil {
		return
	}
	g := *o.job.Graph
	g.Edges = o.Out.Edges
	into.JoinWords(o.calls.EdgeWords(sums, &g, len(into.Words)))
}
