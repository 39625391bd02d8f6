package config

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/linchpin-graph/linchpin/internal/nearest"
)

// checkServe makes the checks of the service that look at more than one key.
func (d *decoder) checkServe(s *Serve) {
	d.readSecret(&s.Token, s.TokenFile, "serve.token", "serve.tokenFile", "token")
	d.checkListen(s)
	d.checkToken(s)
	d.checkPair("serve", s.Certificate, s.Key, "TLS needs a certificate and a key")
	for i, host := range s.Hosts {
		if strings.ContainsAny(host, ":/ ") {
			d.mistake(fmt.Sprintf("serve.hosts[%d]", i), fmt.Sprintf("%q is no name of a host", host),
				"such as scores.example.org, without scheme and port")
		}
	}
	if s.Traces != "" && !isHTTP(s.Traces) {
		d.mistake("serve.traces", fmt.Sprintf("%q is no address", s.Traces), "such as http://localhost:4318")
	}
	for i := range s.Hooks {
		d.checkHook(&s.Hooks[i], fmt.Sprintf("serve.hooks[%d]", i))
	}
}

func (d *decoder) checkListen(s *Serve) {
	const path = "serve.listen"
	if d.failed[path] {
		return
	}
	host, port, err := net.SplitHostPort(s.Listen)
	if n, nerr := strconv.Atoi(port); err != nil || nerr != nil || n < 0 || n > 65535 {
		d.mistake(path, fmt.Sprintf("%q is no address to listen on", s.Listen), "such as 127.0.0.1:7475")
		return
	}
	if s.Token.IsZero() && s.TokenFile == "" && !IsLoopback(host) {
		d.mistake(path, fmt.Sprintf("%q can be reached from outside, and there is no token", s.Listen),
			"set serve.tokenFile, or listen on 127.0.0.1")
	}
}

// leastToken is the length below which a token could be guessed.
const leastToken = 16

func (d *decoder) checkToken(s *Serve) {
	key := "serve.token"
	if s.TokenFile != "" {
		key = "serve.tokenFile"
	}
	const good = "openssl rand -hex 24 makes a good one"
	token := s.Token.Reveal()
	switch {
	case s.Token.IsZero():
	case strings.TrimSpace(token) != token, strings.ContainsFunc(token, unicode.IsControl):
		d.mistake(key, "a token with blanks at an end, or a line break, cannot be sent", good)
	case len(token) < leastToken:
		d.mistake(key, fmt.Sprintf("a token of %d characters can be guessed", len(token)), good)
	}
	if s.Read == "token" && s.Token.IsZero() && s.TokenFile == "" {
		d.mistake("serve.read", "there is no token to read with", "set serve.tokenFile")
	}
}

func (d *decoder) checkHook(h *Hook, path string) {
	ends := []string{"failure", "success", "warning", "drift"}
	for i, on := range h.On {
		if !slices.Contains(ends, on) {
			d.mistake(fmt.Sprintf("%s.on[%d]", path, i), fmt.Sprintf("%q is no end of a run", on), nearest.DidYouMean(on, ends))
		}
	}
	d.readSecret(&h.Secret, h.SecretFile, path+".secret", path+".secretFile", "key")
	switch {
	case (h.URL == "") == (len(h.Exec) == 0) && !d.failed[path+".exec"]:
		d.mistake(path, "a hook has either a url or a command (exec)", "keep one of them")
	case h.URL != "" && !isHTTP(h.URL):
		d.mistake(path+".url", fmt.Sprintf("%q is no address", h.URL), "such as https://example.org/hook")
	case h.URL == "" && h.SecretFile != "":
		d.mistake(path+".secretFile", "a command gets no signature", "remove it")
	}
}

// checkWhen finds settings that have no effect.
func (d *decoder) checkWhen(j *Job, path string) {
	if j.When != "changed" && !d.failed[path+".when"] {
		if j.Poll != 0 {
			d.mistake(path+".poll", fmt.Sprintf("%s has no effect", j.Poll), "add when: changed")
		}
		if j.ChangeQuery != "" {
			d.mistake(path+".changeQuery", "it has no effect", "add when: changed")
		}
	}
	if j.Jitter != 0 && j.Schedule == "" && !d.failed[path+".schedule"] {
		d.mistake(path+".jitter", fmt.Sprintf("%s has no effect", j.Jitter), "add a schedule")
	}
}

// checkAfter finds dependencies on unknown jobs and those that go in a circle.
func (d *decoder) checkAfter(c *Config) {
	after, all := map[string]string{}, []string{}
	for _, j := range c.Jobs {
		after[j.Name] = j.After
		all = append(all, j.Name)
	}
	told := map[string]bool{}
	for i, j := range c.Jobs {
		path := fmt.Sprintf("jobs[%d].after", i)
		if j.After == "" || d.failed[path] {
			continue
		}
		if !slices.Contains(all, j.After) {
			d.mistake(path, fmt.Sprintf("there is no job %q", j.After), nearest.DidYouMean(j.After, all))
			continue
		}
		circle := []string{j.Name}
		for next := j.After; next != "" && !slices.Contains(circle, next); next = after[next] {
			circle = append(circle, next)
		}
		if after[circle[len(circle)-1]] == j.Name && !told[j.Name] {
			for _, name := range circle {
				told[name] = true
			}
			d.mistake(path, "the jobs wait for one another: "+strings.Join(append(circle, j.Name), " after "),
				"remove one after")
		}
	}
}

func isHTTP(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// IsLoopback reports whether a host is this machine: localhost, or an address of its loopback interface.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
