package coordinator

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/queue"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/fleet"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Limits of requests.
const (
	mostBody = 1 << 20
	// mostWait is how long a request for a shard may wait for one.
	mostWait = 10 * time.Second
	// stalled is how long a transfer may stand still.
	stalled = 30 * time.Second
	// mostUploads is how many parts are received at the same time. Each takes disk, and then memory.
	mostUploads = 4
)

// Handler answers the requests of nodes, below fleet.Prefix. Whoever calls it has checked the token.
func (c *Coordinator) Handler() http.Handler {
	m, uploads := http.NewServeMux(), make(chan struct{}, mostUploads)
	m.HandleFunc("POST "+fleet.TakePath, c.serveTake)
	m.HandleFunc("POST "+fleet.ExtendPath, c.serveExtend)
	m.HandleFunc("POST "+fleet.ReturnPath, c.serveReturn)
	m.HandleFunc("POST "+fleet.LeavePath, c.serveLeave)
	m.HandleFunc("GET "+fleet.FilePath+"{hash}", c.serveFile)
	m.HandleFunc("PUT "+fleet.PartPath, func(w http.ResponseWriter, r *http.Request) {
		select {
		case uploads <- struct{}{}:
			defer func() { <-uploads }()
			c.servePart(w, r)
		case <-r.Context().Done():
		}
	})
	return m
}

func refuse(w http.ResponseWriter, status int, format string, args ...any) {
	answer(w, status, fleet.Problem{Error: fmt.Sprintf(format, args...)})
}

func answer(w http.ResponseWriter, status int, v any) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(stalled))
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the node may be gone
}

// read reads the body of a request.
func read(w http.ResponseWriter, r *http.Request, into any) bool {
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostBody)).Decode(into)
	if err != nil {
		refuse(w, http.StatusBadRequest, "the request: %v", err)
	}
	return err == nil
}

// welcome refuses nodes whose bits may differ.
func (c *Coordinator) welcome(w http.ResponseWriter, h fleet.Hello) bool {
	switch {
	case h.ID == "" || h.Name == "":
		refuse(w, http.StatusBadRequest, "the node has no name")
	case h.Program != c.o.Program:
		c.o.Logger.Warn("a node of another build was refused", "node", h.Name, "program", h.Program.String())
		refuse(w, http.StatusConflict, "the node is %v, and the coordinator %v: install the same build of linchpin on both",
			h.Program, c.o.Program)
	default:
		return true
	}
	return false
}

func (c *Coordinator) serveTake(w http.ResponseWriter, r *http.Request) {
	var h fleet.Hello
	if !read(w, r, &h) || !c.welcome(w, h) {
		return
	}
	end := c.o.Now().Add(min(h.Wait, mostWait))
	for {
		c.see(h)
		began := c.beginning()
		if lease, ok := c.offer(h); ok {
			answer(w, http.StatusOK, lease)
			return
		}
		if !c.pause(r.Context(), began, end) {
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(stalled))
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
}

func (c *Coordinator) beginning() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.began
}

// pause waits for another look for a shard; false means that it is time to answer. Nodes look at times of their own.
func (c *Coordinator) pause(ctx context.Context, began <-chan struct{}, end time.Time) bool {
	left := end.Sub(c.o.Now())
	if left <= 0 {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-began:
	case <-time.After(min(left, 200*time.Millisecond+rand.N(400*time.Millisecond))):
	}
	return true
}

// offer takes a shard for a node, of the oldest run that has one.
func (c *Coordinator) offer(h fleet.Hello) (fleet.Lease, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.runs {
		if h.Unfit[r.name] != "" || !suits(h, r.gpus) {
			continue
		}
		lease, ok := r.offer(h.ID)
		if !ok {
			continue
		}
		lease.Lasts = c.o.Lease
		if n := c.nodes[h.ID]; n != nil {
			if n.Run, n.Shard = r.name, fleet.ShardName(lease.Shard); lease.Joined != "" {
				n.Shard = "scores"
			}
		}
		return lease, true
	}
	return fleet.Lease{}, false
}

