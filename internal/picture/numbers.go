package picture

import (
	"math"
	"strconv"
	"strings"
)

// Number writes a score for people: six significant digits, and thin spaces between thousands.
func Number(x float64) string {
	switch a := math.Abs(x); {
	case a >= 1e10 || a > 0 && a < 1e-4:
		return scientific(x, 4)
	case a >= 1e4:
		return Count(int64(math.Round(x)))
	case a >= 1e3:
		whole, rest, _ := strings.Cut(strconv.FormatFloat(x, 'g', 6, 64), ".")
		n, _ := strconv.ParseInt(whole, 10, 64)
		if rest != "" {
			rest = "." + rest
		}
		return Count(n) + rest
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

// Brief writes a number in as few characters as an axis has room for.
func Brief(x float64) string {
	switch a := math.Abs(x); {
	case x == 0:
		return "0"
	case a >= 1e15 || a < 1e-3:
		return scientific(x, 0)
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

// superscripts are the characters of an exponent, raised.
var superscripts = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶",
	"7", "⁷", "8", "⁸", "9", "⁹")

// scientific writes a number as a power of ten with a factor of at most so many decimals. It is infinite or no number
// as strconv writes it.
func scientific(x float64, decimals int) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	factor, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', decimals, 64), "e")
	n, _ := strconv.Atoi(exponent)
	if strings.Contains(factor, ".") {
		factor = strings.TrimRight(strings.TrimRight(factor, "0"), ".")
	}
	power := "10" + superscripts.Replace(strconv.Itoa(n))
	switch factor {
	case "1":
		return power
	case "-1":
		return "-" + power
	}
	return factor + "·" + power
}

// Likeness says what the rank correlation of scores with those of the run before means.
func Likeness(rank float64) string {
	switch {
	case rank >= .999:
		return "the order is practically the same"
	case rank >= .95:
		return "the order is nearly the same"
	case rank >= .7:
		return "the order has changed in part"
	}
	return "the order is another one"
}
