package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/fleet"
)

// web is the HTTP side of a service.
type web struct {
	server *http.Server
	hub    *hub
	done   chan error
}

// mostBody is the size of a request's body beyond which it is refused: requests are a few words.
const mostBody = 64 << 10

// serveHTTP answers on the listener until close.
func (s *Service) serveHTTP(l net.Listener) (*web, error) {
	c := s.config.Load().Serve
	l = &boundedListener{l, &bounded{most: mostConnections}}
	handler := s.guard(s.routes())
	w := &web{hub: s.hub, done: make(chan error, 1), server: &http.Server{
		Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: answerTime,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10, ErrorLog: quietLog(s.o.Logger), ConnContext: withConnection,
	}}
	if c.Certificate != "" {
		if _, err := s.certificate(nil); err != nil {
			return nil, fmt.Errorf("serve.certificate: %w", err)
		}
		w.server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: s.certificate}
	}
	go func() {
		var err error
		if c.Certificate != "" {
			err = w.server.ServeTLS(l, "", "")
		} else {
			err = w.server.Serve(l)
		}
		if errors.Is(err, http.ErrServerClosed) {
			err = nil
		}
		w.done <- err
	}()
	return w, nil
}

// certificate reads the files at each handshake, so that a renewed certificate counts at once. Where they cannot be
// used, the last ones that could stay.
func (s *Service) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c := s.config.Load().Serve
	if c.Certificate == "" { // a reload took it away: plain HTTP comes with a restart
		c = s.o.Config.Serve
	}
	pair, err := tls.LoadX509KeyPair(c.Certificate, c.Key)
	if err == nil {
		s.pair.Store(&pair)
		return &pair, nil
	}
	last := s.pair.Load()
	if last == nil {
		return nil, err
	}
	s.o.Logger.Warn("the certificate on disk cannot be used: the one before stays", "setting", "serve.certificate",
		"error", err)
	return last, nil
}

func (w *web) close() error {
	w.hub.close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := w.server.Shutdown(ctx); err != nil {
		return errors.Join(w.server.Close(), <-w.done)
	}
	return <-w.done
}

// routes lists every address of the service.
func (s *Service) routes() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /healthz", s.healthz)
	m.HandleFunc("GET /readyz", s.readyz)
	m.Handle("GET /metrics", s.reading(s.metrics.handler()))
	m.Handle("GET /api/jobs", s.reading(http.HandlerFunc(s.listJobs)))
	m.Handle("GET /api/jobs/{job}/runs", s.reading(http.HandlerFunc(s.listRuns)))
	m.Handle("GET /api/runs/{run}", s.reading(http.HandlerFunc(s.showRun)))
	m.Handle("GET /api/events", s.reading(http.HandlerFunc(s.events)))
	m.Handle("POST /api/jobs/{job}/run", s.changing(http.HandlerFunc(s.askRun)))
	m.Handle("POST /api/jobs/{job}/cancel", s.changing(http.HandlerFunc(s.askCancel)))
	if s.o.Fleet != nil {
		m.Handle("GET /api/fleet", s.reading(http.HandlerFunc(s.showFleet)))
		nodes := s.tokenOnly(s.forNodes(s.o.Fleet.Handler()))
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
			m.Handle(method+" "+fleet.Prefix, nodes)
		}
	}
	s.pages(m)
	m.Handle("GET /debug/pprof/", s.profile(pprof.Index))
	for name, f := range map[string]http.HandlerFunc{
		"cmdline": pprof.Cmdline, "profile": pprof.Profile, "symbol": pprof.Symbol, "trace": pprof.Trace,
	} {
		m.Handle("GET /debug/pprof/"+name, s.profile(f))
	}
	return m
}

// profile shows one of Go's profiles to those who have the token, while serve.pprof is on.
func (s *Service) profile(show http.HandlerFunc) http.Handler {
	behind := s.tokenOnly(show)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.config.Load().Serve.Pprof {
			s.refuse(w, r, http.StatusNotFound, "serve.pprof is off")
			return
		}
		behind.ServeHTTP(w, r)
	})
}

// guard is around every answer: headers, unknown hosts, requests that another site's page makes, bodies too large, and
// too many at a time. Health checks are always answered, and events have a bound of their own.
func (s *Service) guard(next http.Handler) http.Handler {
	elsewhere := http.NewCrossOriginProtection()
	inner := elsewhere.Handler(next)
	answers := &bounded{most: mostAnswers}
	ordinary := answers.bound(inner)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy",
			"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "+
				"form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if r.TLS != nil {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		probe := r.URL.Path == "/healthz" || r.URL.Path == "/readyz"
		if !probe && !s.auth.knownHost(r) {
			s.refuse(w, r, http.StatusMisdirectedRequest, "the service is not known by this name: add it to serve.hosts")
			return
		}
		if strings.HasPrefix(r.URL.Path, fleet.Prefix) {
			inner.ServeHTTP(w, r) // whoever has the token sends large files, and waits for long
			return
		}
		if r.ContentLength > mostBody {
			s.refuse(w, r, http.StatusRequestEntityTooLarge, "the body is too large")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		if probe || r.URL.Path == "/api/events" {
			inner.ServeHTTP(w, r)
		} else {
			ordinary.ServeHTTP(w, r)
		}
	})
}

// reading lets those through who may look.
func (s *Service) reading(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.pass(w, r, s.auth.mayRead(r)) {
			next.ServeHTTP(w, r)
		}
	})
}

// tokenOnly lets those through who have the token.
func (s *Service) tokenOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.pass(w, r, s.auth.mayChange(r)) {
			next.ServeHTTP(w, r)
		}
	})
}

// changing lets those through who have the token, and not too many of them.
func (s *Service) changing(next http.Handler) http.Handler {
	return s.tokenOnly(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.auth.changes.Allow() {
			w.Header().Set("Retry-After", "1")
			s.refuse(w, r, http.StatusTooManyRequests, "too many requests: wait a second")
			return
		}
		if !s.health.started.Load() {
			w.Header().Set("Retry-After", "5")
			s.refuseFor(w, r, errNoDatabase)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

// pass answers for those who may not, and says whether the request may go on.
func (s *Service) pass(w http.ResponseWriter, r *http.Request, v verdict) bool {
	switch v {
	case allowed:
		return true
	case closed:
		s.refuse(w, r, http.StatusForbidden, "the service has no token, so nobody may do this: set serve.tokenFile")
	case tooMany:
		w.Header().Set("Retry-After", "5")
		s.refuse(w, r, http.StatusTooManyRequests,
			"this is not the token, and there were too many wrong ones: wait a few seconds")
	default:
		if wantsPage(r) && r.Method == http.MethodGet {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return false
		}
		w.Header().Set("WWW-Authenticate", `Bearer realm="linchpin"`)
		text := "this needs the token (Authorization: Bearer ...)"
		if r.Header.Get("Authorization") != "" {
			text = "this is not the token (Authorization: Bearer ...)"
		}
		s.refuse(w, r, http.StatusUnauthorized, text)
	}
	return false
}

// wantsPage says whether a person with a browser asks.
func wantsPage(r *http.Request) bool {
	return !strings.HasPrefix(r.URL.Path, "/api/") && strings.Contains(r.Header.Get("Accept"), "text/html")
}
