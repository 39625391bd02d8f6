package rank

import "math"

// differenceKernel does an iteration of some rows.
type differenceKernel func(d *differences, first, last int, p *peaks)

// plainDifferences is the kernel in plain Go, for any number of lanes.
func plainDifferences(d *differences, first, last int, p *peaks) {
	g := d.graph
	for v := first; v < last; v++ {
		row := g.Targets[g.Offsets[v]:g.Offsets[v+1]]
		for lane := range d.used {
			sum := int32(0)
			for _, u := range row {
				sum += int32(d.sent[int(u)*d.width+lane])
			}
			d.advance(v, lane, sum, p)
		}
	}
}

// oneDifference is plainDifferences for one lane.
func oneDifference(d *differences, first, last int, p *peaks) {
	g, sent := d.graph, d.sent
	for v := first; v < last; v++ {
		sum := int32(0)
		for _, u := range g.Targets[g.Offsets[v]:g.Offsets[v+1]] {
			sum += int32(sent[u])
		}
		d.advance(v, 0, sum, p)
	}
}

// advance does what an iteration does with a node. Conversions keep processors from rounding once where others round
// twice.
func (d *differences) advance(v, lane int, sum int32, p *peaks) {
	u, share, i := &d.units, d.Share[v], v*d.used+lane
	step := u.step[lane]
	change := float64(float64(float64(d.sent[v*d.width+lane])*step) * d.back[v])
	left, score := d.left[i]-change+float64(float64(sum)*step), d.scores[i]+change
	d.left[i], d.scores[i] = left, score
	size := math.Abs(score)
	if size < u.base {
		size = u.base
	}
	if off := math.Abs(left); off > float64(p.residuals[lane]*size) {
		p.residuals[lane] = off / size
	}
	send := float64(float64(u.weight*left)+float64(u.more*change)) * share
	if size := math.Abs(send); size > p.most[lane] {
		p.most[lane] = size
	}
	d.next[v*d.width+lane] = whole(send*u.inverse[lane], u.limit)
}

// whole is the nearest whole number within limits, the even one of two. Numbers as large as rounded have no fraction.
func whole(x, limit float64) int16 {
	const rounded = 3 << 51
	if x > limit {
		x = limit
	} else if x < -limit {
		x = -limit
	}
	return int16(float64(x+rounded) - rounded)
}
