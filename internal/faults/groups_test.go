package faults

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
)

// When a run of groups is killed.
const (
	whileCutting = "kill -9 while it cuts"
	whileWriting = "kill -9 while it writes"
	anyTime      = "kill -9 at any time"
)

// groups is a job of communities, with its supernodes and its dendrogram as nodes and in a file, and of what else
// papers make of a graph: a backbone, an adaptive sample, a volume next to closeness, and distances.
type groups struct {
	job
	device string
	batch  float64 // option of communities
}

func (g groups) circle() string { return g.mode + "_circle" }

// properties are those that the job scores.
func (g groups) properties() []string {
	return []string{g.circle(), g.mode + "_backbone", g.mode + "_bc", g.mode + "_volume", g.mode + "_closeness"}
}

// reference finds the same groups for files alone, and is never killed.
var reference = job{"reference"}

// ofGroups are some of the nodes: the cuts of their graph take a fraction of a second.
const ofGroups = "MATCH (n:V) WHERE n.i < 200 RETURN id(n)"

func (r *rig) groupsConfig(g groups) string {
	r.t.Helper()
	file := filepath.Join(r.dir, g.mode+"-groups.yml")
	text := fmt.Sprintf(`version: 1
state: state
neo4j: {uri: %[1]q, username: "", retry: 8s}
jobs:
  - name: %[2]s
    graph: {nodeQuery: %[3]q, relationships: [{type: E, orientation: undirected}]}
    measures: [{measure: communities, nodes: %[4]s, batch: %[8]v},
      {measure: backbone, nodes: %[5]s_backbone, keep: 0.3}, {measure: betweenness, nodes: %[5]s_bc},
      {measure: volume, nodes: %[5]s_volume}, {measure: closeness, nodes: %[5]s_closeness}]
    distances: {}
    supernodes: {of: %[4]s, label: Circle_%[5]s, relationship: PART_OF}
    dendrogram: {of: %[4]s, file: "{job}.json", label: Split_%[5]s, relationship: JOINED}
    compute: {device: %[7]s, threads: 1, adaptive: 2}
    write: {mode: %[5]s, batch: 20}
  - name: %[6]s
    graph: {nodeQuery: %[3]q, relationships: [{type: E, orientation: undirected}]}
    measures: [{measure: communities, nodes: circle, batch: %[8]v}, {measure: backbone, nodes: backbone, keep: 0.3},
      {measure: betweenness, nodes: bc}, {measure: volume, nodes: volume},
      {measure: closeness, nodes: closeness}]
    distances: {}
    dendrogram: {of: circle, file: "{job}.json"}
    compute: {device: cpu, threads: 1, adaptive: 2}
    write: {mode: none}
    outputs: [{file: "{job}.csv", of: nodes, properties: [i]}]
`, r.direct(), g.name(), ofGroups, g.circle(), g.mode, reference.name(), g.device, g.batch)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
	return file
}

// TestKillsOfGroups kills a clustering while it cuts edges, while it writes, and at random moments. Supernodes and
// dendrogram are always those of the published run. The next run goes on with the cuts that were made, and leaves what
// a run that nobody killed finds, and nothing else.
func TestKillsOfGroups(t *testing.T) {
	cases, seed := form(t, 6)
	r := newRig(t, seed)
	r.killsOf([]groups{{job{"ab"}, "cpu", 0}, {job{"inplace"}, "cpu", 0.02}}, cases)
	t.Logf("seed %d", seed)
}

