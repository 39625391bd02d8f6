package neo4j

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// fenced is a job whose lock is held, with fences for two writers; the lease has run out.
func fenced(t *testing.T) (s *neo4jtest.Server, db *DB, o connector.WriteOptions) {
	t.Helper()
	s, db = fresh(t, chain)
	lease, err := db.Acquire(t.Context(), "job", "old", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	o = connector.WriteOptions{Job: "job", Lease: lease}
	err = db.transact(t.Context(), work{step: "lock", writes: true,
		do: func(ctx context.Context, tx tx) error { return tx.addFences(ctx, o, 2) }})
	if err != nil {
		t.Fatal(err)
	}
	s.Query(t, "MATCH (l:LinchpinLock) SET l.until = 0", nil)
	return s, db, o
}

// fence is what ends every statement of a writer.
func (w *writer) fence(ctx context.Context, t tx, i int) error {
	got, err := w.run(ctx, t, i, "WITH 3 AS met, 2 AS changed", nil)
	if err == nil && (got.met != 3 || got.changed != 2 || got.set != 0) {
		err = fmt.Errorf("%+v", got)
	}
	return err
}

// begun is a transaction that is left open.
func begun(t *testing.T, db *DB) tx {
	t.Helper()
	w := work{step: "test", writes: true}
	session := db.session(t.Context(), w)
	open, err := session.BeginTransaction(t.Context(), db.transactionConfig(t.Context(), w)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close(context.Background()) })
	return tx{db, open}
}

// checks says what each writer's fence, and the lock's own, let pass.
func checks(t *testing.T, db *DB, o connector.WriteOptions) (errs []error) {
	t.Helper()
	w := &writer{db: db, options: o, writers: 2}
	for i := range 3 {
		errs = append(errs, db.transact(t.Context(), work{step: "write", writes: true,
			do: func(ctx context.Context, t tx) error {
				if i == 2 {
					return t.fence(ctx, o)
				}
				return w.fence(ctx, t, i)
			}}))
	}
	return errs
}

