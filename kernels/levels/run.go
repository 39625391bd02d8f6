package levels

import (
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// search is the search of one run; see batches.Search.
type search struct {
	run    *batches.Run
	team   teams
	arrays arrays
	hubs   hubs
	// inHubs are hubs.in in the order of the graph, once it has one; 0 for none.
	inHubs gpu.Ptr
}

// hubs are the rows that blocks handle together.
type hubs struct {
	degree int64   // rows of more arcs
	some   bool    // there are such rows, of arcs in or out
	in     []int32 // the nodes with such a row of arcs in, the longest first
	longer bool    // some row of arcs in has longerRow
}

// hubsOf finds the hubs of a graph.
func hubsOf(g *export.Graph) (h hubs) {
	out, degree := batches.LongRows(g, mostHubs)
	in, inDegree, inward := out, degree, g
	if g.Directed {
		inward = g.Transpose()
		in, inDegree = batches.LongRows(inward, mostHubs)
	}
	h.degree, h.some = max(degree, inDegree), len(out)+len(in) > 0
	if h.degree > inDegree {
		in = slices.DeleteFunc(in, func(v int32) bool { return inward.Degree(v) <= h.degree })
	}
	h.in = in
	for v := 0; v < g.N() && !h.longer; v++ {
		h.longer = inward.Degree(int32(v)) >= longerRow
	}
	return h
}

// Allocate allocates the arrays, and finds the hubs.
func (s *search) Allocate() batches.Found {
	s.hubs = hubsOf(s.run.Job.Host)
	a := &s.arrays
	s.team.buffers(s.run.Job.Want, a).Take(s.run.Calls)
	if s.alike() {
		batches.ReadyAlike(s.run.Calls)
	}
	return batches.Found{Nodes: a.nodes, Arcs: a.edges, Totals: a.totals, Teams: s.team.teams}
}

// Sources are all of the job's, or those that are left.
func (s *search) Sources() (from, apart []int32) {
	from = s.run.Graph.Sources()
	if s.alike() {
		from = s.run.Graph.Alike(from, int(s.team.lanes))
	}
	return from, nil
}

// alike reports whether it pays to make batches of sources that are alike.
func (s *search) alike() bool {
	j := s.run.Job
	return !j.Deep() && float64(len(j.Sources))*float64(j.Graph.Arcs) >= alikeFrom
}

// Padded returns the sources: any may share a batch.
func (s *search) Padded(sources []int32, _ int) []int32 { return sources }

// lanes is the number of sources of a batch.
func (s *search) lanes(pass int) int64 {
	if pass == batches.SinglePass {
		return s.team.lanes
	}
	return min(s.team.lanes, doubleLanes)
}

// Launch is that of a pass.
func (s *search) Launch(pass int, counting bool) batches.Launch {
	number, lanes, t := []string{"f32", "f64"}[pass], s.lanes(pass), s.team
	masses, edges := s.run.Masses != 0, s.arrays.edges != 0
	return batches.Launch{
		Kernel: kernelOf(form{number: number, lanes: lanes, profile: counting, masses: masses, edges: edges}),
		Shape:  gpu.Shape{Grid: t.teams * t.blocks, Block: batchedThreads, Cooperative: t.blocks > 1},
		Teams:  t.teams, Lanes: int(lanes), Shared: s.arrays.shared, Arguments: s.arguments,
	}
}

// Profile is what the blocks counted.
func (s *search) Profile(numbers []int64, seconds float64) *profile.Profile {
	return s.team.profile(numbers, seconds, s.run.Job.Graph.N)
}

// Note says how the search was shared out, and how many sources it left.
func (s *search) Note(left int) string {
	kind := "shallow"
	if s.run.Job.Deep() {
		kind = "deep"
	}
	t := s.team
	note := fmt.Sprintf("%d lanes, %d teams of %d blocks, because the graph is %s", t.lanes, t.teams, t.blocks, kind)
	if left > 0 {
		note += fmt.Sprintf("; %d sources counted again one by one", left)
	}
	return note
}

// arguments fills Batched of levels.cuh.
func (s *search) arguments(sources, failed, control gpu.Ptr) gpu.Ptr {
	r, a, g, h, scale := s.run, s.arrays, s.run.Graph, s.hubs, s.run.Job.Partial.Scale()
	if s.inHubs == 0 && len(h.in) > 0 {
		s.inHubs = device.Upload(r.Calls, g.Places(slices.Clone(h.in)))
	}
	return device.Put(r.Calls, batchedArguments{
		n:          r.Job.Graph.N,
		arcs:       r.Job.Graph.Arcs,
		outOffsets: g.Out.Offsets,
		outTargets: g.Out.Targets,
		inOffsets:  g.In.Offsets,
		inTargets:  g.In.Targets,
		sources:    sources,
		rows:       a.rows,
		masks:      a.masks,
		stamps:     a.stamps,
		stackNodes: a.stackNodes,
		stackMasks: a.stackMasks,
		ends:       a.ends,
		scaled:     a.scaled,
		nodes:      a.nodes,
		edges:      a.edges,
		failed:     failed,
		totals:     a.totals,
		teams:      a.shared,
		masses:     r.Masses,
		cap:        s.team.entries,
		blocks:     int64(s.team.blocks),
		endpoints:  device.One(r.Job.Endpoints),
		denseShare: int64(sweepShare),
		hub:        h.degree,
		hubs:       device.One(h.some),
		inHubs:     s.inHubs,
		inHubCount: int64(len(h.in)),
		unit:       scale.Unit,
		fine:       scale.Fine,
		control:    control,
		profile:    r.Counters,
		farthest:   r.Job.Levels(),
		longer:     device.One(h.longer),
	})
}
