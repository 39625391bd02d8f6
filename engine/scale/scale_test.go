package scale_test

import (
	"errors"
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/scale"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// shallow are the features of a social network of so many edges.
func shallow(t *testing.T, measure string, edges int64) *plan.Features {
	t.Helper()
	m, ok := kernels.Lookup(measure)
	if !ok {
		t.Fatal(measure)
	}
	n := edges / 40
	return plan.Imagined(plan.TraitsOf(m, kernels.Request{Nodes: true, Reduce: kernels.ReduceOff}), n, edges,
		plan.Measured{
			Degrees: &plan.Degrees{Branch: n, Greatest: n / 10, Squares: 2 * float64(edges) * 1000},
			Depth:   &order.Depth{Levels: 7, Found: int(n)},
		})
}

func TestPartsAddUp(t *testing.T) {
	for _, measure := range []string{"betweenness", "harmonic", "stress"} {
		s, err := scale.Predict(scale.Asked{Features: shallow(t, measure, 1e8), Device: scale.H200()}, 12)
		if err != nil {
			t.Fatal(err)
		}
		var devices []int
		for _, p := range s.Points {
			devices = append(devices, p.Devices)
			if all := p.Prepare + p.Search + p.Small + p.Last + p.Join; math.Abs(all-p.Wall) > 0.05*p.Wall {
				t.Errorf("%s, %d devices: parts of %v s in %v s: %+v", measure, p.Devices, all, p.Wall, p)
			}
			if p.Shards < p.Devices || p.Linear > 1.01 || p.Speedup < 0.99 {
				t.Errorf("%s: %+v", measure, p)
			}
		}
		if len(devices) != 5 || devices[4] != 12 {
			t.Errorf("predictions for %v devices", devices)
		}
		if s.Linear < 1 {
			t.Errorf("%s is linear up to %d devices", measure, s.Linear)
		}
	}
}

// TestWhereLinearEnds: a greater graph is linear on more devices, and preparation is what ends it.
func TestWhereLinearEnds(t *testing.T) {
	small, err := scale.Predict(scale.Asked{Features: shallow(t, "betweenness", 1e6), Device: scale.H200()}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	large, err := scale.Predict(scale.Asked{Features: shallow(t, "betweenness", 1e9), Device: scale.H200()}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if small.Linear >= large.Linear {
		t.Errorf("10^6 edges are linear up to %d devices, 10^9 up to %d", small.Linear, large.Linear)
	}
	if small.Limit != scale.Preparation {
		t.Errorf("what ends it is %q", small.Limit)
	}
}

func TestMeasuresWithoutDevices(t *testing.T) {
	if _, err := scale.Predict(scale.Asked{Features: shallow(t, "degree", 1e6), Device: scale.H200()},
		4); !errors.Is(err, scale.ErrNoDevice) {
		t.Errorf("%v", err)
	}
}
