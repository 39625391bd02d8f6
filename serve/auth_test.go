package serve

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
)

// signIn sends the form with the token and returns the status and the cookie.
func (f *fixture) signIn(token string) (int, string) {
	f.t.Helper()
	form := func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }
	status, _, header := f.send("POST", "/login", strings.NewReader("token="+token), form)
	cookie, _, _ := strings.Cut(header.Get("Set-Cookie"), ";")
	return status, cookie
}

// with makes a request with a cookie.
func (f *fixture) with(cookie, method, path string) int {
	f.t.Helper()
	status, _, _ := f.send(method, path, nil, func(r *http.Request) { r.Header.Set("Cookie", cookie) })
	return status
}

// No database is needed to sign in.
func startWithoutDatabase(t *testing.T, serve string) *fixture {
	t.Helper()
	return start(t, configText("bolt://127.0.0.1:1", serve, jobText("a", "")))
}

func TestSignOutEndsTheSession(t *testing.T) {
	f := startWithoutDatabase(t, "token: "+token+", read: token")
	_, one := f.signIn(token)
	_, two := f.signIn(token)
	if one == two {
		t.Fatal("two sessions have one cookie")
	}
	if status := f.with(one, "GET", "/api/jobs"); status != 200 {
		t.Fatalf("signed in: %d", status)
	}
	if status := f.with(one, "POST", "/logout"); status != 303 {
		t.Errorf("signing out: %d", status)
	}
	if status := f.with(one, "GET", "/api/jobs"); status != 401 {
		t.Errorf("with the cookie of a session that was signed out: %d", status)
	}
	if status := f.with(two, "GET", "/api/jobs"); status != 200 {
		t.Errorf("another session: %d", status)
	}
}

func TestSignOutEndsNoSessionOfOthers(t *testing.T) {
	f := startWithoutDatabase(t, "token: "+token+", read: token")
	_, cookie := f.signIn(token)
	f.with("linchpin=somebody", "POST", "/logout")
	f.with("", "POST", "/logout")
	if status := f.with(cookie, "GET", "/api/jobs"); status != 200 {
		t.Errorf("%d", status)
	}
}

func TestSessionsAreBounded(t *testing.T) {
	a := newAuth(config.Serve{Token: config.NewPassword(token)}, slog.New(slog.DiscardHandler))
	first := a.cookie(false)
	var last *http.Cookie
	for range mostSessions {
		last = a.cookie(false)
	}
	for name, c := range map[string]struct {
		cookie *http.Cookie
		want   bool
	}{"the oldest": {first, false}, "the newest": {last, true}} {
		r, err := http.NewRequest("GET", "/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.AddCookie(c.cookie)
		if a.signedIn(r) != c.want {
			t.Errorf("%s is signed in: %v", name, !c.want)
		}
	}
}

// Behind a proxy everybody has one address: wrong tokens of one client must not lock out the others.
func TestRightTokenAfterWrongOnes(t *testing.T) {
	f := startWithoutDatabase(t, "token: "+token+", read: token")
	status := 0
	for range wrongTokens + 3 {
		status, _, _ = f.send("GET", "/api/jobs", nil, func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer wrong")
		})
	}
	if status != 429 {
		t.Errorf("after many wrong tokens: %d", status)
	}
	if status, text := f.get("/api/jobs"); status != 200 {
		t.Errorf("the right token: %d %s", status, text)
	}
	if status, _ := f.signIn("wrong"); status != 429 {
		t.Errorf("signing in with a wrong token: %d", status)
	}
	if status, _ := f.signIn(token); status != 303 {
		t.Errorf("signing in with the right token: %d", status)
	}
	if n := strings.Count(f.log.String(), "too many wrong tokens"); n != 1 {
		t.Errorf("%d lines in the log tell of it", n)
	}
}

func TestAnotherTokenEndsSessions(t *testing.T) {
	a := newAuth(config.Serve{Token: config.NewPassword(token)}, slog.New(slog.DiscardHandler))
	r, err := http.NewRequest("GET", "/", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(a.cookie(false))
	if a.replace(config.Serve{Token: config.NewPassword(token)}); !a.signedIn(r) {
		t.Error("a reload with the same token ended the session")
	}
	if a.replace(config.Serve{Token: config.NewPassword("another-" + token)}); a.signedIn(r) {
		t.Error("the session of another token stayed")
	}
}
