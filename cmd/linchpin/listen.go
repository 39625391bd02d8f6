package main

import (
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/fleet/coordinator"
)

// fleetOptions are the flags of commands that share one run with nodes.
type fleetOptions struct {
	listen, tokenFile, certificate, key string
}

func (o *fleetOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.listen, "nodes", "", "listen on `ADDRESS`, such as :7690, for nodes that compute too (linchpin node)")
	f.StringVar(&o.tokenFile, "token-file", "", "`FILE` with the token that nodes of --nodes must have")
	f.StringVar(&o.certificate, "certificate", "",
		"PEM `FILE` of a certificate for --nodes; without one, nodes are only heard on loopback")
	f.StringVar(&o.key, "key", "", "PEM `FILE` of the certificate's key")
}

// check finds flags that do not go with each other.
func (o *fleetOptions) check() error {
	if o.listen == "" {
		if o.tokenFile != "" || o.certificate != "" || o.key != "" {
			return usagef("--token-file, --certificate and --key are for --nodes")
		}
		return nil
	}
	host, _, err := net.SplitHostPort(o.listen)
	switch {
	case err != nil:
		return usagef("--nodes %s: an address is HOST:PORT, or :PORT", o.listen)
	case (o.certificate == "") != (o.key == ""):
		return usagef("--certificate and --key go together")
	case o.certificate == "" && !config.IsLoopback(host):
		return withHint(usagef("--nodes %s: nodes elsewhere would send the token unencrypted", o.listen),
			"give --certificate and --key, or listen on 127.0.0.1")
	}
	return nil
}

// listening is a server for the nodes of one command.
type listening struct {
	engine *coordinator.Engine
	server *http.Server
}

// listenForNodes begins to answer nodes. What they have done is kept in a folder.
func (a *app) listenForNodes(o *fleetOptions, local coordinator.Parter, token, folder string) (*listening, error) {
	c := a.newFleet(folder)
	l, err := net.Listen("tcp", o.listen)
	if err != nil {
		return nil, usagef("--nodes: %v", err)
	}
	scheme := "http"
	if o.certificate != "" {
		pair, err := tls.LoadX509KeyPair(o.certificate, o.key)
		if err != nil {
			l.Close()
			return nil, usagef("--certificate: %v", err)
		}
		scheme = "https"
		l = tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}})
	}
	s := &http.Server{Handler: coordinator.Guard(token, c.Handler()), ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout: 2 * time.Minute}
	go func() {
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			a.logger().Error("nodes are not heard any more", "error", err)
		}
	}()
	if !a.quiet {
		fmt.Fprintf(a.stderr, "linchpin: nodes can join at %s://%s\n", scheme, l.Addr())
	}
	return &listening{&coordinator.Engine{Local: local, Fleet: c}, s}, nil
}

func (l *listening) close() {
	if l != nil {
		_ = l.server.Close() // the process ends
	}
}

// newFleet returns a coordinator that keeps what is done in a folder. One that cannot tell its build, as in a chroot
// without /proc, has no node that is of the same.
func (a *app) newFleet(folder string) *coordinator.Coordinator {
	p, err := thisProgram()
	if err != nil {
		a.logger().Warn("no node can join", "error", err)
		p.Digest = rand.Text()
	}
	return coordinator.New(coordinator.Options{Folder: folder, Program: p, Logger: a.logger()})
}

// nodesOfCompute listens for the nodes of a run of files; nil without --nodes.
func (a *app) nodesOfCompute(o *computeOptions, local coordinator.Parter) (*listening, error) {
	if err := o.fleet.check(); err != nil || o.fleet.listen == "" {
		return nil, err
	}
	if o.approximates() || o.adapts() {
		return nil,
			usagef("--nodes cannot be used together with --error, --sample-top or --adaptive: these samples are not divided")
	}
	token, err := nodeToken(o.fleet.tokenFile)
	if err != nil {
		return nil, err
	}
	folder, err := fleetFolder("runs")
	if err != nil {
		return nil, err
	}
	return a.listenForNodes(&o.fleet, local, token, folder)
}

// nodesOfJobs listens for the nodes of runs of jobs; nil without --nodes. The service's certificate and token are used
// unless flags name others.
func (a *app) nodesOfJobs(o *fleetOptions, cfg *config.Config, local coordinator.Parter) (*listening, error) {
	if o.listen == "" {
		return nil, o.check()
	}
	with := *o
	if with.certificate == "" && with.key == "" {
		with.certificate, with.key = cfg.Serve.Certificate, cfg.Serve.Key
	}
	if err := with.check(); err != nil {
		return nil, err
	}
	token := cfg.Serve.Token.Reveal()
	if token == "" || with.tokenFile != "" {
		var err error
		if token, err = nodeToken(with.tokenFile); err != nil {
			return nil, err
		}
	}
	return a.listenForNodes(&with, local, token, filepath.Join(cfg.State, "fleet"))
}
