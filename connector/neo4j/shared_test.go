package neo4j

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// otherChain is a chain like chain of another label and type.
var otherChain = strings.NewReplacer(":V", ":W", ":E", ":F", "49", "29", "48", "28").Replace(chain)

// modes are all modes of publication.
func modes() []connector.Mode {
	return []connector.Mode{connector.InPlace, connector.AB, connector.Stamp}
}

// joins returns a job that writes the same properties as the others on another label and type.
func joins(t *testing.T, s *neo4jtest.Server, db *DB, m connector.Mode, job, label, kind string) *publishing {
	t.Helper()
	p := publishingOn(t, s, db, m)
	p.o.Job, p.o.Projection = job, projection(kind)
	p.o.Projection.Labels = []string{label}
	p.snap = exported(t, db, p.o.Projection)
	return p
}

// newShared returns two jobs that write the same properties.
func newShared(t *testing.T, m connector.Mode, statements ...string) (s *neo4jtest.Server, v, w *publishing) {
	t.Helper()
	s, db := fresh(t, append([]string{chain, otherChain}, statements...)...)
	return s, joins(t, s, db, m, "v", "V", "E"), joins(t, s, db, m, "w", "W", "F")
}

// mayWrite returns what CheckProperties says of the job.
func (p *publishing) mayWrite() error {
	o := ownership(p.o.Job, p.o.Projection)
	mode := modeOf(p.o)
	o.Mode, o.NodeProperties, o.RelationshipProperties = mode, mode.Properties("bc"), mode.Properties("flow")
	_, err := p.db.CheckProperties(p.t.Context(), o)
	return err
}

// refused checks that neither CheckProperties nor Write let the job write, and that both say why.
func (p *publishing) refused(what string, says ...string) {
	p.t.Helper()
	for _, err := range []error{p.mayWrite(), p.write(p.t.Context(), 99, nil)} {
		if kindOf(err) != connector.NotOurs || connector.HintOf(err) == "" {
			p.t.Errorf("%s: %v (%s)", what, err, connector.HintOf(err))
			continue
		}
		for _, text := range says {
			if !strings.Contains(err.Error(), text) {
				p.t.Errorf("%s: %q does not name %q", what, err, text)
			}
		}
	}
}

func TestJobsShareProperties(t *testing.T) {
	for _, m := range modes() {
		t.Run(string(m), func(t *testing.T) {
			s, v, w := newShared(t, m)
			both := func(what string, ofV, ofW int) {
				t.Helper()
				v.wants(what+": v", m, ofV)
				w.wants(what+": w", m, ofW)
			}
			v.run(1)
			both("the first job", 1, 0)
			w.run(2)
			both("the second job", 1, 2)
			for _, p := range []*publishing{v, w} {
				if err := p.mayWrite(); err != nil {
					t.Error(err)
				}
			}
			v.run(3)
			w.run(4)
			both("again", 3, 4)

			v.smaller()
			v.run(5)
			both("a smaller graph", 5, 4)
			s.Query(t, "MATCH (n:V {i: 3}) REMOVE n:V SET n:W", nil)
			v.snap, w.snap = exported(t, v.db, v.o.Projection), exported(t, w.db, w.o.Projection)
			w.run(6)
			v.run(7)
			both("a node that changed over", 7, 6)

			if _, err := v.db.Drop(t.Context(), "v", "me", nil); err != nil {
				t.Fatal(err)
			}
			both("the first job was dropped", 0, 6)
			w.run(8)
			both("the second goes on", 0, 8)
			if _, err := w.db.Drop(t.Context(), "w", "me", nil); err != nil {
				t.Fatal(err)
			}
			left := "MATCH (n) OPTIONAL MATCH (n)-[r]->() UNWIND keys(n) + coalesce(keys(r), []) AS k WITH k " +
				"WHERE k STARTS WITH 'bc' OR k STARTS WITH 'flow' RETURN count(k)"
			if n := number(t, s, left); n != 0 {
				t.Errorf("%d scores are left", n)
			}
		})
	}
}

