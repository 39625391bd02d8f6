package weighted

import (
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// TestBegun: of batches that landmarks have made, those of a road's neighbours come last, and those of every second
// node as they are given; the last, which is not whole, stays last.
func TestBegun(t *testing.T) {
	road := graphtest.Band(t, 150, 3)
	var even, odd, third, fourth, rest []int32
	for place := range int32(150) {
		switch {
		case place >= 128:
			rest = append(rest, place)
		case place >= 96:
			fourth = append(fourth, place)
		case place >= 64:
			third = append(third, place)
		case place%2 == 0:
			even = append(even, place)
		default:
			odd = append(odd, place)
		}
	}
	backwards := order.All(road)
	slices.Reverse(backwards)
	r := &run{job: &device.Job{Host: road}, graph: &batches.Ordered{Nodes: backwards}}
	got := r.begun(slices.Concat(third, odd, even, fourth, rest))
	if want := slices.Concat(odd, even, third, fourth, rest); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	r.job.SetDepth(order.Depth{Levels: 5})
	if given := slices.Concat(third, odd, even, fourth, rest); !slices.Equal(r.begun(given), given) {
		t.Error("batches of a shallow graph are begun in another order than that of landmarks")
	}
}
