package kernels

import (
	"context"
	"math/bits"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// laneWords is how many words have the lanes of a batch, laneCount how many lanes these are.
const (
	laneWords = 4
	laneCount = 64 * laneWords
)

// lanes has a bit for every source of a batch.
type lanes [laneWords]uint64

func (l *lanes) any() bool { return l[0]|l[1]|l[2]|l[3] != 0 }

func (l *lanes) count() int {
	return bits.OnesCount64(l[0]) + bits.OnesCount64(l[1]) + bits.OnesCount64(l[2]) + bits.OnesCount64(l[3])
}

// without returns the lanes of l that are not in m.
func (l *lanes) without(m *lanes) lanes {
	return lanes{l[0] &^ m[0], l[1] &^ m[1], l[2] &^ m[2], l[3] &^ m[3]}
}

// multiBFS is breadth-first search from up to laneCount sources at once: a node that several of them reach at the same level is expanded for all of these together
// (Then et al., The More the Merrier: Efficient Multi-Source Graph Traversal, PVLDB 8(4), 2014), and levels that most nodes are on look for nodes before them, not after
// (Beamer et al., Direction-Optimizing Breadth-First Search, SC 2012).
type multiBFS struct {
	g, back *export.Graph
	stop    *stopper.Stopper
	// seen has the lanes that reached each node, without those of the current level; fresh has those, of the nodes that level lists.
	seen, fresh, next []lanes
	level, following  []int32
	// reached has every node that some lane reached, once.
	reached []int32
	full    lanes // all lanes of the batch
	open    int64 // arcs that enter nodes which some lane has not reached
}

func newMultiBFS(g *export.Graph, stop *stopper.Stopper) *multiBFS {
	n := g.N()
	return &multiBFS{g: g, back: g.Transpose(), stop: stop, seen: make([]lanes, n), fresh: make([]lanes, n), next: make([]lanes, n)}
}

// multiBFSBytes bounds the memory of a multiBFS.
func multiBFSBytes(nodes int64) int64 { return (3*8*laneWords + 3*4) * nodes }

// from searches from a batch of sources, and has visit look at level, fresh and seen at each depth from 1 on.
func (m *multiBFS) from(sources []int32, visit func(depth int32)) error {
	m.begin(sources)
	for depth := int32(0); len(m.level) > 0; depth++ {
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

func (m *multiBFS) begin(sources []int32) {
	for _, v := range m.reached {
		m.seen[v] = lanes{}
	}
	m.reached, m.level, m.full, m.open = m.reached[:0], m.level[:0], lanes{}, int64(m.back.Arcs())
	for i, s := range sources {
		if !m.fresh[s].any() {
			m.level = append(m.level, s)
		}
		m.fresh[s][i/64] |= 1 << (i % 64)
		m.full[i/64] |= 1 << (i % 64)
	}
}

// abandon leaves a search that was stopped as one that is done.
func (m *multiBFS) abandon() {
	for _, list := range [][]int32{m.level, m.following} {
		for _, v := range list {
			m.fresh[v], m.next[v] = lanes{}, lanes{}
		}
	}
	m.following = m.following[:0]
}

// settle counts the lanes of the current level among those seen.
func (m *multiBFS) settle() {
	for _, v := range m.level {
		s, f := &m.seen[v], &m.fresh[v]
		if !s.any() {
			m.reached = append(m.reached, v)
		}
		s[0], s[1], s[2], s[3] = s[0]|f[0], s[1]|f[1], s[2]|f[2], s[3]|f[3]
		if *s == m.full {
			m.open -= m.back.Degree(v)
		}
	}
}

// pullShare is the share of the arcs into nodes that are not done from which on the arcs that leave a level are more than those looked at before
// all lanes of a node are found.
const pullShare = 0.25

// pullNodes: levels of fewer arcs than one in so many nodes are not worth a look at all nodes.
const pullNodes = 8

// expand makes the next level.
func (m *multiBFS) expand() error {
	arcs := int64(0)
	for _, v := range m.level {
		arcs += m.g.Degree(v)
	}
	m.following = m.following[:0]
	expand := m.push
	if float64(arcs) > pullShare*float64(m.open) && arcs > int64(len(m.seen))/pullNodes {
		expand = m.pull
	}
	err := expand()
	for _, v := range m.level {
		m.fresh[v] = lanes{}
	}
	m.level, m.following = m.following, m.level
	m.fresh, m.next = m.next, m.fresh
	return err
}

// push looks at the arcs that leave the level.
func (m *multiBFS) push() error {
	seen, next, following := m.seen, m.next, m.following
	for i, v := range m.level {
		if i%stopper.Every == stopper.Every-1 {
			if err := m.stop.Err(); err != nil {
				m.following = following
				return err
			}
		}
		f := m.fresh[v]
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
func (m *multiBFS) pull() error {
	fresh, full := m.fresh, m.full
	for u := range m.seen {
		if u%stopper.Every == stopper.Every-1 {
			if err := m.stop.Err(); err != nil {
				return err
			}
		}
		s := m.seen[u]
		if s == full {
			continue
		}
		var x lanes
		for _, v := range m.back.Row(int32(u)) {
			f := &fresh[v]
			x[0], x[1], x[2], x[3] = x[0]|f[0], x[1]|f[1], x[2]|f[2], x[3]|f[3]
			if full[0]&^(s[0]|x[0])|full[1]&^(s[1]|x[1])|full[2]&^(s[2]|x[2])|full[3]&^(s[3]|x[3]) == 0 {
				break
			}
		}
		if x = x.without(&s); x.any() {
			m.next[u] = x
			m.following = append(m.following, int32(u))
		}
	}
	return nil
}

// spreadOf is at how many levels, about, a batch of so many sources reaches a node: twice as many as are between one of them and the others.
func spreadOf(ctx context.Context, g *export.Graph, sources []int32, lanes int) (int, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	isSource := make([]bool, g.N())
	for _, s := range sources {
		isSource[s] = true
	}
	search, spread := newBFS(g, false, stop), 0
	for _, at := range []int{0, len(sources) / 2, len(sources) - 1} {
		if err := search.from(sources[at]); err != nil {
			return 0, err
		}
		found, farthest := 0, int32(0)
		for _, v := range search.order {
			if farthest = search.level[v]; isSource[v] {
				if found++; found == lanes {
					break
				}
			}
		}
		spread = max(spread, 2*int(farthest)+1)
	}
	return spread, nil
}

// nearbySources returns the sources, or all nodes, in an order in which those of a batch reach most nodes at few different levels: balls of up to
// laneCount nodes, each grown from the border of those before it.
func nearbySources(g *export.Graph, sources []int32) []int32 {
	n := g.N()
	out := make([]int32, 0, n)
	state := make([]ballState, n)
	border, ball := make([]int32, 0, n), make([]int32, 0, laneCount)
	seeds, next := 0, int32(0)
	for {
		seed := int32(-1)
		for ; seed < 0 && seeds < len(border); seeds++ {
			if state[border[seeds]] != inBall {
				seed = border[seeds]
			}
		}
		for ; seed < 0 && int(next) < n; next++ {
			if state[next] == apartFromBalls {
				seed = next
			}
		}
		if seed < 0 {
			break
		}
		ball = append(ball[:0], seed)
		state[seed] = inBall
		grow := func(row []int32) {
			for _, u := range row {
				switch {
				case state[u] != inBall && len(ball) < laneCount:
					state[u] = inBall
					ball = append(ball, u)
				case state[u] == apartFromBalls:
					state[u] = onBorder
					border = append(border, u)
				}
			}
		}
		for i := 0; i < len(ball); i++ {
			grow(g.Row(ball[i]))
			if g.Directed {
				grow(g.Transpose().Row(ball[i]))
			}
		}
		out = append(out, ball...)
	}
	if sources == nil {
		return out
	}
	chosen := make([]bool, n)
	for _, s := range sources {
		chosen[s] = true
	}
	return slices.DeleteFunc(out, func(v int32) bool { return !chosen[v] })
}

type ballState uint8

const (
	apartFromBalls ballState = iota
	onBorder
	inBall
)
