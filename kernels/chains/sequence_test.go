package chains

import (
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// flatGrid is a grid of side * side nodes; the edges of its first row are chains.
func flatGrid(t *testing.T, side int) *reduce.Flat {
	t.Helper()
	var r export.Rels
	n := side * side
	join := func(u, v int, chain bool) {
		if chain {
			r.Source, r.Target = append(r.Source, int32(u)), append(r.Target, int32(n))
			u, n = n, n+1
		}
		r.Source, r.Target = append(r.Source, int32(u)), append(r.Target, int32(v))
	}
	for v := range side * side {
		if (v+1)%side != 0 {
			join(v, v+1, v < side)
		}
		if v+side < side*side {
			join(v, v+side, false)
		}
	}
	g := graphtest.Build(t, export.Undirected, n, r)
	plan, err := reductions.PlanChains(t.Context(), g, kernels.Request{Reduce: kernels.ReduceOn}, lengths.Hops{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	flat, err := plan.Reduced.Flatten(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return flat
}

// source is where a source is in a sequence: its atom, its place in it, and its group.
type source struct {
	node       int32
	atom, slot int
	group      int32 // its first node
}

// sourcesOf lists the sources of a shard.
func sourcesOf(s sequence, shard device.Shard, blocks int) (out []source, lone int) {
	list := func(b batch) {
		for i, v := range b.nodes[:b.sources] {
			out = append(out, source{v, b.firstAtom + i/s.atom, i % blocks, b.nodes[i/b.group*b.group]})
		}
	}
	for _, b := range s.ofEnds(shard) {
		list(b)
	}
	batches, begins := s.others(shard, loneRows*blocks)
	for _, b := range batches {
		list(b)
		lone += b.sources
	}
	if begins && lone > 0 && out[len(out)-lone].node != s.lone[0] {
		panic("a shard begins with other nodes than the first")
	}
	return out, lone
}

// TestShards: for any number of shards, each source comes once, in the same atom, on the same block, and in the same
// group.
func TestShards(t *testing.T) {
	f := flatGrid(t, 15)
	for _, blocks := range []int{1, 2, 5} {
		for _, only := range [][]int32{nil, {3, 1, 100, 200, 7, 60}} {
			s := newSequence(f, only, blocks)
			want, lone := sourcesOf(s, device.Shard{}, blocks)
			if count := len(want); only == nil && count != len(f.Omega) || only != nil && count != len(only) {
				t.Fatalf("%d sources of %d", count, len(f.Omega))
			}
			if only == nil && (lone == 0 || lone == len(want)) {
				t.Fatalf("%d of %d nodes are at no chain", lone, len(want))
			}
			for shards := 2; shards < 20; shards++ {
				var got []source
				for i := range shards {
					part, _ := sourcesOf(s, device.Shard{Index: i, Of: shards}, blocks)
					got = append(got, part...)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%d blocks, %d shards: %v, not %v", blocks, shards, got, want)
				}
			}
		}
	}
}

// TestRowsOfShards: a batch has rows of its sources and of all other ends of their chains.
func TestRowsOfShards(t *testing.T) {
	f := flatGrid(t, 15)
	s := newSequence(f, nil, 1)
	more := 0
	for i := range 3 {
		for _, b := range s.ofEnds(device.Shard{Index: i, Of: 12}) {
			more += len(b.nodes) - b.sources
			for _, v := range b.nodes[:b.sources] {
				eachOtherEnd(f, v, func(u int32) {
					if !slices.Contains(b.nodes, u) {
						t.Errorf("no row of %d, the other end of a chain of %d", u, v)
					}
				})
			}
		}
	}
	if more == 0 {
		t.Error("no shard reads rows of others")
	}
}

// TestFittingGroups: a group does not fit where a row of it failed, or of the other end of one of its chains.
func TestFittingGroups(t *testing.T) {
	f := flatGrid(t, 15)
	s := newSequence(f, nil, 1)
	b := s.ofEnds(device.Shard{})[0]
	if fit := b.fitting(f, nil); slices.Contains(fit, false) || len(fit) != (b.sources+s.atom-1)/s.atom {
		t.Errorf("without failures %v fit", fit)
	}
	for slot := range b.nodes {
		bad := map[int]bool{slot / s.atom: true}
		for i, v := range b.nodes {
			eachOtherEnd(f, v, func(u int32) {
				if u == b.nodes[slot] {
					bad[i/s.atom] = true
				}
			})
		}
		for group, fits := range b.fitting(f, []int32{int32(slot)}) {
			if fits == bad[group] {
				t.Errorf("slot %d failed: group %d fits: %v", slot, group, fits)
			}
		}
	}
}
