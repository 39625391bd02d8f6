package export

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
)

// Orientation says which arcs a relationship becomes.
type Orientation string

// Natural keeps the stored direction, Reverse turns it round, Undirected makes one undirected edge.
const (
	Natural    Orientation = "natural"
	Reverse    Orientation = "reverse"
	Undirected Orientation = "undirected"
)

// Parallel says what becomes of several relationships of one group between the same two nodes, after orientation.
type Parallel string

// Keep leaves each an edge of its own; the others merge them into one edge, whose weight is the least, the greatest,
// the sum, or how many there are.
const (
	Keep  Parallel = "keep"
	Min   Parallel = "min"
	Max   Parallel = "max"
	Sum   Parallel = "sum"
	Count Parallel = "count"
)

// Group is how the relationships of one kind enter the graph. The parallel rule applies within a group.
type Group struct {
	Orientation Orientation
	Parallel    Parallel
	// Weighted says that the group's relationships carry a weight; otherwise each weighs 1.
	Weighted bool
	// Strengths says that weights are strengths: an edge's length is 1 over what they come to, after the rule for parallel
	// relationships.
	Strengths bool
}

// weighted says whether edges of the group can weigh other than 1.
func (g Group) weighted() bool {
	return g.Weighted || g.Parallel == Count || g.Parallel == Sum
}

// Builder makes a Snapshot from columns that arrive in any order. Nodes come first: AddNodes (or AddNodeTexts) any
// number of times, then Freeze; or Intern, for sources whose nodes are known only by the relationships that name them.
// Then AddRelationships any number of times, from several goroutines if wanted, then Build, once. Freeze may be left
// out by a source that adds its nodes in ascending order, once each, and knows their indices.
//
// The snapshot depends on what was added, not on the order: nodes are sorted by id (interned ones keep the order of
// first appearance) and relationships by source, target, group and id.
type Builder struct {
	groups []Group

	nodes   IDs
	first   int64 // the least id, when integer ids follow each other without a gap
	gapless bool
	dense   []int32 // id -> index+1, when integer ids are dense enough
	byID    map[int64]int32
	byText  map[string]int32
	frozen  bool
	dropped Dropped

	mu     sync.Mutex
	blocks []Rels
	count  int64
}

// Rels is a block of relationships in columns of equal length. Source and Target are node indices (from Index,
// IndexText or Intern). Weights may be nil when the group has none. IDs may be empty for a file: relationships then
// keep the order in which they were added.
type Rels struct {
	Group          int
	Source, Target []int32
	Weights        []float64
	IDs            IDs
}

// NewBuilder returns a builder for relationships of the given groups.
func NewBuilder(groups ...Group) *Builder {
	return &Builder{groups: groups}
}

// AddNodes adds nodes by integer id; ids seen before are ignored.
func (b *Builder) AddNodes(ids []int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nodes.Ints = append(b.nodes.Ints, ids...)
}

// AddNodeTexts adds nodes by text id; ids seen before are ignored.
func (b *Builder) AddNodeTexts(ids []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nodes.Texts = append(b.nodes.Texts, ids...)
}

// Intern returns the index of the node with this text id, adding it if it is new. Indices follow first appearance.
func (b *Builder) Intern(id string) (int32, error) {
	if v, ok := b.byText[id]; ok {
		return v, nil
	}
	if b.byText == nil {
		b.byText = map[string]int32{}
	}
	if len(b.nodes.Texts) >= MaxNodes {
		return 0, fmt.Errorf("more than %d nodes", MaxNodes)
	}
	v := int32(len(b.nodes.Texts))
	b.byText[id] = v
	b.nodes.Texts = append(b.nodes.Texts, id)
	return v, nil
}

// InternBytes is Intern for an id in a buffer that is used again; only new ids are copied.
func (b *Builder) InternBytes(id []byte) (int32, error) {
	if v, ok := b.byText[string(id)]; ok {
		return v, nil
	}
	return b.Intern(string(id))
}

// Freeze sorts the nodes and makes Index and IndexText answer. It returns the number of distinct nodes.
func (b *Builder) Freeze() (int, error) {
	b.frozen = true
	slices.Sort(b.nodes.Ints)
	b.nodes.Ints = slices.Clip(slices.Compact(b.nodes.Ints))
	slices.Sort(b.nodes.Texts)
	b.nodes.Texts = slices.Clip(slices.Compact(b.nodes.Texts))
	n := b.nodes.Len()
	switch {
	case len(b.nodes.Ints) > 0 && len(b.nodes.Texts) > 0:
		return 0, fmt.Errorf("builder: ids of nodes are all integers or all texts")
	case n > MaxNodes:
		return 0, fmt.Errorf("%d nodes are more than %d", n, MaxNodes)
	case len(b.nodes.Texts) > 0:
		b.byText = make(map[string]int32, n)
		for i, id := range b.nodes.Texts {
			b.byText[id] = int32(i)
		}
	case n > 0 && b.nodes.Ints[n-1]-b.nodes.Ints[0] == int64(n)-1:
		b.first, b.gapless = b.nodes.Ints[0], true
	case n > 0 && b.nodes.Ints[0] >= 0 && b.nodes.Ints[n-1] < 8*int64(n)+1<<20:
		b.dense = make([]int32, b.nodes.Ints[n-1]+1)
		for i, id := range b.nodes.Ints {
			b.dense[id] = int32(i) + 1
		}
	default:
		b.byID = make(map[int64]int32, n)
		for i, id := range b.nodes.Ints {
			b.byID[id] = int32(i)
		}
	}
	return n, nil
}

