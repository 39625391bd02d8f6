package flow

import (
	"cmp"
	"math"
	"slices"
)

// spectrum is numbers, each with a mass.
type spectrum struct{ all, sorted []weighed }

// weighed is a number, and how often it counts. The bits of key are in the order of the number.
type weighed struct {
	key  uint64
	mass float64
}

func (s *spectrum) clear() { s.all = s.all[:0] }

// add adds a number that is finite.
func (s *spectrum) add(value, mass float64) {
	bits := math.Float64bits(value)
	if bits>>63 == 1 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	s.all = append(s.all, weighed{bits, mass})
}

func (w weighed) value() float64 {
	if w.key>>63 == 1 {
		return math.Float64frombits(w.key &^ (1 << 63))
	}
	return math.Float64frombits(^w.key)
}

// differences is the sum of the differences of all pairs.
func (s *spectrum) differences() (sum float64) {
	s.sort()
	before, total := 0.0, 0.0
	for _, a := range s.all {
		total += a.mass
	}
	for i := range len(s.all) - 1 { // so many pairs lie on both sides of the gap
		before += s.all[i].mass
		sum += (s.all[i+1].value() - s.all[i].value()) * before * (total - before)
	}
	return sum
}

// fewNumbers is up to how many are sorted by comparing them.
const fewNumbers = 128

// sort sorts by keys, a byte of them at a time from the last one on. Bytes that all keys share are skipped.
func (s *spectrum) sort() {
	if len(s.all) <= fewNumbers {
		slices.SortFunc(s.all, func(a, b weighed) int { return cmp.Compare(a.key, b.key) })
		return
	}
	s.sorted = slices.Grow(s.sorted[:0], len(s.all))[:len(s.all)]
	var counts [8][256]int
	for _, a := range s.all {
		for digit := range counts {
			counts[digit][byte(a.key>>(8*digit))]++
		}
	}
	for digit := range counts {
		if starts := &counts[digit]; starts[byte(s.all[0].key>>(8*digit))] < len(s.all) {
			s.distribute(digit, starts)
		}
	}
}

// distribute sorts by one byte of the keys, which has these counts. Equal ones keep their order.
func (s *spectrum) distribute(digit int, starts *[256]int) {
	sum := 0
	for i, count := range starts {
		starts[i] = sum
		sum += count
	}
	for _, a := range s.all {
		at := &starts[byte(a.key>>(8*digit))]
		s.sorted[*at] = a
		*at++
	}
	s.all, s.sorted = s.sorted, s.all
}
