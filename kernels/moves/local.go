package moves

import "github.com/linchpin-graph/linchpin/internal/stopper"

// margin is what a move must gain at the least, as a share of the strength of the node: more than sums in float64 miss.
const margin = 1e-12

// mover moves nodes between groups.
type mover struct {
	*network
	gamma float64
	of    []int32 // the group of each node
	// volume is the strength of each group.
	volume []float64
	tally  *tally
	stop   *stopper.Stopper
}

// newMover starts with groups whose numbers are under that of the nodes.
func newMover(n *network, gamma float64, of []int32, stop *stopper.Stopper) *mover {
	m := &mover{network: n, gamma: gamma, of: of, volume: make([]float64, n.nodes()),
		tally: newTally(n.nodes()), stop: stop}
	for v, c := range of {
		m.volume[c] += n.strength[v]
	}
	return m
}

// moveAll moves nodes to the groups of their neighbours where that gains most, until none moves, or for so many
// iterations. The first one looks at all nodes in the order, each later one at those with neighbours that moved. It
// reports whether any moved.
func (m *mover) moveAll(order []int32, iterations int) (moved bool, err error) {
	all := newRounds(order)
	for range iterations {
		if !all.next() {
			break
		}
		for i, v := range all.now {
			if i%stopper.Every == 0 && m.stop.Stopped() {
				return moved, m.stop.Err()
			}
			all.took(v)
			c := m.best(v)
			if c == m.of[v] {
				continue
			}
			moved = true
			m.volume[m.of[v]] -= m.strength[v]
			m.volume[c] += m.strength[v]
			m.of[v] = c
			targets, _ := m.row(v)
			for _, w := range targets {
				if m.of[w] != c {
					all.add(w)
				}
			}
		}
	}
	return moved, nil
}

// best returns the group that gains most for a node; its own where no other one gains more.
func (m *mover) best(v int32) int32 {
	targets, weights := m.row(v)
	m.tally.add(targets, weights, m.of)
	own, k := m.of[v], m.strength[v]
	share := m.gamma * (k / m.total)
	loops := 0.0
	for i, w := range targets { // loops stay with the node
		if w == v {
			loops += weightOf(weights, i)
		}
	}
	best := own
	most := m.tally.near[own] - loops - float64(share*(m.volume[own]-k)) + float64(margin*k)
	for _, c := range m.tally.seen {
		if gain := m.tally.near[c] - float64(share*m.volume[c]); gain > most && c != own {
			best, most = c, gain
		}
	}
	m.tally.clear()
	return best
}

func weightOf(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// rounds lists the nodes of one round after the other.
type rounds struct {
	now, later []int32
	queued     []bool // nodes of now that are not taken yet, and those of later
}

func newRounds(order []int32) *rounds {
	r := &rounds{later: order, queued: make([]bool, len(order))}
	for _, v := range order {
		r.queued[v] = true
	}
	return r
}

// next begins a round. It reports whether it has nodes.
func (r *rounds) next() bool {
	r.now, r.later = r.later, r.now[:0]
	return len(r.now) > 0
}

func (r *rounds) took(v int32) { r.queued[v] = false }

// add puts a node on the list of the next round, unless it is on a list.
func (r *rounds) add(v int32) {
	if !r.queued[v] {
		r.queued[v] = true
		r.later = append(r.later, v)
	}
}
