package rank

import (
	"math"
)

// leading finds the vector that a symmetric matrix stretches most, as the best of the span of three: the vector, what
// is left over of its product, and the step before (locally optimal conjugate gradients; Knyazev, 2001). Where powers
// of the matrix take k steps, it takes about the square root of k.
type leading struct {
	rows *matrix
	// apply multiplies by the matrix.
	apply func(in, out []float64)
	// span has the vector, the rest and the step, products what the matrix makes of each, and used how many there are.
	span, products [3][]float64
	used           int
	value          float64
	steps          int
	parts          [][18]float64
}

// refresh is after how many steps products are made anew, since rounding adds up in them.
const refresh = 16

func newLeading(rows *matrix, start []float64, apply func(in, out []float64)) *leading {
	l := &leading{rows: rows, apply: apply, used: 2, parts: make([][18]float64, rows.count())}
	for i := range l.span {
		l.span[i], l.products[i] = make([]float64, len(start)), make([]float64, len(start))
	}
	copy(l.span[0], start)
	inner, _ := l.inner(1)
	l.each(func(v int) { l.span[0][v] /= math.Sqrt(inner[0][0]) })
	return l
}

func (l *leading) each(do func(v int)) {
	l.rows.each(func(_, first, last int) {
		for v := first; v < last; v++ {
			do(v)
		}
	})
}

// step makes the next vector, and returns the largest difference to the one before, relative to the largest score.
func (l *leading) step() float64 {
	if l.steps%refresh == 0 {
		l.apply(l.span[0], l.products[0])
	}
	l.steps++
	_, through := l.inner(1)
	l.value = through[0][0]
	l.each(func(v int) { l.span[1][v] = l.products[0][v] - l.value*l.span[0][v] })
	l.apply(l.span[1], l.products[1])
	inner, through := l.inner(l.used)
	if inner[1][1] <= rounding*rounding*l.value*l.value { // it is one
		return 0
	}
	c, used := best(inner, through, l.used)
	l.used = min(3, used+1)
	return l.combine(c)
}

// inner returns the inner products of the first of the vectors with each other and with the products.
func (l *leading) inner(used int) (inner, through [3][3]float64) {
	l.rows.each(func(block, first, last int) {
		var part [18]float64
		for i := range used {
			for k := range used {
				a, b, c := l.span[i], l.span[k], l.products[k]
				for v := first; v < last; v++ {
					part[3*i+k] += a[v] * b[v]
					part[9+3*i+k] += a[v] * c[v]
				}
			}
		}
		l.parts[block] = part
	})
	for _, part := range l.parts {
		for i := range 9 {
			inner[i/3][i%3] += part[i]
			through[i/3][i%3] += part[9+i]
		}
	}
	return inner, through
}

// combine makes the next vector and step of those that there are.
func (l *leading) combine(c [3]float64) float64 {
	l.rows.each(func(block, first, last int) {
		difference, most := 0.0, 0.0
		for v := first; v < last; v++ {
			old := l.span[0][v]
			for _, of := range []*[3][]float64{&l.span, &l.products} {
				of[2][v] = c[1]*of[1][v] + c[2]*of[2][v]
				of[0][v] = c[0]*of[0][v] + of[2][v]
			}
			x := l.span[0][v]
			difference, most = max(difference, math.Abs(x-old)), max(most, math.Abs(x))
		}
		l.parts[block] = [18]float64{difference, most}
	})
	var difference, most float64
	for _, part := range l.parts {
		difference, most = max(difference, part[0]), max(most, part[1])
	}
	return difference / most
}

// scores are the vector, of length 1. Rounding may leave a score of about 0 below it.
func (l *leading) scores() []float64 {
	out := l.span[0]
	squares := 0.0
	for v := range out {
		out[v] = max(0, out[v])
		squares += out[v] * out[v]
	}
	divide(out, math.Sqrt(squares))
	return out
}

// best returns the combination of vectors that the matrix stretches most, of length 1, by their inner products. The
// last vector is left out where it lies in the span of the others but for rounding.
func best(inner, through [3][3]float64, used int) ([3]float64, int) {
	scale := [3]float64{}
	for i := range used {
		scale[i] = 1 / math.Sqrt(inner[i][i])
	}
	// The rows of base are combinations of length 1 that are at right angles to one another (Gram and Schmidt).
	var base [3][3]float64
	count := 0
	for i := range used {
		row := [3]float64{}
		row[i] = scale[i]
		for range 2 { // twice is enough
			for k := range count {
				along := form(inner, base[k], row)
				for j := range row {
					row[j] -= along * base[k][j]
				}
			}
		}
		length := math.Sqrt(max(0, form(inner, row, row)))
		if !(length > dependent) {
			continue
		}
		for j := range row {
			row[j] /= length
		}
		base[count] = row
		count++
	}
	var small [3][3]float64
	for i := range count {
		for k := range count {
			small[i][k] = (form(through, base[i], base[k]) + form(through, base[k], base[i])) / 2
		}
	}
	top := topOf(small, count)
	var c [3]float64
	for i := range count {
		for j := range c {
			c[j] += top[i] * base[i][j]
		}
	}
	if c[0] < 0 {
		c = [3]float64{-c[0], -c[1], -c[2]}
	}
	return c, count
}

// dependent is the length under which a vector of length 1 has nothing of its own.
const dependent = 1e-6

// form returns the product of two rows by a matrix.
func form(m [3][3]float64, a, b [3]float64) (sum float64) {
	for i := range a {
		for k := range b {
			sum += a[i] * m[i][k] * b[k]
		}
	}
	return sum
}

// topOf returns the eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi's rotations.
func topOf(a [3][3]float64, n int) [3]float64 {
	vectors := [3][3]float64{{1}, {0, 1}, {0, 0, 1}}
	for range 12 { // converges quadratically
		for p := range n {
			for q := p + 1; q < n; q++ {
				if a[p][q] == 0 {
					continue
				}
				angle := math.Atan2(2*a[p][q], a[p][p]-a[q][q]) / 2
				s, c := math.Sincos(angle)
				for k := range 3 {
					a[k][p], a[k][q] = c*a[k][p]+s*a[k][q], c*a[k][q]-s*a[k][p]
				}
				for k := range 3 {
					a[p][k], a[q][k] = c*a[p][k]+s*a[q][k], c*a[q][k]-s*a[p][k]
					vectors[k][p], vectors[k][q] = c*vectors[k][p]+s*vectors[k][q], c*vectors[k][q]-s*vectors[k][p]
				}
			}
		}
	}
	top := 0
	for i := 1; i < n; i++ {
		if a[i][i] > a[top][top] {
			top = i
		}
	}
	return [3]float64{vectors[0][top], vectors[1][top], vectors[2][top]}
}
