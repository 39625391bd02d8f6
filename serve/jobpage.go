package serve

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/picture"
	"github.com/linchpin-graph/linchpin/jobs"
)

// chartRuns is the number of runs that the page of a job lists and draws.
const chartRuns = 60

// jobPage is what job.html shows.
type jobPage struct {
	frame
	Job             JobState
	State           string
	Measures, Graph string // what the job computes, in brief
	Downloads       []downloadLink
	// Older says that a later run than Scored has ended without scores.
	Older            bool
	Definition       definition
	Readers          []query
	Scored           *connector.Run
	Results          results
	Runs             []connector.Run
	Durations, Drift template.HTML
	// A and B are the runs that the form of the comparison has chosen at first.
	A, B string
}

// results are the scores of a run and their picture.
type results struct {
	Drawing template.HTML
	IsMap   bool
	Shown   string // how much of the graph the drawing shows
	Scores  []scores
}

// scores is the description of one property, with its chart. Measure is "" if the job has no such property any more.
type scores struct {
	connector.ScoreSummary
	Measure string
	Chart   template.HTML
}

// resultsOf shows what a run of the job found.
func resultsOf(r *connector.Run, job config.Job) results {
	if r == nil {
		return results{}
	}
	out := results{Drawing: picture.Drawing(r.Around), IsMap: picture.IsMap(r.Around)}
	if out.Drawing != "" {
		out.Shown = fmt.Sprintf("%d of %s nodes, %d of %s relationships.", len(r.Around.Nodes), grouped(r.Nodes),
			len(r.Around.Links), grouped(r.Relationships))
	}
	for _, s := range r.Scores {
		out.Scores = append(out.Scores, scores{s, measureOf(job, s), picture.Distribution(s)})
	}
	return out
}

// measureOf returns the measure whose scores are in the property, as the begin of a title; "" if it is not of the job.
func measureOf(job config.Job, s connector.ScoreSummary) string {
	for _, m := range job.Measures {
		property := m.Nodes
		if s.On == connector.OnRelationships {
			property = m.Relationships
		}
		if property != s.Property {
			continue
		}
		if m.Weighted {
			return "Weighted " + m.Measure
		}
		return strings.ToUpper(m.Measure[:1]) + m.Measure[1:]
	}
	return ""
}

// configured returns a job of the config.
func (s *Service) configured(name string) (config.Job, bool) {
	for _, j := range s.config.Load().Jobs {
		if j.Name == name {
			return j, true
		}
	}
	return config.Job{}, false
}

func (s *Service) jobState(name string) (JobState, bool) {
	for _, st := range s.jobStates() {
		if st.Name == name {
			return st, true
		}
	}
	return JobState{}, false
}

func (p *pages) job(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("job")
	page := jobPage{frame: p.frame(r, name)}
	st, found := p.jobState(name)
	if !found {
		p.refuse(w, r, http.StatusNotFound, "no job "+strconv.Quote(name)+" in the config")
		return
	}
	job, _ := p.configured(name)
	page.Job, page.State, page.Definition, page.Readers = st, stateOf(st), define(job), readers(job)
	page.Measures, page.Graph = brief(job)
	page.Downloads = downloadLinks(job)

	ids, err := p.runIDs(r.Context(), name, chartRuns)
	var runs []connector.Run
	if err == nil {
		runs, err = p.runs(r.Context(), ids)
	}
	if err != nil {
		page.Problem = err.Error()
	}
	page.Scored = cmp.Or(newestScored(runs), p.hub.scored(name))
	page.Results = resultsOf(page.Scored, job)
	page.Older = page.Scored != nil && st.Last != nil && st.Last.ID != page.Scored.ID && st.Last.Error != ""
	page.A, page.B = lastTwo(runs)
	page.Runs, page.Durations, page.Drift = runs, durationChart(runs, p.drift),
		driftChart(runs, p.config.Load().Serve.Drift)
	p.render(w, http.StatusOK, "job", page)
}

// newestScored returns the newest run whose scores stand, or nil.
func newestScored(runs []connector.Run) *connector.Run {
	for i, r := range runs {
		if r.Status == connector.Succeeded && len(r.Scores) > 0 {
			return &runs[i]
		}
	}
	return nil
}

// lastTwo returns the ids of the last two runs that succeeded, the older first.
func lastTwo(runs []connector.Run) (a, b string) {
	for _, r := range runs {
		switch {
		case r.Status != connector.Succeeded:
		case b == "":
			b = r.ID
		default:
			return r.ID, b
		}
	}
	return "", b
}

// drift says that the scores of a run are less like those of the run before than the config wants; "" when they are
// not.
func (s *Service) drift(r connector.Run) string {
	if rank, known := lowestRank(r); known && rank < s.config.Load().Serve.Drift {
		return fmt.Sprintf("drift %.3g", rank)
	}
	return ""
}

// lowestRank returns the lowest rank correlation with the run before, of all scores that have one.
func lowestRank(r connector.Run) (rank float64, known bool) {
	for _, s := range r.Scores {
		if s.Rank != nil && (!known || *s.Rank < rank) {
			rank, known = *s.Rank, true
		}
	}
	return rank, known
}

// runPage is what run.html shows.
type runPage struct {
	frame
	Run      *connector.Run
	Job      JobState
	Live     bool
	State    string
	Hint     string
	Timeline template.HTML
	Results  results
}

func (p *pages) run(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("run")
	run, err := p.Service.run(r.Context(), id)
	if err != nil {
		if run = p.begun(id); run == nil || connector.KindOf(err) != connector.UnknownName {
			p.refuseFor(w, r, err)
			return
		}
	}
	job, _ := p.configured(run.Job)
	title := fmt.Sprintf("%s, run of %s", run.Job, run.Started.UTC().Format(momentFormat))
	page := runPage{frame: p.frame(r, title), Run: run, State: run.State(), Hint: run.Hint, Timeline: timeline(*run),
		Results: resultsOf(run, job)}
	page.Job, _ = p.jobState(run.Job)
	page.Live = page.Job.Active != nil && page.Job.Active.Run == run.ID || page.Job.Waiting == run.ID
	if page.Live {
		page.State = stateOf(page.Job)
	}
	p.render(w, http.StatusOK, "run", page)
}

// begun makes a record for a run that has none in the database yet; nil when no such run is under way.
func (s *Service) begun(id string) *connector.Run {
	for _, st := range s.jobStates() {
		switch {
		case st.Active != nil && st.Active.Run == id:
			return &connector.Run{ID: id, Job: st.Name, Status: connector.Running, Started: st.Active.Since,
				Trigger: string(st.Active.Trigger), Host: s.o.Host, Version: s.o.Version}
		case st.Waiting == id:
			return &connector.Run{ID: id, Job: st.Name, Status: connector.Waiting, Started: s.o.Now(),
				Trigger: string(jobs.ByRequest), Host: s.o.Host, Version: s.o.Version}
		}
	}
	return nil
}

// driftOf is drift for the templates, which have records and pointers to them.
func (s *Service) driftOf(v any) string {
	switch r := v.(type) {
	case *connector.Run:
		return s.drift(*r)
	case connector.Run:
		return s.drift(r)
	}
	return ""
}
