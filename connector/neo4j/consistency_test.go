package neo4j

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/connector"
)

// TestCommunityTellsNoTransaction: that is why its servers are not asked.
func TestCommunityTellsNoTransaction(t *testing.T) {
	s, db := fresh(t)
	rows := s.Query(t, "SHOW DATABASE neo4j YIELD lastCommittedTxn", nil)
	if len(rows) != 1 || rows[0]["lastCommittedTxn"] != nil || db.server.Edition != community {
		t.Errorf("%v, edition %q", rows, db.server.Edition)
	}
	db.server.Edition = "" // so that it is asked
	if last, err := db.lastTransaction(t.Context()); last != -1 || err != nil {
		t.Errorf("%d, %v", last, err)
	}
}

// TestOnChange writes to the database while it is exported, during the first reading or during each.
func TestOnChange(t *testing.T) {
	s, _ := fresh(t, "UNWIND range(1, 20) AS i CREATE (:V {i: i})-[:E {w: i}]->(:V)")
	for _, c := range []struct {
		policy  connector.OnChange
		always  bool
		kind    connector.Kind
		times   int
		changed bool
		again   int // times that the log says so
	}{
		{policy: "", times: 1, changed: true},
		{policy: connector.IgnoreChange, times: 1, changed: true},
		{policy: connector.WarnOnChange, times: 1, changed: true},
		{policy: connector.RetryOnChange, times: 2, again: 1},
		{policy: connector.RetryOnChange, always: true, times: exportTimes, changed: true, again: exportTimes - 1},
		{policy: connector.FailOnChange, kind: connector.Changed},
	} {
		var log bytes.Buffer
		db := open(t, s, func(o *Options) {
			o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelInfo}))
		})
		p := projection("E")
		p.OnChange = c.policy
		wrote := false
		got, err := db.Export(t.Context(), p, func(int64, int64) {
			if !wrote || c.always {
				s.Query(t, "CREATE (:V)-[:E {w: 1}]->(:V)", nil)
			}
			wrote = true
		})
		if connector.KindOf(err) != c.kind || (err != nil) != (c.kind != 0) {
			t.Errorf("%+v: %v", c, err)
		}
		if err != nil {
			if !strings.Contains(err.Error(), "relationships of type E became") {
				t.Errorf("%+v: %v does not say what changed", c, err)
			}
			continue
		}
		if got.Read.Times != c.times || (got.Read.Changed != "") != c.changed {
			t.Errorf("%+v: read %+v", c, got.Read)
		}
		if n := strings.Count(log.String(), "reading it again"); n != c.again {
			t.Errorf("%+v: read again %d times, want %d:\n%s", c, n, c.again, log.String())
		}
	}
}

// TestStateChange covers what Community does not tell: the last committed transaction.
func TestStateChange(t *testing.T) {
	p := projection("E")
	at := func(transaction, nodes, relationships int64) state {
		return state{sizes{nodes: []int64{nodes}, types: []int64{relationships}}, transaction}
	}
	for _, c := range []struct {
		before, after state
		want          string
	}{
		{at(-1, 1, 2), at(-1, 1, 2), ""},
		{at(-1, 1, 2), at(-1, 3, 2), "1 nodes of label V became 3"},
		{at(-1, 1, 2), at(-1, 3, 4), "1 nodes of label V became 3, 2 relationships of type E became 4"},
		{at(7, 1, 2), at(7, 1, 2), ""},
		{at(7, 1, 2), at(9, 1, 2), "2 transactions were committed"},
		{at(7, 1, 2), at(9, 1, 1), "2 relationships of type E became 1"},
		{at(7, 1, 2), at(-1, 1, 2), ""},
	} {
		if got := c.before.change(c.after, p); got != c.want {
			t.Errorf("%+v, %+v: %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

// TestCountsSeen notices more or less than the count store has, where both looks at it agree.
func TestCountsSeen(t *testing.T) {
	_, db := fresh(t, "CREATE (:V)-[:E {w: 1}]->(:V)")
	before, err := db.state(t.Context(), projection("E"))
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{db: db, projection: projection("E"), before: before}
	r.expect("relationships of type E", 1, 1)
	if got, err := r.changed(t.Context()); got != "" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	r.expect("relationships of type E", 2, 1)
	if got, err := r.changed(t.Context()); got != "2 relationships of type E were met of 1" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// TestReadersArePinned shows that every transaction of an export asks for one set of bookmarks: the server refuses one
// that is none.
func TestReadersArePinned(t *testing.T) {
	_, db := fresh(t, "CREATE (:V)")
	ctx, err := db.pin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.query(ctx, "export", "RETURN 1", nil); err != nil {
		t.Errorf("with the session's own bookmarks: %v", err)
	}
	db.bookmarks = wrongBookmarks{db.bookmarks}
	if ctx, err = db.pin(t.Context()); err != nil {
		t.Fatal(err)
	}
	db.bookmarks = nil
	if _, err := db.query(ctx, "export", "RETURN 1", nil); !hasCode(err, "Neo.ClientError.Transaction.InvalidBookmark") {
		t.Errorf("with a bookmark that is none: %v", err)
	}
}

// wrongBookmarks hands out a bookmark that no server has given.
type wrongBookmarks struct{ driver.BookmarkManager }

func (wrongBookmarks) GetBookmarks(context.Context) (driver.Bookmarks, error) {
	return driver.Bookmarks{"none"}, nil
}
