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
	// Nodes gives the old number of each new node. Turns are the old nodes in the order in which they make batches as
	// sources, and Ends those for Alike, where there are any.
	Nodes, Turns, Ends []int32
	// ByBalls reports whether a shallow graph has so many sources that its nodes lie by balls of neighbours, unless their
	// numbers are as good or rows are long.
	ByBalls bool
	// Parts are the sources, split by ByHops.Close, and Apart those without a part.
	Parts [][]int32
	Apart []int32
	// Out and In are the rows along the arcs and against them; the same where the graph is undirected.
	Out, In Rows
	// to gives the new number of each old node on the device, and place the same on the host, once asked for.
	to    gpu.Ptr
	place []int32
}

// Rows are the rows of a graph in the new order.
type Rows struct {
	Offsets, Targets, Edges gpu.Ptr
	// Begins returns the offsets in host memory. It makes them once.
	Begins func() []uint32
}

// LongRows are the nodes of a graph whose rows a block handles together, the longest row first: those of over hub arcs.
// That is hubDegree, or more where more than most rows are longer.
func LongRows(g *export.Graph, most int) (nodes []int32, hub int64) {
	begin, longest := g.Offsets[0], int64(0)
	for v, end := range g.Offsets[1:] {
		if end-begin > hubDegree {
			nodes, longest = append(nodes, int32(v)), max(longest, end-begin)
		}
		begin = end
	}
	if hub = hubDegree; len(nodes) > most {
		count := make([]int, longest+1) // of rows of each length
		for _, v := range nodes {
			count[g.Degree(v)]++
		}
		hub = longest
		for left := most - count[hub]; left >= 0; left -= count[hub] {
			hub--
		}
		nodes = slices.DeleteFunc(nodes, func(v int32) bool { return g.Degree(v) <= hub })
	}
	slices.SortStableFunc(nodes, func(a, b int32) int { return cmp.Compare(g.Degree(b), g.Degree(a)) })
	return nodes, hub
}

// ByHops is the order of a prepared run in batches by hops. Its first shard finds it for all of them.
type ByHops struct {
	// Lanes is the number of sources of a batch, BallsFrom as in order.ByHops.
	Lanes     int64
	BallsFrom int
	// Close, unless 0, splits the sources of a deep graph into parts that lie close together, for batches of so many.
	Close int
	// begun is done once the order is in the making; the rest is there when making is done.
	begun  sync.Once
	making sync.WaitGroup
	// nodes and ends are as those of Ordered, parts and apart as Parts and Apart.
	nodes, ends, apart []int32
	parts              [][]int32
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
	key := fmt.Sprint("by hops ", o.Lanes, o.BallsFrom, o.Close, order.Sum(j.Sources))
	if o.Close == 0 {
		lists := j.Once.Find(key, func() [][]int32 {
			var d order.Depth
			if j.Deep() {
				d = j.Depth()
			}
			nodes, ends := order.ByHops(j.Host, j.Sources, d, o.Lanes, o.BallsFrom)
			return [][]int32{nodes, ends}
		})
		o.nodes, o.ends = lists[0], lists[1]
		return
	}
	lists := j.Once.Find(key, func() [][]int32 {
		nodes := order.Nodes(j.Host, true, j.Depth().End, o.Lanes)
		parts, apart := order.CloseSources(j.Host, j.Sources, nodes, o.Close)
		return append([][]int32{nodes, apart}, parts...)
	})
	o.nodes, o.apart, o.parts = lists[0], lists[1], lists[2:]
}

// Put puts the graph of the run's job into the order; bothEdges keeps the edges of arcs backwards, too.
func (o *ByHops) Put(c *device.Calls, j *device.Job, bothEdges bool) *Ordered {
	o.Begin(j)()
	out := InOrder(c, j, o.nodes, o.nodes, bothEdges)
	out.Ends, out.Parts, out.Apart = o.ends, o.parts, o.apart
	out.ByBalls = len(o.ends) > 0 && len(j.Sources) >= o.BallsFrom
	return out
}

// Ready has the device load the kernels of InOrder for n nodes.
func Ready(c *device.Calls, n int64) {
	for _, k := range []gpu.Kernel{KernelRelabelNodes, KernelRelabelPlaces} {
		c.Ready(k, device.ForEach(n))
	}
	for _, k := range []gpu.Kernel{KernelRelabelSums, KernelRelabelOffsets} {
		c.Ready(k, RelabelShape(n))
	}
	c.Ready(KernelRelabelRows, device.ForEach(32*n))
}

// RelabelShape is that of launches whose blocks share n nodes.
func RelabelShape(n int64) gpu.Shape {
	return gpu.Shape{Grid: int(min(relabelBlocks, (n+relabelThreads-1)/relabelThreads)), Block: relabelThreads}
}

