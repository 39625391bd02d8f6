package node

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"syscall"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/fleet"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
)

// loaded is a run that is ready to be computed.
type loaded struct {
	work   string // hash
	about  parts.About
	mapped *export.Mapped
	parted *engine.Parted
}

func (l *loaded) close() { _ = l.mapped.Close() } // it was only read

// unfit is the error of a run that this node cannot help with.
type unfit struct{ why string }

func (u *unfit) Error() string { return u.why }

// errGone is the cause of a shard's end that is no longer worth computing.
var errGone = errors.New("the shard was counted, or is with another node")

// do computes a shard and has its part sent. False means that the node should wait a while.
func (n *Node) do(ctx context.Context, l *fleet.Lease) bool {
	claim := fleet.Claim{Node: n.id, Run: l.Run, Session: l.Session, Number: l.Number}
	work, cancel := n.untilGraceEnds(ctx)
	release := func() { cancel(nil) }
	go n.extend(work, cancel, l, claim)
	begun := time.Now()
	path, err := n.part(work, l)
	n.used = time.Now()
	if err == nil {
		n.o.Logger.Info("computed", "shard", fleet.ShardName(l.Shard), "seconds", time.Since(begun).Seconds())
		n.sender.send(path, claim, release)
		return true
	}
	gone := errors.Is(context.Cause(work), errGone)
	release()
	return n.giveUp(claim, err, gone)
}

// untilGraceEnds is a context that outlives the given one by the grace.
func (n *Node) untilGraceEnds(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-work.Done():
		case <-time.After(n.o.Grace):
			cancel(context.Canceled)
		}
	})
	return work, func(cause error) {
		stop()
		cancel(cause)
	}
}

// mostUnfit bounds the runs that a node remembers it cannot help with.
const mostUnfit = 100

// giveUp says why a shard was not computed.
func (n *Node) giveUp(claim fleet.Claim, err error, gone bool) bool {
	if len(n.unfit) >= mostUnfit {
		clear(n.unfit)
	}
	refused, not := (*Refused)(nil), (*unfit)(nil)
	switch {
	case gone:
		n.o.Logger.Info("given up: the shard was counted, or is with another node")
		return true
	case errors.As(err, &not), errors.Is(err, syscall.ENOSPC):
		n.o.Logger.Warn("this node cannot help with the run", "run", claim.Run, "error", err)
		n.unfit[claim.Run] = err.Error()
	case errors.As(err, &refused), errors.Is(err, context.Canceled), errors.Is(err, fs.ErrNotExist), isNetwork(err):
		n.o.Logger.Warn("given back", "error", err)
	default:
		n.o.Logger.Error("the shard failed", "error", err)
		claim.Failed = err.Error()
		n.unfit[claim.Run] = "a shard failed: " + err.Error()
	}
	if err := n.client.claim(context.Background(), fleet.ReturnPath, claim); err != nil {
		n.o.Logger.Debug("the shard was not given back: its lease will end", "error", err)
	}
	return not != nil
}

// part computes a shard, and returns the path of its part.
func (n *Node) part(ctx context.Context, l *fleet.Lease) (string, error) {
	if n.loaded == nil || n.loaded.work != l.Work {
		n.forget()
		var err error
		if n.loaded, err = n.load(ctx, l.Work); err != nil {
			return "", err
		}
	}
	found, err := n.loaded.parted.Shard(ctx, l.Shard, parts.Step{})
	if err != nil {
		return "", cmp.Or(ctx.Err(), err)
	}
	about := n.loaded.about
	about.Index, about.Of, about.Told = l.Shard.Index, l.Shard.Of, []parts.Told{found.Told}
	path := n.cache.path(fmt.Sprintf("%s-%d.part", l.Session, l.Number))
	return path, parts.Write(path, about, []*parts.Found{found})
}

// load reads what a run is, downloads its graph, and prepares the searches.
func (n *Node) load(ctx context.Context, hash string) (*loaded, error) {
	text, err := n.client.read(ctx, hash)
	if err != nil {
		return nil, err
	}
	var w fleet.Work
	if err := json.Unmarshal(text, &w); err != nil {
		return nil, err
	}
	if w.Bytes > n.cache.most {
		return nil, &unfit{fmt.Sprintf("the graph takes %s, and the cache has %s", hostmem.FormatBytes(w.Bytes), hostmem.FormatBytes(n.cache.most))}
	}
	path, err := n.cache.fetch(ctx, n.client, w.Snapshot)
	if err != nil {
		return nil, err
	}
	return n.prepare(ctx, hash, path, &w)
}

// prepare prepares the searches of a run.
func (n *Node) prepare(ctx context.Context, hash, path string, w *fleet.Work) (out *loaded, err error) {
	mapped, err := export.OpenSnapshot(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if out == nil {
			_ = mapped.Close()
		}
	}()
	if digest := mapped.Digest(); digest != w.Graph {
		return nil, &unfit{fmt.Sprintf("the file has the graph %s, and the run is of the graph %s", digest, w.Graph)}
	}
	t := engine.Task{Measure: w.Measure, Request: w.Request(), Snapshot: mapped.Snapshot, Path: path, Device: engine.CPU, Strategy: "auto"}
	t.Request.Threads = n.o.Threads
	if err := n.fits(ctx, &t); err != nil {
		return nil, err
	}
	p, err := n.o.Engine.Part(ctx, t)
	if err != nil {
		return nil, err
	}
	task := parts.TaskOf(w.Measure, p.Request, parts.Way{Device: parts.CPU})
	own := parts.OptionsOf([]parts.Task{task})
	if want := parts.OptionsOf([]parts.Task{w.Task}); own != want {
		return nil, &unfit{"this node computes with other options than the coordinator: " +
			parts.Difference([]parts.Task{task}, []parts.Task{w.Task}) + " (too little memory for reductions?)"}
	}
	about := parts.About{Program: n.o.Program, Graph: w.Graph, Tasks: []parts.Task{task}, Options: own}
	return &loaded{work: hash, about: about, mapped: mapped, parted: p}, nil
}

// fits plans a task, and refuses one for which there is too little memory.
func (n *Node) fits(ctx context.Context, t *engine.Task) error {
	free, err := n.o.Memory()
	if err != nil {
		return err
	}
	if g := t.Snapshot.Graph; g.Directed {
		free -= g.Bytes() // the transpose
	}
	if t.Ranking, err = n.o.Engine.Rank(ctx, *t, free); err != nil {
		return err
	}
	if t.Ranking.First() == nil && len(t.Ranking.Ways) > 0 {
		return &unfit{fmt.Sprintf("the run needs %s of memory, and %s are free",
			hostmem.FormatBytes(t.Ranking.Least()), hostmem.FormatBytes(max(0, free)))}
	}
	return nil
}

// extend renews a lease until the context ends. A coordinator that does not answer may come back.
func (n *Node) extend(ctx context.Context, cancel context.CancelCauseFunc, l *fleet.Lease, claim fleet.Claim) {
	tick := time.NewTicker(max(l.Lasts/4, 10*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := n.client.claim(ctx, fleet.ExtendPath, claim)
		if refused := (*Refused)(nil); errors.As(err, &refused) && refused.Status == http.StatusGone {
			cancel(errGone)
			return
		}
	}
}
