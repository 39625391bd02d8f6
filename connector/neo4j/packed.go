package neo4j

import (
	"context"
	"fmt"
)

// A relationship that is found by its id can be sent as one integer, of the ids of its ends and its place in the range
// that the record stands for: half as many values for the server to collect and for the driver to box, which is an
// eighth of all the processor time of an export.
const (
	placeBits = 13 // recordSize fits
	nodeBits  = (63 - placeBits) / 2
)

// pack is the expression that packs a relationship of the range that begins with first. An end's id that does not fit
// makes the server end the statement with an ArithmeticError: that of the source by its multiplication, that of the
// target by the one before the division.
func pack(source, target, id, first string) string {
	return fmt.Sprintf("%[1]s * %[2]d + %[3]s * %[2]d / %[4]d + (%[5]s - %[6]s)", source, 1<<(nodeBits+placeBits), target,
		1<<nodeBits, id, first)
}

// unpack is the inverse of pack.
func unpack(packed, first int64) (source, target, id int64) {
	return packed >> (nodeBits + placeBits), packed >> placeBits & (1<<nodeBits - 1), first + packed&(1<<placeBits-1)
}

// readRange reads the relationships of a range of ids, packed unless ids have been met that do not fit.
func (r *reader) readRange(ctx context.Context, group int, f filter, low, high int64) error {
	of := r.projection.Relationships[group]
	parameters := f.with(map[string]any{"low": low, "high": high, "step": recordSize})
	read := func(packed bool) error {
		cypher := around{
			"UNWIND range($low, $high - 1, $step) AS i CALL { WITH i MATCH (a)-[r:" + quote(of.Type) +
				"]->(b) WHERE id(r) IN range(i, i + $step - 1)" + f.text + " RETURN ",
			" } RETURN " + names(of, packed),
		}
		return r.deliver(ctx, group, false, func(ctx context.Context, t tx, b *block) error {
			b.packed = packed
			return b.read(ctx, t, cypher, parameters)
		})
	}
	if r.db.form == byLists || r.unpacked.Load() {
		return read(false)
	}
	err := read(true)
	if hasCode(err, "Neo.ClientError.Statement.ArithmeticError") {
		r.unpacked.Store(true)
		return read(false)
	}
	return err
}

// addPacked is add for packed relationships.
func (b *block) addPacked(row []any) error {
	first, _ := row[0].(int64)
	packed := list(row[1])
	weights, err := b.begin(row, 2, len(packed))
	if err != nil {
		return err
	}
	for i := range packed {
		p, _ := packed[i].(int64)
		source, target, id := unpack(p, first)
		u, known := b.reader.builder.Index(source)
		v, known2 := b.reader.builder.Index(target)
		if !known || !known2 {
			b.dropped.Dangling++
			continue
		}
		if keep, refused := b.weigh(weights, i); !keep {
			if refused != 0 {
				b.bad.Add(refused, badWeight{id, source, target, weights[i]})
			}
			continue
		}
		b.rels.Source, b.rels.Target = append(b.rels.Source, u), append(b.rels.Target, v)
		b.rels.IDs.Ints = append(b.rels.IDs.Ints, id)
	}
	return nil
}
