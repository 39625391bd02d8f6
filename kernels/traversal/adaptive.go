package traversal

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// sample is an adaptive sample on its way; see adaptive.cu.
type sample struct {
	run    *run
	wanted gpu.Ptr
	// waiting is how many nodes of interest take more sources, wantedCount how many there are.
	waiting, wantedCount int
	// searched is how many sources' dependencies have been added.
	searched int
}

// adaptive searches from the sources in their order until every node of interest has stopped.
func (r *run) adaptive() {
	c, wanted := r.calls, r.job.Wanted
	if wanted == nil {
		wanted = make([]int32, r.job.Graph.N)
		for v := range wanted {
			wanted[v] = int32(v)
		}
	}
	s := &sample{run: r, wanted: device.Upload(c, wanted), waiting: len(wanted), wantedCount: len(wanted)}
	l := r.list(r.job.Sources)
	r.ready()
	if s.waiting > 0 {
		r.eachInOrder(l, s.add).over(func(int) { r.job.Progress(s.searched) })
	}
	r.lostArc()
	if c.Err == nil {
		r.job.Progress(len(r.job.Sources))
	}
	s.scores()
}

// add adds the rows of count blocks, from that number on, but none after the one with which the last node of interest
// stops. It reports whether more rows are wanted.
func (s *sample) add(_ width, block, count int) (more bool) {
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
	return s.waiting > 0
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
