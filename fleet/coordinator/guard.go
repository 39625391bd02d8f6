package coordinator

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
	"time"
)

// Guard lets those through who have the token. Whoever has not learns nothing, and waits for it.
func Guard(token string, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte("Bearer " + token))
	slowly := make(chan struct{}, 1)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if strings.EqualFold(scheme, "Bearer") {
			scheme = "Bearer"
		}
		got := sha256.Sum256([]byte(scheme + " " + given))
		if subtle.ConstantTimeCompare(got[:], want[:]) == 1 {
			next.ServeHTTP(w, r)
			return
		}
		select {
		case slowly <- struct{}{}: // one at a time, so that guessing takes for ever
			defer func() { <-slowly }()
			select {
			case <-time.After(100 * time.Millisecond):
			case <-r.Context().Done():
			}
		case <-r.Context().Done():
		}
		w.Header().Set("WWW-Authenticate", `Bearer realm="linchpin"`)
		refuse(w, http.StatusUnauthorized, "this needs the token (Authorization: Bearer ...)")
	})
}
