package faults

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// The graph changes at a random moment of a run: see TestDeletionsBehindTheWriter and TestReusedIDs.

// during starts a run, and does something within the usual time of one.
func (r *rig) during(j job, usual time.Duration, do func(), flags ...string) ended {
	r.t.Helper()
	cmd, stderr := r.command(r.config(j, r.direct(), retry), append([]string{"run", "--quiet", j.name()}, flags...)...)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	time.Sleep(time.Duration(r.rng.Int64N(int64(usual))))
	do()
	return r.wait(cmd, stderr, start)
}

// pickNodes picks some nodes of the graph.
func (m *model) pickNodes(count int) (some []int) {
	for _, i := range m.rng.Perm(len(m.in)) {
		if m.in[i] && len(some) < count {
			some = append(some, i)
		}
	}
	return some
}

// remove takes nodes and their relationships out of the model, and returns who was joined to whom.
func (m *model) remove(nodes []int) (joined map[[2]int]bool) {
	joined = map[[2]int]bool{}
	for k, arc := range m.arcs {
		if slices.Contains(nodes, arc[0]) || slices.Contains(nodes, arc[1]) {
			joined[arc] = true
			delete(m.arcs, k)
		}
	}
	return joined
}

// TestDeletionsBehindTheWriter deletes as many nodes during a run as have left the graph before it: scores of what left
// must go all the same.
func TestDeletionsBehindTheWriter(t *testing.T) {
	cases, seed := form(t, 6)
	r := newRig(t, seed)
	usual := time.Duration(0)
	for _, j := range jobs {
		r.first(j)
		r.change()
		usual = r.run(r.config(j, r.direct(), retry), j).spent // both slots hold scores now
	}
	for i := range cases {
		j := jobs[i%len(jobs)]
		t.Run(fmt.Sprint(i+1), func(t *testing.T) { usual = r.in(t).deletions(j, usual) })
	}
	r.drop(jobs)
}

// deletions lets nodes leave the graph, runs the job, deletes others meanwhile, and looks at what left. It returns how
// long the rerun took.
func (r *rig) deletions(j job, usual time.Duration) time.Duration {
	r.t.Helper()
	some := r.model.pickNodes(6)
	left, gone := some[:3], some[3:]
	for _, i := range left {
		r.model.in[i] = false
	}
	r.cypher("MATCH (n:N) WHERE n.i IN $left REMOVE n:V", map[string]any{"left": left})
	inGraph := map[int]bool{} // relationships
	for k, arc := range r.model.arcs {
		inGraph[k] = r.model.in[arc[0]] && r.model.in[arc[1]]
	}
	e := r.during(j, usual, func() {
		r.cypher("MATCH (n:N) WHERE n.i IN $gone DETACH DELETE n", map[string]any{"gone": gone})
	})
	var wrong []string
	if e.status != 0 {
		wrong = append(wrong, fmt.Sprintf("exit status %d: %s", e.status, e.stderr))
	}
	shown := r.read(j)
	for i, x := range shown.nodes {
		if !r.model.in[i] {
			wrong = append(wrong, fmt.Sprintf("node %d left the graph and shows %v", i, x))
		}
	}
	for k, x := range shown.arcs {
		if !inGraph[k] {
			wrong = append(wrong, fmt.Sprintf("relationship %d left the graph and shows %v", k, x))
		}
	}
	r.model.remove(gone)
	r.cypher("UNWIND $gone AS i CREATE (:N:V {i: i})", map[string]any{"gone": gone})
	r.cypher("MATCH (n:N) WHERE n.i IN $left SET n:V", map[string]any{"left": left})
	for _, i := range left {
		r.model.in[i] = true
	}
	r.join(gone, nil)
	again := r.run(r.config(j, r.direct(), retry), j)
	r.report(j.name(), append(wrong, r.afterRerun(j, again, r.model.scores())...))
	return again.spent
}

// join joins each of the nodes to four others, both ways, that it was not joined to.
func (r *rig) join(nodes []int, joined map[[2]int]bool) {
	r.t.Helper()
	var add []map[string]any
	for _, i := range nodes {
		for n := 0; n < 4; {
			arc := [2]int{i, r.rng.IntN(len(r.model.in))}
			if slices.Contains(nodes, arc[1]) || joined[arc] || joined[[2]int{arc[1], i}] {
				continue
			}
			if joined == nil {
				joined = map[[2]int]bool{}
			}
			joined[arc] = true
			if n++; n%2 == 0 {
				arc[0], arc[1] = arc[1], arc[0]
			}
			r.model.arcs[r.model.next] = arc
			add = append(add, map[string]any{"k": r.model.next, "a": arc[0], "b": arc[1]})
			r.model.next++
		}
	}
	r.cypher("UNWIND $add AS e MATCH (a:N {i: e.a}), (b:N {i: e.b}) CREATE (a)-[:E {k: e.k}]->(b)",
		map[string]any{"add": add})
}

// TestReusedIDs replaces nodes between export and write by new ones, which take their ids where the server gives these
// away again: some at once, most after a restart. No new node may show a score of the run, which exported the old ones.
func TestReusedIDs(t *testing.T) {
	cases, seed := form(t, 4)
	r := newRig(t, seed)
	usual := time.Duration(0)
	for _, j := range jobs {
		r.first(j)
		usual = r.run(r.config(j, r.direct(), retry), j, "--recompute").spent
	}
	replaced, reused := 0, 0
	for i := range cases {
		j := jobs[i%len(jobs)]
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			var n int
			n, usual = r.in(t).reuse(j, i, i%restartEvery(cases) == 0, usual)
			replaced, reused = replaced+replacedNodes, reused+n
		})
	}
	t.Logf("%d nodes were replaced, %d by new ones with the same ids", replaced, reused)
	if reused == 0 {
		t.Error("no id was used again")
	}
	r.drop(jobs)
}

