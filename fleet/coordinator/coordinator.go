// Package coordinator shares out the shards of runs to the nodes of a fleet, over HTTP, and joins the parts that they
// send.
//
// The queue of a run is in memory. What is done is on disk: a manifest of files with checksums. A coordinator that was
// killed, or another one with its folder, goes on from there. Only the coordinator's clock counts.
package coordinator

import (
	"cmp"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/fleet"
)

// Options say how a coordinator works.
type Options struct {
	// Folder keeps the manifests of runs. Only this user can read it.
	Folder string
	// Program is this build; nodes of another one are refused.
	Program parts.Program
	Logger  *slog.Logger
	// Lease is how long a node may be silent, Target how long a shard should take. Zero values are Defaults.
	Lease, Target time.Duration
	// Keep is how long the parts of a run stay on disk that nobody goes on with; 0 is a week.
	Keep time.Duration
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Defaults of Options.
const (
	DefaultLease  = 20 * time.Second
	DefaultTarget = 15 * time.Second
	defaultKeep   = 7 * 24 * time.Hour
)

// Coordinator serves the nodes of all runs of a process.
type Coordinator struct {
	o Options

	mu    sync.Mutex
	runs  []*run // the oldest first
	nodes map[string]*node
	began chan struct{} // closed when a run begins
	over  []string      // names of the runs that ended last
	swept time.Time     // when nodes that are gone were looked for
	// fullTold is when the log last said that the disk is full.
	fullTold time.Time
}

// node is what is known of a node.
type node struct {
	fleet.Node
	hello fleet.Hello // the last one
	unfit map[string]string
}

// New returns a coordinator. It removes parts that nobody has gone on with for long.
func New(o Options) *Coordinator {
	o.Lease = cmp.Or(o.Lease, DefaultLease)
	o.Target = cmp.Or(o.Target, DefaultTarget)
	o.Keep = cmp.Or(o.Keep, defaultKeep)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	c := &Coordinator{o: o, nodes: map[string]*node{}, began: make(chan struct{})}
	c.expire()
	return c
}

// expire removes what is left of runs that nobody has gone on with for long.
func (c *Coordinator) expire() {
	all, err := os.ReadDir(c.o.Folder)
	if err != nil {
		return // there is none yet
	}
	for _, f := range all {
		dir := filepath.Join(c.o.Folder, f.Name())
		if info, err := os.Stat(filepath.Join(dir, manifestName)); err == nil && c.o.Now().Sub(info.ModTime()) < c.o.Keep {
			continue
		}
		if m, err := openManifest(dir); err == nil {
			if err := m.remove(); err != nil {
				c.o.Logger.Warn("parts of an old run cannot be removed", "folder", dir, "error", err)
			}
		} else if !errors.Is(err, errTwo) {
			c.o.Logger.Warn("parts of an old run cannot be removed", "folder", dir, "error", err)
		}
	}
}

// gone is after how many leases of silence a node is forgotten.
const gone = 3

// see notes that a node is there.
func (c *Coordinator) see(h fleet.Hello) *node {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.o.Now()
	if now.Sub(c.swept) > c.o.Lease/4 {
		c.swept = now
		for id, n := range c.nodes {
			if now.Sub(n.Seen) > gone*c.o.Lease {
				c.forget(id)
			}
		}
	}
	n := c.nodes[h.ID]
	if n == nil {
		n = &node{Node: fleet.Node{Name: h.Name, ID: h.ID, Device: h.Device, Joined: now}}
		c.nodes[h.ID] = n
		c.o.Logger.Info("a node joined", "node", h.Name, "device", h.Device)
	}
	n.Seen, n.hello, n.unfit, n.Unfit = now, h, h.Unfit, ""
	for _, r := range c.runs {
		if why := h.Unfit[r.name]; why != "" {
			n.Unfit = why
		}
	}
	return n
}

// forget removes a node, whose shards others get. The mutex is held.
func (c *Coordinator) forget(id string) {
	n := c.nodes[id]
	if n == nil {
		return
	}
	delete(c.nodes, id)
	c.o.Logger.Info("a node left", "node", n.Name, "shards", n.Shards)
	for _, r := range c.runs {
		r.queue.Leave(id)
	}
}

// ready is how many nodes are there that can help with a run, on CPUs or on GPUs.
func (c *Coordinator) ready(run string, gpus bool) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.nodes {
		if x.unfit[run] == "" && suits(x.hello, gpus) && c.o.Now().Sub(x.Seen) <= c.o.Lease {
			n++
		}
	}
	return n
}

// gpus is how many nodes are there that have a GPU.
func (c *Coordinator) gpus() int { return c.ready("", true) }

// reasons are why nodes cannot help with a run, each once.
func (c *Coordinator) reasons(r *run) (out []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.nodes {
		why := x.unfit[r.name]
		if why == "" && !suits(x.hello, r.gpus) {
			why = "the run is computed on GPUs, and the node has none"
			if !r.gpus {
				why = "the run is computed on CPUs, and the node lends its GPU alone"
			}
		}
		if why != "" && !slices.Contains(out, why) {
			out = append(out, why)
		}
	}
	slices.Sort(out)
	return out
}

// find returns a run by its name, or nil.
func (c *Coordinator) find(name string) *run {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.runs {
		if r.name == name {
			return r
		}
	}
	return nil
}

// begin shares a run out, and end stops that.
func (c *Coordinator) begin(r *run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs = append(c.runs, r)
	close(c.began)
	c.began = make(chan struct{})
}

// mostOver is how many runs that ended are remembered: what nodes send of others that are not known may be of use
// later.
const mostOver = 100

// isOver reports whether a run ended lately.
func (c *Coordinator) isOver(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Contains(c.over, name)
}

func (c *Coordinator) end(r *run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs = slices.DeleteFunc(c.runs, func(x *run) bool { return x == r })
	c.over = append(c.over[max(0, len(c.over)-mostOver):], r.name)
	for _, n := range c.nodes {
		if n.Run == r.name {
			n.Run, n.Shard = "", ""
		}
	}
}

// State returns how nodes and runs stand.
func (c *Coordinator) State() fleet.State {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := fleet.State{Nodes: []fleet.Node{}, Runs: []fleet.Run{}}
	for _, n := range c.nodes {
		if c.o.Now().Sub(n.Seen) <= gone*c.o.Lease {
			out.Nodes = append(out.Nodes, n.Node)
		}
	}
	slices.SortFunc(out.Nodes, func(a, b fleet.Node) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	for _, r := range c.runs {
		out.Runs = append(out.Runs, r.state())
	}
	return out
}
