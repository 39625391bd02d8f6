package main

import (
	"fmt"
	"time"
)

// leastPace is how long a pass must have gone on before its rate means something.
const leastPace = time.Second

// pace measures how fast a step goes. A step has one pass or several, each with its own unit or its own count.
type pace struct {
	began, last    time.Time // of the pass; the newest report
	done, expected int64
	unit           string
}

// newPace returns the pace of a step that begins now.
func newPace(now time.Time) *pace { return &pace{began: now, last: now} }

// report takes what is done of what is expected; 0 when that is not known.
func (p *pace) report(now time.Time, done, expected int64, unit string) {
	if p.unit != "" && (unit != p.unit || done < p.done) {
		p.began = p.last
	}
	p.last, p.done, p.expected, p.unit = now, done, expected, unit
}

// rate returns how much is done per second, or 0 while that is not known yet.
func (p *pace) rate() float64 {
	spent := p.last.Sub(p.began)
	if spent < leastPace {
		return 0
	}
	return float64(p.done) / spent.Seconds()
}

// left returns how long the rest will take at this rate, or 0 when that is not known.
func (p *pace) left() time.Duration {
	rate := p.rate()
	if rate == 0 || p.expected <= p.done {
		return 0
	}
	return time.Duration(float64(p.expected-p.done) / rate * float64(time.Second)).Round(time.Second)
}

// String returns the rate and the time left, as far as they are known.
func (p *pace) String() string {
	rate := p.rate()
	if rate == 0 {
		return ""
	}
	text := fmt.Sprintf("%.0f %s/s", rate, p.unit)
	if rate < 10 {
		text = fmt.Sprintf("%.1f %s/s", rate, p.unit)
	}
	if left := p.left(); left > 0 {
		text += ", " + left.String() + " left"
	}
	return text
}
