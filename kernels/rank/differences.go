package rank

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
)

// wide is the number of systems whose whole numbers of one node fill a cache line, and widest that of two lines, which
// processors fetch as a pair. So many systems are solved together.
const (
	wide   = 32
	widest = 64
)

// largest is the largest whole number that a node sends. Four of them fit in 16 bits.
const largest = 8191

// differences are systems on an undirected graph without weights that differ in their restarts. A node sends how much
// its score changes, in whole numbers of 16 bits. It keeps what rounding leaves, and sends it later. So rounding
// delays, but loses nothing, and sums are exact in any order. A lane has the bits of a system alone.
type differences struct {
	*system
	kernel differenceKernel
	// width is the number of lanes of a row of numbers that are sent: 1, wide or widest. used is that of the other rows,
	// which sums of 8 lanes fill.
	width, used int
	sent, next  []int16
	// scores are what was sent so far, and left is how far they are from what neighbours make of them.
	scores, left []float64
	// back is 1 / share.
	back  []float64
	units units
	// peaks are those of each block.
	peaks []peaks
}

// units say what the whole numbers of an iteration mean.
type units struct {
	// weight is that of what is left (Chebyshev's semi-iteration; Golub and Varga, 1961), and more that of the last
	// difference.
	weight, more float64
	// base is the least size that residuals are relative to, and limit the largest whole number.
	base, limit float64
	// step is what 1 means now, and inverse is 1 / what 1 will mean in the next iteration.
	step, inverse [widest]float64
}

// peaks are the largest numbers to send, and the largest residuals.
type peaks struct{ most, residuals [widest]float64 }

// sendsDifferences reports whether the systems of a request can send differences. Elsewhere one node may send so much
// more than others that these wait for it.
func (e *Equation) sendsDifferences() bool { return e.Share != nil && e.Bound > 0 }

// newDifferences begins with the restarts of up to 64 systems.
func newDifferences(s *system, all []kernels.Request) (d *differences, most []float64) {
	n := s.graph.N()
	d = &differences{system: s, kernel: oneDifference, width: 1, used: 1, back: make([]float64, n),
		peaks: make([]peaks, s.count())}
	if len(all) > 1 {
		d.kernel, d.width, d.used = fastDifferences(), (len(all)+wide-1)/wide*wide, (len(all)+7)/8*8
	}
	d.sent, d.next = make([]int16, n*d.width), make([]int16, n*d.width)
	d.scores, d.left = make([]float64, n*d.used), make([]float64, n*d.used)
	degrees := int64(1)
	for v, share := range s.Share {
		if degrees = max(degrees, s.graph.Degree(int32(v))); share > 0 {
			d.back[v] = 1 / share
		}
	}
	d.units = units{weight: 1, base: s.Base, limit: min(largest, float64(math.MaxInt32/degrees))}
	return d, d.start(all)
}

// start sends what nodes have of themselves, and returns what multiplies the scores of each lane. Nodes without edges
// have it at once.
func (d *differences) start(all []kernels.Request) (by []float64) {
	var most [widest]float64
	at := func(v int32, lane int) *float64 { return &d.left[int(v)*d.used+lane] }
	for lane, r := range all {
		by = append(by, eachRestart(r, d.Base, func(v int32, x float64) { *at(v, lane) = x }))
		for _, v := range r.Sources {
			most[lane] = max(most[lane], *at(v, lane)*d.Share[v])
		}
	}
	d.units.turn(&most)
	for lane, r := range all {
		for _, v := range r.Sources {
			if d.Share[v] > 0 {
				d.sent[int(v)*d.width+lane] = whole(*at(v, lane)*d.Share[v]*d.units.inverse[lane], d.units.limit)
			} else if left := at(v, lane); *left > 0 {
				d.scores[int(v)*d.used+lane], *left = *left, 0
			}
		}
	}
	d.units.turn(&most)
	return by
}

// turn goes on to the next iteration. Its whole numbers have the steps that were foreseen. In the one after it, most
// will be the limit, or nothing is sent where most is too small.
func (u *units) turn(most *[widest]float64) {
	for lane, x := range most {
		if u.step[lane] = 0; u.inverse[lane] > 0 {
			u.step[lane] = 1 / u.inverse[lane]
		}
		if u.inverse[lane] = u.limit / x; u.inverse[lane] > math.MaxFloat64 {
			u.inverse[lane] = 0
		}
	}
}

// step does one iteration, and returns the largest residual of each system.
func (d *differences) step() [widest]float64 {
	d.each(func(block, first, last int) {
		d.peaks[block] = peaks{}
		d.kernel(d, first, last, &d.peaks[block])
	})
	var all peaks
	for b := range d.peaks {
		for lane := range all.most {
			all.most[lane] = max(all.most[lane], d.peaks[b].most[lane])
			all.residuals[lane] = max(all.residuals[lane], d.peaks[b].residuals[lane])
		}
	}
	d.sent, d.next = d.next, d.sent
	u := &d.units
	u.turn(&all.most)
	u.weight = d.Accelerated(u.weight)
	u.more = u.weight - 1
	return all.residuals
}

// solve iterates until the residual of each of so many systems is small.
func (d *differences) solve(r kernels.Request, count int) ([]outcome, error) {
	most, wanted := r.IterationLimits()
	out, open := make([]outcome, count), count
	for k := 1; open > 0; k++ {
		residuals := d.step()
		if err := d.stop.Err(); err != nil {
			return nil, err
		}
		var ended []int
		for lane := range out {
			end := kernels.Convergence{Iterations: k, Residual: residuals[lane]}
			switch {
			case out[lane].ended.Iterations != 0:
			case end.Residual <= wanted:
				out[lane].ended, ended = end, append(ended, lane)
			case k >= most:
				out[lane] = outcome{ended: end, err: &kernels.NotConverged{Convergence: end, Wanted: wanted}}
				open--
			}
		}
		d.made(out, ended)
		open -= len(ended)
		progress(r, k, residuals[:count]...)
	}
	return out, d.stop.Err() // which may have cut the last scores short
}

// made sets the scores of lanes to those that neighbours make.
func (d *differences) made(out []outcome, ended []int) {
	for _, lane := range ended {
		out[lane].scores = make([]float64, d.graph.N())
	}
	if len(ended) == 0 {
		return
	}
	d.each(func(_, first, last int) {
		for v := first; v < last; v++ {
			for _, lane := range ended {
				i := v*d.used + lane
				out[lane].scores[v] = max(0, d.scores[i]+d.left[i])
			}
		}
	})
}
