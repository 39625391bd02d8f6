package choice

import (
	"math"

	"github.com/linchpin-graph/linchpin/engine/plan"
)

// Sampling is how a device draws a sample with a bound.
type Sampling struct {
	Engine string
	// Speed is how much work, arcs of pairs or sources, the device does in a second; Limit is the most that a sample may
	// take.
	Speed, Limit float64
}

// PairsOnDevice is the sampling of pairs by a device that looks at so many arcs in a second.
func PairsOnDevice(arcs float64) Sampling {
	return Sampling{Engine: plan.OneByOne, Speed: arcs, Limit: math.MaxFloat64}
}

// SourcesOnDevice is the sampling of so many sources at the most, by the first of some ways that is on a device.
// Without one, nothing is known of its speed.
func (c *Choice) SourcesOnDevice(ways []plan.Candidate, most float64) Sampling {
	for _, w := range ways {
		if w.Device == plan.GPU && w.Cost.Search > 0 {
			return Sampling{Engine: w.Engine, Speed: float64(c.Features.Sources) / w.Cost.Search, Limit: most}
		}
	}
	return Sampling{Engine: plan.OneByOne, Speed: math.MaxFloat64, Limit: most}
}

// Work is that of so many seconds, or the most that a sample may take.
func (s Sampling) Work(seconds float64) float64 { return min(seconds*s.Speed, s.Limit) }
