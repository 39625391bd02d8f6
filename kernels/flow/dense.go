package flow

import (
	"context"
	"sync"
)

// leastWork is the number of steps that a thread takes at the least.
const leastWork = 1 << 14

// split does parts of so many things on threads, as many as the steps of work are worth.
func split(count, work, threads int, do func(part span)) {
	threads = min(threads, work/leastWork)
	if threads <= 1 {
		do(span{0, count})
		return
	}
	var all sync.WaitGroup
	for _, part := range parts(count, threads) {
		all.Go(func() { do(part) })
	}
	all.Wait()
}

// eliminateDense makes shares and pivots of the conductances that stand in the columns of the tail. Sums have the same
// order for any number of threads.
func (f *factor) eliminateDense(ctx context.Context, threads int) {
	for p := f.tail; p < len(f.pivot) && ctx.Err() == nil; p++ {
		column := f.column(p)
		split(len(column), len(column)*(p-f.tail), threads, func(part span) {
			f.addBefore(p, part, column[part.first:part.last])
		})
		sum := 0.0
		for _, c := range column {
			sum += c
		}
		f.pivot[p] = sum
		for i := range column {
			column[i] /= sum
		}
	}
}

// addBefore adds to a part of column p what the columns before it in the tail left there when they were eliminated.
func (f *factor) addBefore(p int, part span, out []float64) {
	before := f.tail
	for ; before+4 <= p; before += 4 {
		x, a := f.left(before, p, part)
		y, b := f.left(before+1, p, part)
		z, c := f.left(before+2, p, part)
		w, d := f.left(before+3, p, part)
		for i := range out {
			out[i] += (x*a[i] + y*b[i]) + (z*c[i] + w*d[i])
		}
	}
	for ; before < p; before++ {
		x, a := f.left(before, p, part)
		for i := range out {
			out[i] += x * a[i]
		}
	}
}

// left is what the elimination of place before leaves in a part of column p: the product of both.
func (f *factor) left(before, p int, part span) (by float64, shares []float64) {
	column := f.column(before)
	from := p - before
	return column[from-1] * f.pivot[before], column[from+part.first : from+part.last]
}

// dot is the product of two vectors of the same length.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var x, y, z, w float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x += a[i] * b[i]
		y += a[i+1] * b[i+1]
		z += a[i+2] * b[i+2]
		w += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		x += a[i] * b[i]
	}
	return (x + y) + (z + w)
}
