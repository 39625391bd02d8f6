package search

import (
	"math/bits"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// laneWords is how many words have the lanes of a batch, LaneCount how many lanes these are.
const (
	laneWords = 4
	LaneCount = 64 * laneWords
)

// Lanes has a bit for every source of a batch.
type Lanes [laneWords]uint64

func (l *Lanes) any() bool { return l[0]|l[1]|l[2]|l[3] != 0 }

// Count returns how many lanes there are.
func (l *Lanes) Count() int {
	return bits.OnesCount64(l[0]) + bits.OnesCount64(l[1]) + bits.OnesCount64(l[2]) + bits.OnesCount64(l[3])
}

// Without returns the lanes of l that are not in m.
func (l *Lanes) Without(m *Lanes) Lanes {
	return Lanes{l[0] &^ m[0], l[1] &^ m[1], l[2] &^ m[2], l[3] &^ m[3]}
}

// MultiBFS is breadth-first search from up to LaneCount sources at once: a node that several of them reach at the same
// level is expanded for all of these together (Then et al., The More the Merrier: Efficient Multi-Source Graph
// Traversal, PVLDB 8(4), 2014), and levels that most nodes are on look for nodes before them, not after (Beamer et al.,
// Direction-Optimizing Breadth-First Search, SC 2012).
type MultiBFS struct {
	g, Back *export.Graph
	stop    *stopper.Stopper
	// Seen has the lanes that reached each node, without those of the current level; Fresh has those, of the nodes that
	// Level lists.
	Seen, Fresh, next []Lanes
	Level, following  []int32
	// Reached has every node that some lane reached, once.
	Reached []int32
	full    Lanes // all lanes of the batch
	open    int64 // arcs that enter nodes which some lane has not reached
}

// NewMultiBFS makes a search of g.
func NewMultiBFS(g *export.Graph, stop *stopper.Stopper) *MultiBFS {
	n := g.N()
	return &MultiBFS{
		g: g, Back: g.Transpose(), stop: stop, Seen: make([]Lanes, n), Fresh: make([]Lanes, n), next: make([]Lanes, n),
	}
}

// MultiBFSBytes bounds the memory of a MultiBFS.
func MultiBFSBytes(nodes int64) int64 { return (3*8*laneWords + 3*4) * nodes }

// From searches from a batch of sources, and has visit look at Level, Fresh and Seen at each depth from 1 on.
func (m *MultiBFS) From(sources []int32, visit func(depth int32)) error {
	m.begin(sources)
	for depth := int32(0); len(m.Level) > 0; depth++ {
		if err := m.stop.Err(); err != nil {
			m.abandon()
			return err
		}
		if depth > 0 {
			visit(depth)
		}
		m.settle()
		if err := m.expand(); err != nil {
			m.abandon()
			return err
		}
	}
	return nil
}

func (m *MultiBFS) begin(sources []int32) {
	for _, v := range m.Reached {
		m.Seen[v] = Lanes{}
	}
	m.Reached, m.Level, m.full, m.open = m.Reached[:0], m.Level[:0], Lanes{}, int64(m.Back.Arcs())
	for i, s := range sources {
		if !m.Fresh[s].any() {
			m.Level = append(m.Level, s)
		}
		m.Fresh[s][i/64] |= 1 << (i % 64)
		m.full[i/64] |= 1 << (i % 64)
	}
}

// abandon leaves a search that was stopped as one that is done.
func (m *MultiBFS) abandon() {
	for _, list := range [][]int32{m.Level, m.following} {
		for _, v := range list {
			m.Fresh[v], m.next[v] = Lanes{}, Lanes{}
		}
	}
	m.following = m.following[:0]
}

// settle counts the lanes of the current level among those seen.
func (m *MultiBFS) settle() {
	for _, v := range m.Level {
		s, f := &m.Seen[v], &m.Fresh[v]
		if !s.any() {
			m.Reached = append(m.Reached, v)
		}
		s[0], s[1], s[2], s[3] = s[0]|f[0], s[1]|f[1], s[2]|f[2], s[3]|f[3]
		if *s == m.full {
			m.open -= m.Back.Degree(v)
		}
	}
}

// pullShare is the share of the arcs into nodes that are not done from which on the arcs that leave a level are more
// than those looked at before all lanes of a node are found.
const pullShare = 0.25

// pullNodes: levels of fewer arcs than one in so many nodes are not worth a look at all nodes.
const pullNodes = 8

// expand makes the next level.
func (m *MultiBFS) expand() error {
	arcs := int64(0)
	for _, v := range m.Level {
		arcs += m.g.Degree(v)
	}
	m.following = m.following[:0]
	expand := m.push
	if float64(arcs) > pullShare*float64(m.open) && arcs > int64(len(m.Seen))/pullNodes {
		expand = m.pull
	}
	err := expand()
	for _, v := range m.Level {
		m.Fresh[v] = Lanes{}
	}
	m.Level, m.following = m.following, m.Level
	m.Fresh, m.next = m.next, m.Fresh
	return err
}

// push looks at the arcs that leave the level.
func (m *MultiBFS) push() error {
	seen, next, following := m.Seen, m.next, m.following
	for i, v := range m.Level {
		if i%stopper.Every == stopper.Every-1 {
			if err := m.stop.Err(); err != nil {
				m.following = following
				return err
			}
		}
		f := m.Fresh[v]
		for _, u := range m.g.Row(v) {
			s := &seen[u]
			a, b, c, d := f[0]&^s[0], f[1]&^s[1], f[2]&^s[2], f[3]&^s[3]
			if a|b|c|d == 0 {
				continue
			}
			x := &next[u]
			if !x.any() {
				following = append(following, u)
			}
			x[0], x[1], x[2], x[3] = x[0]|a, x[1]|b, x[2]|c, x[3]|d
		}
	}
	m.following = following
	return nil
}

// pull looks at the arcs that enter nodes which some lane has not reached.
func (m *MultiBFS) pull() error {
	fresh, full := m.Fresh, m.full
	for u := range m.Seen {
		if u%stopper.Every == stopper.Every-1 {
			if err := m.stop.Err(); err != nil {
				return err
			}
		}
		s := m.Seen[u]
		if s == full {
			continue
		}
		var x Lanes
		for _, v := range m.Back.Row(int32(u)) {
			f := &fresh[v]
			x[0], x[1], x[2], x[3] = x[0]|f[0], x[1]|f[1], x[2]|f[2], x[3]|f[3]
			if full[0]&^(s[0]|x[0])|full[1]&^(s[1]|x[1])|full[2]&^(s[2]|x[2])|full[3]&^(s[3]|x[3]) == 0 {
				break
			}
		}
		if x = x.Without(&s); x.any() {
			m.next[u] = x
			m.following = append(m.following, int32(u))
		}
	}
	return nil
}
