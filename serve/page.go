package serve

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/picture"
	"github.com/linchpin-graph/linchpin/jobs"
)

//go:embed page
var pageFiles embed.FS

// frame is what every page shows.
type frame struct {
	Title, Problem, Version string
	SignedIn, HasToken      bool
}

// card is a job with its buttons.
type card struct {
	Job      JobState
	SignedIn bool
}

// pages adds the addresses of the page.
func (s *Service) pages(m *http.ServeMux) {
	p := &pages{Service: s, templates: parsePages(s.o.Now)}
	files, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(err) // not reached: the folder is embedded
	}
	static := http.StripPrefix("/static/", http.FileServerFS(files))
	for _, name := range []string{"page.css", "page.js", "icon.svg"} {
		m.Handle("GET /static/"+name, cached(static))
	}
	m.Handle("GET /static/picture.css", cached(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = io.WriteString(w, picture.CSS) // the client may be gone
	})))
	m.Handle("GET /{$}", s.reading(http.HandlerFunc(p.jobs)))
	m.Handle("GET /jobs/{job}", s.reading(http.HandlerFunc(p.job)))
	m.Handle("GET /runs/{run}", s.reading(http.HandlerFunc(p.run)))
	m.HandleFunc("GET /login", p.showLogin)
	m.HandleFunc("POST /login", p.login)
	m.HandleFunc("POST /logout", p.logout)
	m.Handle("POST /jobs/{job}/run", s.changing(http.HandlerFunc(p.pressRun)))
	m.Handle("POST /jobs/{job}/cancel", s.changing(http.HandlerFunc(p.pressCancel)))
	m.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, http.StatusNotFound, "there is nothing at this address")
	})
}

// cached lets browsers keep a file for a moment: a new version of the program has new files.
func cached(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=60")
		next.ServeHTTP(w, r)
	})
}

type pages struct {
	*Service
	templates map[string]*template.Template
}

func parsePages(now func() time.Time) map[string]*template.Template {
	out := map[string]*template.Template{}
	for _, name := range []string{"jobs", "job", "run", "login", "error"} {
		t := template.New(name + ".html").Funcs(words(now))
		out[name] = template.Must(t.ParseFS(pageFiles, "page/layout.html", "page/"+name+".html"))
	}
	return out
}

func (s *Service) frame(r *http.Request, title string) frame {
	f := frame{Title: title, Version: s.o.Version, SignedIn: s.auth.signedIn(r), HasToken: s.auth.hasToken()}
	if err := s.health.databaseUp(); err != nil {
		f.Problem = "The database does not answer: " + err.Error()
	}
	return f
}

