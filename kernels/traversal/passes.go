package traversal

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/kernels/device"
)

// pass is one of the passes of a run that counts paths: numbers of one width, and how lengths of paths are told apart.
type pass struct {
	width width
	// arcs is of how many arcs paths may be whose lengths are told apart, where lengths are exact in 128 bits only; else
	// 0.
	arcs int64
	// next does the sources that this pass leaves, 0 for none. instead takes over where many of the first sources fail.
	next, instead int
}

// passes lists the passes: one per width, or one per bound on arcs, of the narrowest width since all counts are 1.
func (r *run) passes() []pass {
	var all []pass
	widths := r.layout.widths()
	if !r.metric.Unique {
		for i, w := range widths {
			all = append(all, pass{width: w, next: i + 1})
		}
		all[0].instead, all[len(all)-1].next = 1, 0
		return all
	}
	series := func(first int64) {
		for _, arcs := range append([]int64{first}, device.ArcBounds(first)...) {
			all = append(all, pass{width: widths[0], arcs: arcs, next: len(all) + 1})
		}
		all[len(all)-1].next = 0
	}
	series(r.metric.Certain)
	all[0].instead = len(all)
	series(device.CertainRounds)
	return all
}

// in is the search by the kernel of a pass, from whatever list.
func (s search) in(p pass) search {
	if p.arcs > 0 {
		s.run.metric.TellApart(p.arcs)
	}
	s.kernel, s.width, s.blocks = s.run.countKernel(p.width), p.width, s.run.layout.grid(p.width)
	return s
}

// passOver searches from nodes in one pass, and returns the sources that it leaves, and for which pass.
func (r *run) passOver(number int, all []pass, nodes []int32, sums *blockSums) (left []int32, next int) {
	l, p := r.list(nodes), all[number]
	defer r.freeList(l)
	s := r.search(l, sums, r.countKernel(p.width), r.layout.grid(p.width)).in(p)
	if s.cut.first == s.cut.last || r.calls.Err != nil {
		return nil, 0
	}
	d := decision{pass: number, begin: s.cut.first, chunk: s.cut.first, policy: r.layout.engine.policy}
	if number == 0 {
		d = s.decide(func(s search) decision { return s.firstChunk(all) })
	}
	s.in(all[d.pass]).over(d.policy, d.begin, s.cut.last)
	if !sums.joined && r.calls.Err == nil { // the first chunk is all there is
		s.join(s.cut.last)
	}
	for _, k := range append(d.failed, r.failures(l, d.chunk, s.cut.last)...) {
		left = append(left, nodes[k])
	}
	return left, all[d.pass].next
}

// firstChunk searches from one source per block. When many of these fail, they and all others are searched from in
// another pass.
func (s search) firstChunk(all []pass) decision {
	r, number, chunk := s.run, 0, min(s.blocks, s.cut.count)
	failed := s.from(0, chunk)
	r.eachAlone(len(failed))
	s.progress(chunk)
	many := func() bool { return float64(len(failed)) > escalate*float64(chunk) }
	if many() && r.calls.Err == nil {
		number = all[0].instead
		needed := len(failed)
		failed = s.again(all[number], failed)
		switch {
		case !r.metric.Unique:
			r.note(fmt.Sprintf("counts of paths in %s from the first chunk on, because %d of its %d sources need it",
				all[number].width.name, needed, chunk))
		case many() && r.calls.Err == nil:
			r.calls.Err = &device.Unsuited{Why: fmt.Sprintf("path lengths are exact in 128-bit integers only, and %d of %d "+
				"sources have paths that float64 does not tell apart", len(failed), chunk)}
		}
	}
	d := s.in(all[number]).probe(chunk)
	d.pass, d.chunk, d.failed = number, chunk, failed
	return d
}

// from searches from the sources numbered first to last in one launch, and returns the numbers of those that failed.
func (s search) from(first, last int) []int32 {
	c, args := s.run.calls, s.arguments(s.run.layout.engine.policy)
	if c.Err == nil {
		c.Err = device.Chunks(c, 1, 1, func(int) {}, func(int, int) error {
			s.launch(args, first, last)
			return c.Err
		})
	}
	c.Free(args)
	return s.run.failures(s.list, first, last)
}

// again searches from the sources of the given numbers in another pass, and returns the numbers of those that still
// fail.
func (s search) again(p pass, numbers []int32) (still []int32) {
	nodes := make([]int32, len(numbers))
	for i, k := range numbers {
		nodes[i] = s.list.nodes[k]
	}
	other := s.in(p)
	other.list = s.run.list(nodes)
	for _, i := range other.from(0, len(nodes)) {
		still = append(still, numbers[i])
	}
	s.run.freeList(other.list)
	return still
}

// note says what was done and why, unless something was said before.
func (r *run) note(text string) {
	if r.result.Note == "" {
		r.result.Note = text
	}
}
