package queue

import "slices"

// part is an equal part of a run: number Index of Of. Halving one gives 2*Index and 2*Index+1 of 2*Of.
type part struct{ Index, Of int }

func (t Ticket) part() part { return part{t.Shard, t.Of} }

// share is how much of the run a part is.
func (p part) share() float64 { return 1 / float64(p.Of) }

func (p part) halves() (first, second part) {
	return part{2 * p.Index, 2 * p.Of}, part{2*p.Index + 1, 2 * p.Of}
}

// within reports whether p is q, or a part of it. Both come from halving the same parts.
func (p part) within(q part) bool {
	return q.Of > 0 && p.Of >= q.Of && p.Of%q.Of == 0 && p.Index/(p.Of/q.Of) == q.Index
}

// before reports whether a part begins before another one.
func (p part) before(q part) bool {
	a, b := int64(p.Index)*int64(q.Of), int64(q.Index)*int64(p.Of)
	return a < b || a == b && p.Of < q.Of
}

// known reports whether halving the shards of a queue leads to the part.
func (q *Queue) known(p part) bool {
	of := q.config.Shards
	for of < p.Of && of <= q.config.Most/2 {
		of *= 2
	}
	return p.Of == of && p.Index >= 0 && p.Index < of
}

// cut takes an inner part out of an outer one, and returns what is left, in order.
func cut(outer, inner part) (left []part) {
	var after []part
	for outer != inner {
		first, second := outer.halves()
		if inner.within(first) {
			outer, after = first, append(after, second)
		} else {
			outer, left = second, append(left, first)
		}
	}
	slices.Reverse(after)
	return append(left, after...)
}

// overlaps reports whether any of a part was counted.
func (q *Queue) overlaps(p part) bool {
	if q.inside[p] > 0 {
		return true
	}
	for ; p.Of >= q.config.Shards; p = (part{p.Index / 2, p.Of / 2}) {
		if q.counted[p] {
			return true
		}
		if p.Of%2 != 0 {
			return false
		}
	}
	return false
}

// mark notes that a part was counted.
func (q *Queue) mark(p part) {
	q.counted[p] = true
	q.done += p.share()
	for p.Of > q.config.Shards {
		p = part{p.Index / 2, p.Of / 2}
		q.inside[p]++
	}
}

// claim removes a part from what waits and from what is out, wherever it is. What is left of a larger part waits.
func (q *Queue) claim(p part) {
	if out := q.out[p]; len(out) > 0 { // so nothing of it waits, or is out in another part
		for _, number := range out {
			delete(q.tickets, number)
		}
		delete(q.out, p)
		return
	}
	var waiting []part
	for _, w := range q.waiting {
		switch {
		case w.within(p):
		case p.within(w):
			waiting = append(waiting, cut(w, p)...)
		default:
			waiting = append(waiting, w)
		}
	}
	q.waiting = waiting
	var left []part
	for number, l := range q.tickets {
		switch out := l.ticket.part(); {
		case out.within(p):
			q.drop(number)
		case p.within(out):
			q.drop(number)
			left = cut(out, p)
		}
	}
	q.waiting = append(q.waiting, left...)
}

// next takes the part that waits and suits a taker best: about as large as it wants, or larger and then halved. Where
// all are smaller, it is the largest.
func (q *Queue) next(taker string) part {
	at, want := 0, q.want(taker)
	if want == 0 {
		p := q.waiting[0]
		q.waiting = q.waiting[1:]
		return p
	}
	least := want * mostOver / 2 // halving leaves no less
	for i, p := range q.waiting {
		best := q.waiting[at]
		enough, had := p.share() >= least, best.share() >= least
		if enough && (!had || p.Of > best.Of) || !had && p.Of < best.Of {
			at = i
		}
	}
	p := q.waiting[at]
	var rest []part
	for p.share() > want*mostOver && 2*p.Of <= q.config.Most {
		var second part
		p, second = p.halves()
		rest = append(rest, second)
	}
	slices.Reverse(rest)
	q.waiting = slices.Replace(q.waiting, at, at+1, rest...)
	return p
}

// mostOver is how much larger than wanted a part may be: halving one that is larger comes nearer.
const mostOver = 1.4
