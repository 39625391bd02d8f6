package traversal

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// sample is an adaptive sample on its way; see adaptive.cu.
type sample struct {
	run    *run
	search search
	args   gpu.Ptr
	wanted gpu.Ptr
	// waiting is how many nodes of interest take more sources, wantedCount how many there are.
	waiting, wantedCount int
	// searched is how many sources' dependencies have been added.
	searched int
}

// adaptive searches from the sources in their order, one per block, until every node of interest has stopped.
func (r *run) adaptive() {
	c, wanted := r.calls, r.job.Wanted
	if wanted == nil {
		wanted = make([]int32, r.job.Graph.N)
		for v := range wanted {
			wanted[v] = int32(v)
		}
	}
	l := r.list(r.job.Sources)
	s := &sample{
		run: r, search: r.search(l, nil, r.countKernel(f64), r.layout.shape.blocks),
		args:   r.arguments(r.layout.engine.policy, l),
		wanted: device.Upload(c, wanted), waiting: len(wanted), wantedCount: len(wanted),
	}
	r.ready()
	count := len(r.job.Sources)
	for first := 0; first < count && s.waiting > 0 && c.Err == nil; first += r.layout.shape.blocks {
		if c.Ctx.Err() != nil {
			c.Err = context.Cause(c.Ctx)
			break
		}
		s.launch(first, min(r.layout.shape.blocks, count-first))
		r.job.Progress(s.searched)
	}
	r.lostArc()
	if c.Err == nil {
		r.job.Progress(count)
	}
	s.scores()
}

// launch searches from count sources and adds what they found, in their order. Those whose paths do not fit are
// searched from again in wide numbers, in between.
func (s *sample) launch(first, count int) {
	r, c := s.run, s.run.calls
	s.search.launch(s.args, first, first+count)
	failed := s.flags(first, count)
	most := r.layout.grid(wide)
	for at := 0; at < count && s.waiting > 0 && c.Err == nil; {
		end := at + 1
		for end < count && failed[end] == failed[at] && (failed[at] == 0 || end-at < most) {
			end++
		}
		if failed[at] == 0 {
			s.add(at, end-at)
		} else { // their rows are as empty as those before them, which have been added
			s.again(first+at, end-at)
			s.add(0, end-at)
		}
		at = end
	}
}

// again searches from count sources in wide numbers.
func (s *sample) again(first, count int) {
	other := s.search
	other.kernel, other.blocks = s.run.countKernel(wide), count
	other.launch(s.args, first, first+count)
	for _, f := range s.flags(first, count) {
		if f != 0 && s.run.calls.Err == nil {
			s.run.calls.Err = &device.Unsuited{
				Why: "path lengths are exact in 128-bit integers only, and some source has paths that float64 does not tell apart",
			}
		}
	}
}

// flags returns which of count sources failed.
func (s *sample) flags(first, count int) []int32 {
	flags := make([]int32, count)
	device.Download(s.run.calls, flags, s.search.list.failed.At(4*int64(first)))
	return flags
}

// add adds the rows of count blocks, from that number on, but none after the one with which the last node of interest
// stops.
func (s *sample) add(block, count int) {
	r, c, a := s.run, s.run.calls, s.run.arrays
	n := r.job.Graph.N
	rows, threshold, shape := a.nodes.At(8*n*int64(block)), r.job.C*float64(n), device.ForEach(n)
	c.Clear(a.stops, 8)
	c.Launch(kernelAdaptiveStops, shape, rows, n, int64(count), int64(s.searched), threshold, a.joinedNodes, a.taken,
		s.wanted, int64(s.wantedCount), a.stops)
	stops := make([]int32, 2)
	device.Download(c, stops, a.stops)
	if s.waiting -= int(stops[0]); s.waiting <= 0 {
		count = int(stops[1]) - s.searched
	}
	c.Launch(kernelAdaptiveAdd, shape, rows, n, int64(count), int64(s.searched), threshold, a.joinedNodes, a.taken)
	s.searched += count
}

// scores fills the job's scores and numbers of sources.
func (s *sample) scores() {
	j, c := s.run.job, s.run.calls
	taken := make([]int32, j.Graph.N)
	device.Download(c, taken, s.run.arrays.taken)
	device.Download(c, j.Scores, s.run.arrays.joinedNodes)
	if c.Err != nil {
		return
	}
	adaptive.Scores(j.Host, j.Request, j.Scores, taken, s.searched)
	for v, count := range taken {
		j.Taken[v] = float64(count)
	}
}
