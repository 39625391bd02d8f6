package generate

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// chunkSize is the number of draws that share a stream of random numbers. It belongs to the definition of the graphs:
// another size gives other graphs.
const chunkSize = 1 << 16

// drawing collects the edges of a graph in any order, packed as smaller end << 32 | larger end.
type drawing struct {
	Spec
	ctx context.Context

	// spill takes what is drawn; nil where that stays in memory.
	spill *spill

	mu    sync.Mutex
	drawn [][]uint64
}

// pack returns the edge u-v as one number, in the order of its ends.
func pack(u, v int) uint64 { return uint64(min(u, v))<<32 | uint64(max(u, v)) }

// stream is a source of random numbers; one seed and number always give the same.
type stream struct{ *rand.PCG }

// streams of different use have different salts.
func (d *drawing) stream(salt, number int) stream {
	return stream{rand.NewPCG(mix(d.Seed), mix(uint64(salt)<<40|uint64(number)))}
}

// mix spreads the bits of a seed (splitmix64's finalizer).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// float is uniform in [0, 1).
func (s stream) float() float64 { return unit(s.Uint64()) }

func unit(x uint64) float64 { return float64(x>>11) * 0x1p-53 }

// below is uniform in 0..n-1, but for a bias under n/2^64.
func (s stream) below(n int) int {
	hi, _ := bits.Mul64(s.Uint64(), uint64(n))
	return int(hi)
}

// chunks runs draw over 0..count-1 in chunks, in parallel; the edges that it returns are kept. Each chunk has its own
// stream, so that the threads do not matter.
func (d *drawing) chunks(salt, count int, draw func(r stream, lo, hi int) []uint64) error {
	return d.parallel((count+chunkSize-1)/chunkSize, func(i int) error {
		lo := i * chunkSize
		d.keep(draw(d.stream(salt, i), lo, min(lo+chunkSize, count)))
		return nil
	})
}

// keep keeps edges.
func (d *drawing) keep(edges []uint64) {
	if d.spill != nil {
		d.spill.add(edges)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drawn = append(d.drawn, edges)
}

// keepMany keeps edges once they are many, and returns those that wait.
func (d *drawing) keepMany(edges []uint64) []uint64 {
	if len(edges) < chunkSize {
		return edges
	}
	d.keep(edges)
	return make([]uint64, 0, chunkSize+chunkSize/8)
}

// parallel runs f for 0..count-1 until the context is cancelled.
func (d *drawing) parallel(count int, f func(i int) error) error {
	g, ctx := errgroup.WithContext(d.ctx)
	g.SetLimit(d.Threads)
	for i := range count {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return f(i)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return d.ctx.Err()
}

// edges returns what was drawn, sorted, each edge once and no self-loops.
func (d *drawing) edges() (source, target []int32, err error) {
	parts, err := d.partition()
	if err != nil {
		return nil, nil, err
	}
	err = d.parallel(len(parts), func(i int) error {
		slices.Sort(parts[i])
		parts[i] = slices.Compact(parts[i])
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	starts, total := make([]int, len(parts)), 0
	for i, p := range parts {
		starts[i] = total
		total += len(p)
	}
	source, target = make([]int32, total), make([]int32, total)
	err = d.parallel(len(parts), func(i int) error {
		for k, e := range parts[i] {
			source[starts[i]+k], target[starts[i]+k] = int32(e>>32), int32(uint32(e))
		}
		return nil
	})
	return source, target, err
}

// maxParts is the number of parts that the edges are sorted in.
const maxParts = 4096

// partition divides the edges by ranges of their smaller end, without self-loops, and forgets the drawing.
func (d *drawing) partition() ([][]uint64, error) {
	shift := 0
	for d.Nodes>>shift > maxParts {
		shift++
	}
	counts := make([][]int, len(d.drawn))
	part := func(e uint64) int { return int(e >> 32 >> shift) }
	loop := func(e uint64) bool { return e>>32 == e&(1<<32-1) }
	parts := d.Nodes>>shift + 1
	err := d.parallel(len(d.drawn), func(i int) error {
		counts[i] = make([]int, parts)
		for _, e := range d.drawn[i] {
			if !loop(e) {
				counts[i][part(e)]++
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	total, bounds := 0, make([]int, parts+1)
	for p := range parts {
		for _, c := range counts {
			total, c[p] = total+c[p], total // now where the chunk's edges of this part begin
		}
		bounds[p+1] = total
	}
	all := make([]uint64, total)
	err = d.parallel(len(d.drawn), func(i int) error {
		for _, e := range d.drawn[i] {
			if !loop(e) {
				at := &counts[i][part(e)]
				all[*at] = e
				*at++
			}
		}
		d.drawn[i] = nil
		return nil
	})
	out := make([][]uint64, parts)
	for p := range parts {
		out[p] = all[bounds[p]:bounds[p+1]]
	}
	d.drawn = nil
	return out, err
}
