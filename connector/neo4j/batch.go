package neo4j

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// batch is everything to write on one kind of entity, handed out in parts.
type batch struct {
	writer  *writer
	on      connector.Entity
	ids     export.IDs
	pattern string // meets an entity x
	guard   string // further conditions on x, each with " AND " before it
	columns []connector.Column

	order   []int32 // places in the order of writing; nil for that of the ids
	sources []int32 // of relationships, by place
	cypher  string
	counts  bool   // that the properties the server has set say how many entities `cypher` has changed
	blind   string // the statement without a comparison, where that is worth while
	matched int64  // entities that are still there

	mu     sync.Mutex
	left   []span // not yet handed out, one for each writer
	size   int
	blinds int // parts to write without a comparison
}

// blindParts is how many parts of nodes are written without a comparison after one in which every node had changed:
// comparing is a twelfth of the server's work.
const blindParts = 7

// span is a range of the order of writing.
type span struct{ low, high int }

func (b *batch) len() int {
	if len(b.columns) == 0 {
		return 0
	}
	return b.ids.Len()
}

// take picks its columns, orders the entities and writes the statement.
func (b *batch) take(columns []connector.Column) *batch {
	for _, c := range columns {
		if c.On == b.on {
			b.columns = append(b.columns, c)
		}
	}
	b.size = b.writer.size(b.on)
	if len(b.columns) > 0 {
		b.sort()
		b.cypher = b.statement()
		n, writers := b.ids.Len(), max(b.writer.writers, 1)
		for i := range writers {
			b.left = append(b.left, span{n * i / writers, n * (i + 1) / writers})
		}
	}
	return b
}

// sort orders the places. Nodes of a snapshot are sorted by id already. Relationships go by windows of ids, which bounds
// the pages of its store that the server meets at a time, and by source node within a window: for each end node of what it
// changes a transaction keeps a state, locks the node and reads it, so the fewer nodes it meets the less it does.
func (b *batch) sort() {
	if b.on == connector.OnNodes {
		return
	}
	s := b.writer.snapshot
	b.order, b.sources = inWindows(b.ids), make([]int32, b.ids.Len())
	for v := range len(s.Rels.Offsets) - 1 {
		for i := s.Rels.Offsets[v]; i < s.Rels.Offsets[v+1]; i++ {
			b.sources[i] = int32(v)
		}
	}
}

const (
	// windowBits is the logarithm of a window's ids, of which a store of Neo4j's record format keeps 75 MB with a property each.
	windowBits = 20
	// mostWindowBits is the logarithm of the number of windows.
	mostWindowBits = 16
)

// inWindows returns the places by ascending windows of ids, and in their own order within a window. Ids that are texts
// have no windows.
func inWindows(ids export.IDs) []int32 {
	order := make([]int32, ids.Len())
	for i := range order {
		order[i] = int32(i)
	}
	if len(ids.Ints) == 0 {
		return order
	}
	low, high := slices.Min(ids.Ints), slices.Max(ids.Ints)
	shift := max(windowBits, bits.Len64(uint64(high-low))-mostWindowBits)
	next := make([]int32, (high-low)>>shift+2)
	for _, id := range ids.Ints {
		next[(id-low)>>shift+1]++
	}
	for i := range len(next) - 1 {
		next[i+1] += next[i]
	}
	for i, id := range ids.Ints {
		at := &next[(id-low)>>shift]
		order[*at] = int32(i)
		*at++
	}
	return order
}

