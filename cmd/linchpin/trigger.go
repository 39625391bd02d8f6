package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
)

func newTriggerCommand(a *app) *cobra.Command {
	o := &triggerOptions{}
	c := &cobra.Command{
		Use:     "trigger JOB",
		GroupID: groupDaily,
		Short:   "Ask a running service to run a job, and follow it",
		Long: `Asks a running linchpin serve to run a job now and follows the run to its end. The address and
the token are those of the config (serve.listen, serve.tokenFile) unless --url says otherwise.
Ctrl-C ends the following, not the run. The exit status is that of the run, as linchpin run has it.` +
			exitSection(statusDone, statusFailed, statusUsage, statusUnfinished, statusLocked, statusUnreachable, statusNoGPU,
				statusTooLarge, statusInterrupted),
		Example: `  linchpin trigger hubs`,
		Args:    oneArg("JOB"),
		RunE: func(c *cobra.Command, names []string) error {
			cfg, err := a.loadJobs()
			if err != nil {
				return err
			}
			return runTrigger(c.Context(), a, cfg, names[0], o)
		},
		ValidArgsFunction: a.completeJobs,
	}
	c.Flags().StringVar(&o.url, "url", "", "`ADDRESS` of the service, such as https://scores.example.org")
	c.Flags().BoolVar(&o.recompute, "recompute", false, "run even if neither the graph nor the settings changed")
	c.Flags().BoolVar(&o.ignoreLimits, "ignore-limits", false,
		"write the scores even if the graph is over the job's limits")
	c.Flags().BoolVar(&o.detach, "detach", false, "do not follow the run")
	return c
}

// triggerOptions are the flags of trigger.
type triggerOptions struct {
	url                             string
	recompute, ignoreLimits, detach bool
}

// client speaks to a service.
type client struct {
	url, token string
	http       http.Client
}

// ownCertificate trusts the certificate of the config, whoever has signed it, under whatever name it has.
func ownCertificate(s config.Serve) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(s.Certificate, s.Key)
	if err != nil {
		return nil, fmt.Errorf("serve.certificate: %w", err)
	}
	trusted := &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
	trusted.RootCAs.AddCert(pair.Leaf)
	if names := pair.Leaf.DNSNames; len(names) > 0 {
		trusted.ServerName = strings.Replace(names[0], "*", "any", 1)
	} else if addresses := pair.Leaf.IPAddresses; len(addresses) > 0 {
		trusted.ServerName = addresses[0].String()
	}
	return trusted, nil
}

// ownService is the client of the service of the config, on this machine.
func ownService(cfg *config.Config) (*client, error) {
	c := &client{url: scheme(cfg) + "://" + localAddress(cfg.Serve.Listen), token: cfg.Serve.Token.Reveal()}
	if cfg.Serve.Certificate != "" {
		trusted, err := ownCertificate(cfg.Serve)
		if err != nil {
			return nil, err
		}
		c.http.Transport = &http.Transport{TLSClientConfig: trusted}
	}
	return c, nil
}

func runTrigger(ctx context.Context, a *app, cfg *config.Config, job string, o *triggerOptions) error {
	c := &client{url: strings.TrimSuffix(o.url, "/"), token: cfg.Serve.Token.Reveal()}
	if c.url == "" {
		var err error
		if c, err = ownService(cfg); err != nil {
			return err
		}
	}
	if c.token == "" {
		return withHint(usagef("the config has no token of the service"), "set serve.tokenFile or LINCHPIN_SERVE_TOKEN")
	}
	// The stream is opened first, so that nothing of the run is missed.
	follow, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := c.do(follow, http.MethodGet, "/api/events?job="+url.QueryEscape(job), nil)
	if err != nil {
		return err
	}
	defer stream.Body.Close()
	response, err := c.do(ctx, http.MethodPost, "/api/jobs/"+url.PathEscape(job)+"/run",
		map[string]bool{"recompute": o.recompute, "ignoreLimits": o.ignoreLimits})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var given jobs.Answer
	if err := json.NewDecoder(response.Body).Decode(&given); err != nil {
		return fmt.Errorf("the service's answer: %w", err)
	}
	if o.detach {
		if a.json {
			return a.printJSON(given)
		}
		fmt.Fprintf(a.stdout, "%s: run %s\n", job, given.Run)
		return nil
	}
	end, err := followRun(ctx, stream.Body, newReporter(a), given.Run)
	if err != nil {
		return err
	}
	return finished(a, end)
}

// localAddress is where a service that listens there can be reached from this machine.
func localAddress(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return listen
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// do sends a request. An answer that is no success becomes an error with its status.
func (c *client) do(ctx context.Context, method, path string, body any) (*http.Response, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(text))
	if err != nil {
		return nil, usagef("--url %q: %v", c.url, err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(r)
	if err != nil {
		hint := "is linchpin serve running? --url names another address"
		if wrong := (*tls.CertificateVerificationError)(nil); errors.As(err, &wrong) {
			hint = "--url takes a name that the certificate has; SSL_CERT_FILE names the file of an authority to trust"
		}
		return nil, &connector.Error{Kind: connector.Unreachable, Msg: "cannot reach the service at " + c.url,
			Err: errors.Unwrap(err), Hint: hint}
	}
	if response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	var said struct{ Error string }
	if json.NewDecoder(io.LimitReader(response.Body, 1<<16)).Decode(&said) != nil || said.Error == "" {
		said.Error = response.Status
	}
	err = fmt.Errorf("the service refused: %s", said.Error)
	switch response.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return nil, &usageError{err.Error()}
	case http.StatusServiceUnavailable:
		return nil, &connector.Error{Kind: connector.Unreachable, Msg: err.Error()}
	}
	return nil, err
}

// followRun reads the service's events until the run has ended, and passes its progress on. It returns the last event,
// which has a record.
func followRun(ctx context.Context, stream io.Reader, r jobs.Reporter, id string) (*jobs.Event, error) {
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e jobs.Event
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			return nil, fmt.Errorf("the service's events: %w", err)
		}
		if e.Run != id {
			continue
		}
		switch e.Kind {
		case jobs.Stepped:
			r.Begin(e.Job, e.Step)
		case jobs.Advanced:
			r.Progress(e.Done, e.Expected, e.Unit)
		case jobs.StepDone:
			r.End(e.Text)
		case jobs.Noted:
			r.Note(e.Text)
		case jobs.Warned:
			r.Warn(e.Text)
		case jobs.Ended, jobs.WasSkipped:
			return &e, nil
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, &connector.Error{Kind: connector.Lost, Msg: "the connection to the service was lost", Err: lines.Err(),
		Hint: "linchpin history shows how the run ended"}
}

// serviceRunError is how a run of the service ended that did not end well.
type serviceRunError struct {
	text    string
	failure jobs.Failure
}

func (e *serviceRunError) Error() string { return e.text }

// finished tells how a followed run ended, and makes an error of an end that is not good.
func finished(a *app, end *jobs.Event) error {
	r := end.Record
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else if r.Status == connector.Succeeded {
		fmt.Fprintln(a.stdout, ending(*r))
	} else {
		fmt.Fprintf(a.stdout, "%s: %s\n", r.Job, strings.TrimSuffix(string(r.Status)+": "+r.Note, ": "))
	}
	if end.Failure == "" {
		return nil
	}
	return withHint(&serviceRunError{fmt.Sprintf("%s: %s: %s", r.Job, r.Status, cmp.Or(r.Error, r.Note)), end.Failure},
		end.Hint)
}
