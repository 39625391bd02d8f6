package chains

import (
	"errors"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// The passes of a run. Sources of which a row has more paths than one counts are left to the next.
const (
	doublePass = iota
	widePass
	passes
)

// run is one run of Betweenness.
type run struct {
	calls  *device.Calls
	job    *device.Job
	flat   *reduce.Flat
	layout *layout
	arrays arrays
	args   gpu.Ptr // of all kernels
	number number  // that paths are counted in
	width  float64 // of the near pile
	sums   *kernels.Partial
	begun  time.Time
	// done counts searches and backward passes.
	done int
	// atom is the number of the atom that the sums of blocks belong to, or noAtom.
	atom int
}

// noAtom is the atom of empty sums.
const noAtom = -1

func newRun(p *prepared, c *device.Calls, j *device.Job) *run {
	f := p.engine.flat
	l := p.layout
	return &run{
		calls: c, job: j, flat: f, layout: &l, sums: NewPartial(f), begun: time.Now(), atom: noAtom,
		width: device.NearWidth(device.SumOf(f.Lengths), l.arcs, l.nodes),
	}
}

// all does the job's passes over its shard. A part of a run ends with its first pass.
func (r *run) all() device.Result {
	result := device.Result{Note: r.note()}
	if r.job.Weighted {
		result.Ties = "exact"
	}
	if r.layout.nodes == 0 {
		return result
	}
	r.layout.buffers(&r.arrays).Take(r.calls)
	r.countIn(numberOf(r.job.Pass))
	r.calls.Sync()
	result.Preprocess = time.Since(r.begun).Seconds()
	left := r.pass(r.job.Pass, r.job.Only)
	for pass := r.job.Pass + 1; pass < passes && len(left) > 0; pass++ {
		if !r.job.Shard.Whole() {
			result.Pass = pass
			break
		}
		r.widen()
		left = r.pass(pass, left)
	}
	result.Left = left
	if r.number == numberOf(widePass) {
		result.Note += "; counts of paths in wide numbers"
	}
	r.collect()
	return result
}

func (r *run) note() string {
	l := r.layout
	return fmt.Sprintf("searched from %d branch nodes, of which %d are ends of %d chains", l.nodes, l.ends, l.chains)
}

// countIn takes memory for counts of paths in some number.
func (r *run) countIn(n number) {
	r.number = n
	r.layout.countBuffers(&r.arrays, n).Take(r.calls)
	r.args = r.arguments()
}

// widen has paths counted in numbers of any size from now on.
func (r *run) widen() {
	r.calls.Free(r.args)
	r.layout.countBuffers(&r.arrays, r.number).Free(r.calls)
	r.countIn(numberOf(widePass))
	if c := r.calls; errors.Is(c.Err, gpu.ErrMemory) {
		need := r.layout.bytes() + 8*r.layout.rows()
		c.Err = &gpu.TooLarge{What: "chains with wide counts of paths", Need: need, Free: c.Device.Info().Free}
	}
}

// pass does the shard's part of the given branch nodes, nil for all, and returns those that are left to the next pass.
func (r *run) pass(pass int, only []int32) (left []int32) {
	s, size := newSequence(r.flat, only, r.layout.blocks), loneRows*r.layout.blocks
	for _, b := range s.ofEnds(r.job.Shard) {
		left = append(left, r.batch(&b)...)
	}
	lone, begins := s.others(r.job.Shard, size)
	tooMany := false // paths, in the first batch of all shards
	if len(lone) > 0 && !begins && pass == doublePass {
		first := s.loneBatch(cut(s.lone, 0, size), 0)
		tooMany = len(r.rows(&first)) > 0
		r.done -= len(first.nodes)
	}
	for i := range lone {
		if tooMany {
			left = append(left, lone[i].nodes...)
			continue
		}
		more := r.batch(&lone[i])
		left = append(left, more...)
		tooMany = begins && i == 0 && len(more) > 0
	}
	r.join()
	return left
}

// collect downloads the sums.
func (r *run) collect() {
	c, l, a, s := r.calls, r.layout, &r.arrays, r.sums
	own := make([]float64, l.nodes)
	device.Download(c, own, a.own)
	for _, part := range []struct {
		into *exact.Sums
		from gpu.Ptr
	}{{s.Nodes, a.passes}, {s.Edges, a.through}, {s.Bins, a.hist}, {s.Peers, a.peers}} {
		if part.into == nil || len(part.into.Words) == 0 {
			continue
		}
		part.into.JoinWords(c.Words(part.from, int64(len(part.into.Words))))
	}
	for v, x := range own {
		s.Nodes.Add(v, x)
	}
}
