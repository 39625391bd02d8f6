package serve

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

// svg is a drawing under way. Colours come from classes in page.css, so that they follow dark and light.
type svg struct{ strings.Builder }

// newSVG begins a drawing whose title says in words what it shows.
func newSVG(width, height float64, title string) *svg {
	s := &svg{}
	s.add(`<svg class="chart" viewBox="0 0 %g %g" role="img" aria-label="%s">`, width, height, html.EscapeString(title))
	return s
}

func (s *svg) add(format string, args ...any) { fmt.Fprintf(s, format, args...) }

func (s *svg) text(x, y float64, anchor, class, text string) {
	s.add(`<text x="%.1f" y="%.1f" text-anchor="%s" class="%s">%s</text>`, x, y, anchor, class, html.EscapeString(text))
}

func (s *svg) line(class string, x1, y1, x2, y2 float64) {
	s.add(`<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, class, x1, y1, x2, y2)
}

func (s *svg) end() template.HTML {
	s.WriteString("</svg>")
	return template.HTML(s.String()) // every text in it was escaped
}

// The size of the charts of a job, in units of the drawing, and the space at their left for numbers.
const (
	chartWidth, chartHeight = 520, 180
	chartLeft, chartBottom  = 48, 22
	chartTop                = 14
)

// durationChart shows how long the runs took that did something, the oldest at the left; "" when there are none.
func durationChart(runs []connector.Run) template.HTML {
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
	s := newSVG(chartWidth, chartHeight, fmt.Sprintf("Durations of the last %d runs, at most %.2f seconds; the table below has each", len(did), most))
	low, high := float64(chartHeight-chartBottom), float64(chartTop)
	s.line("axis", chartLeft, low, chartWidth, low)
	s.line("axis", chartLeft, high, chartWidth, high)
	s.text(chartLeft-6, high+4, "end", "", number2(most)+" s")
	s.text(chartLeft-6, low+4, "end", "", "0")
	step := min(float64(chartWidth-chartLeft)/float64(len(did)), 28)
	for i, r := range did {
		h := max(2, total(r.Seconds)/most*(low-high))
		s.add(`<rect class="bar %s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="2"><title>%s: %.2f s, %s</title></rect>`,
			html.EscapeString(r.State()), chartLeft+float64(i)*step+step*.12, low-h, step*.76, h, r.Started.UTC().Format("2006-01-02 15:04"), total(r.Seconds), html.EscapeString(r.State()))
	}
	s.text(chartLeft, chartHeight-4, "start", "", did[0].Started.UTC().Format("01-02 15:04"))
	if len(did) > 1 && step*float64(len(did)) > 220 {
		s.text(chartLeft+step*float64(len(did)), chartHeight-4, "end", "", did[len(did)-1].Started.UTC().Format("01-02 15:04"))
	}
	return s.end()
}

func number2(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2f", x)
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
		lowest := 2.0
		for _, c := range r.Scores {
			if c.Rank != nil {
				lowest = min(lowest, *c.Rank)
			}
		}
		if lowest <= 1 {
			points, least = append(points, point{r, lowest}), min(least, lowest)
		}
	}
	if len(points) == 0 {
		return ""
	}
	floor := min(.99, max(-1, least-.05))
	s := newSVG(chartWidth, chartHeight, fmt.Sprintf("Rank correlation of the scores with the run before, over %d runs; the last is %.3f, drift is below %g",
		len(points), points[len(points)-1].rank, threshold))
	low, high := float64(chartHeight-chartBottom), float64(chartTop)
	y := func(rank float64) float64 { return low - (rank-floor)/(1-floor)*(low-high) }
	s.line("axis", chartLeft, y(1), chartWidth, y(1))
	s.line("threshold", chartLeft, y(threshold), chartWidth, y(threshold))
	s.text(chartLeft-6, y(1)+4, "end", "", "1")
	s.text(chartLeft-6, y(threshold)+4, "end", "", fmt.Sprint(threshold))
	step := float64(chartWidth-chartLeft-20) / float64(max(len(points)-1, 1))
	path := ""
	for i, p := range points {
		path += fmt.Sprintf("%.1f,%.1f ", chartLeft+8+float64(i)*step, y(p.rank))
	}
	s.add(`<polyline class="curve" points="%s"/>`, path)
	for i, p := range points {
		class := "point"
		if p.rank < threshold {
			class = "point low"
		}
		s.add(`<circle class="%s" cx="%.1f" cy="%.1f" r="3.5"><title>%s: %.4f</title></circle>`, class, chartLeft+8+float64(i)*step, y(p.rank),
			p.run.Started.UTC().Format("2006-01-02 15:04"), p.rank)
	}
	s.text(chartLeft, chartHeight-4, "start", "", "rank correlation with the run before")
	return s.end()
}

// timeline shows the steps of a run after one another, each with its seconds; "" for a run that did none.
func timeline(r connector.Run) template.HTML {
	steps := []jobs.Step{jobs.Export, jobs.Plan, jobs.Compute, jobs.Check, jobs.Output, jobs.Write}
	all := total(r.Seconds)
	if all == 0 {
		return ""
	}
	const width, left, row = 720, 96, 30
	var done []jobs.Step
	words := []string{}
	for _, step := range steps {
		if s, ok := r.Seconds[string(step)]; ok {
			done = append(done, step)
			words = append(words, fmt.Sprintf("%s %.3f s", step, s))
		}
	}
	s := newSVG(width, float64(len(done)*row+6), "Steps: "+strings.Join(words, ", "))
	at := 0.0
	for i, step := range done {
		seconds := r.Seconds[string(step)]
		x, w := left+at/all*(width-left-96), max(2, seconds/all*(width-left-96))
		y := float64(i * row)
		s.text(left-10, y+20, "end", "strong", string(step))
		s.line("axis", left, y+float64(row)+1, width, y+float64(row)+1)
		s.add(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="18" rx="3"/>`, step, x, y+6, w)
		s.text(x+w+8, y+20, "start", "", fmt.Sprintf("%.3f s", seconds))
		at += seconds
	}
	return s.end()
}

// histogramChart shows how many scores lie in each bin.
func histogramChart(c connector.ScoreSummary) template.HTML {
	if len(c.Histogram) == 0 || c.Count == 0 {
		return ""
	}
	most := slices.Max(c.Histogram)
	s := newSVG(chartWidth, chartHeight, fmt.Sprintf("Distribution of %s: %d scores from %.6g to %.6g, the fullest of %d bins has %d",
		c.Property, c.Count, c.Min, c.Max, len(c.Histogram), most))
	low, high := float64(chartHeight-chartBottom), float64(chartTop)
	s.line("axis", chartLeft, low, chartWidth, low)
	s.line("axis", chartLeft, high, chartWidth, high)
	s.text(0, high+4, "start", "halo", grouped(most))
	s.text(chartLeft-6, low+4, "end", "", "0")
	step := float64(chartWidth-chartLeft) / float64(len(c.Histogram))
	width := (c.Max - c.Min) / float64(len(c.Histogram))
	for i, n := range c.Histogram {
		if n == 0 {
			continue
		}
		h := max(1.5, float64(n)/float64(most)*(low-high))
		s.add(`<rect class="bar" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="1.5"><title>%.4g to %.4g: %d</title></rect>`,
			chartLeft+float64(i)*step+1, low-h, step-2, h, c.Min+float64(i)*width, c.Min+float64(i+1)*width, n)
	}
	s.text(chartLeft, chartHeight-4, "start", "", number(c.Min))
	s.text(chartWidth, chartHeight-4, "end", "", number(c.Max))
	return s.end()
}
