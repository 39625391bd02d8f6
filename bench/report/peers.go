package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The records of bench/peers/compare.py, and the page and the picture of them.
const (
	peersRecords = "peers/*.jsonl"
	peersPage    = "cpu-peers.md"
	peersPicture = "cpu-peers.svg"
)

// The two ways in which linchpin runs, as compare.py names them.
const (
	oursAuto  = "linchpin"
	oursPlain = "linchpin --reduce off"
)

// peerGroups are the groups of rows in the order of the page. The last word of each title stands in the picture.
func peerGroups() []peerGroup {
	return []peerGroup{
		{"unreduced", "Betweenness, without reductions"},
		{"reduced", "Betweenness, with reductions"},
		{"edges", "Edge betweenness"},
		{"whole-weights", "Betweenness, whole weights"},
		{"real-weights", "Betweenness, real weights"},
		{"closeness", "Closeness"},
		{"harmonic", "Harmonic centrality"},
		{"few-sources", "Betweenness from 64 sources"},
		{"one-source", "Betweenness from one source"},
		{"out-of-cache", "Betweenness, out of cache"},
		{"pagerank", "PageRank"},
		{"components", "Components"},
		{"core", "K-core"},
		{"clustering", "Local clustering, by triangles"},
		{"louvain", "Louvain"},
	}
}

type peerGroup struct{ name, title string }

// peerRecord is what one program took in a row. Over is the limit in seconds that a run passed; it then has no times.
// Wrong says that its scores are not those of linchpin and two others.
type peerRecord struct {
	Row, Group, Graph, Program, Version string
	Machine, Commit, Date               string
	N, M, Sources, Cores, Threads       int
	Seconds                             []float64
	Over, Load, Differs                 float64
	Busy, Wrong                         bool
}

func (r *peerRecord) ours() bool { return strings.HasPrefix(r.Program, oursAuto) }

// median is the median of the times; 0 without any.
func (r *peerRecord) median() float64 {
	if len(r.Seconds) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(r.Seconds))
	half := len(sorted) / 2
	return (sorted[half] + sorted[(len(sorted)-1)/2]) / 2
}

// cell has the median, the shortest and the longest time, and the threads.
func (r *peerRecord) cell() string {
	switch {
	case r == nil:
		return missing
	case r.Over > 0:
		return "> " + number(r.Over)
	case r.Wrong:
		return "wrong <sub>" + number(r.median()) + "</sub>"
	}
	return fmt.Sprintf("%s <sub>%s-%s, %d</sub>", number(r.median()), number(slices.Min(r.Seconds)),
		number(slices.Max(r.Seconds)), r.Threads)
}

// writePeers writes the page and the picture of the runs next to other programs on a CPU. A folder without their
// records has neither.
func writePeers(dir string, write func(string, []byte) error) error {
	records, err := readPeers(dir)
	if err != nil || len(records) == 0 {
		return err
	}
	p := &page{}
	p.title("The CPU next to igraph, NetworKit, graph-tool, rustworkx, NetworkX and GDS")
	p.paragraph("%s", peersProvenance(records))
	p.picture(peersPicture, "times as fast as the fastest other program, by group")
	p.paragraph("Cells are seconds of the computation: the median, the shortest and the longest run, and the number of threads with " +
		"which the program was fastest. Files are read before, and written afterwards. The processes of others have computed the graph before, " +
		"and since note 074 so have linchpin's where a run takes under a tenth of a second. > is the limit that a program passed. A ratio is the " +
		"fastest other program's median over linchpin's. GDS, Neo4j's library, gives its own time in whole milliseconds. All scores of a row agree. A program is marked wrong, and not counted, where " +
		"its scores differ from those on which linchpin and at least two others agree.")
	var bars []peerBar
	for _, g := range peerGroups() {
		rows := rowsOf(records, g.name)
		if len(rows) == 0 {
			continue
		}
		bar := barOfGroup(g, rows)
		bars = append(bars, bar)
		p.section(g.title)
		p.paragraph("Ratios: %s in the geometric mean, %s to %s.", number(bar.Mean), number(bar.Least), number(bar.Most))
		peersTable(p, rows)
	}
	text := strings.TrimRight(p.text.String(), "\n") + "\n"
	if err := write(peersPage, []byte(text)); err != nil {
		return err
	}
	picture, err := drawPeers(bars)
	if err != nil {
		return err
	}
	return write(peersPicture, picture)
}

