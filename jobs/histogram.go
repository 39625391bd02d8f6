package jobs

import (
	"math"

	"github.com/linchpin-graph/linchpin/connector"
)

// bins is the number of bins of a histogram; a logarithmic one has at most logBins.
const (
	bins    = 20
	logBins = 30
)

func histogramOf(values []float64, low, high float64) []int64 {
	out := make([]int64, bins)
	width := high/bins - low/bins
	for _, x := range values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		b := 0
		if width > 0 {
			b = int(min((x-low)/width, bins-1))
		}
		out[b]++
	}
	return out
}

// logHistogramOf counts scores on a logarithmic axis. It is nil if some are negative, or if those above 0 span less
// than two decades. A bin is a decade, a whole part of one, or several.
func logHistogramOf(values []float64, low, high float64) *connector.LogHistogram {
	least := math.Inf(1)
	for _, x := range values {
		if x > 0 {
			least = min(least, x)
		}
	}
	if low < 0 || math.IsInf(least, 0) || high/least < 100 {
		return nil
	}
	step := logStep(math.Log10(high) - math.Log10(least))
	h := &connector.LogHistogram{Low: math.Floor(math.Log10(least)/step+1e-9) * step}
	n := max(1, int(math.Ceil((math.Log10(high)-h.Low)/step-1e-9)))
	h.High, h.Counts = h.Low+float64(n)*step, make([]int64, n)
	for _, x := range values {
		switch {
		case x == 0:
			h.Zeros++
		case x > 0 && !math.IsInf(x, 0):
			h.Counts[max(0, min(n-1, int(math.Floor((math.Log10(x)-h.Low)/step+1e-9))))]++
		}
	}
	return h
}

// logStep is the width of a bin in decades, for a number of decades.
func logStep(decades float64) float64 {
	for _, step := range []float64{.1, .2, .25, .5, 1, 2, 5, 10, 20} {
		if decades/step <= logBins-1 {
			return step
		}
	}
	return 25
}
