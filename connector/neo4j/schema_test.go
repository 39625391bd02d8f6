package neo4j

import (
	"context"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// TestIndexInTheWayOfAConstraint: without its constraint a lock could have two nodes, and two holders.
func TestIndexInTheWayOfAConstraint(t *testing.T) {
	s := neo4jtest.Shared(t)
	s.Empty(t)
	s.Query(t, "CREATE INDEX theirs FOR (l:LinchpinLock) ON (l.name)", nil)
	_, err := open(t, s).Acquire(t.Context(), "job", "me", time.Minute)
	if err == nil || !strings.Contains(err.Error(), "an index without a constraint is in the way") {
		t.Errorf("error %v", err)
	}
	s.Query(t, "DROP INDEX theirs", nil)
	if _, err := open(t, s).Acquire(t.Context(), "job", "me", time.Minute); err != nil {
		t.Error(err)
	}
}

// TestConstraintsAfterKills interrupts the making of the constraints at many moments. The server may be left with an
// index that no constraint owns; the next process must come to terms with it all the same.
func TestConstraintsAfterKills(t *testing.T) {
	s := neo4jtest.Shared(t)
	torn := 0
	for delay := 4 * time.Millisecond; delay < 40*time.Millisecond && torn == 0; delay += time.Millisecond {
		s.Empty(t)
		killed := open(t, s)
		ctx, cancel := context.WithTimeout(t.Context(), delay)
		_ = killed.ensureSchema(ctx) // it was interrupted
		cancel()
		if n := s.Query(t, "SHOW INDEXES YIELD name, owningConstraint WHERE owningConstraint IS NULL AND name STARTS "+
			"WITH 'constraint_' RETURN count(*) AS n", nil)[0]["n"]; n != int64(0) {
			torn++
		}
		if err := open(t, s).ensureSchema(t.Context()); err != nil {
			t.Fatalf("after %v: %v", delay, err)
		}
		if n := s.Query(t, "SHOW CONSTRAINTS YIELD name RETURN count(*) AS n", nil)[0]["n"]; n != int64(4) {
			t.Fatalf("after %v: %v constraints", delay, n)
		}
	}
	t.Logf("%d unfinished constraints", torn)
}

// TestSchemaFromSeveralProcesses: the server lets a constraint and an index on the same label wait for each other, for
// as long as their transactions may take.
func TestSchemaFromSeveralProcesses(t *testing.T) {
	s := neo4jtest.Shared(t)
	slowest := time.Duration(0)
	for round := range 5 {
		s.Empty(t)
		begun := time.Now()
		var processes errgroup.Group
		for i := range 4 {
			db := open(t, s, func(o *Options) { o.Timeout = time.Minute })
			processes.Go(func() error {
				time.Sleep(time.Duration(round*i) * 2 * time.Millisecond)
				if i%2 == 0 {
					return db.ensureIndexes(t.Context())
				}
				return db.ensureSchema(t.Context())
			})
		}
		if err := processes.Wait(); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		slowest = max(slowest, time.Since(begun))
	}
	t.Logf("the slowest of 5 rounds took %v", slowest)
}
