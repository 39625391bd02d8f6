package workers_test

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// counter counts its sources in a result, and fails from some of them on.
type counter struct {
	result *workers.Result
	own    []float64
	wrong  int32
}

func (c *counter) Source(s int32) error {
	if s >= c.wrong {
		return fmt.Errorf("source %d", s)
	}
	c.own[s%int32(len(c.own))]++
	return nil
}

func (c *counter) Merge() error {
	c.result.Add(func(into *kernels.Partial) { into.Nodes.Move(c.own) })
	return nil
}

func (c *counter) Join() error { return c.result.Join() }

// TestJoiners: joiners count every source once, with sums of their own and with those of all, and the error is that of
// the earliest source that failed.
func TestJoiners(t *testing.T) {
	const n, sums = 5000, 7
	for _, threads := range []int{1, 2, 16} {
		for _, own := range []bool{true, false} {
			for _, wrong := range []int32{n, 1234} {
				all := &kernels.Partial{Nodes: exact.NewSums(sums, exact.For(n, n))}
				results := workers.Shared(all)
				if own {
					results = workers.NewResults(all)
				}
				err := workers.Over(t.Context(), n, kernels.Request{Threads: threads}, func(*stopper.Stopper) workers.Worker {
					return &counter{result: results.One(), own: make([]float64, sums), wrong: wrong}
				})
				if wrong < n {
					if err == nil || err.Error() != "source 1234" {
						t.Errorf("%d threads, own %t: %v", threads, own, err)
					}
					continue
				}
				var want []float64
				for i := range sums {
					want = append(want, float64((n-i+sums-1)/sums))
				}
				if got := all.Nodes.Values(); err != nil || !slices.Equal(got, want) {
					t.Errorf("%d threads, own %t: %v, %v; want %v", threads, own, got, err, want)
				}
			}
		}
	}
}

// inTurn is a Worker that must merge in the order of the sources.
type inTurn struct {
	last   int32
	merged *[]int32
	merges *atomic.Int32
}

func (w *inTurn) Source(s int32) error {
	w.last = s
	return nil
}

func (w *inTurn) Merge() error {
	if w.merges.Add(1) > 1 {
		return errors.New("two at a time")
	}
	*w.merged = append(*w.merged, w.last)
	w.merges.Add(-1)
	return nil
}

// TestTurns: workers that are not joiners merge one at a time, in the order of the sources.
func TestTurns(t *testing.T) {
	var merged []int32
	var merges atomic.Int32
	err := workers.Over(t.Context(), 3000, kernels.Request{Threads: 8}, func(*stopper.Stopper) workers.Worker {
		return &inTurn{merged: &merged, merges: &merges}
	})
	if err != nil || !slices.IsSorted(merged) || len(merged) != (3000+workers.ChunkSize(3000)-1)/workers.ChunkSize(3000) {
		t.Errorf("%v, %d merges: %v", err, len(merged), merged)
	}
}
