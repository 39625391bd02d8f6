package serve

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/linchpin-graph/linchpin/config"
)

// auth decides who may do what. A token comes in an Authorization header, or a browser trades it for a cookie, which
// holds no token and ends with the process.
type auth struct {
	key [32]byte // signs cookies

	mu       sync.Mutex
	token    [sha256.Size]byte
	has      bool
	readOpen bool
	hosts    []string
	failures map[string]*rate.Limiter // by address
	changes  *rate.Limiter
}

const (
	cookieName = "linchpin"
	cookieLife = 12 * time.Hour
	// wrongTokens is how many an address may try at once, and how many a second after that.
	wrongTokens    = 5
	wrongPerSecond = 1
	// changesAtOnce and changesPerSecond bound requests that change state.
	changesAtOnce    = 20
	changesPerSecond = 10
	// mostAddresses bounds the memory that addresses take which tried wrong tokens.
	mostAddresses = 10_000
)

func newAuth(c config.Serve) (*auth, error) {
	a := &auth{failures: map[string]*rate.Limiter{}, changes: rate.NewLimiter(changesPerSecond, changesAtOnce)}
	if _, err := rand.Read(a.key[:]); err != nil {
		return nil, err
	}
	a.replace(c)
	return a, nil
}

// replace takes over the settings of a reloaded config. Cookies of another token end.
func (a *auth) replace(c config.Serve) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.has = !c.Token.IsZero()
	a.token = sha256.Sum256([]byte(c.Token.Reveal()))
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
	if a.hasCookie(r, token) {
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
func same(token [sha256.Size]byte, text string) bool {
	given := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(token[:], given[:]) == 1
}

// judge counts wrong tokens by address. An address with too many is refused whatever it says.
func (a *auth) judge(r *http.Request, right bool) verdict {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	limit := a.failures[host]
	switch {
	case limit != nil && limit.Tokens() < 1:
		return tooMany
	case right:
		return allowed
	case limit == nil:
		if len(a.failures) >= mostAddresses {
			clear(a.failures)
		}
		limit = rate.NewLimiter(wrongPerSecond, wrongTokens)
		a.failures[host] = limit
	}
	limit.Allow()
	return denied
}

// cookie returns one that stands for the token until it ends.
func (a *auth) cookie(secure bool) *http.Cookie {
	a.mu.Lock()
	defer a.mu.Unlock()
	end := time.Now().Add(cookieLife)
	return &http.Cookie{
		Name: cookieName, Value: a.sign(a.token, end.Unix()), Path: "/", Expires: end,
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteStrictMode,
	}
}

// sign returns the end and a signature over it and the token.
func (a *auth) sign(token [sha256.Size]byte, end int64) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(end))
	mac := hmac.New(sha256.New, a.key[:])
	mac.Write(b)
	mac.Write(token[:])
	return base64.RawURLEncoding.EncodeToString(mac.Sum(b))
}

func (a *auth) hasCookie(r *http.Request, token [sha256.Size]byte) bool {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return false
	}
	b, err := base64.RawURLEncoding.DecodeString(c.Value)
	if err != nil || len(b) < 8 {
		return false
	}
	end := int64(binary.BigEndian.Uint64(b))
	return hmac.Equal([]byte(c.Value), []byte(a.sign(token, end))) && time.Now().Unix() < end
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

// signedIn says whether buttons that change state would work.
func (a *auth) signedIn(r *http.Request) bool {
	a.mu.Lock()
	has, token := a.has, a.token
	a.mu.Unlock()
	return has && a.hasCookie(r, token)
}

func (a *auth) hasToken() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.has
}
