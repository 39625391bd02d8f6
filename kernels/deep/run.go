package deep

import (
	"fmt"

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
	// part is the part of a source, by its new number.
	part []int32
}

// Allocate allocates the arrays.
func (s *search) Allocate() batches.Found {
	a := &s.arrays
	s.team.buffers(s.run.Job.Want, a).Take(s.run.Calls)
	return batches.Found{Nodes: a.nodes, Arcs: a.edges, Totals: a.totals, Teams: s.team.teams}
}

// Launch is that of a pass.
func (s *search) Launch(pass int, counting bool) batches.Launch {
	number := []string{"f32", "f64"}[pass]
	return batches.Launch{
		Kernel: kernelOf(form{number: number, profile: counting, masses: s.run.Masses != 0, edges: s.arrays.edges != 0}),
		Shape:  gpu.Shape{Grid: s.team.teams, Block: deepThreads},
		Teams:  s.team.teams, Lanes: int(lanesOf(pass == batches.SinglePass)), Arguments: s.arguments,
	}
}

// Profile is what the blocks counted.
func (s *search) Profile(numbers []int64, seconds float64) *profile.Profile {
	return s.team.profile(numbers, seconds, s.run.Job.Graph.N)
}

// Note says how the search was shared out, and how many sources it left.
func (s *search) Note(left int) string {
	note := fmt.Sprintf("%d lanes, %d teams of a block, because the graph is deep", lanesOf(s.run.Job.Single),
		s.team.teams)
	if left > 0 {
		note += fmt.Sprintf("; %d sources left to be counted level by level", left)
	}
	return note
}

// arguments fills BatchedDeep of deep.cuh.
func (s *search) arguments(sources, failed, control gpu.Ptr) gpu.Ptr {
	r, a, g, scale := s.run, s.arrays, s.run.Graph, s.run.Job.Partial.Scale()
	return device.Put(r.Calls, batchedDeepArguments{
		n:          r.Job.Graph.N,
		arcs:       r.Job.Graph.Arcs,
		offsets:    g.Out.Offsets,
		targets:    g.Out.Targets,
		sources:    sources,
		rows:       a.rows,
		steps:      a.steps,
		reached:    a.reached,
		done:       a.done,
		ready:      a.ready,
		keys:       a.keys,
		state:      a.state,
		exponents:  a.exponents,
		pending:    a.pending,
		lists:      a.lists,
		stackNodes: a.stackNodes,
		stackMasks: a.stackMasks,
		ends:       a.ends,
		nodes:      a.nodes,
		edges:      a.edges,
		failed:     failed,
		totals:     a.totals,
		masses:     r.Masses,
		cap:        s.team.entries,
		roundCap:   s.team.entries,
		endpoints:  device.One(r.Job.Endpoints),
		unit:       scale.Unit,
		fine:       scale.Fine,
		width:      bucketWidth,
		slack:      bucketSlack,
		few:        fewNodes,
		patience:   patience,
		farthest:   r.Job.Levels(),
		control:    control,
		profile:    r.Counters,
	})
}
