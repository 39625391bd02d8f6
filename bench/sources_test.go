package bench

import (
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"pgregory.net/rapid"
)

func TestSpreadSources(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5000).Draw(t, "n")
		count := rapid.IntRange(1, 6000).Draw(t, "count")
		got := spreadSources(n, count, deviceBatch)
		if got == nil {
			if count <= n-deviceBatch {
				t.Fatalf("%d of %d nodes are not all", count, n)
			}
			return
		}
		if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) || got[0] < 0 ||
			int(got[len(got)-1]) >= n {
			t.Fatalf("not ascending nodes, each once: %v", got)
		}
		if len(got) >= count+deviceBatch {
			t.Fatalf("%d sources for %d", len(got), count)
		}
		for i := 0; i < len(got); i += deviceBatch {
			if got[i]%deviceBatch != 0 || got[min(i+deviceBatch, len(got))-1] != got[i]+int32(min(deviceBatch, len(got)-i))-1 {
				t.Fatalf("no whole batch at %d: %v", i, got)
			}
		}
	})
}

func TestSpreadSourcesEvenly(t *testing.T) {
	got := spreadSources(100*deviceBatch, 4*deviceBatch, deviceBatch)
	for i, want := range []int32{0, 25 * deviceBatch, 50 * deviceBatch, 75 * deviceBatch} {
		if got[i*deviceBatch] != want {
			t.Errorf("deviceBatch %d begins at %d, not %d", i, got[i*deviceBatch], want)
		}
	}
}

// testGraph is 0-1-2-3 and 5-6, with 4 and 7 alone.
func testGraph(t *testing.T) *export.Graph {
	t.Helper()
	s, err := (&edgeList{nodes: 8, source: []int32{0, 1, 2, 5}, target: []int32{1, 2, 3, 6}}).snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return s.Graph
}

func TestCheckSources(t *testing.T) {
	g := testGraph(t)
	if got := checkSources(g, 3); !slices.Equal(got, []int32{0, 2, 5}) {
		t.Errorf("3 sources: %v", got)
	}
	if got := checkSources(g, 100); !slices.Equal(got, []int32{0, 1, 2, 3, 5, 6}) {
		t.Errorf("100 sources: %v", got)
	}
	if got := checkSources(&export.Graph{Offsets: []int64{0, 0}}, 3); !slices.Equal(got, []int32{0}) {
		t.Errorf("without edges: %v", got)
	}
	if got := checkSources(&export.Graph{Offsets: []int64{0}}, 3); len(got) != 0 {
		t.Errorf("without nodes: %v", got)
	}
}

func TestCheckCount(t *testing.T) {
	size := func(n, m int) *export.Graph { return &export.Graph{Offsets: make([]int64, n+1), EdgeCount: m} }
	for _, c := range []struct {
		g           *export.Graph
		weighted    bool
		total, want int
	}{
		{size(4_000, 88_000), false, 4_000, 4_000},
		{size(100_000, 500_000), false, 100_000, 128},
		{size(1_000_000, 44_000_000), false, 1_000_000, 55},
		{size(1_000_000, 44_000_000), true, 1_000_000, 11},
		{size(1_000_000, 1_000_000_000), false, 1_000_000, 8},
		{size(1_000_000, 1_000_000_000), false, 1, 1},
		{size(262_144, 2_000_000), false, 4096, 128},
	} {
		if got := checkCount(c.g, c.weighted, c.total); got != c.want {
			t.Errorf("n %d, m %d, weighted %t, %d in all: %d sources, want %d", c.g.N(), c.g.M(), c.weighted, c.total, got,
				c.want)
		}
	}
}

func TestSourcesToCheck(t *testing.T) {
	s, err := (&edgeList{nodes: 1000, source: []int32{0}, target: []int32{999}}).snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if got := sourcesToCheck(s.Graph, 1000); got != nil {
		t.Errorf("all: %v", got)
	}
	if got := sourcesToCheck(s.Graph, 8); !slices.Equal(got, []int32{0, 999}) {
		t.Errorf("8 in a large graph: %v", got)
	}
	if got := sourcesToCheck(s.Graph, checkMost); len(got) != checkMost || got[checkRun] != 8*checkRun ||
		got[checkRun-1] != checkRun-1 {
		t.Errorf("the most: %v", got)
	}
}

func TestDepth(t *testing.T) {
	g := testGraph(t)
	for source, want := range map[int32]int{0: 3, 1: 2, 4: 0, 5: 1} {
		if got := depth(g, source); got != want {
			t.Errorf("depth from %d: %d, want %d", source, got, want)
		}
	}
}

// TestNeighbourOrder: every node once, and on a path each batch is a stretch of it.
func TestNeighbourOrder(t *testing.T) {
	const n = 3 * deviceBatch
	var path edgeList
	path.nodes = n
	for i := range int32(n - 1) { // node v lies at place 5v mod n, which shares no factor with n
		path.source, path.target = append(path.source, i*5%n), append(path.target, (i+1)*5%n)
	}
	s, err := path.snapshot()
	if err != nil {
		t.Fatal(err)
	}
	order := neighbourOrder(s.Graph, deviceBatch)
	if sorted := slices.Sorted(slices.Values(order)); len(slices.Compact(sorted)) != n {
		t.Fatalf("%d nodes in the order of %d", len(order), n)
	}
	place := make([]int32, n)
	for i := range int32(n) {
		place[i*5%n] = i
	}
	first := order[:deviceBatch]
	least, most := place[first[0]], place[first[0]]
	for _, v := range first {
		least, most = min(least, place[v]), max(most, place[v])
	}
	if most-least != deviceBatch-1 {
		t.Errorf("the first batch spans %d nodes of the path", most-least+1)
	}
}
