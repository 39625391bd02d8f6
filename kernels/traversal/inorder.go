package traversal

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels/device"
)

// inOrder searches from the sources of a list, one per block, and hands over what each adds in the order of the list.
// So sums depend on no number of blocks.
type inOrder struct {
	run    *run
	search search
	passes []pass
	// add takes the rows of so many sources that follow one another, from that of a block on, and clears them; paths were
	// counted in numbers of that width. It reports whether more are wanted.
	add func(w width, block, count int) bool
	// more is what add said last.
	more bool
}

func (r *run) eachInOrder(l list, add func(w width, block, count int) bool) *inOrder {
	return &inOrder{run: r, search: r.search(l, nil, r.countKernel(f64), r.layout.shape.blocks), passes: r.passes(),
		add: add, more: true}
}

// over searches from all sources of the list until no more are wanted. progress is told how many it has searched from.
func (o *inOrder) over(progress func(done int)) {
	c, blocks, count := o.run.calls, o.run.layout.shape.blocks, len(o.search.list.nodes)
	for first := 0; first < count && o.more && c.Err == nil; first += blocks {
		if c.Ctx.Err() != nil {
			c.Err = context.Cause(c.Ctx)
			return
		}
		o.from(first, min(blocks, count-first), 0)
		progress(min(first+blocks, count))
	}
}

// from searches from count sources in a pass.
func (o *inOrder) from(first, count, number int) {
	most := o.run.layout.grid(o.passes[number].width)
	for last := first + count; first < last && o.more && o.run.calls.Err == nil; first += most {
		o.launch(first, min(most, last-first), number)
	}
}

// launch searches from count sources in a pass, no more than it has blocks. Those that fail are searched from in the
// next pass in their turn: the rows that they left are as empty as those before, which have been added.
func (o *inOrder) launch(first, count, number int) {
	c, s := o.run.calls, o.search.in(o.passes[number])
	args := s.arguments(o.run.layout.engine.policy)
	s.launch(args, first, first+count)
	failed := make([]int32, count)
	device.Download(c, failed, s.list.failed.At(4*int64(first)))
	c.Free(args)
	for at := 0; at < count && o.more && c.Err == nil; {
		end := at + 1
		for end < count && failed[end] == failed[at] {
			end++
		}
		switch next := o.passes[number].next; {
		case failed[at] == 0:
			o.more = o.add(s.width, at, end-at)
		case next > 0:
			o.from(first+at, end-at, next)
		default:
			c.Err = &device.Unsuited{
				Why: "path lengths are exact in 128-bit integers only, and some source has paths that float64 does not tell apart",
			}
		}
		at = end
	}
}
