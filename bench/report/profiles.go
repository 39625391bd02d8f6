package report

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/bench"
)

// h200Bytes is what the memory of an H200 moves in a second, by its data sheet, in bytes.
const h200Bytes = 4.8e12

// profiles writes what the time of runs went on, and how much memory they moved.
func profiles(p *page, s *results) {
	p.paragraph("Measured by kernels that count, which are slower than those of other pages. Times are in the mean of "+
		"blocks: waiting for the "+
		"blocks of the same team is in both passes; idle what is left when there "+
		"are no more batches. "+
		"An entry is a node of a batch and level that some lane reaches. Bytes are counted for rows along arcs, reckoned "+
		"from entries and arcs for the "+
		"rest, whether the cache or memory serves them; the last column is their share of the %.1f TB/s of an H200's memory.",
		h200Bytes/1e12)
	ms := func(seconds float64) string { return number(seconds * 1e3) }
	var times, counts, weighted [][]string
	for _, g := range s.graphs() {
		r, ok := s.find(query{graph: g, strategy: "batched"})
		if !ok || r.Status != bench.OK || r.Profile == nil || r.Profile.Batches == 0 || r.Profile.Seconds == 0 {
			continue
		}
		f := r.Profile
		times = append(times, []string{g, short(r.Sources), ms(f.Seconds), ms(f.Forward), ms(f.Backward), ms(f.Meeting),
			ms(f.Idle), ms(f.Counting), number(r.GTEPS)})
		batches, rate := float64(f.Batches), float64(f.Bytes)/f.Seconds
		counts = append(counts, []string{
			g, fmt.Sprint(f.Batches), number(float64(f.Levels) / batches),
			number(float64(f.Entries) / batches / float64(r.Nodes)), number(float64(f.Arcs) / batches / float64(r.Edges)),
			number(float64(f.Rows) / batches / float64(r.Edges)), number(float64(f.Bytes) / 1e9), number(rate / 1e9),
			percent(rate / h200Bytes),
		})
		if w := f.Weighted; w != nil {
			weighted = append(weighted, []string{
				g, ms(w.Starting), ms(w.Distances), ms(w.PathArcs), ms(w.Counts), ms(w.Picking),
				number(float64(w.Rounds) / batches), number(float64(w.Passed) / batches / float64(r.Nodes)),
				number(float64(w.Lowered) / batches / float64(r.Edges)), number(float64(w.Picks) / batches),
				number(float64(w.Looks) / batches),
			})
		}
	}
	if len(times) == 0 {
		p.paragraph("Nothing was profiled yet.")
	} else {
		p.section("Milliseconds")
		p.table([]string{"graph", "sources", "all", "forward", "backward", "waiting for the team", "idle", "counting",
			"GTEPS"}, times)
		p.section("Counts and bytes")
		p.table([]string{"graph", "batches", "levels a batch", "entries a node", "arcs looked at an edge", "rows an edge",
			"GB moved", "GB/s", "of memory"}, counts)
	}
	if len(weighted) > 0 {
		p.section("By weights")
		p.paragraph(
			"Parts of forward, in milliseconds: clearing rows, distances, shortest-path arcs, and counts, of which picking " +
				"among nodes that wait. Levels above are " +
				"rounds of counts. Rounds of distances pass nodes on, which lowers rows along arcs; picks are rounds that took " +
				"waiting nodes along, looks those at one's arcs for that.")
		p.table([]string{"graph", "starting", "distances", "shortest-path arcs", "counts", "picking", "rounds a batch",
			"passed on a node", "rows lowered an edge", "picks a batch", "looks a batch"}, weighted)
	}
	problems(p, s)
}

// percent is a share in per cent.
func percent(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
