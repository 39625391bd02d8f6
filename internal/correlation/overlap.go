package correlation

// Overlap is the share of the k highest of one list that are among the k highest of the other. Where several entities
// share the last place, each has an equal part of what is left of it: the result is the mean over all ways to break
// ties, in each list by itself. k is at least 1 and at most the number of values.
func Overlap(x, y []float64, k int) float64 {
	a, b := newTop(x, k), newTop(y, k)
	sum := 0.0
	for i := range x {
		if p := a.part(x[i]); p > 0 {
			sum += p * b.part(y[i])
		}
	}
	return sum / float64(k)
}

// top says which values are among the highest.
type top struct {
	last  float64 // the lowest value of them
	share float64 // of those that have the last value
}

func newTop(values []float64, k int) top {
	order := ascending(values)
	t := top{last: values[order[len(order)-k]]}
	above, tied := 0, 0
	for _, x := range values {
		switch {
		case x > t.last:
			above++
		case x == t.last:
			tied++
		}
	}
	t.share = float64(k-above) / float64(tied)
	return t
}

// part is how much of an entity with this value is among the highest, from 0 to 1.
func (t top) part(x float64) float64 {
	switch {
	case x > t.last:
		return 1
	case x == t.last:
		return t.share
	}
	return 0
}