// TestKillsOnADevice does the same while a worker has the scores of the cuts on an emulated device. The reference is
// computed on the CPU.
func TestKillsOnADevice(t *testing.T) {
	cases, seed := form(t, 3)
	r := newRig(t, seed)
	kernels, err := filepath.Abs("../../build/emulate")
	if err == nil {
		err = os.MkdirAll(kernels, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.env["LINCHPIN_WORKER"], r.env["LINCHPIN_EMULATED_KERNELS"] = filepath.Join(r.dir, "linchpin-worker"), kernels
	r.patience = 5 * patience // an emulated device is slow
	for _, build := range []*exec.Cmd{
		exec.Command("go", "build", "-tags", "emulate,netgo,osusergo", "-o", r.env["LINCHPIN_WORKER"],
			"github.com/linchpin-graph/linchpin/cmd/linchpin-worker"),
		// as gpu/emulated locks it
		exec.Command("flock", kernels, "make", "-C", "../..", "-f", "gpu/emulated/emulate/build.mk"),
	} {
		build.Env = append(os.Environ(), "CGO_ENABLED=1")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	r.killsOf([]groups{{job{"ab"}, "gpu", 0.3}}, cases)
	t.Logf("seed %d", seed)
}

// killsOf runs jobs, and kills each of them in turn at different moments.
func (r *rig) killsOf(jobs []groups, cases int) {
	r.t.Helper()
	for _, g := range jobs {
		r.change()
		r.report(g.name(), r.afterGroups(g, r.runGroups(g), 0))
	}
	outcomes := table{}
	for i := range cases {
		g, when := jobs[i/3%len(jobs)], []string{whileCutting, whileWriting, anyTime}[i%3]
		r.t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			step, outcome := r.in(t).killGroups(g, when)
			outcomes.count(when+", "+g.mode+" on the "+g.device, step, outcome)
		})
	}
	r.t.Logf("kills of groups\n%s", outcomes)
	r.dropGroups(jobs)
}

func (r *rig) runGroups(g groups) ended {
	r.t.Helper()
	return r.run(r.groupsConfig(g), g.job)
}

// killGroups changes the graph, runs the job, kills it, and runs it again.
func (r *rig) killGroups(g groups, when string) (step, outcome string) {
	r.t.Helper()
	for range 20 {
		r.change()
		since := r.now()
		cmd, stderr := r.command(r.groupsConfig(g), "run", "--quiet", g.name())
		start := time.Now()
		if err := cmd.Start(); err != nil {
			r.t.Fatal(err)
		}
		end := make(chan ended, 1)
		go func() { end <- r.wait(cmd, stderr, start) }()
		early := r.until(g, when, since, end)
		_ = cmd.Process.Kill()
		if !early || (<-end).status >= 0 {
			continue // it had ended: that was no kill
		}
		step, made := r.stepOf(g.job, since), r.cutsMade(g)
		if when == whileCutting && made == 0 {
			r.t.Error("no cut is kept")
		}
		wrong := r.treesOfOneRun(g)
		again := r.runGroups(g)
		r.report(when, append(wrong, r.afterGroups(g, again, made)...))
		return step, fmt.Sprintf("killed, %t resumed", made > 0)
	}
	r.t.Fatalf("%s: the run always ended first", when)
	return "", ""
}

// until waits for the moment of a kill, and reports whether the run had not ended by then.
func (r *rig) until(g groups, when string, since time.Time, end chan ended) bool {
	r.t.Helper()
	after := time.NewTimer(time.Duration(r.rng.Int64N(int64(2 * time.Second))))
	if when != anyTime {
		after.Stop()
	}
	for {
		select {
		case e := <-end:
			end <- e
			return false
		case <-after.C:
			return true
		case <-time.After(10 * time.Millisecond):
		}
		if when == whileCutting && r.cutsMade(g) > 0 || when == whileWriting && r.newest(g.job, since) == "unfinished" {
			return true
		}
	}
}

func (r *rig) journal(g groups) string {
	return filepath.Join(r.dir, "state", "jobs", g.name(), "cuts.jsonl")
}

// cutsMade is the number of whole lines of the job's journal after the first.
func (r *rig) cutsMade(g groups) int {
	text, err := os.ReadFile(r.journal(g))
	if err != nil {
		return 0
	}
	return max(0, bytes.Count(text, []byte("\n"))-1)
}

// treesOfOneRun looks at supernodes and dendrogram: those of the run whose scores are published.
func (r *rig) treesOfOneRun(g groups) (wrong []string) {
	r.t.Helper()
	for _, row := range r.cypher("MATCH (j:LinchpinJob {name: $job}) MATCH (x:LinchpinSupernode {job: $job}) "+
		"WITH j, x.run AS run, count(x) AS n WHERE run <> j.run RETURN run, n", map[string]any{"job": g.name()}) {
		wrong = append(wrong, fmt.Sprintf("%v nodes of the run %v, which is not published", row[1], row[0]))
	}
	return wrong
}

// afterGroups looks at what is left when the job has succeeded again: the groups that a run which nobody kills finds,
// and nothing else.
func (r *rig) afterGroups(g groups, e ended, made int) (wrong []string) {
	r.t.Helper()
	if e.status != 0 {
		return []string{fmt.Sprintf("exit status %d: %s", e.status, e.stderr)}
	}
	want, file := r.referenceGroups(g)
	wrong = append(r.leftBehind(g.job), r.treesOfOneRun(g)...)
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for k, property := range g.properties() {
		if d := differ("node", r.shownAs(g, property), want[k]); d != "" {
			bad("%s: %s", property, d)
		}
	}
	text, err := os.ReadFile(filepath.Join(r.dir, g.name()+".json"))
	if err != nil || !bytes.Equal(text, file) {
		bad("another dendrogram in the file: %v", err)
	}
	wrong = append(wrong, r.checkRecords(g)...)
	wrong = append(wrong, r.checkTrees(g, want[0], file)...)
	if _, err := os.Stat(r.journal(g)); err == nil {
		bad("the journal of cuts is left")
	}
	rows := r.cypher(
		"MATCH (r:LinchpinRun {job: $job, status: 'succeeded'}) RETURN r.groupings ORDER BY r.started DESC LIMIT 1",
		map[string]any{"job": g.name()})
	var found []connector.Grouping
	if err := json.Unmarshal([]byte(rows[0][0].(string)), &found); err != nil || len(found) != 1 ||
		found[0].Resumed < int64(made) {
		bad("%v: %d cuts were made: %+v", err, made, found)
	}
	return wrong
}

// shownAs are the scores that the job shows of a property.
func (r *rig) shownAs(g groups, property string) map[int]float64 {
	r.t.Helper()
	if g.mode == "inplace" {
		return column(r.cypher("MATCH (n:N) WHERE n."+property+" IS NOT NULL RETURN n.i, n."+property, nil))
	}
	p := connector.Projection{NodeQuery: "-", Relationships: []connector.Relationship{{Type: "E"}}}
	readers := neo4j.ReadersOf(g.name(), connector.Mode(g.mode), p, g.properties(), nil)
	return column(r.cypher(returning(readers.Nodes, "n.i, "+property), nil))
}

// referenceGroups computes all again, from the start, and returns the scores, by property, with the file of the
// dendrogram.
func (r *rig) referenceGroups(g groups) (scores [5]map[int]float64, dendrogram []byte) {
	r.t.Helper()
	if e := r.run(r.groupsConfig(g), reference, "--recompute"); e.status != 0 {
		r.t.Fatalf("exit status %d: %s", e.status, e.stderr)
	}
	dendrogram, err := os.ReadFile(filepath.Join(r.dir, reference.name()+".json"))
	if err != nil {
		r.t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(r.dir, reference.name()+".csv"))
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		r.t.Fatal(err)
	}
	for k := range scores {
		scores[k] = map[int]float64{}
	}
	for _, row := range rows[1:] { // id, labels, i, and the scores
		i, err := strconv.Atoi(row[2])
		if err != nil {
			r.t.Fatal(err)
		}
		for k := range scores {
			if scores[k][i], err = strconv.ParseFloat(row[3+k], 64); err != nil {
				r.t.Fatal(err)
			}
		}
	}
	return scores, dendrogram
}