// suits reports whether a node has what a run is computed on.
func suits(h fleet.Hello, gpus bool) bool {
	if gpus {
		return h.Device != parts.CPU
	}
	return h.OnCPU
}

// offer hands out a shard, or the lease of the scores.
func (r *run) offer(taker string) (fleet.Lease, bool) {
	lease := fleet.Lease{Run: r.name, Session: r.session, Work: r.work.hash, Way: r.way()}
	r.mu.Lock()
	closing, joined := r.closing, r.joined.hash
	r.mu.Unlock()
	if closing != nil {
		t, ok := closing.Take(taker)
		lease.Number, lease.Joined = t.Number, joined
		return lease, ok
	}
	t, ok := r.take(taker)
	lease.Number, lease.Shard = t.Number, kernels.Shard{Index: t.Shard, Of: t.Of}
	return lease, ok
}

// claimed reads a claim, and finds its run. A run that is over, and a go of another process at it, are gone.
func (c *Coordinator) claimed(w http.ResponseWriter, r *http.Request) (fleet.Claim, *run, bool) {
	var claim fleet.Claim
	if !read(w, r, &claim) {
		return claim, nil, false
	}
	found := c.find(claim.Run)
	if !found.owns(claim) {
		refuse(w, http.StatusGone, "the run is over, or another coordinator has begun it again")
		return claim, nil, false
	}
	c.mu.Lock()
	if n := c.nodes[claim.Node]; n != nil {
		n.Seen = c.o.Now()
	}
	c.mu.Unlock()
	return claim, found, true
}

