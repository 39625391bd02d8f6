package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/policy"
	"github.com/linchpin-graph/linchpin/fleet/node"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
)

// nodeOptions are the flags of node.
type nodeOptions struct {
	join, tokenFile, ca, name, device, cache, cacheSize string
	threads                                             int
	grace                                               time.Duration
}

func newNodeCommand(a *app) *cobra.Command {
	var o nodeOptions
	c := &cobra.Command{
		Use:     "node --join URL",
		GroupID: groupBatch,
		Short:   "Compute shards for a service, as a node of its fleet",
		Long: `Takes shards of runs from a linchpin serve, or from a run with --nodes, computes them on this machine, and sends the
results back, until told to stop. Nodes may join, leave and die at any time: scores have the same bits. The graph is
downloaded once and kept in --cache.

Runs on GPUs go to nodes with a GPU. With --device auto, a node lends its first GPU and its CPU. On a machine with several
GPUs, start a node for each, with --device gpu:0, gpu:1 and so on. All GPUs of a run are of one kind.

The token is that of the service: in --token-file, or in LINCHPIN_SERVE_TOKEN. Whoever has it sees the graphs of all shared
runs. The node and the service must be the same build of linchpin.

SIGTERM or Ctrl-C lets the node finish its shard within --grace, or else returns it; a second one ends it at once. While the
service is away, the node waits for it.` + exitSection(statusDone, statusFailed, statusUsage, statusUnreachable),
		Example: `  linchpin node --join https://scores.example.org:7688 --token-file token
  linchpin node --join http://127.0.0.1:7688 --token-file token --threads 4`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			options, err := o.check(c.Context(), a)
			if err != nil {
				return err
			}
			return runNode(c.Context(), options)
		},
	}
	o.addFlags(c.Flags())
	return c
}

func (o *nodeOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.join, "join", "", "`URL` of the service")
	f.StringVar(&o.tokenFile, "token-file", "", "`FILE` with the token of the service")
	f.StringVar(&o.ca, "ca", "", "PEM `FILE` of an authority to trust, in addition to those of the system")
	f.StringVar(&o.name, "name", "", "`NAME` of the node (default: that of the machine)")
	f.StringVar(&o.device, "device", "auto",
		"where to compute, `auto|cpu|gpu|gpu:N`; auto is the CPU, and the first GPU if there is one")
	f.IntVar(&o.threads, "threads", 0, "`N` CPU threads, 0 for all; scores do not depend on it")
	f.StringVar(&o.cache, "cache", "", "`FOLDER` for graphs (default: linchpin/fleet in the user's cache)")
	f.StringVar(&o.cacheSize, "cache-size", "50GiB", "the most that graphs may take there, such as `20GiB`")
	f.DurationVar(&o.grace, "grace", 30*time.Second, "how long a node that is told to stop may go on with its shard")
}

// check makes the options of a node.
func (o *nodeOptions) check(ctx context.Context, a *app) (out node.Options, err error) {
	u, err := url.Parse(o.join)
	switch {
	case o.join == "":
		return out, withHint(usagef("--join is missing"), "--join https://HOST:PORT, the address of linchpin serve")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return out, withHint(usagef("--join %q is not the address of a service", o.join), "write it as https://HOST:PORT")
	case o.threads < 0:
		return out, usagef("--threads %d: 0 stands for all", o.threads)
	case o.grace < 0:
		return out, usagef("--grace %s: it cannot be negative", o.grace)
	}
	out = node.Options{
		URL: o.join, Name: o.name, Threads: o.threads, Cache: o.cache, Grace: o.grace,
		Memory: hostmem.Available, Logger: a.logger(), Engine: engine.NewEngine(1),
	}
	if err := o.place(ctx, &out); err != nil {
		return out, err
	}
	if out.Token, err = nodeToken(o.tokenFile); err != nil {
		return out, err
	}
	if out.CacheBytes, err = hostmem.ParseBytes(o.cacheSize); err != nil {
		return out, usagef("--cache-size: %v", err)
	}
	if out.Name == "" {
		out.Name = hostname()
	}
	if out.Cache == "" {
		if out.Cache, err = fleetFolder("nodes"); err != nil {
			return out, err
		}
	}
	if u.Scheme == "http" && !config.IsLoopback(u.Hostname()) {
		a.logger().Warn("the token and the graph travel unencrypted: give the service a certificate (serve.certificate)")
	}
	if out.TLS, err = trusting(o.ca); err != nil {
		return out, err
	}
	if out.Program, err = thisProgram(); err != nil {
		return out, err
	}
	return out, nil
}

// place says on which devices a node computes.
func (o *nodeOptions) place(ctx context.Context, out *node.Options) error {
	p, err := policy.Parse(o.device)
	switch {
	case err != nil:
		return usagef("--device: %v", err)
	case p.Places(policy.MostDevices) > 1:
		return withHint(usagef("--device %s: a node has one GPU", o.device),
			"start a node for each, with --device gpu:0, gpu:1, ...")
	}
	out.Device, out.OnCPU = parts.CPU, !p.Demands()
	if p == engine.CPU {
		return nil
	}
	found := engine.Devices(ctx)
	index := 0
	if named := p.Devices(len(found.Devices)); len(named) > 0 {
		index = named[0]
	}
	switch {
	case index < len(found.Devices):
		out.Device, out.GPU = found.Devices[index].Name, engine.Policy(fmt.Sprintf("%s:%d", engine.GPU, index))
	case p.Demands():
		return withHint(usagef("--device %s: there is no such GPU here: %s", o.device, found.Detail),
			"linchpin devices lists the GPUs of this machine")
	}
	return nil
}

// fleetFolder is the user's folder for what a fleet keeps.
func fleetFolder(name string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", withHint(usagef("this user has no folder for a cache: %v", err), "--cache names one")
	}
	return filepath.Join(cache, "linchpin", "fleet", name), nil
}

// tokenVariable is the environment variable that may hold the token instead of a file.
const tokenVariable = "LINCHPIN_SERVE_TOKEN"

// nodeToken reads the token of the service.
func nodeToken(path string) (string, error) {
	token := os.Getenv(tokenVariable)
	if path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", usagef("--token-file: %v", err)
		}
		token = strings.TrimRight(string(text), "\r\n")
	}
	if token == "" {
		return "", withHint(usagef("there is no token"),
			"--token-file names the file of serve.tokenFile; or set "+tokenVariable)
	}
	return token, nil
}

// trusting trusts an authority in addition to those of the system.
func trusting(ca string) (*tls.Config, error) {
	out := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca == "" {
		return out, nil
	}
	text, err := os.ReadFile(ca)
	if err != nil {
		return nil, usagef("--ca: %v", err)
	}
	if out.RootCAs, err = x509.SystemCertPool(); err != nil {
		out.RootCAs = x509.NewCertPool()
	}
	if !out.RootCAs.AppendCertsFromPEM(text) {
		return nil, usagef("--ca %s: there is no certificate in it", ca)
	}
	return out, nil
}

// runNode runs a node, and says what keeps it from being one.
func runNode(ctx context.Context, o node.Options) error { return cannotJoin(o.URL, node.Run(ctx, o)) }