// InOrder puts the graph of a job into a given order.
func InOrder(c *device.Calls, j *device.Job, nodes, turns []int32, bothEdges bool) *Ordered {
	g := j.Graph
	o := &Ordered{calls: c, job: j, Nodes: nodes, Turns: turns, to: c.Alloc(4 * g.N)}
	from := device.Upload(c, o.Nodes)
	c.Launch(KernelRelabelNodes, device.ForEach(g.N), uint32(g.N), from, o.to)
	o.Out = o.rows(j.Host, g, from, j.Edges)
	o.In = o.Out
	if g.In != g {
		o.In = o.rows(j.Host.Transpose(), g.In, from, bothEdges && j.Edges)
	}
	c.Free(from)
	return o
}

func (o *Ordered) rows(host *export.Graph, g *device.Graph, from gpu.Ptr, withEdges bool) Rows {
	c := o.calls
	out := Rows{
		Offsets: c.Alloc(4 * (g.N + 1)), Targets: c.Alloc(4 * g.Arcs), Edges: 0,
		Begins: sync.OnceValue(func() []uint32 { return o.begins(host) }),
	}
	if withEdges {
		out.Edges = c.Alloc(4 * g.Arcs)
	}
	out.Relabel(c, g, from, o.to)
	return out
}

// Relabel fills rows with those of a graph in a new order: from gives the old number of each new node, to the new
// number of each old one. Edges may be 0.
func (r Rows) Relabel(c *device.Calls, g *device.Graph, from, to gpu.Ptr) {
	n, blocks := uint32(g.N), RelabelShape(g.N)
	sums := c.Alloc(4 * int64(blocks.Grid))
	c.Launch(KernelRelabelSums, blocks, n, g.Offsets, from, sums)
	c.Launch(KernelRelabelOffsets, blocks, n, g.Offsets, from, sums, r.Offsets)
	c.Launch(KernelRelabelRows, device.ForEach(32*g.N), n, g.Offsets, g.Targets, g.Edges, from, to, r.Offsets,
		r.Targets, r.Edges)
	c.Free(sums)
}

// begins returns the offsets of the rows of a graph in the new order.
func (o *Ordered) begins(g *export.Graph) []uint32 {
	begins := make([]uint32, len(o.Nodes)+1)
	ends, end := begins[1:], uint32(0)
	inparts.Do(len(ends), func(first, last int) {
		for i, v := range o.Nodes[first:last] {
			ends[first+i] = uint32(g.Degree(v)) // which comes after the ends before it, below
		}
	})
	for i, degree := range ends {
		end += degree
		ends[i] = end
	}
	return begins
}

// Sources are the new numbers of the job's sources, in the order of batches: of all of them, or of those that are left.
func (o *Ordered) Sources() []int32 {
	wanted := o.job.Sources
	if o.job.Only != nil {
		wanted = o.job.Only
	}
	if o.few(wanted) && &o.Turns[0] == &o.Nodes[0] {
		places := o.Places(slices.Clone(wanted))
		slices.Sort(places)
		return places
	}
	return o.Places(order.Arrange(wanted, o.Turns, len(o.Nodes)))
}

// fewNodes is the share of all nodes from which on a look at all of them takes no longer than one at some.
const fewNodes = 1.0 / 32

// few reports whether nodes are so few that it is not worth to look at all.
func (o *Ordered) few(nodes []int32) bool {
	return float64(len(nodes)) < fewNodes*float64(len(o.Nodes))
}

// Places replaces nodes by their new numbers. The device, which knows those of all nodes, looks up few of them.
func (o *Ordered) Places(nodes []int32) []int32 {
	if !o.few(nodes) || len(nodes) == 0 {
		return through(nodes, o.Place())
	}
	places := UploadPlaces(o.calls, nodes, o.to)
	device.Download(o.calls, nodes, places)
	o.calls.Free(places)
	return nodes
}

// UploadPlaces uploads the new numbers of nodes, which to gives on the device.
func UploadPlaces(c *device.Calls, nodes []int32, to gpu.Ptr) gpu.Ptr {
	places := device.Upload(c, nodes)
	c.Launch(KernelRelabelPlaces, device.ForEach(int64(len(nodes))), to, uint32(len(nodes)), places)
	return places
}

// Place returns the new number of each node.
func (o *Ordered) Place() []int32 {
	if o.place == nil {
		o.place = make([]int32, len(o.Nodes))
		inparts.Do(len(o.Nodes), func(first, last int) {
			for i, v := range o.Nodes[first:last] {
				o.place[v] = int32(first + i)
			}
		})
	}
	return o.place
}

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

// AddNodes adds exact sums of nodes in the new order to those of the host. values are as those of
// device.Calls.AddExact.
func (o *Ordered) AddNodes(into *exact.Sums, sums gpu.Ptr, values []float64) {
	o.calls.AddExact(into, len(o.Nodes), sums, o.to, values)
}

// AddEdges adds exact sums of arcs in the new order to those of the host's edges. values are as those of
// device.Calls.AddExact.
func (o *Ordered) AddEdges(into *exact.Sums, sums gpu.Ptr, values []float64) {
	if o.calls.Err != nil || into == nil {
		return
	}
	g, m := *o.job.Graph, o.job.Host.M()
	g.Edges = o.Out.Edges
	edges := o.calls.EdgeSums(sums, &g, m)
	o.calls.AddExact(into, m, edges, 0, values)
	o.calls.Free(edges)
}
