package exact

import "math"

// Wide is a sum of numbers of any size that are not negative. It keeps the digits of 32 bits of its terms at the three
// highest places that a term has one at, each place added up by itself. What it drops lies under 2^-64 of the greatest
// term, for each term, and depends on the terms alone: a sum has the same bits in whatever order, and in however many
// parts, they are added. The zero value is 0. There may be 2^31 terms.
type Wide struct {
	Place  int64 // of Digits[0], which counts 2^(32 Place)
	Digits [wideDigits]uint64
}

const (
	wideDigits = 3
	digitBits  = 32
	digitMask  = 1<<digitBits - 1
	// mantissaBits is how many bits of a float64's mantissa follow the first.
	mantissaBits = 52
	// bias is how much greater than an exponent its bits are, exponentOfOne those of 1 in their place.
	bias          = 1023
	exponentOfOne = bias << mantissaBits
)

// Add adds mantissa * 2^exponent; the mantissa is in [1, 2), or 0.
func (w *Wide) Add(mantissa float64, exponent int64) {
	if mantissa == 0 {
		return
	}
	place := exponent >> 5
	// The bits of the mantissa, shifted so that they count 2^(32 (place - 2)): 96 bits at most, and none is lost.
	bits, by := uint64(mantissa*(1<<mantissaBits)), uint(exponent-place<<5)+(wideDigits-1)*digitBits-mantissaBits
	high, low := bits>>(64-by), bits<<by
	w.add(place, [wideDigits]uint64{high, low >> digitBits, low & digitMask})
}

// AddFloat adds x, which is finite and not negative.
func (w *Wide) AddFloat(x float64) {
	if bits := math.Float64bits(x); x >= 0x1p-1022 { // a normal number is taken apart at once
		w.Add(math.Float64frombits(bits&(1<<mantissaBits-1)|exponentOfOne), int64(bits>>mantissaBits)-bias)
		return
	}
	m, e := math.Frexp(x)
	w.Add(2*m, int64(e)-1)
}

// Join adds another sum.
func (w *Wide) Join(part Wide) {
	if part.Digits[0] != 0 {
		w.add(part.Place, part.Digits)
	}
}

// add adds digits, of which the first is not 0.
func (w *Wide) add(place int64, digits [wideDigits]uint64) {
	if w.Digits[0] == 0 {
		*w = Wide{place, digits}
		return
	}
	if place > w.Place {
		*w, place, digits = Wide{place, digits}, w.Place, w.Digits
	}
	gap := w.Place - place
	for i := range digits {
		if at := int64(i) + gap; at < wideDigits {
			w.Digits[at] += digits[i]
		}
	}
}

// Value returns the sum as mantissa * 2^exponent; the mantissa is in [1, 2), or 0.
func (w *Wide) Value() (mantissa float64, exponent int64) {
	sum := 0.0
	for i := range w.Digits {
		sum += math.Ldexp(float64(w.Digits[wideDigits-1-i]), digitBits*i)
	}
	m, e := math.Frexp(sum)
	if m == 0 {
		return 0, 0
	}
	return 2 * m, int64(e) - 1 + digitBits*(w.Place-wideDigits+1)
}

// Float returns the sum as a float64, which may be infinite.
func (w *Wide) Float() float64 {
	mantissa, exponent := w.Value()
	return math.Ldexp(mantissa, int(exponent))
}

// JoinWides adds the sums of another part, one by one.
func JoinWides(into, part []Wide) {
	for i, w := range part {
		into[i].Join(w)
	}
}

// MoveWides adds numbers that are not negative to sums, one by one, and clears them.
func MoveWides(into []Wide, from []float64) {
	for i, x := range from {
		if x != 0 {
			into[i].AddFloat(x)
		}
	}
	clear(from)
}
