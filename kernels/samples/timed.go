package samples

import (
	"context"
	"math"
	"time"
)

const (
	// pilotTime is the share of the time of a sample that its pilot takes.
	pilotTime = 0.1
	// mostPilot bounds the pilot of a timed sample.
	mostPilot = 1 << 20
	// firstPart is the share of the pairs that fit the time before the first check of the bound.
	firstPart = 0.5
)

// timed draws a pilot sample and then one of its own until the time is nearly over. It reports false when exact scores
// take less work than that. The bound is looked at after numbers of pairs that the pilot sets. So it holds, whichever
// of these the time ends at.
func (s *pairSample) timed(ctx context.Context, most float64) (ok bool, err error) {
	begun, seconds := time.Now(), s.accuracy.Seconds
	past := func() float64 { return time.Since(begun).Seconds() }
	for next := int64(firstPilot); next == firstPilot || past() < pilotTime/2*seconds && next <= mostPilot; next *= 2 {
		if err := s.draw(ctx, pilotStream, next); err != nil {
			return false, err
		}
	}
	each := past() / float64(s.drawn) // seconds
	fit := min(max(1, (seconds-past())/each), mostPairs)
	if !s.pays(fit, most) {
		return false, nil
	}
	if err := s.endPilot(); err != nil {
		return false, err
	}
	s.divideFor(fit * firstPart)
	for need := math.Ceil(fit * firstPart); s.estimate.Checks == 0 ||
		past()+(need-float64(s.drawn))*each <= seconds && need <= mostPairs; {
		if err := s.draw(ctx, mainStream, int64(need)); err != nil {
			return false, err
		}
		s.estimate.Checks++
		bound, err := s.bound()
		if err != nil {
			return false, err
		}
		s.estimate.Bound = bound * s.share()
		need = math.Ceil(need * checkGrowth)
	}
	s.estimate.Pairs = s.drawn
	return true, nil
}
