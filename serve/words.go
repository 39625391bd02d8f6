package serve

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/internal/picture"
	"github.com/linchpin-graph/linchpin/jobs"
)

// momentFormat is how times stand on the page. They are UTC.
const momentFormat = "2006-01-02 15:04:05"

// words are the functions that the templates use.
func words(now func() time.Time) template.FuncMap {
	return template.FuncMap{
		"when": func(t time.Time) template.HTML {
			t = t.UTC()
			return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s">%s</time> <span class="quiet">%s</span>`,
				t.Format(time.RFC3339), t.Format(time.RFC3339), t.Format(momentFormat), relative(t, now())))
		},
		"ago": func(t time.Time) template.HTML {
			t = t.UTC()
			return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s">%s</time>`,
				t.Format(time.RFC3339), t.Format(momentFormat), relative(t, now())))
		},
		"pace":   paceOf,
		"cell":   cellOf,
		"moment": func(t time.Time) string { return t.UTC().Format(momentFormat) },
		"took": func(v any) string {
			if r, ok := v.(*connector.Run); ok {
				return took(*r, now())
			}
			return took(v.(connector.Run), now())
		},
		"count":    grouped,
		"percent":  func(done, of int64) int64 { return min(100, 100*done/max(of, 1)) },
		"number":   number,
		"meaning":  func(rank *float64) string { return picture.Likeness(*rank) },
		"short":    func(s string) string { return s[:min(len(s), 12)] },
		"dropped":  dropped,
		"rates":    rates,
		"bytes":    hostmem.FormatBytes,
		"happened": happened,
		"entity":   picture.Entity,
	}
}

// statement is a query with the id of its element.
type statement struct {
	query
	ID string
}

func cellOf(prefix string, i int, q query) statement {
	return statement{q, fmt.Sprintf("%s-%d", prefix, i)}
}

// paceOf is the rate and the time left of a run under way, as far as they are known.
func paceOf(e *jobs.Event) string {
	var parts []string
	if e.Rate > 0 {
		parts = append(parts, perSecond(e.Rate)+"/s")
	}
	if e.Left > 0 {
		parts = append(parts, "about "+spell(time.Duration(e.Left*float64(time.Second)))+" left")
	}
	return strings.Join(parts, ", ")
}

func perSecond(rate float64) string {
	if rate < 10 {
		return fmt.Sprintf("%.1f", rate)
	}
	return grouped(int64(rate))
}

func relative(t, now time.Time) string {
	d := t.Sub(now).Round(time.Second)
	text := spell(d.Abs())
	if d > 0 {
		return "in " + text
	}
	return text + " ago"
}

// spell is a duration in its largest unit.
func spell(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// took says how long a run took, or how old it is while it is under way.
func took(r connector.Run, now time.Time) string {
	elapsed := r.Elapsed(now)
	switch {
	case r.UnderWay():
		return spell(elapsed) + " so far"
	case elapsed > 0:
		return lasted(elapsed)
	}
	return ""
}

// lasted is a duration in its two largest units, or with three digits.
func lasted(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// grouped writes a number with thin spaces between thousands.
func grouped(n int64) string { return picture.Count(n) }

func number(v any) string {
	switch x := v.(type) {
	case *float64:
		return picture.Number(*x)
	case float64:
		return picture.Number(x)
	}
	return fmt.Sprint(v)
}

func dropped(r *connector.Run) string {
	var parts []string
	for _, c := range r.Dropped.Causes() {
		parts = append(parts, grouped(c.Count)+" "+c.What)
	}
	return strings.Join(parts, ", ")
}

// rates are how fast a run read, computed and wrote, as far as that was measured.
func rates(r *connector.Run) string {
	var parts []string
	for _, c := range []struct {
		rate float64
		unit string
	}{{r.ReadRate, "read/s"}, {r.Gteps * 1e9, "edges searched/s"}, {r.WriteRate, "written/s"}} {
		if c.rate > 0 {
			parts = append(parts, picture.Brief(c.rate)+" "+c.unit)
		}
	}
	return strings.Join(parts, ", ")
}

// happened is one line on a run in a list.
func happened(r connector.Run) string {
	switch {
	case r.Error != "":
		return r.Error
	case r.Status == connector.Missed:
		return fmt.Sprintf("%d due times missed: %s", r.Times, r.Note)
	case r.State() == connector.SucceededWithWarnings:
		return strings.Join(r.Warnings, "; ")
	case r.Note != "":
		return r.Note
	case r.Status == connector.Succeeded:
		return grouped(r.Write.Written) + " entities written"
	}
	return ""
}
