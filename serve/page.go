package serve

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"io/fs"
	"net/http"

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
	p := s.page
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
	m.Handle("GET /jobs/{job}/compare", s.reading(http.HandlerFunc(p.compare)))
	for _, format := range []string{".csv", ".parquet"} {
		m.Handle("GET /jobs/{job}/scores"+format, s.reading(s.download(format)))
	}
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

func parsePages(s *Service) map[string]*template.Template {
	out := map[string]*template.Template{}
	for _, name := range []string{"jobs", "job", "run", "compare", "login", "error"} {
		t := template.New(name + ".html").Funcs(words(s.o.Now)).Funcs(template.FuncMap{"drift": s.driftOf})
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
	s.page.render(w, status, "error", struct {
		frame
		Status, Text string
	}{s.frame(r, http.StatusText(status)), http.StatusText(status), text})
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