func (p *pages) render(w http.ResponseWriter, status int, name string, data any) {
	var b bytes.Buffer
	if err := p.templates[name].Execute(&b, data); err != nil {
		p.o.Logger.Error("page", "name", name, "error", err)
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the client may be gone
}

func (s *Service) errorPage(w http.ResponseWriter, r *http.Request, status int, text string) {
	p := &pages{Service: s, templates: parsePages(s.o.Now)}
	p.render(w, status, "error", struct {
		frame
		Status, Text string
	}{s.frame(r, http.StatusText(status)), http.StatusText(status), text})
}

func (p *pages) jobs(w http.ResponseWriter, r *http.Request) {
	data := struct {
		frame
		Jobs    []card
		Summary string
	}{frame: p.frame(r, "Jobs")}
	running, failed := 0, 0
	for _, st := range p.jobStates() {
		data.Jobs = append(data.Jobs, card{st, data.SignedIn})
		if st.Active != nil {
			running++
		}
		if st.Last != nil && (st.Last.Status == connector.Failed || st.Last.Status == connector.Unfinished) {
			failed++
		}
	}
	data.Summary = fmt.Sprintf("%d jobs, %d running, %d failed last time", len(data.Jobs), running, failed)
	p.render(w, http.StatusOK, "jobs", data)
}

// chartRuns is the number of runs that the page of a job lists and draws.
const chartRuns = 60

func (p *pages) job(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("job")
	page := jobPage{frame: p.frame(r, name)}
	found := false
	for _, st := range p.jobStates() {
		if st.Name == name {
			page.Job, found = st, true
		}
	}
	if !found {
		p.refuse(w, r, http.StatusNotFound, "no job "+strconv.Quote(name)+" in the config")
		return
	}
	ids, err := p.runIDs(r.Context(), name, chartRuns)
	var runs []connector.Run
	if err == nil {
		runs, err = p.runs(r.Context(), ids)
	}
	if err != nil {
		page.Problem = err.Error()
	}
	page.Runs, page.Durations, page.Drift = runs, durationChart(runs), driftChart(runs, p.config.Load().Serve.Drift)
	p.render(w, http.StatusOK, "job", page)
}

// jobPage is what job.html shows.
type jobPage struct {
	frame
	Job              JobState
	Runs             []connector.Run
	Durations, Drift template.HTML
}

// scores is the description of one property, with its chart.
type scores struct {
	connector.ScoreSummary
	Chart template.HTML
}

func (p *pages) run(w http.ResponseWriter, r *http.Request) {
	run, err := p.Service.run(r.Context(), r.PathValue("run"))
	if err != nil {
		if connector.KindOf(err) == connector.UnknownName && p.isActive(r.PathValue("run")) {
			err = errNotYet
		}
		p.refuseFor(w, r, err)
		return
	}
	data := struct {
		frame
		Run               *connector.Run
		Timeline, Drawing template.HTML
		Scores            []scores
	}{frame: p.frame(r, "Run "+run.ID), Run: run, Timeline: timeline(*run), Drawing: picture.Drawing(run.Around)}
	for _, s := range run.Scores {
		data.Scores = append(data.Scores, scores{s, picture.Distribution(s)})
	}
	p.render(w, http.StatusOK, "run", data)
}

var errNotYet = badRequest{fmt.Errorf("this run is under way and has no record yet: look again in a moment")}

func (p *pages) isActive(id string) bool {
	for _, st := range p.scheduler.Standings() {
		if st.Waiting == id || st.Active != nil && st.Active.Run == id {
			return true
		}
	}
	return false
}

type loginPage struct {
	frame
	Wrong string
}

func (p *pages) showLogin(w http.ResponseWriter, r *http.Request) {
	p.render(w, http.StatusOK, "login", loginPage{frame: p.frame(r, "Sign in")})
}

// login trades a token for a cookie.
func (p *pages) login(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		p.refuse(w, r, http.StatusRequestEntityTooLarge, "the form could not be read")
		return
	}
	page := loginPage{frame: p.frame(r, "Sign in")}
	switch p.auth.login(r, r.PostForm.Get("token")) {
	case allowed:
		http.SetCookie(w, p.auth.cookie(r.TLS != nil))
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	case tooMany:
		page.Wrong = "This is not the token, and there were too many wrong ones: wait a few seconds."
		p.render(w, http.StatusTooManyRequests, "login", page)
	case closed:
		page.Wrong = "The service has no token: set serve.tokenFile."
		p.render(w, http.StatusForbidden, "login", page)
	default:
		page.Wrong = "This is not the token."
		p.render(w, http.StatusUnauthorized, "login", page)
	}
}

func (p *pages) logout(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, p.auth.signOut(r))
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (p *pages) pressRun(w http.ResponseWriter, r *http.Request) {
	job := r.PathValue("job")
	if _, err := p.scheduler.Ask(job, jobs.ByRequest, jobs.Options{Recompute: true}); err != nil {
		p.refuseFor(w, r, err)
		return
	}
	http.Redirect(w, r, "/jobs/"+job, http.StatusSeeOther)
}

func (p *pages) pressCancel(w http.ResponseWriter, r *http.Request) {
	job := r.PathValue("job")
	if _, err := p.scheduler.Cancel(job, "cancelled on request"); err != nil {
		p.refuseFor(w, r, err)
		return
	}
	http.Redirect(w, r, "/jobs/"+job, http.StatusSeeOther)
}
