package coordinator

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/queue"
	"github.com/linchpin-graph/linchpin/fleet"
	"github.com/linchpin-graph/linchpin/internal/filehash"
	"github.com/linchpin-graph/linchpin/kernels"
)

// run is a run that is shared out.
type run struct {
	name, session, measure string
	sources                int
	started                time.Time
	about                  parts.About // of its parts, but for the shard
	work                   file
	snapshot               file
	queue                  *queue.Queue
	// gpus reports whether GPUs compute, all in the way of the first part.
	gpus bool
	// least is how many nodes must have been there before the first shard is handed out; opened, that they were.
	least  int
	opened atomic.Bool
	// largest bounds the bytes of a part.
	largest int64
	logger  *slog.Logger

	mu     sync.Mutex // of what follows
	record *manifest
	all    *parts.Found // what was counted; nil before the first part of a run on GPUs
	helped []string     // the names of those whose parts were counted
	files  int          // that were written
	failed error
	// closing hands out the lease of the scores, which a node with a GPU makes; nil before that. joined is the file with
	// what all shards found, scores what the node sent.
	closing *queue.Queue
	joined  file
	scores  *parts.Found
}

// newSession names one process's go at a run.
func newSession() string { return rand.Text()[:12] }

// mostFiles is how many files of parts a run has on disk before they become one.
const mostFiles = 16

// recover takes over the parts that an earlier coordinator counted.
func (r *run) recover() error {
	var good []entry
	for _, e := range r.record.entries {
		if slices.ContainsFunc(e.Shards, func(s kernels.Shard) bool { return !r.queue.Counts(ticketOf(s)) }) {
			continue // a line that was written twice
		}
		f, err := parts.Open(r.record.path(e.File))
		if err != nil {
			continue
		}
		found, err := f.Found(0)
		if err != nil {
			continue
		}
		if err := r.join(found); err != nil {
			continue
		}
		for _, s := range e.Shards {
			r.queue.Count(ticketOf(s))
		}
		r.thank(e.Nodes)
		good = append(good, e)
	}
	if len(good) == len(r.record.entries) {
		return nil
	}
	return r.record.rewrite(good)
}

// join adds what a part found. The first part of a run on GPUs says in which way all are computed. The mutex is held.
func (r *run) join(found *parts.Found) error {
	if r.all == nil {
		r.all = found.Empty()
	}
	return r.all.Join(found)
}

// thank notes who has helped.
func (r *run) thank(names []string) {
	for _, name := range names {
		if !slices.Contains(r.helped, name) {
			r.helped = append(r.helped, name)
		}
	}
}

// way is that of the parts that are there; nil before there is one.
func (r *run) way() *parts.Way {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		return nil
	}
	by := r.all.By
	return &by
}

// write writes the file of a part, or of what several found.
func (r *run) write(path string, shard kernels.Shard, found *parts.Found) error {
	about := r.about
	about.Index, about.Of, about.Told = shard.Index, shard.Of, []parts.Told{found.Told}
	about.Tasks = slices.Clone(about.Tasks)
	about.Tasks[0].By = found.By
	about.Options = parts.OptionsOf(about.Tasks)
	return parts.Write(path, about, []*parts.Found{found})
}

func ticketOf(s kernels.Shard) queue.Ticket { return queue.Ticket{Shard: s.Index, Of: s.Of} }

// foreign is the error of a file that is not a part of the run.
type foreign struct{ why string }

func (f *foreign) Error() string { return f.why }

