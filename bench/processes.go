package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/queue/simulate"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// shardsPerProcess is into how many shards a run is cut for each process that shares it.
const shardsPerProcess = 16

// Part is what a process computes shards of: the first line that it reads.
type Part struct {
	Snapshot string  `json:"snapshot"`
	Measure  string  `json:"measure"`
	Weighted bool    `json:"weighted"`
	Sources  []int32 `json:"sources"`
	Of       int     `json:"of"`
	// Partial is the file for what all shards of this process add up to.
	Partial string `json:"partial"`
}

// task is that of a part, on one thread.
func (p Part) task(s *export.Snapshot) engine.Task {
	return engine.Task{
		Measure: p.Measure, Snapshot: s, Path: p.Snapshot, Device: engine.CPU, Request: kernels.Request{
			Nodes: true, Threads: 1, Reduce: kernels.ReduceOff, Sources: p.Sources, Params: kernels.Params{Weighted: p.Weighted},
		},
	}
}

// ServePart is a process that shares a run: it reads a Part and then numbers of shards, and answers each with a line.
// At the end of the input it writes what its shards add up to.
func ServePart(ctx context.Context, in io.Reader, out io.Writer) error {
	fmt.Fprintln(out, "started")
	orders := json.NewDecoder(in)
	var p Part
	if err := orders.Decode(&p); err != nil {
		return err
	}
	snapshot, err := export.OpenSnapshot(p.Snapshot)
	if err != nil {
		return err
	}
	defer snapshot.Close()
	var e engine.Engine
	run, err := e.Part(ctx, p.task(snapshot.Snapshot))
	if err != nil {
		return err
	}
	defer run.Close()
	var found *kernels.Partial
	fmt.Fprintln(out, "ready")
	for {
		var shard int
		switch err := orders.Decode(&shard); {
		case errors.Is(err, io.EOF):
			return writePartial(p.Partial, found)
		case err != nil:
			return err
		}
		part, err := run.Shard(ctx, kernels.Shard{Index: shard, Of: p.Of}, parts.Step{})
		if err != nil {
			return err
		}
		if found == nil {
			found = part.Partial.Empty()
		}
		if err := found.Join(part.Partial); err != nil {
			return err
		}
		fmt.Fprintln(out, shard)
	}
}

// writePartial writes what shards add up to; an empty file for none.
func writePartial(path string, found *kernels.Partial) (err error) {
	var data []byte
	if found != nil {
		if data, err = found.MarshalBinary(); err != nil {
			return err
		}
	}
	return os.WriteFile(path, data, 0o600)
}

// shareProcess is one of the processes that share a run.
type shareProcess struct {
	name    string
	command *exec.Cmd
	in      io.WriteCloser
	lines   *bufio.Scanner
	partial string
	// start is how long it took until it was there, prepare until it was ready; shards are those that it did, with the
	// time of each.
	start, prepare float64
	shards         map[int]float64
}

// startPart starts this program as a process that shares a run, and waits until it is ready.
func startPart(ctx context.Context, p Part, index int, folder string) (*shareProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	p.Partial = filepath.Join(folder, fmt.Sprintf("partial-%d", index))
	s := &shareProcess{name: fmt.Sprint("process ", index), command: exec.CommandContext(ctx, self, "--part"),
		partial: p.Partial, shards: map[int]float64{}}
	s.command.Env = append(os.Environ(), "GOMAXPROCS=1")
	s.command.Stderr = os.Stderr
	if s.in, err = s.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.lines = bufio.NewScanner(out)
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	if err := json.NewEncoder(s.in).Encode(p); err != nil {
		return nil, errors.Join(err, s.command.Wait())
	}
	if err := s.answered(); err != nil {
		return nil, err
	}
	s.start = time.Since(begun).Seconds()
	err = s.answered()
	s.prepare = time.Since(begun).Seconds() - s.start
	return s, err
}

// answered waits for a line.
func (s *shareProcess) answered() error {
	if s.lines.Scan() {
		return nil
	}
	return errors.Join(fmt.Errorf("%s ended", s.name), s.command.Wait())
}

// work takes shards until none is left, and reads what they add up to. next counts those that were taken.
func (s *shareProcess) work(next *atomic.Int64, shards int) (*kernels.Partial, error) {
	for i := int(next.Add(1)) - 1; i < shards; i = int(next.Add(1)) - 1 {
		begun := time.Now()
		if _, err := fmt.Fprintln(s.in, i); err != nil {
			return nil, err
		}
		if err := s.answered(); err != nil {
			return nil, err
		}
		s.shards[i] = time.Since(begun).Seconds()
	}
	if err := errors.Join(s.in.Close(), s.command.Wait()); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(s.partial)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	var found kernels.Partial
	return &found, found.UnmarshalBinary(data)
}

// processes has so many processes share a run, which all start at the same time.
func (s *Sharer) processes(
	ctx context.Context, task engine.Task, count int,
) (*engine.Outcome, *simulate.Measured, error) {
	folder, err := os.MkdirTemp("", "linchpin-bench-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(folder)
	part := Part{
		Snapshot: task.Path, Measure: task.Measure, Weighted: task.Request.Weighted, Sources: task.Request.Sources,
		Of: slices.Max(s.Counts) * shardsPerProcess,
	}
	begun := time.Now()
	var next atomic.Int64
	all, found, errs := make([]*shareProcess, count), make([]*kernels.Partial, count), make([]error, count)
	var working sync.WaitGroup
	for i := range all {
		working.Go(func() {
			if all[i], errs[i] = startPart(ctx, part, i, folder); errs[i] == nil {
				found[i], errs[i] = all[i].work(&next, part.Of)
			}
		})
	}
	working.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, nil, err
	}
	m := measuredBy(all, part.Of)
	out, err := finishParts(ctx, part.task(task.Snapshot), found, part.Of, m)
	m.Wall = time.Since(begun).Seconds()
	return out, m, err
}

// measuredBy says what processes took.
func measuredBy(all []*shareProcess, shards int) *simulate.Measured {
	m := &simulate.Measured{Shard: make([]float64, shards), Worker: make([]int, shards)}
	for i, p := range all {
		m.Start = max(m.Start, p.start)
		m.Prepare = append(m.Prepare, p.prepare)
		for shard, seconds := range p.shards {
			m.Shard[shard], m.Worker[shard] = seconds, i
		}
	}
	return m
}

// finishParts joins what processes found, and makes scores of it.
func finishParts(
	ctx context.Context, t engine.Task, found []*kernels.Partial, shards int, m *simulate.Measured,
) (*engine.Outcome, error) {
	begun := time.Now()
	var e engine.Engine
	run, err := e.Part(ctx, t)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	joining := time.Now()
	all := &parts.Found{By: parts.Way{Device: parts.CPU}}
	for _, p := range found {
		switch {
		case p == nil: // a process that came too late for a shard
		case all.Partial == nil:
			all.Partial = p
		default:
			if err := all.Partial.Join(p); err != nil {
				return nil, err
			}
		}
	}
	m.Join = time.Since(joining).Seconds()
	out, err := run.Finish(ctx, shards, func(yield func(*parts.Found, error) bool) { yield(all, nil) })
	m.Finish = time.Since(begun).Seconds() - m.Join
	return out, err
}
