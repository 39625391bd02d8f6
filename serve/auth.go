package serve

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/linchpin-graph/linchpin/config"
)

// auth decides who may do what. A token comes in an Authorization header, or a browser trades it for a cookie, which
// names a session. Sessions end by signing out, with their token, and with the process.
type auth struct {
	logger *slog.Logger
	warn   rate.Sometimes // bounds the log lines about wrong tokens

	mu       sync.Mutex
	sessions map[digest]time.Time // when each ends, by the digest of its cookie
	token    digest
	has      bool
	readOpen bool
	hosts    []string
	failures map[string]*rate.Limiter // by address
	changes  *rate.Limiter
}

// digest stands for a secret: comparing digests takes the same time for every secret.
type digest = [sha256.Size]byte

const (
	cookieName = "linchpin"
	cookieLife = 12 * time.Hour
	// mostSessions bounds the memory of sessions; beyond it a new one replaces the one that ends first.
	mostSessions = 1000
	// wrongTokens is the number of wrong tokens that an address may send before it is told to wait, and wrongPerSecond
	// how fast it may send more.
	wrongTokens    = 5
	wrongPerSecond = 1
	// changesAtOnce and changesPerSecond bound requests that change state.
	changesAtOnce    = 20
	changesPerSecond = 10
	// mostAddresses bounds the memory that addresses take which tried wrong tokens.
	mostAddresses = 10_000
)

func newAuth(c config.Serve, logger *slog.Logger) *auth {
	a := &auth{
		logger: logger, warn: rate.Sometimes{Interval: time.Minute},
		failures: map[string]*rate.Limiter{}, changes: rate.NewLimiter(changesPerSecond, changesAtOnce),
	}
	a.replace(c)
	return a
}

// replace takes over the settings of a reloaded config. Another token ends all sessions.
func (a *auth) replace(c config.Serve) {
	a.mu.Lock()
	defer a.mu.Unlock()
	token := sha256.Sum256([]byte(c.Token.Reveal()))
	if a.sessions == nil || a.token != token || a.has == c.Token.IsZero() {
		a.sessions = map[digest]time.Time{}
	}
	a.has = !c.Token.IsZero()
	a.token = token
	a.readOpen = c.Read != "token"
	a.hosts = c.Hosts
}

// verdict is what a request may do.
type verdict int

const (
	allowed verdict = iota
	denied          // no token, or a wrong one
	tooMany         // too many wrong ones
	closed          // no token is configured, so nobody may
)

// mayRead says whether the request may look.
func (a *auth) mayRead(r *http.Request) verdict {
	a.mu.Lock()
	open := a.readOpen
	a.mu.Unlock()
	if open {
		return allowed
	}
	return a.mayChange(r)
}

// mayChange says whether the request carries the token, or a cookie that was given for it.
func (a *auth) mayChange(r *http.Request) verdict {
	a.mu.Lock()
	has, token := a.has, a.token
	a.mu.Unlock()
	if !has {
		return closed
	}
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, bearer, _ := strings.Cut(header, " ")
		return a.judge(r, strings.EqualFold(scheme, "Bearer") && same(token, bearer))
	}
	if a.signedIn(r) {
		return allowed
	}
	return denied
}

// login says whether the text is the token.
func (a *auth) login(r *http.Request, text string) verdict {
	a.mu.Lock()
	has, token := a.has, a.token
	a.mu.Unlock()
	if !has {
		return closed
	}
	return a.judge(r, same(token, text))
}

// same compares in constant time, whatever the lengths.
func same(token digest, text string) bool {
	given := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(token[:], given[:]) == 1
}

// judge counts wrong tokens by address, and asks an address with too many to wait. The right token passes all the same:
// behind a proxy many clients have one address.
func (a *auth) judge(r *http.Request, right bool) verdict {
	if right {
		return allowed
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	limit := a.failures[host]
	if limit == nil {
		if len(a.failures) >= mostAddresses {
			clear(a.failures)
		}
		limit = rate.NewLimiter(wrongPerSecond, wrongTokens)
		a.failures[host] = limit
	}
	if limit.Allow() {
		return denied
	}
	a.warn.Do(func() { a.logger.Warn("too many wrong tokens", "address", host) })
	return tooMany
}

// cookie begins a session and returns the cookie that names it.
func (a *auth) cookie(secure bool) *http.Cookie {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.sessions) >= mostSessions {
		a.endOldest()
	}
	value, end := rand.Text(), time.Now().Add(cookieLife)
	a.sessions[sha256.Sum256([]byte(value))] = end
	return &http.Cookie{
		Name: cookieName, Value: value, Path: "/", Expires: end,
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteStrictMode,
	}
}

// endOldest ends the session that would end first; the caller holds the mutex.
func (a *auth) endOldest() {
	var oldest digest
	var first time.Time
	for session, end := range a.sessions {
		if first.IsZero() || end.Before(first) {
			oldest, first = session, end
		}
	}
	delete(a.sessions, oldest)
}

// signOut ends the session of the request's cookie and returns a cookie that replaces it in the browser.
func (a *auth) signOut(r *http.Request) *http.Cookie {
	if c, err := r.Cookie(cookieName); err == nil {
		a.mu.Lock()
		delete(a.sessions, sha256.Sum256([]byte(c.Value)))
		a.mu.Unlock()
	}
	return &http.Cookie{
		Name: cookieName, Path: "/", MaxAge: -1, HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
	}
}

// signedIn reports whether the request has the cookie of a session: buttons that change state would work.
func (a *auth) signedIn(r *http.Request) bool {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return time.Now().Before(a.sessions[sha256.Sum256([]byte(c.Value))])
}

// knownHost refuses names that nobody gave the service: a page elsewhere could otherwise point its own name at it (DNS
// rebinding). Addresses are fine.
func (a *auth) knownHost(r *http.Request) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(strings.TrimSuffix(host, "."), "[]")
	if host == "" || strings.EqualFold(host, "localhost") || net.ParseIP(host) != nil {
		return true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, known := range a.hosts {
		if strings.EqualFold(known, host) {
			return true
		}
	}
	return false
}

func (a *auth) hasToken() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.has
}