func (c *Coordinator) serveExtend(w http.ResponseWriter, r *http.Request) {
	claim, found, ok := c.claimed(w, r)
	if !ok {
		return
	}
	leases := found.leases(claim)
	if _, ok := held(leases, claim.Node, claim.Number); ok {
		if _, err := leases.Extend(claim.Number); err == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	refuse(w, http.StatusGone, "%v", queue.ErrGone)
}

func (c *Coordinator) serveReturn(w http.ResponseWriter, r *http.Request) {
	claim, found, ok := c.claimed(w, r)
	if !ok {
		return
	}
	leases := found.leases(claim)
	if t, ok := held(leases, claim.Node, claim.Number); ok && claim.Failed != "" {
		c.o.Logger.Warn("a shard failed", "node", c.nameOf(claim.Node), "shard", t.Shard, "of", t.Of, "error", claim.Failed)
		leases.Fail(t, fmt.Errorf("node %s: %s", c.nameOf(claim.Node), claim.Failed))
	} else if ok {
		leases.Return(t)
	}
	c.rest(claim.Node)
	w.WriteHeader(http.StatusNoContent)
}

func (c *Coordinator) nameOf(id string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := c.nodes[id]; n != nil {
		return n.Name
	}
	return id
}

// rest notes that a node computes nothing now.
func (c *Coordinator) rest(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := c.nodes[id]; n != nil {
		n.Run, n.Shard = "", ""
	}
}

func (c *Coordinator) serveLeave(w http.ResponseWriter, r *http.Request) {
	var h fleet.Hello
	if !read(w, r, &h) {
		return
	}
	c.mu.Lock()
	c.forget(h.ID)
	c.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

func (c *Coordinator) serveFile(w http.ResponseWriter, r *http.Request) {
	f, ok := c.file(r.PathValue("hash"))
	if !ok {
		refuse(w, http.StatusNotFound, "no run needs this file")
		return
	}
	w.Header().Set("ETag", `"`+f.hash+`"`)
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(&patient{w, http.NewResponseController(w)}, r, "", time.Time{}, f.reader())
}

// file finds a file of a run.
func (c *Coordinator) file(hash string) (file, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.runs {
		for _, f := range []file{r.work, r.snapshot, r.joined} {
			if f.hash == hash {
				return f, true
			}
		}
	}
	return file{}, false
}

// patient gives a node time for each piece of a file.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (p *patient) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(stalled))
	return p.ResponseWriter.Write(b)
}

// servePart receives a part.
func (c *Coordinator) servePart(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	found := c.find(q.Get("run"))
	switch {
	case found == nil && c.isOver(q.Get("run")):
		c.refusePart(w, errOver)
		return
	case found == nil:
		refuse(w, http.StatusNotFound, "this run is not known")
		return
	}
	number, _ := strconv.ParseUint(q.Get("number"), 10, 64) // 0 is no ticket's
	claim := fleet.Claim{Node: q.Get("node"), Session: q.Get("session"), Number: number, Scores: q.Get("scores") == "true"}
	first, err := c.take(w, r, found, claim)
	if err != nil {
		c.refusePart(w, err)
		return
	}
	c.count(claim.Node, found, first)
	answer(w, http.StatusOK, fleet.Accepted{First: first})
}

// errOver is the error of a part whose run ended before it was received.
var errOver = errors.New("the run is over")

// take receives the file that a claim is about, and reports whether it counts.
func (c *Coordinator) take(w http.ResponseWriter, r *http.Request, to *run, claim fleet.Claim) (first bool, err error) {
	leases, t := to.leases(claim), queue.Ticket{}
	if to.owns(claim) {
		t, _ = held(leases, claim.Node, claim.Number)
	}
	path, sum, size, err := receive(w, r, to)
	switch {
	case err != nil:
	case claim.Scores:
		first, err = to.acceptScores(path, t)
	default:
		first, err = to.accept(path, sum, size, c.nameOf(claim.Node), t)
	}
	if err != nil && c.find(to.name) != to {
		return false, errOver // and its folder, with the file, may be gone
	}
	if wrong := (*foreign)(nil); errors.As(err, &wrong) {
		c.o.Logger.Warn("a part was refused", "node", c.nameOf(claim.Node), "error", err)
		leases.Fail(t, err)
	}
	return first, err
}

// refusePart answers a part that was not taken over. With 5xx the node tries again later.
func (c *Coordinator) refusePart(w http.ResponseWriter, err error) {
	large := (*http.MaxBytesError)(nil)
	wrong := (*foreign)(nil)
	switch {
	case errors.Is(err, errOver):
		refuse(w, http.StatusGone, "%v", err)
	case errors.As(err, &wrong):
		refuse(w, http.StatusUnprocessableEntity, "%v", err)
	case errors.As(err, &large):
		refuse(w, http.StatusUnprocessableEntity, "the part is larger than any part of the run")
	case export.IsDiskFull(err):
		c.tellFull(err)
		refuse(w, http.StatusInsufficientStorage, "the disk of the coordinator is full")
	default:
		c.o.Logger.Warn("a part was not received", "error", err)
		refuse(w, http.StatusServiceUnavailable, "the part was not received: %v", err)
	}
}

// fullEvery is how often the log says that the disk is full.
const fullEvery = time.Minute

// tellFull logs that the disk is full, unless that was said a moment ago.
func (c *Coordinator) tellFull(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.o.Now(); now.Sub(c.fullTold) >= fullEvery {
		c.fullTold = now
		c.o.Logger.Error("the disk of the coordinator is full: no part is taken until there is room", "error", err)
	}
}

// receive writes the body of a request to a file on stable storage.
func receive(w http.ResponseWriter, r *http.Request, to *run) (path, sum string, size int64, err error) {
	f, err := to.newUpload()
	if err != nil {
		return "", "", 0, err
	}
	hash := sha256.New()
	body := &slow{http.MaxBytesReader(w, r.Body, to.largest), http.NewResponseController(w)}
	size, err = io.Copy(io.MultiWriter(f, hash), body)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), fmt.Sprintf("%x", hash.Sum(nil)), size, err
}

// slow reads a body that may take as long as it likes, unless it stands still.
type slow struct {
	io.Reader
	control *http.ResponseController
}

func (s *slow) Read(b []byte) (int, error) {
	_ = s.control.SetReadDeadline(time.Now().Add(stalled))
	return s.Reader.Read(b)
}

// count notes what a node's part was worth.
func (c *Coordinator) count(id string, r *run, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.nodes[id]
	if n == nil {
		return
	}
	n.Seen, n.Run, n.Shard = c.o.Now(), "", ""
	if first {
		n.Shards++
	}
	_, pace := r.queue.Pace(id)
	n.PerSecond = pace * float64(r.sources)
}
