package serve

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/picture"
	"github.com/linchpin-graph/linchpin/jobs"
)

// The size of the charts of a job, in units of the drawing, and the space at their left for numbers.
const (
	chartWidth, chartHeight = 420, 170
	chartLeft, chartBottom  = 54, 26
	chartTop                = 14
)

// durationChart shows how long the runs took that did something, the oldest at the left; "" when there are none.
func durationChart(runs []connector.Run, drift func(connector.Run) string) template.HTML {
	var did []connector.Run
	most := 0.0
	for _, r := range slices.Backward(runs) {
		if s := total(r.Seconds); s > 0 && !r.UnderWay() && r.Status != connector.Skipped && r.Status != connector.Missed {
			did, most = append(did, r), max(most, s)
		}
	}
	if len(did) == 0 {
		return ""
	}
	s := picture.New(chartWidth, chartHeight,
		fmt.Sprintf("Durations of the last %d runs, at most %s; the table below has each", len(did), inSeconds(most)))
	low, high := float64(chartHeight-chartBottom), float64(chartTop)
	s.Line("axis", chartLeft, low, chartWidth, low)
	s.Line("axis", chartLeft, high, chartWidth, high)
	s.Text(chartLeft-6, high+4, "end", "", inSeconds(most))
	s.Text(chartLeft-6, low+4, "end", "", "0")
	step := min(float64(chartWidth-chartLeft)/float64(len(did)), 28)
	for i, r := range did {
		h := max(2, total(r.Seconds)/most*(low-high))
		s.Add(`<rect class="bar %s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="2"><title>%s: %s, %s</title></rect>`,
			html.EscapeString(r.State()+mark(drift(r))), chartLeft+float64(i)*step+step*.12, low-h, step*.76, h,
			r.Started.UTC().Format(momentFormat), inSeconds(total(r.Seconds)), html.EscapeString(r.State()))
	}
	s.Text(chartLeft, chartHeight-6, "start", "", did[0].Started.UTC().Format(dayFormat))
	if len(did) > 1 && step*float64(len(did)) > 220 {
		s.Text(chartLeft+step*float64(len(did)), chartHeight-6, "end", "", did[len(did)-1].Started.UTC().Format(dayFormat))
	}
	return s.HTML()
}

// mark is a further class of a bar for a run that drifted.
func mark(drift string) string {
	if drift == "" {
		return ""
	}
	return " drift"
}

// dayFormat is how a time stands below a chart.
const dayFormat = "2 Jan 15:04"

// inSeconds is a duration with as many digits as a reader needs.
func inSeconds(s float64) string {
	switch {
	case s >= 600:
		return spell(time.Duration(s * float64(time.Second)))
	case s >= 10:
		return fmt.Sprintf("%.0f s", s)
	case s >= 1:
		return fmt.Sprintf("%.1f s", s)
	case s >= .1:
		return fmt.Sprintf("%.2f s", s)
	}
	return fmt.Sprintf("%.3f s", s)
}

// driftChart shows the lowest rank correlation of each run with the one before, and the threshold; "" without any.
func driftChart(runs []connector.Run, threshold float64) template.HTML {
	type point struct {
		run  connector.Run
		rank float64
	}
	var points []point
	least := threshold
	for _, r := range slices.Backward(runs) {
		if lowest, known := lowestRank(r); known {
			points, least = append(points, point{r, lowest}), min(least, lowest)
		}
	}
	if len(points) < 2 {
		return ""
	}
	floor := min(.99, max(-1, least-.05*(1-least)-.01))
	s := picture.New(chartWidth, chartHeight,
		fmt.Sprintf("Rank correlation of the scores with the run before, over %d runs; the last is %.3f, drift is below %g",
			len(points), points[len(points)-1].rank, threshold))
	low, high := float64(chartHeight-chartBottom), float64(chartTop)
	y := func(rank float64) float64 { return low - (rank-floor)/(1-floor)*(low-high) }
	s.Line("axis", chartLeft, y(1), chartWidth, y(1))
	s.Line("threshold", chartLeft, y(threshold), chartWidth, y(threshold))
	s.Text(chartLeft-6, y(1)+4, "end", "", "1")
	s.Text(chartLeft-6, y(threshold)+4, "end", "", fmt.Sprint(threshold))
	if y(least)-y(threshold) > 16 {
		s.Text(chartLeft-6, y(least)+4, "end", "", fmt.Sprintf("%.2g", least))
	}
	step := float64(chartWidth-chartLeft-20) / float64(max(len(points)-1, 1))
	path := ""
	for i, p := range points {
		path += fmt.Sprintf("%.1f,%.1f ", chartLeft+8+float64(i)*step, y(p.rank))
	}
	s.Add(`<polyline class="curve" points="%s"/>`, path)
	for i, p := range points {
		class := "point"
		if p.rank < threshold {
			class = "point low"
		}
		s.Add(`<circle class="%s" cx="%.1f" cy="%.1f" r="3.5"><title>%s: %.4f</title></circle>`, class,
			chartLeft+8+float64(i)*step, y(p.rank), p.run.Started.UTC().Format(momentFormat), p.rank)
	}
	s.Text(chartLeft, chartHeight-6, "start", "", "rank correlation with the run before")
	return s.HTML()
}

// timeline shows the steps of a run after one another, each with its seconds; "" for a run that did none.
func timeline(r connector.Run) template.HTML {
	steps := []jobs.Step{jobs.Export, jobs.Plan, jobs.Compute, jobs.Check, jobs.Output, jobs.Write}
	all := total(r.Seconds)
	if all == 0 {
		return ""
	}
	const width, left, right, row = 460, 96, 72, 28
	var done []jobs.Step
	words := []string{}
	for _, step := range steps {
		if s, ok := r.Seconds[string(step)]; ok {
			done = append(done, step)
			words = append(words, fmt.Sprintf("%s %s", step, inSeconds(s)))
		}
	}
	s := picture.New(width, float64(len(done)*row+4), "Steps: "+strings.Join(words, ", "))
	at := 0.0
	for i, step := range done {
		seconds := r.Seconds[string(step)]
		x, w := left+at/all*(width-left-right), max(2, seconds/all*(width-left-right))
		y := float64(i * row)
		s.Text(left-10, y+20, "end", "strong", string(step))
		s.Line("axis", left, y+float64(row)+1, width, y+float64(row)+1)
		s.Add(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="18" rx="3"/>`, step, x, y+6, w)
		s.Text(x+w+8, y+20, "start", "", inSeconds(seconds))
		at += seconds
	}
	return s.HTML()
}