// Index returns the index of the node with this integer id. It may be called from several goroutines after Freeze.
func (b *Builder) Index(id int64) (int32, bool) {
	if b.gapless {
		i := id - b.first
		return int32(i), i >= 0 && i < int64(len(b.nodes.Ints))
	}
	if b.dense != nil {
		if id < 0 || id >= int64(len(b.dense)) || b.dense[id] == 0 {
			return 0, false
		}
		return b.dense[id] - 1, true
	}
	v, ok := b.byID[id]
	return v, ok
}

// IndexText returns the index of the node with this text id. It may be called from several goroutines after Freeze.
func (b *Builder) IndexText(id string) (int32, bool) {
	v, ok := b.byText[id]
	return v, ok
}

// blockSize is how many relationships a block of the builder holds at most.
const blockSize = 1 << 16

// AddRelationships adds relationships, which it copies. Safe for concurrent use. Weights must have passed
// WeightPolicy.Check.
func (b *Builder) AddRelationships(r Rels) error {
	n := len(r.Source)
	if r.Group < 0 || r.Group >= len(b.groups) {
		return fmt.Errorf("builder: group %d of %d", r.Group, len(b.groups))
	}
	if len(r.Target) != n || r.Weights != nil && len(r.Weights) != n || r.IDs.Len() != 0 && r.IDs.Len() != n {
		return fmt.Errorf("builder: columns of unequal length")
	}
	if b.groups[r.Group].Weighted && r.Weights == nil {
		return fmt.Errorf("builder: group %d has weights, the block has none", r.Group)
	}
	if n == 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.blocks) > 0 && !r.IDs.sameKind(b.blocks[0].IDs) {
		return fmt.Errorf("builder: ids of relationships are all integers, all texts, or left out")
	}
	if b.count += int64(n); b.count > MaxEdges {
		return fmt.Errorf("more than %d relationships", MaxEdges)
	}
	for low := 0; low < n; {
		last := b.block(r)
		high := min(n, low+cap(last.Source)-len(last.Source))
		last.append(r, low, high)
		low = high
	}
	return nil
}

// block returns a block with room, of r's group and columns.
func (b *Builder) block(r Rels) *Rels {
	if k := len(b.blocks) - 1; k >= 0 {
		last := &b.blocks[k]
		if last.Group == r.Group && len(last.Source) < cap(last.Source) && (last.Weights == nil) == (r.Weights == nil) {
			return last
		}
	}
	room := int(min(blockSize, max(1024, b.count)))
	block := Rels{Group: r.Group, Source: make([]int32, 0, room), Target: make([]int32, 0, room)}
	if r.Weights != nil {
		block.Weights = make([]float64, 0, room)
	}
	if r.IDs.Len() > 0 {
		block.IDs = r.IDs.empty(room)
	}
	b.blocks = append(b.blocks, block)
	return &b.blocks[len(b.blocks)-1]
}

// append adds the relationships of o from low to high.
func (r *Rels) append(o Rels, low, high int) {
	r.Source, r.Target = append(r.Source, o.Source[low:high]...), append(r.Target, o.Target[low:high]...)
	if r.Weights != nil {
		r.Weights = append(r.Weights, o.Weights[low:high]...)
	}
	if r.IDs.Ints != nil {
		r.IDs.Ints = append(r.IDs.Ints, o.IDs.Ints[low:high]...)
	}
	if r.IDs.Texts != nil {
		r.IDs.Texts = append(r.IDs.Texts, o.IDs.Texts[low:high]...)
	}
}

// Drop counts relationships that the caller left out itself. Safe for concurrent use.
func (b *Builder) Drop(d Dropped) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.dropped.Dangling += d.Dangling
	b.dropped.Duplicates += d.Duplicates
	b.dropped.ZeroWeight += d.ZeroWeight
	b.dropped.BadWeight += d.BadWeight
}

// large is the number of relationships from which on Build collects garbage first: what reading them has left behind
// makes room for the snapshot, instead of standing beside it.
const large = 1 << 20

// Build makes the snapshot and empties the builder.
func (b *Builder) Build() (*Snapshot, error) {
	if b.count >= large {
		runtime.GC()
	}
	rels, err := b.collect()
	if err != nil {
		return nil, err
	}
	n := b.nodes.Len()
	s := &Snapshot{Nodes: b.nodes, Dropped: b.dropped}
	s.Rels = Relationships{Offsets: rels.offsets, Targets: rels.target, IDs: rels.ids, Positions: rels.position}
	if asStored(b.groups) {
		s.Rels.Edges = identity(rels.len())
		s.Graph = &Graph{Directed: true, Offsets: rels.offsets, Targets: rels.target, Weights: rels.weight,
			EdgeCount: rels.len()}
		*b = Builder{}
		return s, nil
	}
	edges, err := orient(rels, b.groups, b.nodes)
	if err != nil {
		return nil, err
	}
	s.Rels.Edges, s.Rels.Back = edges.of, edges.back
	*rels = columns{} // what the snapshot does not keep need not stay while the graph is made
	s.Graph = edges.graph(n)
	*b = Builder{}
	return s, nil
}
