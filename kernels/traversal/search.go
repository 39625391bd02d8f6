package traversal

import (
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// search is of the sources of a list by one kernel.
type search struct {
	run    *run
	list   list
	cut    cut
	sums   *blockSums
	kernel gpu.Kernel
	// width is that of counts of paths.
	width  width
	blocks int
	// further are the arguments after those of the search itself.
	further []gpu.Ptr
	// silent reports no progress.
	silent bool
}

// search begins one of a list.
func (r *run) search(l list, sums *blockSums, kernel gpu.Kernel, blocks int, further ...gpu.Ptr) search {
	return search{
		run: r, list: l, cut: r.cut(len(l.nodes), blocks), sums: sums, kernel: kernel, blocks: blocks, further: further,
	}
}

// over searches from the sources numbered from to to by one method, and joins sums where atoms end.
func (s search) over(policy int64, from, to int) {
	c := s.run.calls
	if c.Err != nil || from >= to {
		return
	}
	bounds, args := s.cut.units(from, to), s.arguments(policy)
	if c.Err == nil {
		progress := func(units int) { s.progress(bounds[units]) }
		c.Err = device.Chunks(c, len(bounds)-1, 1, progress, func(first, count int) error {
			s.launches(args, bounds[first:first+count+1])
			return c.Err
		})
	}
	c.Free(args)
}

// launches launches the kernel for units, those of one atom together.
func (s search) launches(args gpu.Ptr, bounds []int) {
	from, last := bounds[0], bounds[len(bounds)-1]
	for _, to := range bounds[1:] {
		if to != last && !s.cut.ends(to) {
			continue
		}
		if s.sums.joined {
			s.sums.clear()
			s.sums.joined = false
		}
		s.launch(args, from, to)
		if s.cut.ends(to) {
			s.join(to)
		}
		from = to
	}
}

func (s search) launch(args gpu.Ptr, first, last int) {
	all := []any{args}
	for _, p := range s.further {
		all = append(all, p)
	}
	of := s.run.layout.shape
	shape := gpu.Shape{Grid: s.blocks, Block: of.threadsPerBlock, Shared: of.sharedPerBlock}
	s.run.calls.Launch(s.kernel, shape, append(all, int64(first), int64(last))...)
}

// join joins the sums of the atom that ends before source number last.
func (s search) join(last int) {
	s.sums.join(s.cut.begin(s.cut.atom(last-1)), last)
	s.sums.joined = true
}

func (s search) progress(done int) {
	if !s.silent {
		s.run.job.Progress(done - s.cut.first)
	}
}

// probed is how many sources decide on the method of the others; 0 where the strategy has one method.
func (r *run) probed() int {
	if !r.layout.engine.probes {
		return 0
	}
	return roundUp(samplingSources, r.layout.shape.blocks) * r.layout.shape.blocks
}

// decision is what the first sources decide on.
type decision struct {
	// begin is the first source that is left to search from, policy the method.
	begin  int
	policy int64
	// pass is the pass to search in, chunk the number of sources of the first chunk, and failed those of it that failed.
	pass, chunk int
	failed      []int32
}

// decide has the first sources decide on what follows. For a shard that does not have them, they are searched from for
// that alone.
func (s search) decide(of func(search) decision) decision {
	if s.cut.first == 0 {
		return of(s)
	}
	alone := s
	alone.silent, alone.sums = true, &blockSums{join: func(int, int) {}, clear: func() {}}
	d := of(alone)
	s.sums.discard()
	d.begin, d.chunk, d.failed = s.cut.first, s.cut.first, nil
	return d
}

// probe searches from the sources that decide on the method, from number from on (McLaughlin & Bader, Algorithm 5).
func (s search) probe(from int) decision {
	r := s.run
	d := decision{begin: max(from, min(r.probed(), s.cut.count)), policy: r.layout.engine.policy}
	if s.over(d.policy, from, d.begin); r.probed() > 0 && d.begin < s.cut.count && s.depthsAreLow(d.begin) {
		d.policy = bigLevels
		r.note("all arcs for big levels, because the median depth is low")
	}
	return d
}

// depthsAreLow reports whether the median depth of the first count sources is under Algorithm 5's bound.
func (s search) depthsAreLow(count int) bool {
	depths := make([]int32, count)
	if device.Download(s.run.calls, depths, s.list.depths); s.run.calls.Err != nil {
		return false
	}
	slices.Sort(depths)
	return float64(depths[count/2]) < samplingDepth*math.Log2(float64(s.run.job.Graph.N))
}

// bySamples searches from all sources of the shard by the method that the first ones decide on.
func (s search) bySamples() {
	if s.cut.first == s.cut.last {
		return
	}
	d := decision{begin: s.cut.first, policy: s.run.layout.engine.policy}
	if s.run.probed() > 0 {
		d = s.decide(func(s search) decision { return s.probe(0) })
	}
	s.over(d.policy, d.begin, s.cut.last)
}
