package jobs

import (
	"fmt"
	"time"
)

// leastPace is how long a pass must have gone on before its rate means something.
const leastPace = time.Second

// Pace measures how fast a step goes. A step has one pass or several, each with its own unit or its own count.
type Pace struct {
	began, last    time.Time // of the pass; the newest report
	done, expected int64
	unit           string
	planned        time.Duration
}

// NewPace returns the pace of a step that begins now.
func NewPace(now time.Time) *Pace { return &Pace{began: now, last: now} }

// Report takes what is done of what is expected; 0 when that is not known.
func (p *Pace) Report(now time.Time, done, expected int64, unit string) {
	if p.unit != "" && (unit != p.unit || done < p.done) {
		p.began = p.last
	}
	p.last, p.done, p.expected, p.unit = now, done, expected, unit
}

// Rate returns how much is done per second, or 0 while that is not known yet.
func (p *Pace) Rate() float64 {
	spent := p.last.Sub(p.began)
	if spent < leastPace {
		return 0
	}
	return float64(p.done) / spent.Seconds()
}

// Plan takes how long the step was predicted to take. The prediction counts until the rate is known.
func (p *Pace) Plan(d time.Duration) { p.planned = d }

// Left returns how long the pass will still take at its rate, or 0 when that is not known. Before there is a rate, it
// is what is left of the planned time.
func (p *Pace) Left() time.Duration {
	rate := p.Rate()
	switch {
	case rate == 0:
		return max(0, p.planned-p.last.Sub(p.began)).Round(time.Second)
	case p.expected <= p.done:
		return 0
	}
	return time.Duration(float64(p.expected-p.done) / rate * float64(time.Second)).Round(time.Second)
}

// String returns the rate and the time left, as far as they are known.
func (p *Pace) String() string {
	rate := p.Rate()
	if rate == 0 {
		return ""
	}
	text := fmt.Sprintf("%.0f %s/s", rate, p.unit)
	if rate < 10 {
		text = fmt.Sprintf("%.1f %s/s", rate, p.unit)
	}
	if left := p.Left(); left > 0 {
		text += ", " + left.String() + " left"
	}
	return text
}

// forecast passes on how long the passes were predicted to take, the fastest way of each.
func (r *run) forecast() {
	f, ok := r.Reporter.(Forecaster)
	if !ok {
		return
	}
	all := 0.0
	for _, p := range r.passes {
		if p.work.Ranking == nil || p.work.Ranking.First() == nil {
			return
		}
		if !p.work.follows() {
			all += p.work.Ranking.First().Seconds
		}
	}
	f.Forecast(time.Duration(all * float64(time.Second)))
}
