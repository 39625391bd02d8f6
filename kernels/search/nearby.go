package search

import (
	"context"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// Spread is at how many levels, about, a batch of so many sources reaches a node: twice as many as are between one of
// them and the others. It may be any number above most where it is more than that.
func Spread(ctx context.Context, g *export.Graph, sources []int32, lanes, most int) (int, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	isSource := make([]bool, g.N())
	for _, s := range sources {
		isSource[s] = true
	}
	near, spread := nearest{graph: g, isSource: isSource, most: most / 2, stop: stop, seen: make([]uint8, g.N())}, 0
	for _, at := range []int{0, len(sources) / 2, len(sources) - 1} {
		farthest, err := near.from(sources[at], lanes)
		if err != nil {
			return 0, err
		}
		spread = max(spread, 2*farthest+1)
	}
	return spread, nil
}

// nearest searches for sources around others.
type nearest struct {
	graph    *export.Graph
	isSource []bool
	// most is the last level that is looked for sources.
	most int
	stop *stopper.Stopper
	// seen has the number of the last search that came to a node.
	seen   []uint8
	number uint8
	queue  []int32
}

// from returns the level at which a search from a node has come to so many sources, itself among them, or to all that
// it reaches.
func (s *nearest) from(start int32, wanted int) (level int, err error) {
	s.number++
	s.seen[start], s.queue = s.number, append(s.queue[:0], start)
	for first := 0; ; level++ {
		end := len(s.queue)
		for i, v := range s.queue[first:end] {
			if i%stopper.Every == 0 {
				if err := s.stop.Err(); err != nil {
					return 0, err
				}
			}
			if s.isSource[v] {
				wanted--
			}
			if wanted == 0 {
				return level, nil
			}
		}
		if level > s.most {
			return level, nil
		}
		if s.push(first, end); len(s.queue) == end {
			return level, nil
		}
		first = end
	}
}

// push adds the nodes of the next level.
func (s *nearest) push(first, end int) {
	for i := first; i < end; i++ {
		v := s.queue[i]
		for _, u := range s.graph.Targets[s.graph.Offsets[v]:s.graph.Offsets[v+1]] {
			if s.seen[u] != s.number {
				s.seen[u] = s.number
				s.queue = append(s.queue, u)
			}
		}
	}
}

// Nearby returns the sources, or all nodes, in an order in which those of a batch reach most nodes at few different
// levels: balls of up to LaneCount nodes, each grown from the border of those before it.
func Nearby(g *export.Graph, sources []int32) []int32 {
	n := g.N()
	out := make([]int32, 0, n)
	state := make([]ballState, n)
	border, ball := make([]int32, 0, n), make([]int32, 0, LaneCount)
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
				case state[u] != inBall && len(ball) < LaneCount:
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