// checkRecords compares what the records of the job and of the reference say of the backbone and of distances, and
// looks at the node that has the distances.
func (r *rig) checkRecords(g groups) (wrong []string) {
	r.t.Helper()
	const last = "MATCH (r:LinchpinRun {job: $job, status: 'succeeded'}) RETURN r.backbones, r.distances, r.id ORDER BY r.started DESC LIMIT 1"
	got := r.cypher(last, map[string]any{"job": g.name()})[0]
	want := r.cypher(last, map[string]any{"job": reference.name()})[0]
	if distances, ok := got[1].(string); ok { // the reference has no device
		got[1] = strings.Replace(distances, `"device":"emulated"`, `"device":"cpu"`, 1)
	}
	if !slices.Equal(got[:2], want[:2]) || got[0] == nil || got[1] == nil {
		wrong = append(wrong, fmt.Sprintf("the record says %v, that of the reference %v", got, want))
	}
	nodes := r.cypher("MATCH (d:LinchpinDistances {job: $job}) RETURN d.run", map[string]any{"job": g.name()})
	if len(nodes) != 1 || nodes[0][0] != got[2] {
		wrong = append(wrong, fmt.Sprintf("distances of the runs %v, and the last is %v", nodes, got[2]))
	}
	return wrong
}

// checkTrees compares supernodes and dendrogram in the database with the groups and the file: their sizes, and the last
// merges.
func (r *rig) checkTrees(g groups, circles map[int]float64, file []byte) (wrong []string) {
	r.t.Helper()
	var whole struct {
		Leaves []any
		Merges []struct {
			Score, Modularity float64
			Nodes, Groups     int64
		}
	}
	if err := json.Unmarshal(file, &whole); err != nil {
		r.t.Fatal(err)
	}
	sizes := map[float64]int64{}
	for _, circle := range circles {
		sizes[circle]++
	}
	merges := len(sizes) - (len(whole.Leaves) - len(whole.Merges))
	for _, label := range []string{"Circle_" + g.mode, "Split_" + g.mode} {
		rows := r.cypher("MATCH (x:"+label+
			") OPTIONAL MATCH (x)-[r:PART_OF|JOINED]->(y) RETURN x.number, x.group, x.nodes, count(r) ORDER BY x.number", nil)
		if len(rows) != len(sizes)+merges {
			wrong = append(wrong, fmt.Sprintf("%s: %d nodes, and there are %d groups and %d merges", label, len(rows),
				len(sizes), merges))
			continue
		}
		for i, row := range rows {
			if i < len(sizes) && (row[0] != int64(i) || row[1] != int64(i) || row[2] != sizes[float64(i)]) {
				wrong = append(wrong, fmt.Sprintf("%s: group %d of %d nodes: %v", label, i, sizes[float64(i)], row))
			}
		}
		joined := r.cypher("MATCH (:"+label+")-[r]->() RETURN count(r)", nil)[0][0]
		if joined != int64(2*merges) {
			wrong = append(wrong, fmt.Sprintf("%s: %v relationships for %d merges", label, joined, merges))
		}
	}
	rows := r.cypher("MATCH (x:Split_"+g.mode+
		") WHERE x.groups IS NOT NULL RETURN x.score, x.modularity, x.nodes, x.groups ORDER BY x.number", nil)
	for i, m := range whole.Merges[len(whole.Merges)-merges:] {
		if want := []any{m.Score, m.Modularity, m.Nodes, m.Groups}; i >= len(rows) || !slices.Equal(rows[i], want) {
			wrong = append(wrong, fmt.Sprintf("merge %d: %v of %v", i, want, rows))
		}
	}
	return wrong
}

// dropGroups removes the jobs, and looks for anything of linchpin that is still there.
func (r *rig) dropGroups(all []groups) {
	r.t.Helper()
	names := []string{reference.name()}
	for _, g := range all {
		names = append(names, g.name())
	}
	for _, name := range names {
		cmd, stderr := r.command(r.groupsConfig(all[0]), "drop", "--quiet", name)
		if err := cmd.Run(); err != nil {
			r.t.Errorf("drop %s: %v\n%s", name, err, stderr)
		}
	}
	r.nothingLeft()
}