func TestFencesOfWriters(t *testing.T) {
	s, db, o := fenced(t)
	for i, err := range checks(t, db, o) {
		if err != nil {
			t.Errorf("fence %d, held: %v", i, err)
		}
	}
	// Neither waits for the other, nor for the lock's own.
	w := &writer{db: db, options: o, writers: 2}
	first, second, own := begun(t, db), begun(t, db), begun(t, db)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for i, err := range []error{w.fence(ctx, first, 0), w.fence(ctx, second, 1), own.fence(ctx, o)} {
		if err != nil {
			t.Errorf("fence %d, side by side: %v", i, err)
		}
	}
	for _, open := range []tx{second, first, own} {
		if err := open.Commit(ctx); err != nil {
			t.Error(err)
		}
	}
	other, err := open(t, s).Acquire(t.Context(), "job", "new", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for i, err := range checks(t, db, o) {
		if kindOf(err) != connector.Locked || !strings.Contains(err.Error(), "locked by new since") {
			t.Errorf("fence %d, taken over: %v", i, err)
		}
	}
	if err := o.Lease.Release(t.Context()); err != nil {
		t.Errorf("releasing what is lost: %v", err)
	}
	o.Lease = other
	for i, err := range checks(t, db, o) {
		if err != nil {
			t.Errorf("fence %d of the new owner: %v", i, err)
		}
	}
	if err := other.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A new owner has the lock only when the commit that a writer has begun is over, whichever writer it is.
func TestTakeoverWaitsForWriters(t *testing.T) {
	for i := range 2 {
		s, db, o := fenced(t)
		committing := begun(t, db)
		if err := (&writer{db: db, options: o, writers: 2}).fence(t.Context(), committing, i); err != nil {
			t.Fatal(err)
		}
		other, took := open(t, s), make(chan error, 1)
		go func() { took <- second(other.Acquire(t.Context(), "job", "new", time.Minute)) }()
		select {
		case err := <-took:
			t.Errorf("the lock was taken while writer %d committed: %v", i, err)
		case <-time.After(500 * time.Millisecond):
		}
		if err := committing.Commit(t.Context()); err != nil {
			t.Errorf("a commit begun before the lock was lost: %v", err)
		}
		if err := <-took; err != nil {
			t.Error(err)
		}
	}
}

// A writer that comes while a new owner takes the lock waits, and then finds its fence gone.
func TestWriterWaitsForTakeover(t *testing.T) {
	for i := range 2 {
		_, db, o := fenced(t)
		taking := begun(t, db)
		l := &Lock{db: db, job: "job", token: "new", fence: o.Lease.Fence() + 1, lease: time.Minute}
		if _, err := taking.lockedHolder(t.Context(), "job", true); err != nil {
			t.Fatal(err)
		}
		if err := taking.takeLock(t.Context(), l, "new"); err != nil {
			t.Fatal(err)
		}
		if err := taking.takeFences(t.Context(), l); err != nil {
			t.Fatal(err)
		}
		checked := make(chan error, 1)
		go func() {
			checked <- db.transact(t.Context(), work{step: "write", writes: true, do: func(ctx context.Context, t tx) error {
				return (&writer{db: db, options: o, writers: 2}).fence(ctx, t, i)
			}})
		}()
		select {
		case err := <-checked:
			t.Errorf("writer %d did not wait for the new owner: %v", i, err)
		case <-time.After(500 * time.Millisecond):
		}
		if err := taking.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := <-checked; kindOf(err) != connector.Locked || !strings.Contains(err.Error(), "locked by new since") {
			t.Errorf("writer %d, taken over: %v", i, err)
		}
	}
}

// Another process takes the lock and writes in the middle of a write by several writers: nothing of the first one's
// comes after.
func TestTakeoverDuringWrite(t *testing.T) {
	for _, by := range []string{"its lease has run out", "an administrator has removed the lock"} {
		t.Run(strings.ReplaceAll(by, " ", "-"), func(t *testing.T) { takeoverDuringWrite(t, by == "its lease has run out") })
	}
}

func takeoverDuringWrite(t *testing.T, expired bool) {
	s, db := fresh(t, chain)
	other := open(t, s)
	snap := exported(t, db, projection("E"))
	columns := func(score float64) []connector.Column {
		all := func(int) float64 { return score }
		return []connector.Column{column(snap, connector.OnNodes, "a", all),
			column(snap, connector.OnRelationships, "r", all)}
	}
	old, err := db.Acquire(t.Context(), "job", "old", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	o := connector.WriteOptions{Job: "job", Projection: projection("E"), Batch: 3, Lease: old}
	parts := 0
	_, err = db.Write(t.Context(), snap, columns(1), o, func(int64, int64) {
		if parts++; parts != 25 { // of 17 for nodes, and more for relationships
			return
		}
		if expired {
			s.Query(t, "MATCH (l:LinchpinLock) SET l.until = 0", nil)
		} else {
			s.Query(t, "MATCH (l:LinchpinLock {name: 'job'}) DELETE l", nil)
		}
		taken, err := other.Acquire(t.Context(), "job", "new", time.Minute)
		if err != nil {
			t.Error(err)
			return
		}
		mine := o
		mine.Lease = taken
		if _, err := other.Write(t.Context(), snap, columns(2), mine, nil); err != nil {
			t.Error(err)
		}
	})
	if kindOf(err) != connector.Locked || !strings.Contains(err.Error(), "locked by new since") || parts < 25 {
		t.Errorf("a writer whose lock is gone, after %d parts: %v", parts, err)
	}
	checkScores(t, s, snap, columns(2))
}

// Dropping a job takes its fences with it, and not those of another whose name begins in the same way.
func TestDropTakesFences(t *testing.T) {
	s, db, _ := fenced(t)
	longer, err := db.Acquire(t.Context(), "job.two", "me", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	snap := exported(t, db, projection("E"))
	o := connector.WriteOptions{Job: "job.two", Projection: projection("E"), Batch: 7, Lease: longer}
	if _, err := db.Write(t.Context(), snap, []connector.Column{column(snap, connector.OnNodes, "a", third)}, o,
		nil); err != nil {
		t.Fatal(err)
	}
	if err := db.SaveRun(t.Context(), connector.Run{ID: "one", Job: "job", Started: time.Now()}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is none
		if _, err := db.Drop(t.Context(), "job", "me", nil); err != nil && kindOf(err) != connector.UnknownName {
			t.Fatal(err)
		}
		if n := number(t, s, "MATCH (l:LinchpinLock) WHERE l.name <> 'job.two' RETURN sum(CASE WHEN l.name STARTS "+
			"WITH 'job.two/' THEN 1 ELSE 100 END)"); n != 3 {
			t.Errorf("nodes of locks: %d hundred of the dropped job, and %d fences of another one's 3", n/100, n%100)
		}
	}
	if err := longer.Renew(t.Context()); err != nil {
		t.Error(err)
	}
}
