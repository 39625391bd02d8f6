package jobs

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// Difference is one fact of two runs.
type Difference struct {
	What   string `json:"what"`
	A      string `json:"a"`
	B      string `json:"b"`
	Differ bool   `json:"differ"`
}

const (
	zonedTime = "2006-01-02 15:04:05 MST"
	mostName  = 40 // letters of a name in a list of the highest
)

// CompareRuns compares the records of two runs of a job. Times are in the zone.
func CompareRuns(a, b connector.Run, zone *time.Location) []Difference {
	var out []Difference
	add := func(what string, x, y any) {
		p, q := fmt.Sprint(x), fmt.Sprint(y)
		out = append(out, Difference{what, p, q, p != q})
	}
	add("run", a.ID, b.ID)
	add("started", a.Started.In(zone).Format(zonedTime), b.Started.In(zone).Format(zonedTime))
	add("status", a.State(), b.State())
	add("error", a.Error, b.Error)
	add("settings", a.Config, b.Config)
	add("graph", a.Graph, b.Graph)
	add("nodes", a.Nodes, b.Nodes)
	add("relationships", a.Relationships, b.Relationships)
	add("edges", a.Edges, b.Edges)
	add("left out", leftOut(a), leftOut(b))
	add("device", a.Device, b.Device)
	add("strategy", a.Strategy, b.Strategy)
	add("reason", a.Reason, b.Reason)
	for _, step := range []string{"export", "plan", "compute", "output", "write"} {
		add("seconds of "+step, fmt.Sprintf("%.3f", a.Seconds[step]), fmt.Sprintf("%.3f", b.Seconds[step]))
	}
	add("read a second", perSecond(a.ReadRate), perSecond(b.ReadRate))
	add("GTEPS", fmt.Sprintf("%.3g", a.Gteps), fmt.Sprintf("%.3g", b.Gteps))
	add("written a second", perSecond(a.WriteRate), perSecond(b.WriteRate))
	add("written", a.Write.Written, b.Write.Written)
	add("gone", a.Write.Missing, b.Write.Missing)
	add("refused", a.Write.Refused, b.Write.Refused)
	add("version", a.Version, b.Version)
	return append(out, compareSummaries(a, b)...)
}

// leftOut says which relationships the export left out, and why; "-" for none.
func leftOut(r connector.Run) string {
	var parts []string
	for _, c := range r.Dropped.Causes() {
		parts = append(parts, fmt.Sprint(c.Count, " ", c.What))
	}
	return cmp.Or(strings.Join(parts, ", "), "-")
}

// compareSummaries goes through the score properties of both runs: their digests, ranges, and highest entities.
func compareSummaries(a, b connector.Run) []Difference {
	var out []Difference
	for _, x := range a.Scores {
		for _, y := range b.Scores {
			if x.On != y.On || x.Property != y.Property {
				continue
			}
			if x.Groups != nil && y.Groups != nil {
				out = append(out, compareGroups(x, y)...)
				continue
			}
			for _, d := range []struct{ what, p, q string }{
				{"digest", x.Digest, y.Digest}, {"scores", fmt.Sprint(x.Count), fmt.Sprint(y.Count)},
				{"max", fmt.Sprint(x.Max), fmt.Sprint(y.Max)}, {"mean", fmt.Sprint(x.Mean), fmt.Sprint(y.Mean)},
				{"rank correlation", rankText(x), rankText(y)},
			} {
				out = append(out, Difference{x.Property + " " + d.what, d.p, d.q, d.p != d.q})
			}
			for i := range max(len(x.Top), len(y.Top)) {
				p, q := topText(x, i), topText(y, i)
				out = append(out, Difference{fmt.Sprintf("%s top %d", x.Property, i+1), p, q, p != q})
			}
		}
	}
	return out
}

// compareGroups compares the groups that two scores number.
func compareGroups(x, y connector.ScoreSummary) []Difference {
	out := []Difference{{x.Property + " digest", x.Digest, y.Digest, x.Digest != y.Digest}}
	for _, d := range []struct {
		what string
		p, q any
	}{
		{"scores", x.Count, y.Count}, {"groups", x.Groups.Count, y.Groups.Count},
		{"largest group", x.Max, y.Max}, {"mean group", x.Mean, y.Mean},
	} {
		out = append(out, Difference{x.Property + " " + d.what, fmt.Sprint(d.p), fmt.Sprint(d.q), d.p != d.q})
	}
	return out
}

func rankText(s connector.ScoreSummary) string {
	if s.Rank == nil {
		return "-"
	}
	return fmt.Sprint(math.Round(*s.Rank*1e6) / 1e6)
}

func topText(s connector.ScoreSummary, i int) string {
	if i >= len(s.Top) {
		return "-"
	}
	t := s.Top[i]
	name := t.ID
	switch {
	case t.Source != "":
		name = t.Source + " - " + t.Target
	case t.Name != "":
		name = t.Name
	}
	return fmt.Sprintf("%s %.6g", shorten(name, mostName), t.Score)
}

func perSecond(rate float64) string {
	if rate == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", rate)
}

func shorten(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
