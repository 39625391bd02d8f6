package serve

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/jobs"
)

// words are the functions that the templates use.
func words(now func() time.Time) template.FuncMap {
	return template.FuncMap{
		"when": func(t time.Time) template.HTML {
			t = t.UTC()
			return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s">%s</time> <span class="quiet">%s</span>`,
				t.Format(time.RFC3339), t.Format(time.RFC3339), t.Format("2006-01-02 15:04:05"), relative(t, now())))
		},
		"ago": func(t time.Time) template.HTML {
			t = t.UTC()
			return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s">%s</time>`,
				t.Format(time.RFC3339), t.Format("2006-01-02 15:04:05"), relative(t, now())))
		},
		"pace":   paceOf,
		"cell":   cellOf,
		"moment": func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") },
		"took": func(v any) string {
			if r, ok := v.(*connector.Run); ok {
				return took(*r, now())
			}
			return took(v.(connector.Run), now())
		},
		"count":    grouped,
		"percent":  func(done, of int64) int64 { return min(100, 100*done/max(of, 1)) },
		"number":   number,
		"short":    func(s string) string { return s[:min(len(s), 25)] },
		"dropped":  dropped,
		"rates":    rates,
		"bytes":    hostmem.FormatBytes,
		"happened": happened,
		"entity":   entity,
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
		return fmt.Sprintf("%.2f s", elapsed.Seconds())
	}
	return ""
}

// grouped writes a number with thin spaces between thousands.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

func number(v any) string {
	switch x := v.(type) {
	case *float64:
		return number(*x)
	case float64:
		if a := math.Abs(x); a >= 1e4 && a < 1e15 {
			return grouped(int64(math.Round(x)))
		}
		return strconv.FormatFloat(x, 'g', 6, 64)
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
	}{{r.ReadRate, "read/s"}, {r.Gteps, "GTEPS"}, {r.WriteRate, "written/s"}} {
		text := strconv.FormatFloat(c.rate, 'g', 3, 64)
		if c.rate >= 100 {
			text = grouped(int64(math.Round(c.rate)))
		}
		if c.rate > 0 {
			parts = append(parts, text+" "+c.unit)
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

func entity(id, name, source, target string) string {
	switch {
	case source != "":
		return source + " – " + target
	case name != "":
		return name
	}
	return id
}
