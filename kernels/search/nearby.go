package search

import (
	"context"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// Spread is at how many levels, about, a batch of so many sources reaches a node: twice as many as are between one of
// them and the others.
func Spread(ctx context.Context, g *export.Graph, sources []int32, lanes int) (int, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	isSource := make([]bool, g.N())
	for _, s := range sources {
		isSource[s] = true
	}
	search, spread := NewBFS(g, false, stop), 0
	for _, at := range []int{0, len(sources) / 2, len(sources) - 1} {
		if err := search.From(sources[at]); err != nil {
			return 0, err
		}
		found, farthest := 0, int32(0)
		for _, v := range search.Order {
			if farthest = search.Level[v]; isSource[v] {
				if found++; found == lanes {
					break
				}
			}
		}
		spread = max(spread, 2*int(farthest)+1)
	}
	return spread, nil
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
