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
	match   string // meets entity x of place i in a part, if it is still there
	columns []connector.Column

	order  []int32                            // places in the order of writing; nil for that of the ids
	guards func(at []int32, p map[string]any) // adds what `match` compares the entities of some places with; may be nil
	cypher string
	counts bool   // that the properties the server has set say how many entities `cypher` has changed
	blind  string // the statement without a comparison, where that is worth while
	exact  string // the statement without a comparison that returns which of the part it has met

	mu     sync.Mutex
	left   []span // not yet handed out, one for each writer
	size   int
	blinds int     // parts to write without a comparison
	unmet  []int32 // places that were not met, and so have no score of this run
}

// blindParts is how many parts of nodes are written without a comparison after one in which every node had changed:
// comparing is a twelfth of the server's work.
const blindParts = 7

// span is a range of the order of writing.
type span struct{ low, high int }

func (b *batch) len() int {
	if b.order != nil {
		return len(b.order)
	}
	return b.ids.Len()
}

// columnsOf returns the columns of one kind of entity.
func columnsOf(on connector.Entity, columns []connector.Column) (out []connector.Column) {
	for _, c := range columns {
		if c.On == on {
			out = append(out, c)
		}
	}
	return out
}

// divide makes the statements, and a share for each writer.
func (b *batch) divide() {
	b.size = b.writer.size(b.on)
	b.statements()
	n, writers := b.len(), max(b.writer.writers, 1)
	for i := range writers {
		b.left = append(b.left, span{n * i / writers, n * (i + 1) / writers})
	}
}

const (
	// windowBits is the logarithm of a window's ids, of which a store of Neo4j's record format keeps 75 MB with a property
	// each.
	windowBits = 20
	// mostWindowBits is the logarithm of the number of windows.
	mostWindowBits = 16
)

// inWindows returns the places by ascending windows of ids, and in their own order within a window. Ids that are texts
// have no windows.
func inWindows(ids export.IDs) []int32 {
	order := identity(ids.Len())
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

// statements makes those that set all scores of an entity at once, and count entities met and entities changed;
// writer.run ends them. They return a row even if nothing is met, so each of its columns is an aggregate: a constant
// would be a group. Without columns they only look which entities are met.
func (b *batch) statements() {
	var scores, sets, same []string
	nulls := false
	for k, c := range b.columns {
		value, property := fmt.Sprintf("s%d", k), "x."+quote(c.Property)
		scores = append(scores, fmt.Sprintf(", $scores%d[i] AS %s", k, value))
		test := fmt.Sprintf("(abs(toFloatOrNull(%[1]s) - %[2]s) <= $tolerance * abs(%[2]s) AND toFloatOrNull(%[1]s) = %[1]s)",
			property, value)
		if hasNaN(c.Values) {
			nulls = true
			test = fmt.Sprintf("CASE WHEN isNaN(%[2]s) THEN %[1]s IS NULL ELSE %[3]s END", property, value, test)
			value = fmt.Sprintf("CASE WHEN isNaN(%[1]s) THEN null ELSE %[1]s END", value)
		}
		sets, same = append(sets, property+" = "+value), append(same, "coalesce("+test+", false)")
	}
	match := b.match + " WITH x, i" + strings.Join(scores, "") + " "
	if modeOf(b.writer.options) == connector.Stamp {
		for _, c := range b.columns { // every score says that it is this run's, changed or not
			sets = append(sets, "x."+quote(connector.Stamp.RunProperty(c.Property))+" = $run")
		}
	}
	if len(b.columns) == 0 {
		b.cypher, b.exact = match+"WITH count(*) AS met, sum(0) AS changed", match+"WITH collect(i) AS met, sum(0) AS changed"
		return
	}
	set, unchanged := "SET "+strings.Join(sets, ", "), strings.Join(same, " AND ")
	all := match + set + " WITH count(*) AS met, count(*) AS changed"
	b.exact = match + set + " WITH collect(i) AS met, count(*) AS changed"
	switch {
	case b.writer.options.OnlyChanged < 0 || modeOf(b.writer.options) == connector.Stamp:
		b.cypher = all
	case nulls: // which may be where nothing is to be removed: that sets no property
		b.cypher = match + "WITH *, NOT (" + unchanged +
			") AS changed FOREACH (_ IN CASE WHEN changed THEN [1] ELSE [] END | " + set + ") " +
			"WITH count(*) AS met, sum(CASE WHEN changed THEN 1 ELSE 0 END) AS changed"
	default:
		// Compared inside, where the server need not read every score before it sets the first one.
		b.counts = true
		b.cypher = match + "FOREACH (_ IN CASE WHEN " + unchanged + " THEN [] ELSE [1] END | " + set +
			") WITH count(*) AS met, sum(0) AS changed"
		if b.on == connector.OnNodes {
			b.blind = all
		}
	}
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

// write writes one part in one transaction, or in smaller ones where the server's memory does not suffice.
func (b *batch) write(ctx context.Context, writer, low, high int) error {
	parameters := b.parameters(low, high)
	cypher := b.choose()
	var met written
	err := b.writer.db.change(ctx, b.on, work{step: "write", writes: true, splits: high-low > leastBatch,
		do: func(ctx context.Context, t tx) error {
			var err error
			met, err = b.writePart(ctx, t, writer, high-low, cypher, parameters)
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
	b.learn(cypher != b.blind, met, low, high)
	if len(b.columns) > 0 {
		b.writer.count(connector.WriteStats{Written: met.changed, Unchanged: met.met - met.changed})
	}
	return nil
}

// writePart writes n entities. Where fewer were met it writes them again by the statement that returns which: what else
// is in the database is stale, and a number would not tell.
func (b *batch) writePart(ctx context.Context, t tx, writer, n int, cypher string,
	parameters map[string]any) (written, error) {
	met, err := b.writer.run(ctx, t, writer, cypher, parameters)
	if cypher == b.cypher && b.counts {
		met.changed = met.set / int64(len(b.columns))
	}
	if err != nil || met.met == int64(n) {
		return met, err
	}
	exact, err := b.writer.run(ctx, t, writer, b.exact, parameters)
	exact.changed = min(met.changed+max(exact.met-met.met, 0), exact.met)
	return exact, err
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

// learn takes what came of the part from low to high. Where all of its entities had changed, those of the next parts
// will have, too.
func (b *batch) learn(compared bool, w written, low, high int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := high - low; w.met < int64(n) {
		here := make([]bool, n)
		for _, i := range w.places {
			here[i.(int64)] = true
		}
		for i := range here {
			if !here[i] {
				b.unmet = append(b.unmet, b.place(low+i))
			}
		}
	}
	switch {
	case !compared:
	case w.changed == w.met && w.met >= leastBatch:
		b.blinds = blindParts
	default:
		b.blinds = 0
	}
}

// place returns the i-th place in the order of writing.
func (b *batch) place(i int) int32 {
	if b.order == nil {
		return int32(i)
	}
	return b.order[i]
}

// parameters are the ids and scores of a part, each as one typed list.
func (b *batch) parameters(low, high int) map[string]any {
	p := map[string]any{"tolerance": b.writer.options.OnlyChanged, "run": b.writer.options.Run}
	at := make([]int32, high-low)
	for i := range at {
		at[i] = b.place(low + i)
	}
	p["ids"] = parameter(pick(b.ids, at))
	for k, c := range b.columns {
		p[fmt.Sprintf("scores%d", k)] = gather(c.Values, at)
	}
	if b.guards != nil {
		b.guards(at, p)
	}
	return p
}
