package serve

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/picture"
	"github.com/linchpin-graph/linchpin/jobs"
)

// comparePage is what compare.html shows.
type comparePage struct {
	frame
	Job          string
	A, B         connector.Run
	Differ, Same []jobs.Difference
	Moves        []moves
}

// moves are the highest entities of two runs, those that changed most first.
type moves struct {
	Property string
	On       connector.Entity
	Rows     []move
}

// move is an entity's score in two runs; nil where it was not among the highest.
type move struct {
	Name         string
	A, B         *float64
	RankA, RankB int
}

// compare shows two runs of a job: GET /jobs/JOB/compare?a=RUN&b=RUN.
func (p *pages) compare(w http.ResponseWriter, r *http.Request) {
	job := r.PathValue("job")
	page := comparePage{frame: p.frame(r, "Compare runs of "+job), Job: job}
	for name, into := range map[string]*connector.Run{"a": &page.A, "b": &page.B} {
		id := r.URL.Query().Get(name)
		if id == "" {
			p.refuseFor(w, r, badRequest{errors.New("choose two runs to compare: ?a=RUN&b=RUN")})
			return
		}
		run, err := p.Service.run(r.Context(), id)
		if err == nil && run.Job != job {
			err = badRequest{fmt.Errorf("run %s is one of job %s, not of %s", id, run.Job, job)}
		}
		if err != nil {
			p.refuseFor(w, r, err)
			return
		}
		*into = *run
	}
	page.Moves = movesOf(page.A, page.B)
	page.Differ, page.Same = factsOf(page.A, page.B)
	p.render(w, http.StatusOK, "compare", page)
}

// factsOf are the facts of two runs that differ, and those that do not. What neither run has is left out.
func factsOf(a, b connector.Run) (differ, same []jobs.Difference) {
	all := append(scoreFacts(a, b), withoutScores(a, b)...)
	for _, d := range all {
		switch {
		case d.Differ:
			differ = append(differ, d)
		case !slices.Contains([]string{"", "0", "0.000", "-"}, d.A):
			same = append(same, d)
		}
	}
	return differ, same
}

// withoutScores are the facts of the runs themselves. Their ids and times stand above.
func withoutScores(a, b connector.Run) []jobs.Difference {
	a.Scores, b.Scores = nil, nil
	return slices.DeleteFunc(jobs.CompareRuns(a, b, time.UTC), func(d jobs.Difference) bool {
		return d.What == "run" || d.What == "started" || d.What == "status"
	})
}

// fact is what can be said of scores, in a word or two.
type fact struct {
	what string
	of   func(connector.ScoreSummary) string
}

// scoreFacts are the facts of the scores that both runs have.
func scoreFacts(a, b connector.Run) []jobs.Difference {
	var out []jobs.Difference
	for _, x := range a.Scores {
		for _, y := range b.Scores {
			if x.On != y.On || x.Property != y.Property {
				continue
			}
			facts := []fact{
				{"highest", func(s connector.ScoreSummary) string { return number(s.Max) }},
				{"mean", func(s connector.ScoreSummary) string { return number(s.Mean) }},
				{"rank correlation with the run before", rankOf},
			}
			if x.Groups != nil && y.Groups != nil {
				facts = []fact{
					{"groups", func(s connector.ScoreSummary) string { return grouped(s.Groups.Count) }},
					{"largest group", func(s connector.ScoreSummary) string { return number(s.Max) }},
				}
			}
			facts = append(facts, fact{"scores", func(s connector.ScoreSummary) string { return grouped(s.Count) }},
				fact{"digest", func(s connector.ScoreSummary) string { return s.Digest }})
			for _, f := range facts {
				p, q := f.of(x), f.of(y)
				out = append(out, jobs.Difference{What: x.Property + ": " + f.what, A: p, B: q, Differ: p != q})
			}
		}
	}
	return out
}

func rankOf(s connector.ScoreSummary) string {
	if s.Rank == nil {
		return ""
	}
	return number(*s.Rank)
}

func movesOf(a, b connector.Run) []moves {
	var out []moves
	for _, x := range a.Scores {
		for _, y := range b.Scores {
			if x.On == y.On && x.Property == y.Property && x.Groups == nil && y.Groups == nil {
				out = append(out, moves{Property: x.Property, On: x.On, Rows: moveRows(x.Top, y.Top)})
			}
		}
	}
	return out
}

func moveRows(a, b []connector.Ranked) []move {
	var out []move
	at := map[string]int{}
	place := func(t connector.Ranked) *move {
		i, there := at[t.ID]
		if !there {
			i = len(out)
			at[t.ID] = i
			out = append(out, move{Name: picture.Entity(t.ID, t.Name, t.Source, t.Target)})
		}
		return &out[i]
	}
	for i, t := range a {
		m := place(t)
		m.A, m.RankA = &t.Score, i+1
	}
	for i, t := range b {
		m := place(t)
		m.B, m.RankB = &t.Score, i+1
	}
	slices.SortStableFunc(out, func(x, y move) int { return cmp.Compare(y.size(), x.size()) })
	return out
}

// size is how much the score changed; what left or joined the highest comes first.
func (m move) size() float64 {
	if m.A == nil || m.B == nil {
		return math.MaxFloat64
	}
	return math.Abs(*m.B - *m.A)
}

// Change is the difference of the scores, in words.
func (m move) Change() string {
	switch {
	case m.A == nil:
		return "new in the list"
	case m.B == nil:
		return "left the list"
	case *m.A == *m.B:
		return "0"
	case *m.B > *m.A:
		return "+" + number(*m.B-*m.A)
	}
	return "−" + number(*m.A-*m.B)
}