// replacedNodes is how many nodes each case replaces.
const replacedNodes = 20

// restartEvery says that each so many cases the server is restarted between the deletion and the creation of nodes,
// which takes seconds.
func restartEvery(cases int) int {
	if cases <= 20 {
		return 4
	}
	return 10
}

// reuse lets the job export and compute, replaces nodes, and lets it write: before the nodes are replaced, after, or
// meanwhile. It returns how many new nodes have the id of a deleted one, and how long the rerun took.
func (r *rig) reuse(j job, i int, restart bool, usual time.Duration) (reused int, spent time.Duration) {
	r.t.Helper()
	if e := r.run(r.config(j, r.direct(), retry), j, "--recompute"); e.status != 0 {
		r.t.Fatalf("exit status %d: %s", e.status, e.stderr)
	}
	r.shown[j.name()] = r.model.scores()
	some := r.model.pickNodes(replacedNodes)
	before := r.ids(some)
	joined := r.model.remove(some)
	alone := alone(some, joined)
	replace := func() {
		r.cypher("MATCH (n:N) WHERE n.i IN $some DETACH DELETE n", map[string]any{"some": some})
		if restart {
			r.restartGently()
			r.takeIDs(some, before)
		}
		r.cypher("UNWIND $some AS i MERGE (n:N {i: i}) SET n:V, n.new = true", map[string]any{"some": some})
		r.join(some, joined)
	}
	var e ended
	if i%2 == 0 {
		replace()
		e = r.run(r.config(j, r.direct(), retry), j, "--from=write")
	} else {
		e = r.during(j, usual, replace, "--from=compute")
	}
	for _, id := range r.ids(some) {
		if slices.Contains(before, id) {
			reused++
		}
	}
	var wrong []string
	if e.status != 0 {
		wrong = append(wrong, fmt.Sprintf("exit status %d: %s", e.status, e.stderr))
	}
	shown := r.read(j)
	for _, i := range some {
		x, there := shown.nodes[i]
		if there && x == 0 && alone[i] {
			continue // it had no relationship, so there is no witness; what it gets is the score of a node alone
		}
		if there {
			wrong = append(wrong, fmt.Sprintf("node %d is new and shows %v", i, x))
		}
	}
	r.cypher("MATCH (n:N) REMOVE n.new", nil)
	for _, row := range r.cypher("MATCH (:N)-[r:E]->(:N) WHERE any(p IN keys(r) WHERE p STARTS "+
		"WITH $mode) AND NOT r.k IN $old RETURN r.k",
		map[string]any{"mode": j.mode, "old": r.shownArcs(j)}) {
		wrong = append(wrong, fmt.Sprintf("relationship %v is new and has a score", row[0]))
	}
	again := r.run(r.config(j, r.direct(), retry), j)
	r.report(j.name(), append(wrong, r.afterRerun(j, again, r.model.scores())...))
	return reused, again.spent
}

// alone are those of the nodes that are joined to no other.
func alone(nodes []int, joined map[[2]int]bool) map[int]bool {
	out := map[int]bool{}
	for _, i := range nodes {
		out[i] = true
	}
	for arc := range joined {
		delete(out, arc[0])
		delete(out, arc[1])
	}
	return out
}

// shownArcs are the relationships that the job's last run has exported.
func (r *rig) shownArcs(j job) (keys []int) {
	for k := range r.shown[j.name()].arcs {
		keys = append(keys, k)
	}
	return keys
}

// ids are those of some nodes.
func (r *rig) ids(nodes []int) (ids []string) {
	r.t.Helper()
	for _, row := range r.cypher("MATCH (n:N) WHERE n.i IN $nodes RETURN elementId(n)", map[string]any{"nodes": nodes}) {
		ids = append(ids, row[0].(string))
	}
	return ids
}

// takeIDs creates nodes until some of them have the ids of deleted ones, and deletes the others. A server that has
// deleted much before gives away other ids first.
func (r *rig) takeIDs(nodes []int, ids []string) {
	r.t.Helper()
	for range 100 {
		r.cypher("UNWIND range(1, 200) AS i CREATE (:Spare)", nil)
		found := r.cypher("MATCH (s:Spare) WHERE elementId(s) IN $ids RETURN count(s)",
			map[string]any{"ids": ids})[0][0].(int64)
		if found == int64(len(nodes)) {
			break
		}
	}
	r.cypher("MATCH (s:Spare) WHERE elementId(s) IN $ids WITH collect(s) AS taken UNWIND range(0, size(taken) - 1) AS k "+
		"WITH taken[k] AS s, $nodes[k] AS i SET s:N, s.i = i REMOVE s:Spare", map[string]any{"ids": ids, "nodes": nodes})
	r.cypher("MATCH (s:Spare) DELETE s", nil)
}

// restartGently restarts the server as an administrator does: it then gives away all ids of what was deleted.
func (r *rig) restartGently() {
	r.t.Helper()
	if err := r.server.Stop(); err != nil {
		r.t.Fatal(err)
	}
	r.restart()
}