// Modes of different jobs meet in one name: bc__a of a job in place and of one under ab.
func TestJobsShareNamesAcrossModes(t *testing.T) {
	s, db := fresh(t, chain, otherChain)
	v, w := joins(t, s, db, connector.AB, "v", "V", "E"), joins(t, s, db, connector.InPlace, "w", "W", "F")
	inPlace := func(score float64) {
		t.Helper()
		c := column(w.snap, connector.OnNodes, "bc__a", func(int) float64 { return score })
		if _, err := db.Write(t.Context(), w.snap, []connector.Column{c}, w.o, nil); err != nil {
			t.Fatal(err)
		}
	}
	v.run(1)
	inPlace(2)
	v.run(3)
	v.run(4)
	if n := number(t, s, "MATCH (n:W) WHERE n.bc__a = 2 AND n.bc__b IS NULL RETURN count(n)"); n != 30 {
		t.Errorf("%d scores of the job in place are left", n)
	}
	v.o.Mode = connector.Stamp // Tidy removes bc__a and bc__b
	v.run(5)
	if got, err := db.Drop(t.Context(), "v", "me", nil); err != nil ||
		got != (Dropped{NodeScores: 50, RelationshipScores: 98, Runs: 4}) {
		t.Errorf("dropped %+v, %v", got, err)
	}
	if n := number(t, s, "MATCH (n:W) WHERE n.bc__a = 2 RETURN count(n)"); n != 30 {
		t.Errorf("%d scores of the job in place are left after the other was dropped", n)
	}
}

// The copies that stamp makes are of its own scores, not of another job's.
func TestStampCopiesNoScoresOfOthers(t *testing.T) {
	s, db := fresh(t, chain, otherChain)
	v, w := joins(t, s, db, connector.Stamp, "v", "V", "E"), joins(t, s, db, connector.InPlace, "w", "W", "F")
	w.run(1)
	for i := range 3 {
		v.run(2 + i)
	}
	w.wants("in place", connector.InPlace, 1)
	if n := number(t, s, "MATCH (n:W) WHERE n.bc__prev IS NOT NULL OR n.bc_run IS NOT NULL RETURN count(n)"); n != 0 {
		t.Errorf("%d nodes of the other job carry names of stamp", n)
	}
}

func TestSharedScopesAreRefused(t *testing.T) {
	s, v, w := newShared(t, connector.AB)
	v.run(1)
	v.smaller()
	third := joins(t, s, v.db, connector.AB, "third", "V", "F")
	third.refused("a label of another job", "property bc__a of nodes belongs to the job v on label V")
	third.o.Projection = w.o.Projection
	third.o.Projection.Labels, third.o.Projection.AllNodes = nil, true
	third.refused("all nodes", "property bc__a of nodes belongs to the job v", "any label")
	third = joins(t, s, v.db, connector.AB, "third", "W", "E")
	third.refused("a type of another job", "property flow__a of relationships belongs to the job v on type E")

	v.o.Projection.Labels = []string{"W"} // V is of the labels that it has ever written on
	v.snap = exported(t, v.db, v.o.Projection)
	v.run(2)
	third = joins(t, s, v.db, connector.AB, "third", "V", "F")
	third.refused("a label that another job has left", "belongs to the job v on label V")
}

func TestNodesOfTwoJobs(t *testing.T) {
	for _, m := range modes() {
		t.Run(string(m), func(t *testing.T) {
			s, v, w := newShared(t, m, "MATCH (n:V {i: 7}) SET n:W")
			v.run(1)
			w.refused("a node with both labels", "node ", ":V:W", "label V", "label W", "job v")
			v.wants("nothing was written", m, 1)
			if n := number(t, s, "MATCH (p:LinchpinProperty {job: 'w'}) RETURN count(p)"); n != 0 {
				t.Errorf("the job that was refused owns %d properties", n)
			}
			s.Query(t, "MATCH (n:V {i: 7}) REMOVE n:W", nil)
			w.snap = exported(t, w.db, w.o.Projection)
			w.run(2)
			v.wants("without it", m, 1)

			s.Query(t, "MATCH (n:V {i: 7}) SET n:W", nil)
			v.refused("later", "job w")
			w.refused("later", "job v")

			w.snap = exported(t, w.db, w.o.Projection)
			w.o.Force = true
			w.run(3)
			w.wants("forced", m, 3)
			w.o.Force = false
			v.refused("after it was forced", "job w")

			if _, err := v.db.Drop(t.Context(), "v", "me", nil); err != nil {
				t.Fatal(err)
			}
			w.wants("the other job was dropped", m, 3)
			if n := number(t, s,
				"MATCH (n:V) WHERE any(k IN keys(n) WHERE k STARTS WITH 'bc') AND NOT n:W RETURN count(n)"); n != 0 {
				t.Errorf("%d scores of the dropped job are left", n)
			}
		})
	}
}

