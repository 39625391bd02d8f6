package moves

import "math"

// refine puts the groups of a mover together again from single nodes, and returns the part of each node. Nodes are
// taken in order; one that is still alone may join a part of its group that gains modularity, at random, the more
// likely the more it gains. Both must be well connected with the rest of the group.
func (n *network) refine(m *mover, count int, o Options, level int) (parts []int32) {
	r := refinement{
		network: n, group: m.of, part: alone(n.nodes()), volume: append([]float64(nil), n.strength...),
		outside: make([]float64, n.nodes()), joined: make([]bool, n.nodes()), groups: make([]float64, count),
		options: o, scale: o.Theta * n.total / float64(max(1, n.offsets[n.nodes()])), level: uint64(level),
	}
	for v, c := range m.of {
		r.groups[c] += n.strength[v]
	}
	all := membersOf(m.of, count)
	chunks := n.chunks(all, o.Threads)
	inParallel(len(chunks), o.Threads, func() func(i int) {
		t := newTally(n.nodes())
		return func(i int) {
			for c := chunks[i][0]; c < chunks[i][1]; c++ {
				r.refine(all.of(c), t)
			}
		}
	})
	return r.part
}

// refinement is shared by threads; each has groups of its own.
type refinement struct {
	*network
	group   []int32   // of a node
	groups  []float64 // strength of a group
	part    []int32   // of a node; it has the number of one of its nodes
	volume  []float64 // strength of a part
	outside []float64 // weight from a part to the rest of its group
	joined  []bool    // whether a node is in a part with others
	options Options
	scale   float64 // of gains in the choice of a part
	level   uint64
}

// refine makes the parts of one group.
func (r *refinement) refine(nodes []int32, t *tally) {
	if len(nodes) == 1 {
		return
	}
	for _, v := range nodes {
		targets, weights := r.row(v)
		for i, w := range targets {
			if w != v && r.group[w] == r.group[v] {
				r.outside[v] += weightOf(weights, i)
			}
		}
	}
	for _, v := range nodes {
		if r.joined[v] || !r.isConnected(v) {
			continue
		}
		r.gather(v, t)
		if p := r.choose(v, t); p != v {
			r.join(v, p, t.near[p])
		}
		t.clear()
	}
}

// isConnected reports whether a part has as much weight to the rest of its group as chance would put there.
func (r *refinement) isConnected(p int32) bool {
	rest := r.groups[r.group[p]] - r.volume[p]
	return r.outside[p] >= r.options.Gamma*r.volume[p]*(rest/r.total)
}

// gather adds up the weights from a node to the parts of its group.
func (r *refinement) gather(v int32, t *tally) {
	targets, weights := r.row(v)
	for i, w := range targets {
		if w == v || r.group[w] != r.group[v] {
			continue
		}
		p := r.part[w]
		if t.near[p] == 0 {
			t.seen = append(t.seen, p)
		}
		t.near[p] += weightOf(weights, i)
	}
}

// choose draws a part for a node, or the node itself.
func (r *refinement) choose(v int32, t *tally) int32 {
	share := r.options.Gamma * (r.strength[v] / r.total)
	gain := func(p int32) float64 { return t.near[p] - float64(share*r.volume[p]) }
	most := 0.0
	for _, p := range t.seen {
		if r.isConnected(p) {
			most = max(most, gain(p))
		}
	}
	all := math.Exp(-most / r.scale)
	for _, p := range t.seen {
		all += r.chance(p, gain(p), most)
	}
	left := all * uniform(uint64(r.options.Seed), r.level, uint64(v))
	for _, p := range t.seen {
		if left -= r.chance(p, gain(p), most); left < 0 {
			return p
		}
	}
	return v
}

// chance is how likely a part is chosen, relative to others; most is the greatest gain of any.
func (r *refinement) chance(p int32, gain, most float64) float64 {
	if gain < 0 || !r.isConnected(p) {
		return 0
	}
	return math.Exp((gain - most) / r.scale)
}

// join puts a node that is alone into a part, with which it shares so much weight.
func (r *refinement) join(v, p int32, shared float64) {
	r.joined[v], r.joined[p] = true, true
	r.part[v] = p
	r.volume[p] += r.strength[v]
	r.outside[p] += r.outside[v] - 2*shared
}

// uniform is a number from 0 up to 1, drawn by a seed for a node on a level.
func uniform(seed, level, v uint64) float64 {
	return float64(mix(mix(mix(seed)+level)+v)>>11) / (1 << 53)
}

// mix scatters the bits of a number (splitmix64, by Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
