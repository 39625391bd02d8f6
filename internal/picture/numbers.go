package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number writes a score for people: six significant digits, and thin spaces between thousands.
func Number(x float64) string {
	if a := math.Abs(x); a >= 1e4 && a < 1e15 {
		return Count(int64(math.Round(x)))
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// Count writes a whole number with thin spaces between thousands.
func Count(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

// brief writes a number in as few characters as an axis has room for.
func brief(x float64) string {
	switch a := math.Abs(x); {
	case x == 0:
		return "0"
	case a >= 1e15 || a < 1e-3:
		return power(x)
	case a >= 999.5e9:
		return digits(x/1e12) + "T"
	case a >= 999.5e6:
		return digits(x/1e9) + "G"
	case a >= 999.5e3:
		return digits(x/1e6) + "M"
	case a >= 9999.5:
		return digits(x/1e3) + "k"
	case a >= 999.5:
		return Count(int64(math.Round(x)))
	}
	return digits(x)
}

func digits(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// power writes a number as a power of ten, with superscripts.
func power(x float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 0, 64), "e")
	n, _ := strconv.Atoi(exponent)
	raised := strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(n))
	if mantissa == "1" {
		return "10" + raised
	}
	return fmt.Sprintf("%s·10%s", mantissa, raised)
}