// A node gets the label of another job between the check and the write, and the score of neither job changes.
func TestNodeOfTwoJobsDuringAWrite(t *testing.T) {
	for _, m := range modes() {
		t.Run(string(m), func(t *testing.T) {
			s, v, w := newShared(t, m)
			v.run(1)
			w.run(2)
			x := &writer{db: v.db, snapshot: v.snap, options: v.o, writers: 1}
			x.options.Run = runID(3)
			columns, owners, err := x.place(t.Context(), v.columns(3))
			if err != nil {
				t.Fatal(err)
			}
			s.Query(t, "MATCH (n:V {i: 7}) SET n:W", nil)
			before := s.Query(t, "MATCH (n:V {i: 7}) RETURN properties(n) AS p", nil)
			nodes := columnsOf(connector.OnNodes, columns)
			gone, err := x.writeNodes(t.Context(), nodes)
			if err != nil || len(gone) != 1 || x.stats.Refused != 1 || x.stats.Missing != 0 {
				t.Fatalf("gone %v, %+v, %v", gone, x.stats, err)
			}
			if err := x.clearStale(t.Context(), nodes, without(v.snap.Nodes, gone), owners); err != nil {
				t.Fatal(err)
			}
			if after := s.Query(t, "MATCH (n:V {i: 7}) RETURN properties(n) AS p",
				nil); fmt.Sprint(after) != fmt.Sprint(before) {
				t.Errorf("%v became %v", before, after)
			}
		})
	}
}

// Under ab a job that has a property to itself looks for stale scores on all nodes. Another job may begin to share the
// property meanwhile; its scores must stay.
func TestJobJoinsDuringASweep(t *testing.T) {
	_, v, w := newShared(t, connector.AB)
	v.run(1)
	x := &writer{db: v.db, snapshot: v.snap, options: v.o, writers: 1}
	owned, err := x.owned(t.Context(), func(o Owner) bool { return o.Property == "bc__a" })
	if err != nil || len(owned) != 1 {
		t.Fatal(owned, err)
	}
	w.run(2)
	if _, err := x.sweep(t.Context(), owned[0], removal("bc__a")); kindOf(err) != connector.Changed ||
		!strings.Contains(err.Error(), "job w") {
		t.Errorf("the sweep went on: %v", err)
	}
	w.wants("a sweep of another job", connector.AB, 2)
}

