package neo4j

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

func TestRunsComeBackAsSaved(t *testing.T) {
	s, db := fresh(t)
	start := time.Date(2026, 11, 21, 3, 0, 0, 123456789, time.UTC)
	r := connector.Run{
		ID: "one", Job: "hubs", Status: connector.Running, Started: start, Step: "compute", Config: "c", Graph: "g",
		Nodes: 3, Relationships: 1 << 40, Edges: 2, Dropped: export.Dropped{Dangling: 4},
		Seconds: map[string]float64{"export": 0.1},
		Write:   connector.WriteStats{Written: 5}, NodeProperties: []string{"a", "b`c"}, Host: "h", Version: "v",
	}
	if err := db.SaveRun(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	r.Status, r.Finished, r.Error = connector.Failed, start.Add(time.Minute), "it \"broke\"\nbadly"
	later := connector.Run{ID: "two", Job: "hubs", Status: connector.Succeeded, Started: start.Add(time.Hour),
		RelationshipProperties: []string{"r"}}
	other := connector.Run{ID: "three", Job: "miles", Status: connector.Running, Started: start.Add(2 * time.Hour)}
	if err := db.SaveRuns(t.Context(), r, later, other, later); err != nil {
		t.Fatal(err)
	}
	got, err := db.Runs(t.Context(), "hubs", 0)
	if diff := cmp.Diff([]connector.Run{later, r}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if all, err := db.Runs(t.Context(), "", 2); err != nil || len(all) != 2 || all[0].ID != "three" {
		t.Errorf("%v, %v", all, err)
	}
	ids, err := db.RunIDs(t.Context(), "hubs", 10)
	if diff := cmp.Diff([]string{"two", "one"}, ids); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if newest, err := db.RunIDs(t.Context(), "hubs", 1); err != nil || len(newest) != 1 || newest[0] != "two" {
		t.Errorf("%v, %v", newest, err)
	}
	got, err = db.RunsByID(t.Context(), append(ids, "gone"))
	if diff := cmp.Diff([]connector.Run{later, r}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if last, err := db.LastRun(t.Context(), "miles"); err != nil || last.ID != "three" {
		t.Errorf("%v, %v", last, err)
	}
	if last, err := db.LastSuccess(t.Context(), "miles"); err != nil || last != nil {
		t.Errorf("%v, %v; want no run", last, err)
	}
	if n := number(t, s, "MATCH (:LinchpinRun)-[:OF]->(j:LinchpinJob) WITH j, count(*) AS c RETURN sum(c * c)"); n != 5 {
		t.Errorf("jobs and runs are not joined as they should: %d", n)
	}
}

func TestOwnRecordsAreInNoGraph(t *testing.T) {
	s, db := fresh(t, "CREATE (a:V)-[:OF {w: 1}]->(:V), (a)-[:OF {w: 1}]->(:Other)")
	if err := db.SaveRun(t.Context(), connector.Run{ID: "one", Job: "hubs", Started: time.Now()}); err != nil {
		t.Fatal(err)
	}
	p := projection("OF")
	if got := exported(t, db, p); got.Graph.N() != 2 || got.Rels.Len() != 1 || got.Dropped.Dangling != 1 {
		t.Errorf("%d nodes, %d relationships, %+v", got.Graph.N(), got.Rels.Len(), got.Dropped)
	}
	byQuery("MATCH (n) RETURN n")(&p)
	if got := exported(t, db, p); got.Graph.N() != 3 || got.Rels.Len() != 2 {
		t.Errorf("%d nodes, %d relationships", got.Graph.N(), got.Rels.Len())
	}
	_ = s
}

func ownership(job string, p connector.Projection) connector.Ownership {
	return connector.Ownership{Job: job, NodeProperties: []string{"bc"}, RelationshipProperties: []string{"flow"},
		Projection: p}
}

func TestPropertiesOfOthersAreRefused(t *testing.T) {
	s, db := fresh(t, chain, "CREATE (:Film {bc: 1})", "MATCH (n:V {i: 1}) SET n.other = 1")
	p := projection("E")
	if w, err := db.CheckProperties(t.Context(), ownership("job", p)); err != nil || len(w) != 0 {
		t.Fatalf("free properties: %v, %v", w, err)
	}
	film := p
	film.Labels = []string{"V", "Film"}
	_, err := db.CheckProperties(t.Context(), ownership("job", film))
	if kindOf(err) != connector.NotOurs || !strings.Contains(err.Error(), "the integer 1") {
		t.Errorf("the user's property: %v", err)
	}
	forced := ownership("job", film)
	forced.Force = true
	if w, err := db.CheckProperties(t.Context(), forced); err != nil || len(w) != 1 {
		t.Errorf("forced: %v, %v", w, err)
	}
	relation := connector.Ownership{Job: "job", RelationshipProperties: []string{"w"}, Projection: p}
	if _, err := db.CheckProperties(t.Context(), relation); kindOf(err) != connector.NotOurs {
		t.Errorf("the weight itself: %v", err)
	}

	snap := exported(t, db, p)
	columns := []connector.Column{column(snap, connector.OnNodes, "bc", third),
		column(snap, connector.OnRelationships, "flow", third)}
	write(t, db, snap, connector.WriteOptions{}, columns...)
	if _, err := db.CheckProperties(t.Context(), ownership("job", p)); err != nil {
		t.Errorf("our own properties: %v", err)
	}
	if _, err := db.CheckProperties(t.Context(), ownership("job", film)); kindOf(err) != connector.NotOurs {
		t.Errorf("a further label that has it: %v", err)
	}
	if _, err := db.CheckProperties(t.Context(), ownership("second", p)); kindOf(err) != connector.NotOurs ||
		!strings.Contains(err.Error(), "belongs to the job job") {
		t.Errorf("another job's property: %v", err)
	}
	o := connector.WriteOptions{Job: "second", Projection: p}
	if _, err := db.Write(t.Context(), snap, columns, o, nil); kindOf(err) != connector.NotOurs {
		t.Errorf("writing another job's property: %v", err)
	}
	s.Query(t, "CREATE INDEX scores FOR (n:V) ON (n.bc)", nil)
	s.Query(t, "CREATE CONSTRAINT flows FOR ()-[r:E]-() REQUIRE r.flow IS UNIQUE", nil)
	if _, err := db.CheckProperties(t.Context(), ownership("job", p)); kindOf(err) != connector.NotOurs ||
		!strings.Contains(err.Error(), "constraint flows on E(flow)") {
		t.Errorf("a property of which every value must be another: %v", err)
	}
	unique := ownership("job", p)
	unique.Force = true
	if w, err := db.CheckProperties(t.Context(), unique); err != nil || len(w) != 2 ||
		!strings.Contains(w[0]+w[1], "constraint") {
		t.Errorf("warnings %q, %v", w, err)
	}
	s.Query(t, "DROP CONSTRAINT flows", nil)
	s.Query(t, "CREATE CONSTRAINT pairs FOR ()-[r:E]-() REQUIRE (r.flow, r.w) IS UNIQUE", nil)
	s.Query(t, "CREATE CONSTRAINT elsewhere FOR (n:Film) REQUIRE n.bc IS UNIQUE", nil)
	if w, err := db.CheckProperties(t.Context(), ownership("job", p)); err != nil || len(w) != 3 {
		t.Errorf("constraints that scores may meet: %q, %v", w, err)
	}
	s.Query(t, "DROP CONSTRAINT pairs", nil)
	o.Force = true
	if _, err := db.Write(t.Context(), snap, columns, o, nil); err != nil {
		t.Errorf("taking over: %v", err)
	}
	owners, err := db.Owners(t.Context())
	if err != nil || len(owners) != 2 || owners[0].Job != "second" ||
		fmt.Sprint(owners[0].Scopes, owners[1].Scopes) != "[V] [E]" {
		t.Errorf("%+v, %v", owners, err)
	}
}

// A run that comes after a Drop that was cut off must not find a success in the records, for there are scores missing.
func TestDropCutOffLeavesNoSuccess(t *testing.T) {
	_, db := fresh(t, chain)
	snap := exported(t, db, projection("E"))
	write(t, db, snap, connector.WriteOptions{}, column(snap, connector.OnNodes, "bc", third),
		column(snap, connector.OnRelationships, "flow", third))
	if err := db.SaveRun(t.Context(), connector.Run{ID: "one", Job: "job", Status: connector.Succeeded,
		Started: time.Now()}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if got, err := db.Drop(ctx, "job", "me", func(int64, int64) { cancel() }); err == nil {
		t.Fatalf("it was not cut off: %+v", got)
	}
	if last, err := db.LastSuccess(t.Context(), "job"); err != nil || last != nil {
		t.Errorf("left: %+v, %v", last, err)
	}
	// The lease is an hour: the next Drop gets the lock only because the one that was cut off has released it.
	got, err := db.Drop(t.Context(), "job", "me", nil)
	if err != nil || got.NodeScores+got.RelationshipScores == 0 {
		t.Errorf("the rest: %+v, %v", got, err)
	}
}

// TestOwnedAlready: what a job has written before needs no new claim. Anything that its record does not say, or that
// another job has too, does.
func TestOwnedAlready(t *testing.T) {
	s, db := fresh(t, chain, "CREATE (:W {i: 1})-[:E]->(:W {i: 2})")
	snap := exported(t, db, projection("E"))
	write(t, db, snap, connector.WriteOptions{}, column(snap, connector.OnNodes, "bc", third))
	wanted := func(change func(*Owner)) []Owner {
		o := Owner{On: connector.OnNodes, Property: "bc", Score: "bc", Mode: modeOf(connector.WriteOptions{}), Job: "job"}
		o.widen(projection("E"))
		change(&o)
		return []Owner{o}
	}
	same := func(*Owner) {}
	claimed := func(wanted []Owner) map[string]Owner {
		owners, err := db.Owners(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return ownedAlready(wanted, owners)
	}
	if got := claimed(wanted(same))[ownerKey(connector.OnNodes, "bc")]; got.Job != "job" || got.Since.IsZero() {
		t.Errorf("what the job has written is not its own: %+v", got)
	}
	for name, change := range map[string]func(*Owner){
		"another job":      func(o *Owner) { o.Job = "second" },
		"another property": func(o *Owner) { o.Property = "other" },
		"relationships":    func(o *Owner) { o.On = connector.OnRelationships },
		"another score":    func(o *Owner) { o.Score = "other" },
		"another mode":     func(o *Owner) { o.Mode = connector.Stamp },
		"another label":    func(o *Owner) { o.Scopes = []string{"V", "W"} },
		"every label":      func(o *Owner) { o.Everywhere = true },
	} {
		if got := claimed(wanted(change)); got != nil {
			t.Errorf("%s is not claimed: %+v", name, got)
		}
	}
	p := projection("E")
	p.Labels = []string{"W"}
	p.Relationships[0].Weight = ""
	other := exported(t, db, p)
	o := connector.WriteOptions{Job: "second", Projection: p}
	if _, err := db.Write(t.Context(), other,
		[]connector.Column{column(other, connector.OnNodes, "bc", third)}, o, nil); err != nil {
		t.Fatal(err)
	}
	if got := claimed(wanted(same)); got != nil {
		t.Errorf("another job has the property, too: %+v", got)
	}
	s.Query(t, "MATCH (p:LinchpinProperty {job: 'second'}) DETACH DELETE p", nil)
	if got := claimed(wanted(same)); got == nil {
		t.Error("the record of the job alone is not enough")
	}
	s.Query(t, "MATCH (p:LinchpinProperty {job: 'job'}) SET p.key = 'of an earlier version'", nil)
	if got := claimed(wanted(same)); got != nil {
		t.Errorf("a record of an earlier version stays: %+v", got)
	}
}

func TestDropLeavesNothing(t *testing.T) {
	s, db := fresh(t, chain, "CREATE (:Film {bc: 1})")
	snap := exported(t, db, projection("E"))
	write(t, db, snap, connector.WriteOptions{}, column(snap, connector.OnNodes, "bc", third),
		column(snap, connector.OnRelationships, "flow", third))
	for _, job := range []string{"job", "kept"} {
		if err := db.SaveRun(t.Context(), connector.Run{ID: job, Job: job, Started: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Drop(t.Context(), "jib", "me", nil); kindOf(err) != connector.UnknownName {
		t.Errorf("unknown job: %v", err)
	}
	held, err := db.Acquire(t.Context(), "job", "somebody", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Drop(t.Context(), "job", "me", nil); kindOf(err) != connector.Locked {
		t.Errorf("a job at work: %v", err)
	}
	if err := held.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := db.Drop(t.Context(), "job", "me", nil)
	if want := (Dropped{NodeScores: 50, RelationshipScores: 98, Runs: 1}); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if n := number(t, s, "MATCH (n) WHERE n:LinchpinRun OR n:LinchpinJob OR n:LinchpinProperty OR n:LinchpinLock "+
		"RETURN count(n)"); n != 2 {
		t.Errorf("%d own nodes left, want the 2 of the other job", n)
	}
	if n := number(t, s, "MATCH (n) WHERE n.bc IS NOT NULL OR EXISTS { (n)-[r]->() WHERE r.flow IS NOT NULL } "+
		"RETURN count(n)"); n != 1 {
		t.Errorf("%d scores left, want the film's", n)
	}
}

func TestLockHasOneOwner(t *testing.T) {
	s, db := fresh(t)
	var inside, acquired atomic.Int32
	var last atomic.Int64
	var wg sync.WaitGroup
	for i := range 8 {
		other := open(t, s)
		wg.Go(func() {
			for range 6 {
				l, err := other.Acquire(t.Context(), "hubs", fmt.Sprintf("host%d (pid 1)", i), time.Minute)
				if kindOf(err) == connector.Locked {
					if !strings.Contains(err.Error(), "locked by host") {
						t.Errorf("%v", err)
					}
					time.Sleep(5 * time.Millisecond)
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two owners")
				}
				acquired.Add(1)
				if before := last.Swap(l.Fence()); before >= l.Fence() {
					t.Errorf("fence %d after %d", l.Fence(), before)
				}
				inside.Add(-1)
				if err := l.Release(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if acquired.Load() == 0 {
		t.Error("nobody got the lock")
	}
	_ = db
}

func TestLostLockStopsTheWriter(t *testing.T) {
	s, db := fresh(t, chain)
	snap := exported(t, db, projection("E"))
	old, err := db.Acquire(t.Context(), "job", "old", 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	c := column(snap, connector.OnNodes, "bc", third)
	write(t, db, snap, connector.WriteOptions{Lease: old}, c)
	time.Sleep(100 * time.Millisecond)
	if err := old.Renew(t.Context()); err != nil {
		t.Errorf("a lease that ran out and that nobody took: %v", err)
	}
	time.Sleep(100 * time.Millisecond)
	taken, err := db.Acquire(t.Context(), "job", "new", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	c.Values[0] = 12345
	_, err = db.Write(t.Context(), snap, []connector.Column{c},
		connector.WriteOptions{Job: "job", Projection: projection("E"), Lease: old}, nil)
	if kindOf(err) != connector.Locked || !strings.Contains(err.Error(), "locked by new") {
		t.Errorf("writing under a lost lock: %v", err)
	}
	if n := number(t, s, "MATCH (n:V) WHERE n.bc = 12345 RETURN count(n)"); n != 0 {
		t.Error("a writer without the lock wrote")
	}
	if err := old.Renew(t.Context()); kindOf(err) != connector.Locked {
		t.Errorf("renewing a lost lease: %v", err)
	}
	if err := old.Release(t.Context()); err != nil {
		t.Errorf("releasing a lost lease: %v", err)
	}
	if err := taken.Renew(t.Context()); err != nil {
		t.Errorf("the new owner: %v", err)
	}
}
