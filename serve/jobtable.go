package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/fleet"
	"github.com/linchpin-graph/linchpin/internal/picture"
)

// row is a job in the table.
type row struct {
	card
	Measures, Graph string
	// Top are the five highest of the score Property, or Largest the five largest of the groups that it numbers; Of is how
	// many these are. More is the number of other scores.
	Top      []connector.Ranked
	Largest  []connector.Group
	Of       int64
	On       connector.Entity
	Property string
	More     int
	Drift    string
	State    string
}

// jobsPage is what jobs.html shows.
type jobsPage struct {
	frame
	Rows            []row
	Summary         string
	Query, Filter   string
	Sort, Direction string
	All             int
	// Nodes and Shared are those of the fleet; none while no node is there.
	Nodes   []fleet.Node
	Shared  []fleet.Run
	Columns []column
	Filters []string
	Orders  []order
}

// column is the head of a sorted column: a link that sorts by it, or turns the order round.
type column struct {
	Name, Key, Link, Order string
}

// order is a choice of the form on narrow screens, where the table has no head.
type order struct {
	Name, Value string
	Chosen      bool
}

// shownTop is the number of entities of each job in the table.
const shownTop = 5

func (p *pages) jobs(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	data := jobsPage{
		frame: p.frame(r, "Jobs"), Query: strings.TrimSpace(q.Get("q")), Filter: q.Get("state"),
		Sort: q.Get("sort"), Direction: q.Get("dir"),
		Filters: []string{"failed", "running", "drift", "succeeded", "never ran"},
	}
	all := p.rows(data.SignedIn)
	data.All, data.Summary = len(all), summaryOf(all)
	sortRows(all, data.Sort, data.Direction == "down")
	for _, row := range all {
		if data.keeps(row) {
			data.Rows = append(data.Rows, row)
		}
	}
	data.Columns, data.Orders = data.columns(), data.orders()
	state := p.fleetState()
	data.Nodes, data.Shared = state.Nodes, state.Runs
	p.render(w, http.StatusOK, "jobs", data)
}

func (p *pages) rows(signedIn bool) []row {
	var out []row
	for _, st := range p.jobStates() {
		r := row{card: card{st, signedIn}}
		job, _ := p.configured(st.Name)
		r.Measures, r.Graph = brief(job)
		if scored := p.hub.scored(st.Name); scored != nil && len(scored.Scores) > 0 {
			s := scored.Scores[0]
			r.Top, r.On, r.Property, r.More = s.Top[:min(len(s.Top), shownTop)], s.On, s.Property, len(scored.Scores)-1
			if s.Groups != nil {
				r.Largest, r.Of = s.Groups.Largest[:min(len(s.Groups.Largest), shownTop)], s.Groups.Count
			}
			r.Drift = p.drift(*scored)
		}
		r.State = stateOf(st)
		out = append(out, r)
	}
	return out
}

// stateOf is how a job stands, in a word or two.
func stateOf(st JobState) string {
	switch {
	case st.Active != nil && st.Active.InLine:
		return "in line"
	case st.Active != nil:
		return "running"
	case st.Last == nil && st.Unread:
		return "not read yet"
	case st.Last == nil:
		return "never ran"
	}
	return st.Last.State()
}

func (r row) failed() bool {
	return r.Job.Last != nil && (r.Job.Last.Status == connector.Failed || r.Job.Last.Status == connector.Unfinished)
}

// Words is what the filter looks in.
func (r row) Words() string {
	text := strings.Join([]string{r.Job.Name, r.Measures, r.Graph, r.State}, " ")
	for _, t := range r.Top {
		text += " " + picture.Entity(t.ID, t.Name, t.Source, t.Target)
	}
	return strings.ToLower(text)
}

// Groups are the filters that keep the row.
func (r row) Groups() string {
	var out []string
	for name, in := range map[string]bool{
		"failed": r.failed(), "running": r.Job.Active != nil, "drift": r.Drift != "",
		"succeeded": strings.HasPrefix(r.State, "succeeded"), "never ran": r.State == "never ran",
	} {
		if in {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

func (d jobsPage) keeps(r row) bool {
	return strings.Contains(r.Words(), strings.ToLower(d.Query)) &&
		(d.Filter == "" || slices.Contains(strings.Split(r.Groups(), ","), d.Filter))
}

// Urgency is the place of the row in the order that the table has at first: failed, running, drifted, the rest.
func (r row) Urgency() int {
	switch {
	case r.failed():
		return 0
	case r.Job.Active != nil:
		return 1
	case r.Drift != "":
		return 2
	}
	return 3
}

// LastUnix and NextUnix are times that script can sort by; 0 for none.
func (r row) LastUnix() int64 {
	if r.Job.Last == nil {
		return 0
	}
	return r.Job.Last.Started.Unix()
}

// NextUnix is when the job is due next.
func (r row) NextUnix() int64 {
	if r.Job.Next.IsZero() {
		return time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	}
	return r.Job.Next.Unix()
}

func sortRows(all []row, by string, down bool) {
	slices.SortStableFunc(all, func(a, b row) int {
		c := 0
		switch by {
		case "name":
			c = cmp.Compare(a.Job.Name, b.Job.Name)
		case "last":
			c = cmp.Compare(b.LastUnix(), a.LastUnix())
		case "next":
			c = cmp.Compare(a.NextUnix(), b.NextUnix())
		default:
			c = cmp.Compare(a.Urgency(), b.Urgency())
		}
		if down {
			return -c
		}
		return c
	})
}

func (d jobsPage) orders() []order {
	var out []order
	for _, o := range []order{{"failed ones first", "state", false}, {"name", "name", false}, {"last run", "last", false},
		{"next run", "next", false}} {
		o.Chosen = o.Value == d.Sort
		out = append(out, o)
	}
	return out
}

func (d jobsPage) columns() []column {
	var out []column
	sorted := cmp.Or(d.Sort, "state")
	for _, c := range []column{{Name: "Job", Key: "name"}, {Name: "State", Key: "state"}, {Name: "Computes"},
		{Name: "Highest scores"}, {Name: "Last run", Key: "last"}, {Name: "Next", Key: "next"}} {
		if c.Key != "" {
			v := url.Values{"sort": {c.Key}}
			if c.Key == sorted {
				c.Order = "ascending"
				if d.Direction == "down" {
					c.Order = "descending"
				} else {
					v.Set("dir", "down")
				}
			}
			for name, value := range map[string]string{"q": d.Query, "state": d.Filter} {
				if value != "" {
					v.Set(name, value)
				}
			}
			c.Link = "/?" + v.Encode()
		}
		out = append(out, c)
	}
	return out
}

func summaryOf(all []row) string {
	running, failed, drifted := 0, 0, 0
	for _, r := range all {
		if r.Job.Active != nil {
			running++
		}
		if r.failed() {
			failed++
		}
		if r.Drift != "" {
			drifted++
		}
	}
	parts := []string{plural(len(all), "job")}
	for _, c := range []struct {
		n    int
		what string
	}{{running, "running"}, {failed, "failed last time"}, {drifted, "drifted"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprint(c.n, " ", c.what))
		}
	}
	return strings.Join(parts, ", ")
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprint(n, " ", thing, "s")
}