// Of several jobs that want the same property at the same time, one gets it.
func TestClaimsAtTheSameTime(t *testing.T) {
	_, db := fresh(t, chain)
	snap := exported(t, db, projection("E"))
	for round := range 10 {
		var mu sync.Mutex
		var wg sync.WaitGroup
		claimed := 0
		for job := range 4 {
			wg.Go(func() {
				c := column(snap, connector.OnNodes, fmt.Sprint("p", round), third)
				o := connector.WriteOptions{Job: fmt.Sprint("job", job), Run: "run", Projection: projection("E")}
				_, _, err := db.claim(context.WithoutCancel(t.Context()), []connector.Column{c}, o, 1)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					claimed++
				} else if kindOf(err) != connector.NotOurs {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if claimed != 1 {
			t.Errorf("round %d: %d jobs own the property", round, claimed)
		}
	}
}

// Records of earlier versions have one key for each property, whosever it is.
func TestRecordsOfEarlierVersions(t *testing.T) {
	for _, m := range modes() {
		t.Run(string(m), func(t *testing.T) {
			s, v, w := newShared(t, m)
			older := func() { s.Query(t, "MATCH (p:LinchpinProperty {job: 'v'}) SET p.key = p.on + ':' + p.property", nil) }
			v.run(1)
			older()
			joins(t, s, v.db, m, "third", "V", "F").refused("a label of another job", "belongs to the job v on label V")
			w.run(2)
			v.run(3)
			s.Query(t, "MATCH (p:LinchpinProperty {job: 'v'}) WITH collect(p) AS all UNWIND all AS p "+
				"CREATE (:LinchpinProperty {key: p.on + ':' + p.property, "+
				"on: p.on, property: p.property, job: p.job, scopes: p.scopes, everywhere: p.everywhere, score: p.score, mode: "+
				"p.mode})", nil)
			v.run(4) // after an earlier version has made records of its own
			v.wants("the older owner", m, 4)
			w.wants("the newer owner", m, 2)
			if n := number(t, s, "MATCH (p:LinchpinProperty) RETURN count(p)"); n != int64(4*len(m.Properties("bc"))) {
				t.Errorf("%d records", n)
			}
			older()
			if _, err := v.db.Drop(t.Context(), "v", "me", nil); err != nil {
				t.Fatal(err)
			}
			v.wants("dropped", m, 0)
			w.wants("the older owner was dropped", m, 2)
		})
	}
}

// Taking over moves what overlaps, and leaves the other job the rest.
func TestTakeoverOfAPart(t *testing.T) {
	for _, m := range modes() {
		t.Run(string(m), func(t *testing.T) {
			s, db := fresh(t, chain, otherChain)
			first := joins(t, s, db, m, "first", "V", "E")
			first.o.Projection.Labels = []string{"V", "W"}
			first.o.Projection.Relationships = append(first.o.Projection.Relationships, projection("F").Relationships...)
			first.snap = exported(t, db, first.o.Projection)
			first.run(1)
			taker := joins(t, s, db, m, "taker", "W", "F")
			taker.refused("without force", "belongs to the job first on label W")
			taker.o.Force = true
			taker.run(2)
			taker.o.Force = false
			if err := taker.mayWrite(); err != nil {
				t.Errorf("after it was taken over: %v", err)
			}
			taker.wants("taken over", m, 2)
			first.refused("what was taken over", "belongs to the job taker on label W")
			first.o.Projection, first.snap = projection("E"), exported(t, db, projection("E"))
			first.wants("what is left", m, 1)
			first.run(3)
			first.wants("what is left", m, 3)
			taker.wants("taken over", m, 2)

			taker.o.Projection, taker.o.Force = projection("E"), true
			taker.snap = exported(t, db, taker.o.Projection)
			taker.run(4)
			owners, err := db.Owners(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range owners {
				if o.Job != "taker" {
					t.Errorf("a record without scopes is left: %+v", o)
				}
			}
		})
	}
}

// A job that selects nodes of any label can share a property with no other: taking it over takes all.
func TestTakeoverOfAll(t *testing.T) {
	s, v, w := newShared(t, connector.InPlace)
	v.run(1)
	w.run(2)
	all := joins(t, s, v.db, connector.InPlace, "all", "V", "E")
	all.o.Projection.Labels, all.o.Projection.AllNodes, all.o.Force = nil, true, true
	all.snap = exported(t, v.db, all.o.Projection)
	all.run(3)
	owners, err := v.db.Owners(t.Context())
	if err != nil || len(owners) != 3 {
		t.Fatalf("%+v, %v", owners, err)
	}
	w.refused("what was taken over", "belongs to the job all", "any label")
}

func TestRollbackOfOneOfTwoJobs(t *testing.T) {
	for _, m := range []connector.Mode{connector.AB, connector.Stamp} {
		t.Run(string(m), func(t *testing.T) {
			_, v, w := newShared(t, m)
			for i, p := range []*publishing{v, w, v, w, v} {
				p.run(i + 1)
			}
			if _, err := v.db.Rollback(t.Context(), "v", "me"); err != nil {
				t.Fatal(err)
			}
			v.wants("rolled back", m, 3)
			w.wants("the other job", m, 4)
		})
	}
}
