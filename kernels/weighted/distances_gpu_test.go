//go:build cuda || emulate

package weighted

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// distancesOf runs what change makes of a job for distances.
func distancesOf(
	t *testing.T, d gpu.Device, g *export.Graph, r kernels.Request, shards int, change func(*device.Job),
) (*enginetest.Outcome, error) {
	t.Helper()
	return enginetest.Compute(t.Context(), d, enginetest.Task{
		Engine: Engine{}, Graph: g, Request: r, Shards: shards,
		Change: func(j *device.Job) {
			j.Measure = device.Distances
			change(j)
		},
	})
}

// TestDistances compares rows and summaries with the CPU's.
func TestDistances(t *testing.T) {
	d := devicetest.Open(t)
	for i, c := range enginetest.Some(t, devicetest.Sized(30, 3), true) {
		compareDistances(t, d, c, enginetest.SampledDistances(c.Graph, i, true))
	}
}

func compareDistances(t *testing.T, d gpu.Device, c enginetest.Named, r kernels.Request) {
	t.Helper()
	g, at := c.Graph, c.At("distances", r)
	want := enginetest.DistancesOf(t, g, r)
	for _, shards := range []int{1, 3} {
		rows := make([]float64, len(want.Rows))
		_, err := distancesOf(t, d, g, r, shards, func(j *device.Job) { j.Rows = rows })
		if unsuited := (*device.Unsuited)(nil); errors.As(err, &unsuited) {
			continue // exact in 128 bits only
		} else if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		want.SameRows(t, at, rows)
		farthest, hops := make([]float64, 1), make([]float64, g.N())
		got, err := distancesOf(t, d, g, r, shards, func(j *device.Job) {
			j.Summary, j.Farthest, j.Hops = true, farthest, hops
		})
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		want.SameSummary(t, at, got.Totals, farthest[0], hops)
	}
}

// TestDistancesStay: distances that stay on the device are those of the CPU.
func TestDistancesStay(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(4, 5))
	g := enginetest.Random(t, random, 4, true) // undirected, whole weights
	for g.N() < 40 {
		g = enginetest.Random(t, random, 4, true)
	}
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true}
	ticks, mul, div, _ := lengths.WholeTicks(g)
	j := &device.Job{
		Want:    device.Want{Measure: "closeness", Params: r.Params, Nodes: true, Sources: g.N(), Size: device.SizeOf(g)},
		Request: r, Host: g, Sources: order.All(g), All: true, TickMul: mul, TickDiv: div, Ticks: ticks,
		Progress: func(int) {},
	}
	searches, err := PlanDistances(j.Want, d.Info(), d.Info().Free)
	if err != nil {
		t.Fatal(err)
	}
	memory := &gpu.Arena{Device: d}
	if j.Graph, err = device.UploadGraph(memory, g, device.Parts{Ticks: true, Transpose: true}, ticks); err != nil {
		t.Fatal(err)
	}
	before := d.Ledger().Used
	d.Ledger().Peak = 0
	c := &device.Calls{Ctx: t.Context(), Device: memory}
	searches.Begin(c, j)
	searches.Search()
	n, places := g.N(), searches.Places()
	count := (n + Lanes - 1) / Lanes
	rows := make([]uint32, Lanes*n*count)
	device.Download(c, rows, searches.Rows())
	if took := d.Ledger().Peak - before; c.Err != nil || took > searches.DeviceBytes() {
		t.Fatalf("%d bytes of %d, %v", took, searches.DeviceBytes(), c.Err)
	}
	of := map[int32]int{}
	for i, v := range searches.Sources() {
		of[v] = i
	}
	if err := distances.Rows(t.Context(), g, r, func(source int32, row []float64) error {
		i := of[source]
		for u, at := range of {
			ticks := rows[(i/Lanes*n+int(places[at]))*Lanes+i%Lanes]
			got := float64(ticks) * mul / div
			if ticks == math.MaxUint32 {
				got = math.Inf(1)
			}
			if got != row[u] {
				return fmt.Errorf("distance from %d to %d is %v, not %v", source, u, got, row[u])
			}
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	if err := memory.Release(); err != nil {
		t.Error(err)
	}
}