// accept takes over a file that is on stable storage and may be a part of the run. It is removed unless it counts.
func (r *run) accept(path, sum string, size int64, by string, t queue.Ticket) (first bool, err error) {
	defer os.Remove(path) // where it has not got another name
	f, err := parts.Open(path)
	if err != nil {
		return false, &foreign{"the part is damaged: " + err.Error()}
	}
	if err := r.check(f); err != nil {
		return false, err
	}
	s := kernels.Shard{Index: f.Index, Of: f.Of}
	if s.Of < 1 || s.Index < 0 || s.Index >= s.Of {
		return false, &foreign{fmt.Sprintf("there is no part %s", fleet.ShardName(s))}
	}
	found, err := f.Found(0)
	if err != nil {
		return false, &foreign{err.Error()}
	}
	if t.Shard != s.Index || t.Of != s.Of {
		t = ticketOf(s) // of an earlier coordinator
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.record == nil || !r.queue.Counts(t) {
		return false, nil
	}
	if r.all != nil {
		if err := r.all.By.Check(found.By); err != nil {
			return false, &foreign{err.Error()}
		}
	}
	e := entry{Shards: []kernels.Shard{s}, File: fleet.ShardName(s) + ".part", SHA256: sum, Bytes: size,
		Nodes: []string{by}}
	if err := r.record.add(e, path); err != nil {
		return false, err
	}
	if err := r.join(found); err != nil {
		r.failed = fmt.Errorf("the part %s of node %s: %w", fleet.ShardName(s), by, err)
		return false, r.failed
	}
	r.thank(e.Nodes)
	if err := r.compact(); err != nil {
		r.logger.Warn("the parts of a run stay in many files", "run", r.name, "error", err)
	}
	r.queue.Count(t) // after which the run may be over, and nothing above may change
	return true, nil
}

// check reports why a file is not of the run.
func (r *run) check(f *parts.File) error {
	switch {
	case f.Program != r.about.Program:
		return &foreign{fmt.Sprintf("the part was computed by %v; the coordinator is %v", f.Program, r.about.Program)}
	case f.Graph != r.about.Graph:
		return &foreign{fmt.Sprintf("the part is of the graph %s, and the run of the graph %s", f.Graph, r.about.Graph)}
	case f.Options != parts.OptionsOf(f.Tasks) || parts.OptionsOf(r.asked(f.Tasks)) != r.about.Options:
		return &foreign{"the part was computed with other options: " + parts.Difference(f.Tasks, r.about.Tasks)}
	case len(f.Told) != len(f.Tasks):
		return &foreign{fmt.Sprintf("the part has the results of %d measures, not of %d", len(f.Told), len(f.Tasks))}
	}
	return nil
}

// asked are the tasks of a part on a GPU without what is known of its way from the part alone.
func (r *run) asked(tasks []parts.Task) []parts.Task {
	if !r.gpus || len(tasks) != 1 || !tasks[0].By.OnGPU() {
		return tasks
	}
	tasks = slices.Clone(tasks)
	tasks[0].By = r.about.Tasks[0].By
	return tasks
}

// noShard is the shard of a file that is not a part of the run: linchpin merge refuses it.
var noShard = kernels.Shard{Index: -1}

// compact makes one file of all when there are many. The mutex is held.
func (r *run) compact() error {
	if len(r.record.entries) < mostFiles {
		return nil
	}
	var e entry
	for _, x := range r.record.entries {
		e.Shards = append(e.Shards, x.Shards...)
	}
	e.Nodes = slices.Clone(r.helped)
	r.files++
	e.File = fmt.Sprintf("joined-%s-%d.sum", r.session, r.files)
	err := r.write(r.record.path(e.File), noShard, r.all)
	if err == nil {
		e.SHA256, e.Bytes, err = filehash.OfFile(r.record.path(e.File))
	}
	if err == nil {
		err = r.record.joined(e)
	}
	return err
}

// take hands out a shard.
func (r *run) take(taker string) (queue.Ticket, bool) {
	if !r.opened.Load() {
		return queue.Ticket{}, false
	}
	return r.queue.Take(taker)
}

// leases is the queue that a claim is about.
func (r *run) leases(c fleet.Claim) *queue.Queue {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.Scores && r.closing != nil {
		return r.closing
	}
	return r.queue
}

// owns reports whether a claim is about this go at the run.
func (r *run) owns(c fleet.Claim) bool { return r != nil && c.Session == r.session }

// held returns the ticket of a number that a taker holds.
func held(q *queue.Queue, taker string, number uint64) (queue.Ticket, bool) {
	if t, ok := q.Ticket(number); ok && t.Taker == taker {
		return t, true
	}
	return queue.Ticket{}, false
}

// newUpload begins the file of a part that is being received.
func (r *run) newUpload() (*os.File, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.record == nil {
		return nil, &foreign{"the run is over"}
	}
	return r.record.newUpload()
}

func (r *run) state() fleet.Run {
	s := r.queue.State()
	return fleet.Run{
		Name: r.name, Measure: r.measure, Done: s.Done, Shards: s.Counted, Out: s.Out, Sources: r.sources, Started: r.started,
	}
}

// fail ends the run.
func (r *run) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = err
}

// ended reports whether the run is over, and why it failed if it did.
func (r *run) ended() (bool, error) {
	r.mu.Lock()
	failed := r.failed
	r.mu.Unlock()
	if failed != nil {
		return true, failed
	}
	s := r.queue.State()
	return s.Ended(), s.Err
}

// close leaves the record to whoever goes on with the run; done removes it.
func (r *run) close(done bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	record := r.record
	if record == nil {
		return errors.New("the run was closed before")
	}
	r.record = nil
	for _, f := range []*file{&r.work, &r.snapshot, &r.joined} {
		f.close()
	}
	if done {
		return record.remove()
	}
	record.close()
	return nil
}