// readPeers reads the records of all files, in the order of the files and their lines.
func readPeers(dir string) ([]*peerRecord, error) {
	paths, err := filepath.Glob(filepath.Join(dir, peersRecords))
	if err != nil {
		return nil, err
	}
	var records []*peerRecord
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(data) {
			r := &peerRecord{}
			if err := json.Unmarshal(line, r); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if len(r.Seconds) == 0 && r.Over == 0 {
				return nil, fmt.Errorf("%s: %s of %s has neither seconds nor over", path, r.Row, r.Program)
			}
			records = append(records, r)
		}
	}
	return records, nil
}

// peersProvenance names machine, commits, days and versions.
func peersProvenance(records []*peerRecord) string {
	distinct := func(of func(*peerRecord) string) string {
		var found []string
		for _, r := range records {
			if s := of(r); s != "" && !slices.Contains(found, s) {
				found = append(found, s)
			}
		}
		return strings.Join(found, ", ")
	}
	text := fmt.Sprintf(
		"%s. Commit %s, %s. %s. Repeat: `make bench-peers OUT=FILE.jsonl`, or one row: `make bench-peers ROW=%s`.",
		distinct(func(r *peerRecord) string { return fmt.Sprintf("%d cores of %s", r.Cores, r.Machine) }),
		distinct(func(r *peerRecord) string { return r.Commit }),
		distinct(func(r *peerRecord) string { return r.Date }),
		distinct(func(r *peerRecord) string {
			if r.ours() {
				return ""
			}
			return r.Program + " " + r.Version
		}), records[0].Row)
	if slices.ContainsFunc(records, func(r *peerRecord) bool { return r.Busy }) {
		text += " **Some rows were taken on a busy machine: no results.**"
	}
	return text
}

// peerRow is a row by the names of its programs.
type peerRow map[string]*peerRecord

// rowsOf returns the rows of a group that linchpin has times of, in the order of the records.
func rowsOf(records []*peerRecord, group string) []peerRow {
	byName := map[string]peerRow{}
	var rows []peerRow
	for _, r := range records {
		if r.Group != group {
			continue
		}
		if byName[r.Row] == nil {
			byName[r.Row] = peerRow{}
			rows = append(rows, byName[r.Row])
		}
		byName[r.Row][r.Program] = r
	}
	return slices.DeleteFunc(rows, func(row peerRow) bool { return row.first().median() == 0 })
}

// first is linchpin's record: as it runs by itself, or without reductions where the row has nothing else.
func (row peerRow) first() *peerRecord {
	if r := row[oursAuto]; r != nil {
		return r
	}
	if r := row[oursPlain]; r != nil {
		return r
	}
	return &peerRecord{}
}

// ratio is the median of the fastest other program over r's, or the least that it can be if all others passed the
// limit; 0 without any.
func (row peerRow) ratio(r *peerRecord) float64 {
	best, limit := math.Inf(1), 0.0
	for _, other := range row {
		switch {
		case other.ours(), other.Wrong:
		case other.Over > 0:
			limit = other.Over
		default:
			best = min(best, other.median())
		}
	}
	if math.IsInf(best, 1) {
		best = limit
	}
	if r == nil || r.median() == 0 {
		return 0
	}
	return best / r.median()
}

// ratioCell marks a ratio that is only the least that it can be.
func (row peerRow) ratioCell(r *peerRecord) string {
	for _, other := range row {
		if !other.ours() && !other.Wrong && other.Over == 0 {
			return number(row.ratio(r))
		}
	}
	if row.ratio(r) == 0 {
		return missing
	}
	return "> " + number(row.ratio(r))
}

// peersTable has a column for each program that the group has times of.
func peersTable(p *page, rows []peerRow) {
	var programs []string
	for _, name := range []string{
		oursAuto, oursPlain, "igraph", "NetworKit", "graph-tool", "rustworkx", "NetworkX", "nx-parallel", "GDS",
	} {
		if slices.ContainsFunc(rows, func(row peerRow) bool { return row[name] != nil }) {
			programs = append(programs, name)
		}
	}
	header := slices.Concat([]string{"graph", "n", "m", "sources"}, programs, []string{"ratio"})
	both := slices.Contains(programs, oursAuto) && slices.Contains(programs, oursPlain)
	if both {
		header = append(header, "ratio without reductions")
	}
	var cells [][]string
	for _, row := range rows {
		r := row.first()
		line := []string{r.Graph, grouped(int64(r.N)), grouped(int64(r.M)), grouped(int64(r.Sources))}
		for _, name := range programs {
			line = append(line, row[name].cell())
		}
		line = append(line, row.ratioCell(r))
		if both {
			line = append(line, row.ratioCell(row[oursPlain]))
		}
		cells = append(cells, line)
	}
	p.table(header, cells)
}
