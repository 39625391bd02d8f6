package plan

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/traversal"
)

// record is one line of bench/results: what was measured on a device, or on its host.
type record struct {
	file       string
	Graph      string
	N, M       int64
	Measure    string
	Radius     *int
	Weighted   bool
	EdgeScores bool `json:"edge_scores"`
	Bucket     float64
	Drawn      int64
	Strategy   string
	Taken      string
	Precision  string
	Status     string
	Reason     string
	Sources    int64
	Seconds    struct{ Compute, Preprocess, Elapsed float64 }
	Device     string
	Host       string
	Date       string
}

// facts are the features of a graph of the records, taken from the graph itself.
type facts struct {
	Graph                              string
	N, M                               int64
	Levels                             int
	Deep                               bool
	Isolated, Leaves, Branch, Greatest int64
	Squares, Locality, Spread, Wedges  float64
	Least, Most                        float64
	Class                              WeightClass
	Info                               *reduce.Info
	// Likely is order.LikelyDepth; nil of a graph that the benchmarks do not make.
	Likely *order.Depth
}

// ticks is the greatest weight of a generated graph in ticks.
func (g facts) ticks() int64 {
	if g.Class == Reals {
		return lanes.NotWhole
	}
	return int64(g.Most)
}

// readLines decodes the lines of a file.
func readLines[T any](t *testing.T, path string) (out []T) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var x T
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out = append(out, x)
	}
	return out
}

func readFacts(t *testing.T) map[string]facts {
	t.Helper()
	out := map[string]facts{}
	for _, f := range readLines[facts](t, filepath.Join("testdata", "graphs.jsonl")) {
		out[f.Graph] = f
	}
	return out
}

// kernelsSince is from when on batches are those of today's kernels.
const kernelsSince = "2026-11-22T08"

// lanesSince is from when on the CPU counts paths by hops from many sources at a time.
const lanesSince = "2026-11-26T10"

// looksSince is from when on auto looks no longer at what it does not ask for.
const looksSince = "2026-11-27T04"

// readRecords returns what can be predicted: the newest record of each way and question.
func readRecords(t *testing.T) []record {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "bench", "results", "h[12]00*.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no records: %v", err)
	}
	newest := map[string]int{}
	var out []record
	for _, path := range paths {
		for _, r := range readLines[record](t, path) {
			r.file = filepath.Base(path)
			if r.leftOut() {
				continue
			}
			key := r.question() + "|" + r.way() + "|" + r.Strategy
			if i, ok := newest[key]; ok {
				if out[i].Date < r.Date {
					out[i] = r
				}
				continue
			}
			newest[key] = len(out)
			out = append(out, r)
		}
	}
	return out
}

// sweepsSince is from when on warps of levels share long rows and the host does little around them (docs/notes/078),
// and sweepsShort up to how many seconds of a run that makes a difference.
const (
	sweepsSince = "2026-11-28T13:20"
	sweepsShort = 0.3
)

// alikeSince is from when on batches of levels have sources that are alike, also of a small sample, and teams have
// several (docs/notes/081).
const alikeSince = "2026-11-29T03:15"

// cellsSince is from when on one-by-one searches of meshes have rows in cells (docs/notes/079).
const cellsSince = "2026-11-28T16:00"

// inCells reports whether searches one by one have rows in cells today.
func (r record) inCells() bool {
	s := traversal.Searches{Nodes: r.N, Arcs: 2 * r.M, Sources: r.Sources}
	return r.Taken == "work-efficient" && !r.Weighted && !r.EdgeScores &&
		kernels.KindOf(r.Measure) == kernels.Dependencies && s.CellBits(227<<10) > 0
}

// leftOut reports a record that today's engines cannot be compared with.
func (r record) leftOut() bool {
	batch := r.Taken == "batched" || strings.HasPrefix(r.Taken, "chain")
	switch {
	case r.Status != "ok", r.Bucket != 0, r.way() == "", r.file == "h200-profiles.jsonl":
		return true
	case batch && r.Date < kernelsSince:
		return true
	case r.Taken == "cpu" && !r.Weighted && kernels.KindOf(r.Measure) == kernels.Dependencies && r.Date < lanesSince:
		return true
	case r.Drawn > 0 && r.way() == Deep && 16*r.leftByDeep() > r.Sources:
		return true // of batches that were made by the arcs among sources, and searched again level by level
	case r.Strategy == "auto" && r.Drawn > 0 && r.way() == OneByOne && r.Date < looksSince:
		return true // auto looked at the depth of the graph then
	case r.inCells() && r.Date < cellsSince:
		return true // rows were as they are in the graph
	case r.way() == Levels && r.Drawn > doubleLanes && r.Date < alikeSince:
		return true // batches of a sample were made by degree, and teams had one
	case r.way() == Levels && r.Date < sweepsSince && r.Seconds.Compute < sweepsShort:
		return true // the host did as much around the search, and one warp had the longest rows
	case r.Drawn > 0 && !r.Weighted && threadsPerNode[r.way()] > 0 && r.Date < sweepsSince &&
		r.Seconds.Compute < sweepsShort:
		return true // the host did as much around the searches, and most are of kernels before those of docs/notes/061
	}
	// Of the CPU, searches by weights and of distances are of an earlier form there.
	return r.Taken == "cpu" && r.file == "h200.jsonl" && (r.Weighted || kernels.KindOf(r.Measure) != kernels.Dependencies)
}

// countedAgain finds how many sources the engine for deep graphs left.
var countedAgain = regexp.MustCompile(`(\d+) sources (left to be )?counted level by level`)