// statement sets all scores of an entity at once, and counts entities met and entities changed; writer.run ends it.
func (b *batch) statement() string {
	var scores, sets, same []string
	nulls := false
	for k, c := range b.columns {
		value, property := fmt.Sprintf("s%d", k), "x."+quote(c.Property)
		scores = append(scores, fmt.Sprintf("$scores%d[i] AS %s", k, value))
		test := fmt.Sprintf("(abs(toFloatOrNull(%[1]s) - %[2]s) <= $tolerance * abs(%[2]s) AND toFloatOrNull(%[1]s) = %[1]s)", property, value)
		if hasNaN(c.Values) {
			nulls = true
			test = fmt.Sprintf("CASE WHEN isNaN(%[2]s) THEN %[1]s IS NULL ELSE %[3]s END", property, value, test)
			value = fmt.Sprintf("CASE WHEN isNaN(%[1]s) THEN null ELSE %[1]s END", value)
		}
		sets, same = append(sets, property+" = "+value), append(same, "coalesce("+test+", false)")
	}
	match := fmt.Sprintf("UNWIND range(0, size($ids) - 1) AS i MATCH %s WHERE %s = $ids[i]%s WITH x, %s ", b.pattern, b.writer.db.id("x"), b.guard, strings.Join(scores, ", "))
	if modeOf(b.writer.options) == connector.Stamp {
		for _, c := range b.columns { // every score says that it is this run's, changed or not
			sets = append(sets, "x."+quote(connector.Stamp.RunProperty(c.Property))+" = $run")
		}
	}
	set, unchanged := "SET "+strings.Join(sets, ", "), strings.Join(same, " AND ")
	const all = " WITH count(*) AS met, count(*) AS changed"
	switch {
	case b.writer.options.OnlyChanged < 0 || modeOf(b.writer.options) == connector.Stamp:
		return match + set + all
	case nulls: // which may be where nothing is to be removed: that sets no property
		return match + "WITH *, NOT (" + unchanged + ") AS changed FOREACH (_ IN CASE WHEN changed THEN [1] ELSE [] END | " + set + ") " +
			"WITH count(*) AS met, sum(CASE WHEN changed THEN 1 ELSE 0 END) AS changed"
	}
	// Compared inside, where the server need not read every score before it sets the first one.
	b.counts = true
	if b.on == connector.OnNodes {
		b.blind = match + set + all
	}
	return match + "FOREACH (_ IN CASE WHEN " + unchanged + " THEN [] ELSE [1] END | " + set + ") WITH count(*) AS met, 0 AS changed"
}

// next hands out a writer's next part. Writers are at work far from each other, where they have fewer nodes in common;
// one that is done helps the one that has most left.
func (b *batch) next(writer int) (low, high int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	own := &b.left[writer]
	if own.low < own.high {
		low, own.low = own.low, min(own.low+b.size, own.high)
		return low, own.low
	}
	for i := range b.left {
		if s := &b.left[i]; s.high-s.low > own.high-own.low {
			own = s
		}
	}
	high, own.high = own.high, max(own.high-b.size, own.low)
	return own.high, high
}

// shrink makes further parts no larger than n.
func (b *batch) shrink(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.size = max(min(b.size, n), leastBatch)
}

// allIDs are the ids in the order of writing.
func (b *batch) allIDs() export.IDs {
	if b.order == nil {
		return b.ids
	}
	return pick(b.ids, b.order)
}

// write writes one part in one transaction, or in smaller ones where the server's memory does not suffice.
func (b *batch) write(ctx context.Context, writer, low, high int) error {
	parameters := b.parameters(low, high)
	cypher := b.choose()
	compared := cypher != b.blind
	var met, changed int64
	err := b.writer.db.change(ctx, b.on, work{step: "write", writes: true, splits: high-low > leastBatch, do: func(ctx context.Context, t tx) error {
		var set int64
		var err error
		if met, changed, set, err = b.writer.run(ctx, t, writer, cypher, parameters); compared && b.counts {
			changed = set / int64(len(b.columns))
		}
		return err
	}})
	n := high - low
	if outOfMemory(err) && n > leastBatch {
		b.shrink(n / 2)
		if err := b.write(ctx, writer, low, low+n/2); err != nil {
			return err
		}
		return b.write(ctx, writer, low+n/2, high)
	}
	if err != nil {
		return err
	}
	b.learn(compared, met, changed)
	b.writer.count(connector.WriteStats{Written: changed, Unchanged: met - changed, Missing: int64(n) - met})
	return nil
}

// choose returns the statement for a part.
func (b *batch) choose() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.blinds == 0 || b.blind == "" {
		return b.cypher
	}
	b.blinds--
	return b.blind
}

// learn counts the entities of a part that has been written. Where all of them had changed, those of the next parts will
// have, too.
func (b *batch) learn(compared bool, met, changed int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.matched += met
	switch {
	case !compared:
	case changed == met && met >= leastBatch:
		b.blinds = blindParts
	default:
		b.blinds = 0
	}
}

// parameters are the ids and scores of a part, each as one typed list.
func (b *batch) parameters(low, high int) map[string]any {
	p := map[string]any{"tolerance": b.writer.options.OnlyChanged, "run": b.writer.options.Run}
	if b.order == nil {
		p["ids"] = parameter(part(b.ids, low, high))
		for k, c := range b.columns {
			p[fmt.Sprintf("scores%d", k)] = c.Values[low:high]
		}
		return p
	}
	at := b.order[low:high]
	p["ids"] = parameter(pick(b.ids, at))
	for k, c := range b.columns {
		p[fmt.Sprintf("scores%d", k)] = gather(c.Values, at)
	}
	nodes, targets := b.writer.snapshot.Nodes, b.writer.snapshot.Rels.Targets
	p["sources"] = parameter(pick(nodes, gather(b.sources, at)))
	p["targets"] = parameter(pick(nodes, gather(targets, at)))
	return p
}
