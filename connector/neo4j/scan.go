package neo4j

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// How much is read at a time. A record holds lists of recordSize entries: from 2,000 to 10,000 the rate is the same,
// below it falls. A transaction reads a span, which is kept until it has ended well, because it may be done again.
const (
	recordSize = 5_000
	spanSize   = 200_000
	// pageSize entities are one page of a scan. Each page skips those before it, at some 8 M/s.
	pageSize = 250_000
)

// extent says where the ids of a label or a type lie.
type extent struct{ count, low, high int64 }

// dense says whether walking the ids one by one meets enough entities; a range of 5,000 ids without any takes 0.5 ms.
func (e extent) dense() bool { return e.high-e.low < 16*e.count }

// extent asks for the least and the greatest id; both come from the ends of an index. pattern has the variable x.
func (db *DB) extent(ctx context.Context, pattern string, count int64) (extent, error) {
	e := extent{count: count, high: -1}
	for _, end := range []struct {
		order string
		id    *int64
	}{{"x", &e.low}, {"x DESC", &e.high}} {
		rows, err := db.query(ctx, "export", "MATCH "+pattern+" WITH x ORDER BY "+end.order+" LIMIT 1 RETURN id(x)", nil)
		if err != nil {
			return e, err
		}
		if len(rows) == 1 {
			*end.id, _ = rows[0][0].(int64)
		}
	}
	return e, nil
}

// spans splits an extent into ranges of ids, each read in one transaction, and reads several at the same time. Ranges
// are longer where ids are sparse. A range starts where the one before it ends.
func (db *DB) spans(ctx context.Context, e extent, read func(ctx context.Context, low, high int64) error) error {
	ids := (e.high - e.low + 1 + recordSize - 1) / recordSize * recordSize
	length := db.span * max(1, min(ids/max(e.count, 1), 16))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(db.options.Connections)
	for low := e.low; low < e.low+ids && ctx.Err() == nil; low += length {
		g.Go(func() error { return read(ctx, low, min(low+length, e.low+ids)) })
	}
	return g.Wait()
}

// pages splits a scan into pages and reads several at the same time. The last one is open at its end.
func (db *DB) pages(ctx context.Context, count int64, read func(ctx context.Context, skip, limit int64) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(db.options.Connections)
	for skip := int64(0); (skip == 0 || skip < count) && ctx.Err() == nil; skip += pageSize {
		limit := int64(pageSize)
		if skip+limit >= count {
			limit += pageSize // some may have been added
		}
		g.Go(func() error { return halving(ctx, skip, limit, read) })
	}
	return g.Wait()
}

// halving reads a page, or its halves where the server's memory does not suffice.
func halving(ctx context.Context, skip, limit int64, read func(ctx context.Context, skip, limit int64) error) error {
	err := read(ctx, skip, limit)
	if !outOfMemory(err) || limit <= leastBatch {
		return err
	}
	if err := halving(ctx, skip, limit/2, read); err != nil {
		return err
	}
	return halving(ctx, skip+limit/2, limit-limit/2, read)
}

// mostClasses is into how many classes ids are divided at most.
const mostClasses = 1 << 20

// classes reads the classes of a division of ids, several at the same time, and those for which the server's memory
// does not suffice in two halves. Each costs a scan of everything.
func (db *DB) classes(ctx context.Context, classes int64,
	read func(ctx context.Context, class, classes int64) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(db.options.Connections)
	for class := int64(0); class < classes && ctx.Err() == nil; class++ {
		g.Go(func() error { return halvingClass(ctx, class, classes, read) })
	}
	return g.Wait()
}

func halvingClass(ctx context.Context, class, classes int64,
	read func(ctx context.Context, class, classes int64) error) error {
	err := read(ctx, class, classes)
	if !outOfMemory(err) || classes >= mostClasses {
		return err
	}
	if err := halvingClass(ctx, class, 2*classes, read); err != nil {
		return err
	}
	return halvingClass(ctx, class+classes, 2*classes, read)
}
