package plan

import "math"

// Cost is the predicted time of one way to compute, in seconds.
type Cost struct {
	// Start is that of a worker, Way the way to it and back.
	Start, Way float64
	// Prepare is what does not depend on the number of sources: upload, order of nodes, reductions.
	Prepare float64
	// Search is the rest.
	Search float64
}

// Seconds is the time of all of it.
func (c Cost) Seconds() float64 { return c.Start + c.Way + c.Prepare + c.Search }

// in is nanoseconds of a rate for so many units, in seconds.
func (r Rate) in(units float64) float64 { return r.Value * units * 1e-9 }

// size is a graph as models see it: what reductions leave of it, if any, or all.
type size struct {
	nodes, arcs float64
	// sources is the number of those that are searched from: of a shard, its own. all is that of the whole run.
	sources, all float64
}

func (f *Features) size() size {
	all := float64(f.Sources)
	return size{f.reached(), float64(f.Arcs), math.Ceil(all / float64(max(1, f.shards))), all}
}

// within is the size of what a batch of so many neighbouring sources searches: with a range, what lies within that of
// any of them. On a deep graph this grows as areas do. How it grows elsewhere is a guess.
func (f *Features) within(lanes float64) size {
	s := f.size()
	if f.Within == 0 {
		return s
	}
	ball, grown := f.lazy.within(), math.Sqrt(lanes)
	if f.Depth().Deep {
		grown = math.Pow(1+math.Sqrt((lanes-1)/math.Max(1, ball.Nodes)), 2)
	}
	s.nodes, s.arcs = math.Min(s.nodes, ball.Nodes*grown), math.Min(s.arcs, ball.Arcs*grown)
	return s
}

// left is the size when reductions leave a share of nodes times arcs, taken from both alike.
func (s size) left(share float64) size {
	by := math.Sqrt(share)
	return size{s.nodes * by, s.arcs * by, s.sources * by, s.all * by}
}

// share is the share of nodes that are sources of the run; of no nodes, all are.
func (s size) share() float64 {
	if s.nodes < 1 {
		return 1
	}
	return math.Min(1, s.all/s.nodes)
}

// wider is the time of two things that overlap: about the longer of the two times, and more where they are
// close to one another. The greater the power, the less more.
func wider(a, b, power float64) float64 {
	most, least := math.Max(a, b), math.Min(a, b)
	if most == 0 {
		return 0
	}
	return most * math.Pow(1+math.Pow(least/most, power), 1/power)
}

// waves is how often a device is filled by so many batches when it has room for slots of them at a time. The
// last time it is not full, which adds tail.
func waves(batches, slots, tail float64) float64 {
	if batches <= slots {
		return 1
	}
	return batches/slots + tail
}

// overflow is how much slower memory is for what exceeds a cache.
func overflow(bytes, cache, power float64) float64 { return math.Pow(1+bytes/cache, power) }

// when is x if the condition holds, otherwise 1.
func when(condition bool, x float64) float64 {
	if condition {
		return x
	}
	return 1
}

// threads of the device's table over those of the one at hand: the models were fitted with so many
// multiprocessors.
const fittedSMs = 132

// fittedBandwidth is that of the memory of the table's device.
const fittedBandwidth = 4.9e12

// memory is how much longer than on the table's device what waits for memory takes, with arrays of so many times the
// second-level cache.
func (r *Rates) memory(caches float64) float64 {
	return 1 + (math.Pow(fittedBandwidth/r.Shape.Bandwidth, 0.8)-1)*math.Min(1, caches)
}

// prepared is the time that every run on a device takes, and the upload.
func (r *Rates) prepared(s size) float64 {
	return r.Host.Base.in(1) + r.Host.Upload.in(s.arcs) + r.Host.Sums.in(s.nodes)
}

// sorted is the time to put nodes in order by degree.
func (r *Rates) sorted(s size) float64 {
	return r.prepared(s) + r.Host.SortArc.in(s.arcs) + r.Host.SortNode.in(s.nodes)
}

// ordered is the time to put nodes in order for batches.
func (r *Rates) ordered(s size) float64 {
	return r.prepared(s) + r.Host.OrderArc.in(s.arcs) + r.Host.OrderNode.in(s.nodes)
}
