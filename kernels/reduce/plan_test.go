package reduce_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// TestDropChains: a plan that drops its chains is, to the last bit, the plan that is made without them.
func TestDropChains(t *testing.T) {
	kinds, found := kinds(), reduce.Info{}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		for seed := range uint64(30) {
			r := rand.New(rand.NewPCG(seed, 17))
			s := kinds[name](r)
			if seed%4 == 0 {
				s = withTrees(r, s, 6)
			}
			disturb(r, s, seed%3 == 0, seed%5 < 2)
			g := s.graph(t)
			for _, o := range []reduce.Options{
				{}, {Endpoints: true}, {Switches: reduce.Switches{NoBundles: true}}, {Switches: reduce.Switches{NoBlocks: true}},
				{Switches: reduce.Switches{NoTrees: true}}, {Switches: reduce.Switches{NoTrees: true, NoBlocks: true}},
			} {
				o.Ticks, o.MayDropChains = ticksOf(g), true
				chained, err := reduce.New(context.Background(), g, o)
				if err != nil {
					t.Fatal(err)
				}
				found.Chains, found.Cycles = found.Chains+chained.Info.Chains, found.Cycles+chained.Info.Cycles
				found.Merged += chained.Info.Merged
				o.MayDropChains, o.NoChains, o.NoBundles = false, true, true
				want, err := reduce.New(context.Background(), g, o)
				if err != nil {
					t.Fatal(err)
				}
				for range 2 {
					got, err := chained.DropChains(context.Background())
					if err != nil {
						t.Fatal(err)
					}
					if !reflect.DeepEqual(got, want) {
						t.Fatalf("%s %d, %+v: %+v, want %+v", name, seed, o.Switches, got.Info, want.Info)
					}
				}
			}
		}
	}
	if found.Chains == 0 || found.Cycles == 0 || found.Merged == 0 {
		t.Errorf("nothing of a kind was dropped: %+v", found)
	}
}

func TestDropChainsRefuses(t *testing.T) {
	s := &sketch{n: 3}
	s.add(0, 1)
	s.add(1, 2)
	s.add(0, 2)
	for _, o := range []reduce.Options{{}, {Distances: true, MayDropChains: true}} {
		plan, err := reduce.New(context.Background(), s.graph(t), o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plan.DropChains(context.Background()); !errors.Is(err, reduce.ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	plan, err := reduce.New(context.Background(), s.graph(t), reduce.Options{MayDropChains: true})
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := plan.DropChains(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}
