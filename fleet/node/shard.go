package node

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/fleet"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/kernels"
)

// loaded is a run that is ready to be computed.
type loaded struct {
	work   string // hash
	about  parts.About
	mapped *export.Mapped
	parted *engine.Parted
}

func (l *loaded) close() {
	l.parted.Close()
	_ = l.mapped.Close() // it was only read
}

// write writes the file of a part, or of the scores of the run.
func (l *loaded) write(path string, shard kernels.Shard, found *parts.Found) error {
	about := l.about
	about.Index, about.Of, about.Told = shard.Index, shard.Of, []parts.Told{found.Told}
	about.Tasks[0].By = found.By
	about.Options = parts.OptionsOf(about.Tasks)
	return parts.Write(path, about, []*parts.Found{found})
}

// unfit is the error of a run that this node cannot help with.
type unfit struct{ why string }

func (u *unfit) Error() string { return u.why }

// errGone is the cause of a shard's end that is no longer worth computing.
var errGone = errors.New("the shard was counted, or is with another node")

// do computes a shard and has its part sent. False means that the node should wait a while.
func (n *Node) do(ctx context.Context, l *fleet.Lease) bool {
	claim := fleet.Claim{Node: n.id, Run: l.Run, Session: l.Session, Number: l.Number, Scores: l.Joined != ""}
	work, cancel := n.untilGraceEnds(ctx)
	release := func() { cancel(nil) }
	go n.extend(work, cancel, l, claim)
	begun := time.Now()
	path, what, err := n.compute(work, l)
	n.used = time.Now()
	if err == nil {
		n.o.Logger.Info("computed", "shard", what, "seconds", time.Since(begun).Seconds())
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
	case errors.As(err, &not), export.IsDiskFull(err):
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

// compute does what a lease is for. It returns the path of the file to send, and what that is in a word.
func (n *Node) compute(ctx context.Context, l *fleet.Lease) (path, what string, err error) {
	if n.loaded == nil || n.loaded.work != l.Work {
		n.forget()
		if n.loaded, err = n.load(ctx, l); err != nil {
			return "", "", err
		}
	}
	do := n.shard
	if what = fleet.ShardName(l.Shard); l.Joined != "" {
		do, what = n.scores, "scores"
	}
	found, shard, err := do(ctx, l)
	if err != nil {
		return "", "", cmp.Or(ctx.Err(), cannot(err))
	}
	path = n.cache.path(fmt.Sprintf("%s-%d-%s.part", l.Session, l.Number, what))
	return path, what, n.loaded.write(path, shard, found)
}

// shard computes a shard, in the way of the parts that are there.
func (n *Node) shard(ctx context.Context, l *fleet.Lease) (*parts.Found, kernels.Shard, error) {
	found, err := n.loaded.parted.Shard(ctx, l.Shard, parts.Step{})
	if err == nil && l.Way != nil {
		err = l.Way.Check(found.By)
	}
	return found, l.Shard, err
}

// scores makes the scores of a run of what all shards found.
func (n *Node) scores(ctx context.Context, l *fleet.Lease) (*parts.Found, kernels.Shard, error) {
	path := n.cache.path(l.Joined)
	if err := n.cache.download(ctx, n.client, l.Joined, path); err != nil {
		return nil, kernels.Shard{}, err
	}
	defer os.Remove(path)
	file, err := parts.Open(path)
	if err != nil {
		return nil, kernels.Shard{}, err
	}
	all, err := file.Found(0)
	if err != nil {
		return nil, kernels.Shard{}, err
	}
	out, err := n.loaded.parted.Finish(ctx, 1, func(yield func(*parts.Found, error) bool) { yield(all, nil) })
	n.loaded.work = "" // Finish is called once
	if err != nil {
		return nil, kernels.Shard{}, err
	}
	return out.Pack(all.By), kernels.Shard{Index: file.Index, Of: file.Of}, nil
}

// cannot makes an error of a GPU that no shard of the run will do without one that this node cannot help with.
func cannot(err error) error {
	r, _ := engine.ReasonOf(err)
	if unlike := (*parts.Error)(nil); errors.As(err, &unlike) || r.Missing() || r == protocol.TooLarge {
		return &unfit{err.Error()}
	}
	return err
}

// load reads what a run is, downloads its graph, and prepares the searches.
func (n *Node) load(ctx context.Context, l *fleet.Lease) (*loaded, error) {
	if l.Way != nil && l.Way.OnGPU() && l.Way.Device != n.o.Device {
		return nil, &unfit{fmt.Sprintf("the run is computed on %s, and this node has %s", l.Way.Device, n.o.Device)}
	}
	text, err := n.client.read(ctx, l.Work)
	if err != nil {
		return nil, err
	}
	var w fleet.Work
	if err := json.Unmarshal(text, &w); err != nil {
		return nil, err
	}
	if w.Bytes > n.cache.most {
		return nil, &unfit{fmt.Sprintf("the graph takes %s, and the cache has %s", hostmem.FormatBytes(w.Bytes),
			hostmem.FormatBytes(n.cache.most))}
	}
	path, err := n.cache.fetch(ctx, n.client, w.Snapshot)
	if err != nil {
		return nil, err
	}
	return n.prepare(ctx, l, path, &w)
}

// prepare prepares the searches of a run.
func (n *Node) prepare(ctx context.Context, l *fleet.Lease, path string, w *fleet.Work) (out *loaded, err error) {
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
	t := w.Of(mapped.Snapshot, path, engine.CPU)
	t.Request.Threads = n.o.Threads
	if w.Task.By.OnGPU() {
		t.Device, t.Way = n.o.GPU, l.Way
	} else if err := n.fits(ctx, &t); err != nil {
		return nil, err
	}
	p, err := n.o.Engine.Part(ctx, t)
	if err != nil {
		return nil, cannot(err)
	}
	task := parts.TaskOf(w.Measure, p.Request, w.Task.By)
	own := parts.OptionsOf([]parts.Task{task})
	if want := parts.OptionsOf([]parts.Task{w.Task}); own != want {
		return nil, &unfit{"this node computes with other options than the coordinator: " +
			parts.Difference([]parts.Task{task}, []parts.Task{w.Task}) + " (too little memory for reductions?)"}
	}
	about := parts.About{Program: n.o.Program, Graph: w.Graph, Tasks: []parts.Task{task}, Options: own}
	return &loaded{work: l.Work, about: about, mapped: mapped, parted: p}, nil
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
