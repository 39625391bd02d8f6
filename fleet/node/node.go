// Package node is a node of a fleet: it takes shards from a coordinator, computes them, and sends the parts back.
package node

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/fleet"
)

// Parter is what computes on this machine.
type Parter interface {
	Rank(ctx context.Context, t engine.Task, free int64) (*engine.Ranking, error)
	Part(ctx context.Context, t engine.Task) (*engine.Parted, error)
}

// Options say how a node works.
type Options struct {
	// URL is that of the coordinator, Token its token. TLS may be nil.
	URL, Token string
	TLS        *tls.Config
	// Name is the machine's.
	Name string
	// Device is the kind of its GPU, GPU the policy that names it; parts.CPU and "" for a node without one.
	Device string
	GPU    engine.Policy
	// OnCPU reports whether the node computes on its CPU as well, with so many Threads; 0 for all.
	OnCPU   bool
	Threads int
	Program parts.Program
	Engine  Parter
	// Cache is a folder for snapshots, which take at most CacheBytes. Several nodes may share it.
	Cache      string
	CacheBytes int64
	// Grace is how long a node that is told to stop goes on with its shard.
	Grace time.Duration
	// Memory returns the bytes that are free.
	Memory func() (int64, error)
	Logger *slog.Logger
}

// Node is one process of a node.
type Node struct {
	o      Options
	id     string
	client *client
	cache  *cache
	sender *sender
	unfit  map[string]string // runs, with the reason
	loaded *loaded           // the run that it computed last
	used   time.Time         // when
}

// Run takes shards until the context ends, and then finishes or returns the one that it has. The error says why the
// node cannot be of the fleet.
func Run(ctx context.Context, o Options) error {
	c, err := openCache(o.Cache, o.CacheBytes)
	if err != nil {
		return err
	}
	defer c.close()
	n := &Node{o: o, id: rand.Text()[:12], client: newClient(o), cache: c, unfit: map[string]string{}}
	n.sender = newSender(n)
	defer n.forget()
	stop := context.AfterFunc(ctx, func() { n.sender.endIn(o.Grace) })
	defer stop()
	err = n.loop(ctx)
	n.sender.endIn(o.Grace)
	n.sender.pending.Wait()
	n.leave()
	return err
}

func (n *Node) hello() fleet.Hello {
	return fleet.Hello{
		ID: n.id, Name: n.o.Name, Program: n.o.Program, Device: n.o.Device, OnCPU: n.o.OnCPU, Wait: asksFor, Unfit: n.unfit,
	}
}

const (
	// asksFor is how long a request for a shard may wait for one.
	asksFor = 10 * time.Second
	// idle is after how long without a shard the graph in memory is given back.
	idle = time.Minute
)

// loop takes one shard after another. It ends with the context, or with a coordinator that refuses the node.
func (n *Node) loop(ctx context.Context) error {
	joined, wait, failing := false, backoff{}, backoff{}
	for ctx.Err() == nil {
		lease, err := n.client.take(ctx, n.hello())
		switch {
		case ctx.Err() != nil:
		case err != nil && final(err, joined):
			return err
		case err != nil:
			n.o.Logger.Warn("the coordinator does not answer", "error", err, "again in", wait.next())
			wait.pause(ctx)
			continue
		default:
			if !joined {
				n.o.Logger.Info("joined", "coordinator", n.o.URL, "as", n.o.Name)
			}
			joined = true
			wait.reset()
		}
		if lease == nil {
			if n.loaded != nil && time.Since(n.used) > idle {
				n.forget()
			}
			continue
		}
		if n.do(ctx, lease) {
			failing.reset()
		} else {
			failing.pause(ctx)
		}
	}
	return nil
}

// final reports whether an error is one that trying again does not change.
func final(err error, joined bool) bool {
	if refused := (*Refused)(nil); errors.As(err, &refused) {
		switch refused.Status {
		case http.StatusUnauthorized, http.StatusForbidden, http.StatusConflict, http.StatusMisdirectedRequest,
			http.StatusTooManyRequests:
			return true
		case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusBadRequest, http.StatusMovedPermanently,
			http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
			return !joined
		}
		return false
	}
	unverified := (*tls.CertificateVerificationError)(nil)
	return errors.As(err, &unverified) || errors.Is(err, http.ErrSchemeMismatch)
}

// leave tells the coordinator that the node is gone, so that it need not wait for leases to end.
func (n *Node) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := n.client.post(ctx, fleet.LeavePath, n.hello(), nil); err != nil {
		n.o.Logger.Debug("the coordinator was not told", "error", err)
	}
}

// forget gives the graph in memory back.
func (n *Node) forget() {
	if n.loaded != nil {
		n.loaded.close()
		n.loaded = nil
	}
}
