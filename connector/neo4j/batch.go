package neo4j

import (
	"cmp"
	"context"
	"fmt"
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

	order   []int32 // places by ascending id; nil when the ids are sorted
	sources []int32 // of relationships, by place
	cypher  string
	matched int64 // entities that are still there

	mu   sync.Mutex
	from int // first place not yet handed out
	size int
}

func (b *batch) len() int {
	if len(b.columns) == 0 {
		return 0
	}
	return b.ids.Len()
}

// take picks its columns, sorts and writes the statement.
func (b *batch) take(columns []connector.Column) *batch {
	for _, c := range columns {
		if c.On == b.on {
			b.columns = append(b.columns, c)
		}
	}
	b.size = b.writer.size()
	if len(b.columns) > 0 {
		b.sort()
		b.cypher = b.statement()
	}
	return b
}

// sort orders the places by id. Nodes of a snapshot are sorted already.
func (b *batch) sort() {
	if b.on == connector.OnNodes {
		return
	}
	s := b.writer.snapshot
	b.order, b.sources = make([]int32, b.ids.Len()), make([]int32, b.ids.Len())
	for i := range b.order {
		b.order[i] = int32(i)
	}
	switch {
	case b.ids.Texts != nil:
		slices.SortFunc(b.order, func(i, j int32) int { return strings.Compare(b.ids.Texts[i], b.ids.Texts[j]) })
	case !sortDense(b.order, b.ids.Ints):
		slices.SortFunc(b.order, func(i, j int32) int { return cmp.Compare(b.ids.Ints[i], b.ids.Ints[j]) })
	}
	for v := range len(s.Rels.Offsets) - 1 {
		for i := s.Rels.Offsets[v]; i < s.Rels.Offsets[v+1]; i++ {
			b.sources[i] = int32(v)
		}
	}
}

// sortDense fills order with the places of distinct ids by ascending id, and says whether it has: it does so where they
// fill at least a quarter of their range, in a tenth of the time of comparing them.
func sortDense(order []int32, ids []int64) bool {
	if len(ids) == 0 {
		return true
	}
	low, high := slices.Min(ids), slices.Max(ids)
	if (high-low)/4 >= int64(len(ids)) {
		return false
	}
	places := make([]int32, high-low+1) // counted from 1
	for i, id := range ids {
		places[id-low] = int32(i) + 1
	}
	order = order[:0]
	for _, i := range places {
		if i > 0 {
			order = append(order, i-1)
		}
	}
	return true
}

// statement sets all scores of an entity at once, and counts entities met and entities changed.
func (b *batch) statement() string {
	var sets, same []string
	for k, c := range b.columns {
		value, property := fmt.Sprintf("$scores%d[i]", k), "x."+quote(c.Property)
		test := fmt.Sprintf("(abs(toFloatOrNull(%[1]s) - %[2]s) <= $tolerance * abs(%[2]s) AND toFloatOrNull(%[1]s) = %[1]s)", property, value)
		if hasNaN(c.Values) {
			test = fmt.Sprintf("CASE WHEN isNaN(%[2]s) THEN %[1]s IS NULL ELSE %[3]s END", property, value, test)
			value = fmt.Sprintf("CASE WHEN isNaN(%[1]s) THEN null ELSE %[1]s END", value)
		}
		sets, same = append(sets, property+" = "+value), append(same, "coalesce("+test+", false)")
	}
	match := fmt.Sprintf("UNWIND range(0, size($ids) - 1) AS i MATCH %s WHERE %s = $ids[i]%s ", b.pattern, b.writer.db.id("x"), b.guard)
	if modeOf(b.writer.options) == connector.Stamp {
		for _, c := range b.columns { // every score says that it is this run's, changed or not
			sets = append(sets, "x."+quote(connector.Stamp.RunProperty(c.Property))+" = $run")
		}
	}
	if b.writer.options.OnlyChanged < 0 || modeOf(b.writer.options) == connector.Stamp {
		return match + "SET " + strings.Join(sets, ", ") + " RETURN count(*) AS met, count(*) AS changed"
	}
	return match + "WITH x, i, NOT (" + strings.Join(same, " AND ") + ") AS changed " +
		"FOREACH (_ IN CASE WHEN changed THEN [1] ELSE [] END | SET " + strings.Join(sets, ", ") + ") " +
		"RETURN count(*) AS met, sum(CASE WHEN changed THEN 1 ELSE 0 END) AS changed"
}

// next hands out the next part.
func (b *batch) next() (low, high int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	low = b.from
	b.from = min(low+b.size, b.ids.Len())
	return low, b.from
}

// shrink makes further parts no larger than n.
func (b *batch) shrink(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.size = max(min(b.size, n), leastBatch)
}

func (b *batch) sortedIDs() export.IDs {
	if b.order == nil {
		return b.ids
	}
	return pick(b.ids, b.order)
}

// write writes one part in one transaction, or in smaller ones where the server's memory does not suffice.
func (b *batch) write(ctx context.Context, writer, low, high int) error {
	parameters := b.parameters(low, high)
	var met, changed int64
	err := b.writer.db.change(ctx, b.on, work{step: "write", writes: true, splits: high-low > leastBatch, do: func(ctx context.Context, t tx) error {
		met, changed = 0, 0
		err := t.rows(ctx, b.cypher, parameters, func(row []any) {
			met, _ = row[0].(int64)
			changed, _ = row[1].(int64)
		})
		if err != nil {
			return err
		}
		return b.writer.fence(ctx, t, writer)
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
	b.mu.Lock()
	b.matched += met
	b.mu.Unlock()
	b.writer.count(connector.WriteStats{Written: changed, Unchanged: met - changed, Missing: int64(n) - met})
	return nil
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
