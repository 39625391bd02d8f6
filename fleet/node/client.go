package node

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/fleet"
)

// client speaks to a coordinator.
type client struct {
	url, token string
	http       http.Client
}

func newClient(o Options) *client {
	dialer := net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}
	return &client{url: strings.TrimSuffix(o.URL, "/"), token: o.Token, http: http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSClientConfig: o.TLS,
			TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: asksFor + 20*time.Second, IdleConnTimeout: time.Minute,
		},
		// A redirect would take the token elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Refused is an answer that is no success.
type Refused struct {
	Status int
	Text   string
}

func (r *Refused) Error() string { return r.Text }

// do sends a request. An answer that is no success becomes a *Refused.
func (c *client) do(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+c.token)
	answer, err := c.http.Do(r)
	if err != nil {
		if inner := (*url.Error)(nil); errors.As(err, &inner) {
			err = inner.Err // without the address, which the log has once
		}
		return nil, err
	}
	if answer.StatusCode < 300 {
		return answer, nil
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
	var p fleet.Problem
	if to := answer.Header.Get("Location"); to != "" {
		p.Error = fmt.Sprintf("the answer is %s, to %s", answer.Status, to)
	} else if json.Unmarshal(text, &p) != nil || p.Error == "" {
		p.Error = fmt.Sprintf("the answer is %s: is this the address of a linchpin service?", answer.Status)
	}
	return nil, &Refused{answer.StatusCode, p.Error}
}

// quick bounds a request that is answered at once.
const quick = 10 * time.Second

// post sends a request of JSON, and reads the answer.
func (c *client) post(ctx context.Context, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	answer, err := c.do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if into == nil || answer.StatusCode == http.StatusNoContent {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

// take asks for a shard; nil where there is none.
func (c *client) take(ctx context.Context, h fleet.Hello) (*fleet.Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, h.Wait+30*time.Second)
	defer cancel()
	var l fleet.Lease
	if err := c.post(ctx, fleet.TakePath, h, &l); err != nil || l.Run == "" {
		return nil, err
	}
	return &l, nil
}

// claim extends a lease, or gives its shard back.
func (c *client) claim(ctx context.Context, path string, claim fleet.Claim) error {
	ctx, cancel := context.WithTimeout(ctx, quick)
	defer cancel()
	return c.post(ctx, path, claim, nil)
}

// get reads a file from an offset on.
func (c *client) get(ctx context.Context, hash string, from int64) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+fleet.FilePath+hash, nil)
	if err != nil {
		return nil, err
	}
	if from > 0 {
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
		r.Header.Set("If-Range", `"`+hash+`"`)
	}
	return c.do(r)
}

// read reads a small file.
func (c *client) read(ctx context.Context, hash string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	answer, err := c.get(ctx, hash, 0)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && fmt.Sprintf("%x", sha256.Sum256(text)) != hash {
		err = errAltered
	}
	return text, err
}

// slowest is the rate, in bytes per second, below which a part is sent again.
const slowest = 256 << 10

// send sends the file of a part.
func (c *client) send(ctx context.Context, path string, claim fleet.Claim) (fleet.Accepted, error) {
	var accepted fleet.Accepted
	f, err := os.Open(path)
	if err != nil {
		return accepted, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return accepted, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute+time.Duration(info.Size()/slowest)*time.Second)
	defer cancel()
	q := url.Values{
		"run": {claim.Run}, "session": {claim.Session}, "number": {fmt.Sprint(claim.Number)}, "node": {claim.Node},
		"scores": {fmt.Sprint(claim.Scores)},
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, c.url+fleet.PartPath+"?"+q.Encode(), f)
	if err != nil {
		return accepted, err
	}
	r.ContentLength = info.Size()
	answer, err := c.do(r)
	if err != nil {
		return accepted, err
	}
	defer answer.Body.Close()
	err = json.NewDecoder(answer.Body).Decode(&accepted)
	return accepted, err
}