// leftByDeep is how many sources the engine for deep graphs left.
func (r record) leftByDeep() int64 {
	found := countedAgain.FindStringSubmatch(r.Reason)
	if found == nil {
		return 0
	}
	left, _ := strconv.ParseInt(found[1], 10, 64) // digits
	return left
}

// question is what was asked for, without the strategy.
func (r record) question() string {
	radius := -1
	if r.Radius != nil {
		radius = *r.Radius
	}
	text, _ := json.Marshal([]any{r.Graph, r.Measure, radius, r.Weighted, r.EdgeScores, r.Precision, r.Drawn})
	if strings.Contains(r.Device, "H100") {
		return "H100 " + string(text)
	}
	return string(text)
}

// way is the engine that ran, by the names of Candidates; "" for one that auto does not use.
func (r record) way() string {
	deep := strings.Contains(r.Reason, "because the graph is deep")
	switch {
	case slices.Contains([]string{OneByOne, OneByOne4, OneByOne8, Volume, Chains, ChainFolds, Pull, Triangles}, r.Taken),
		IsBatched(r.Taken):
		return r.Taken
	case r.Taken == "cpu":
		return Plain
	case r.Taken != "batched":
		return ""
	case strings.Contains(r.Reason, "shared memory;") || strings.Contains(r.Reason, "bytes of shared memory"):
		return Small
	case deep && strings.Contains(r.Reason, "of a block"):
		return Deep
	case deep:
		return "" // a form that is no longer taken for deep graphs
	case strings.Contains(r.Reason, "graph is shallow"):
		return Levels
	case r.Weighted:
		return Weighted
	}
	return Hops
}

// ordersSince is from when on few sources of shallow graphs are searched from by degree.
const ordersSince = "2026-11-25T08:50"

// inAnotherOrder reports whether the record is of batches that are put in another order today.
func (r record) inAnotherOrder(g facts) bool {
	least := map[string]int{Levels: 12_000, Hops: order.DistancesBalls}[r.way()]
	return r.Date < ordersSince && !g.Deep && r.Sources < int64(least)
}

// renumberedSince is from when on searches one by one number the nodes of large meshes in their order.
const renumberedSince = "2026-11-27T06"

// inOldNumbers reports whether the record is of searches one by one that know the nodes by other numbers today.
func (r record) inOldNumbers(g facts) bool {
	all := traversal.Searches{Nodes: r.N, Arcs: 2 * r.M, Sources: math.MaxInt64, Blocks: 1,
		Greatest: func() int64 { return g.Greatest }}
	return g.Deep && all.Renumbered() && !r.Weighted && strings.HasPrefix(r.way(), OneByOne) && r.Date < renumberedSince
}

// features are those of the record's run.
func (r record) features(g facts) *Features {
	m, _ := kernels.Lookup(r.Measure)
	request := kernels.Request{Nodes: true, Edges: r.EdgeScores}
	request.Weighted, request.Radius = r.Weighted, r.Radius
	f := g.features(TraitsOf(m, request))
	f.Sources, f.Single = r.Sources, r.Precision == "single"
	if r.Drawn == 0 {
		f.lazy.near = func() float64 { return 1 } // batches of neighbours stand for all nodes
	}
	f.All = r.Sources == r.N && r.Drawn == 0 || m.Kind == kernels.Balls
	return f
}

// features makes features of facts, with all nodes as sources.
func (g facts) features(traits Traits) *Features {
	f := &Features{Traits: traits, Nodes: g.N, Edges: g.M, Arcs: 2 * g.M, Sources: g.N, All: true}
	f.lazy = lazy{
		degrees: func() Degrees {
			return Degrees{Isolated: g.Isolated, Leaves: g.Leaves, Branch: g.Branch, Greatest: g.Greatest, Squares: g.Squares}
		},
		depth:    func() order.Depth { return order.Depth{Levels: g.Levels, Deep: g.Deep} },
		busy:     func() int64 { return g.Greatest },
		areNear:  func(float64, int) bool { return true },
		likely:   func() order.Depth { return g.likely() },
		reach:    func() float64 { return g.reach() },
		near:     func() float64 { return f.share() }, // of sources that are drawn at random
		locality: func() float64 { return g.Locality },
		close:    func(int) float64 { return g.Locality },
		weights:  func() Weights { return Weights{Class: g.Class, Least: g.Least, Greatest: g.Most, Ticks: g.ticks()} },
		ball:     func() float64 { return ballOfDegrees(g, traits.Radius) },
		spread: func() float64 {
			if f.All && g.Spread > 0 {
				return g.Spread
			}
			return f.likelySpread()
		},
		wedges: func() float64 { return g.Wedges },
	}
	return f
}

// likely is the estimate of the depth.
func (g facts) likely() order.Depth {
	if g.Likely != nil {
		return *g.Likely
	}
	return order.Depth{Levels: g.Levels, Deep: g.Deep}
}

// reach is that of a graph of equal components, by its plan, which counts the pairs that are joined.
func (g facts) reach() float64 {
	if g.Info == nil || g.Info.Pairs == 0 {
		return 1
	}
	n := float64(g.N - g.Isolated)
	return min(1, float64(g.Info.Pairs)/(n*(n-1)))
}

// ballOfDegrees is BallArcs for a radius of at most 2, by degrees.
func ballOfDegrees(g facts, radius int64) float64 {
	switch radius {
	case 0:
		return 0
	case 1:
		return 2 * float64(g.M) / float64(g.N)
	}
	return g.Squares / float64(g.N)
}
