package export

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// Decimal returns the shortest decimal that reads back as w: mantissa * 10^place, without trailing zeros unless w is a
// small integer. w is finite and not negative.
func Decimal(w float64) (mantissa uint64, place int) {
	if IsWhole(w) {
		return uint64(w), 0
	}
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], w, 'e', -1, 64)
	for i, c := range text {
		switch {
		case c == 'e':
			exponent, _ := strconv.Atoi(string(text[i+1:]))
			return mantissa, place + exponent
		case c != '.':
			mantissa = mantissa*10 + uint64(c-'0')
			if i > 0 {
				place--
			}
		}
	}
	return mantissa, place
}

// IsWhole reports whether w, which is not negative, is a whole number under 2^53.
func IsWhole(w float64) bool { return w < 1<<53 && w == float64(int64(w)) }

// decimalSum adds weights exactly: each is the decimal that its shortest text shows. The sum is digits * 10^place.
type decimalSum struct {
	digits uint64
	large  *big.Int // the digits once 64 bits do not hold them, nil before
	place  int
}

func (s *decimalSum) add(w float64) {
	digits, place := Decimal(w)
	if s.large == nil {
		if s.addSmall(digits, place) {
			return
		}
		s.large = new(big.Int).SetUint64(s.digits)
	}
	s.addLarge(new(big.Int).SetUint64(digits), place)
}

// addSmall reports whether 64 bits hold the new sum; otherwise it changes nothing.
func (s *decimalSum) addSmall(digits uint64, place int) bool {
	low := min(s.place, place)
	if s.digits == 0 {
		low = place
	}
	own, ok := shifted(s.digits, s.place-low)
	other, fits := shifted(digits, place-low)
	sum, carry := bits.Add64(own, other, 0)
	if !ok || !fits || carry > 0 {
		return false
	}
	s.digits, s.place = sum, low
	return true
}

// shifted returns x * 10^places, and whether 64 bits hold it.
func shifted(x uint64, places int) (uint64, bool) {
	for range places {
		if x == 0 {
			break
		}
		hi, lo := bits.Mul64(x, 10)
		if hi > 0 {
			return 0, false
		}
		x = lo
	}
	return x, true
}

// addLarge changes s.large to the sum with digits, which may be negative.
func (s *decimalSum) addLarge(digits *big.Int, place int) {
	low := min(s.place, place)
	s.large.Mul(s.large, tenTo(s.place-low))
	s.large.Add(s.large, digits.Mul(digits, tenTo(place-low)))
	s.place = low
}

func tenTo(k int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil) }

// mostExactDigits bounds decimals that are the shortest text of the nearest float64 for sure: any of 15 digits is.
const mostExactDigits = 1e15

// split returns the sum as the nearest float64 and what is left, so that the decimals of both make the sum exactly. The
// rest is NaN when no float64 shows it. A sum past float64 is infinite.
func (s *decimalSum) split() (sum, rest float64) {
	if s.large == nil && s.digits < mostExactDigits {
		return s.nearest(), 0
	}
	if s.large == nil {
		s.large = new(big.Int).SetUint64(s.digits)
	}
	if sum = s.nearest(); math.IsInf(sum, 0) || s.less(sum) {
		return sum, 0
	}
	if rest = s.nearest(); s.less(rest) {
		return sum, rest
	}
	return sum, math.NaN()
}

// less takes w from the sum and reports whether nothing is left.
func (s *decimalSum) less(w float64) bool {
	mantissa, place := Decimal(math.Abs(w))
	digits := new(big.Int).SetUint64(mantissa)
	if w > 0 {
		digits.Neg(digits)
	}
	s.addLarge(digits, place)
	return s.large.Sign() == 0
}

// nearest returns the float64 that is nearest to the sum.
func (s *decimalSum) nearest() float64 {
	var text []byte
	if s.large != nil {
		text = s.large.Append(nil, 10)
	} else {
		text = strconv.AppendUint(nil, s.digits, 10)
	}
	text = strconv.AppendInt(append(text, 'e'), int64(s.place), 10)
	nearest, _ := strconv.ParseFloat(string(text), 64) // the one error is that of a number past float64, which is infinite
	return nearest
}

// inverse returns 1 over a weight, and its rest, as Graph.Rests has them: NaN unless the decimals of the two make
// exactly 1.
func inverse(w, rest float64) (length, restOfLength float64) {
	length = 1 / w
	if rest != 0 || math.IsInf(length, 0) {
		return length, math.NaN()
	}
	a, placeA := Decimal(w)
	b, placeB := Decimal(length)
	product := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
	places := -(placeA + placeB)
	if places < 0 || product.Cmp(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)) != 0 {
		return length, math.NaN()
	}
	return length, 0
}
