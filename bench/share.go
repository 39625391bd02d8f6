package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/queue/simulate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// probeSources is from how many sources a rate is found out: what fills a device once, at least.
const probeSources = 8448

// Who shares a run: devices of this machine, or processes of one thread.
const (
	Devices   = "devices"
	Processes = "processes"
)

// ShareRecord is one run that several devices, or processes of one thread, share: a line of a file of its own.
type ShareRecord struct {
	Graph    string `json:"graph"`
	Nodes    int    `json:"n"`
	Edges    int    `json:"m"`
	Measure  string `json:"measure"`
	Weighted bool   `json:"weighted"`
	Strategy string `json:"strategy"`
	Sources  int    `json:"sources"`
	// By is devices or processes, Count how many share the run.
	By    string `json:"by"`
	Count int    `json:"count"`
	// Parts is into how many shards the run was cut; 0 for one that is not.
	Parts int `json:"shards"`
	// Seconds is all of the run, by workers that have started. Preprocess is what each device does before it searches,
	// Predicted what the plan said before.
	Seconds    float64 `json:"seconds"`
	Preprocess float64 `json:"preprocess"`
	Predicted  float64 `json:"predicted,omitempty"`
	// Speedup is how many times as fast as one, Equal whether the scores have the bits of one.
	Speedup float64 `json:"speedup"`
	Equal   bool    `json:"equal"`
	Remark  string  `json:"remark,omitempty"`
	Device  string  `json:"device"`
	Environment
	Date string `json:"date"`
	// Times are those of workers and shards, in the form that the simulator takes; nil for a run that was not cut.
	Times *simulate.Measured `json:"times,omitempty"`
}

// Sharer measures how much faster several devices are than one.
type Sharer struct {
	Session *engine.Session
	Loader  *Loader
	// By is Devices or Processes. Counts are how many of them share a run; the first is what the others are compared with.
	By     string
	Counts []int
	// Seconds is what a run takes the first count, at least.
	Seconds     float64
	Measure     string
	Out         string
	Log         func(string)
	Environment Environment
	Clock       func() time.Time
	// Until is when no other graph is begun; zero for no end.
	Until time.Time
}

// errOtherBits is the error of scores that depend on how many share the run.
var errOtherBits = errors.New("the scores have other bits")

// Run measures graphs, each with every count.
func (s *Sharer) Run(ctx context.Context, graphs []Graph) error {
	for _, g := range graphs {
		if !s.Until.IsZero() && s.Clock().After(s.Until) {
			return fmt.Errorf("%w: before %s", ErrBudget, g.Name)
		}
		snapshot, path, err := s.Loader.Load(ctx, g)
		if err != nil {
			return err
		}
		task := engine.Task{Measure: s.Measure, Snapshot: snapshot, Path: path, Request: kernels.Request{Nodes: true}}
		task.Request.Weighted, task.Request.Reduce = g.Weights != Unweighted, kernels.ReduceOff
		if err := s.graph(ctx, g, task); err != nil {
			return fmt.Errorf("%s: %w", g.Name, err)
		}
	}
	return nil
}

// graph measures one graph.
func (s *Sharer) graph(ctx context.Context, g Graph, task engine.Task) error {
	task, err := s.long(ctx, task)
	if err != nil {
		return err
	}
	var first *engine.Outcome
	var one float64
	for _, count := range s.Counts {
		out, r, err := s.run(ctx, task, count)
		if err != nil {
			return err
		}
		if first == nil {
			first, one = out, r.Seconds
		}
		r.Graph, r.Speedup, r.Equal = g.Name, one/r.Seconds, sameBits(first.Scores, out.Scores)
		s.Log(r.line())
		if err := appendLine(s.Out, r); err != nil {
			return err
		}
		if !r.Equal {
			return fmt.Errorf("on %d %s: %w", count, r.By, errOtherBits)
		}
	}
	return nil
}

// run runs a task by so many, after its plan.
func (s *Sharer) run(ctx context.Context, task engine.Task, count int) (*engine.Outcome, *ShareRecord, error) {
	g := task.Snapshot.Graph
	r := &ShareRecord{
		Nodes: g.N(), Edges: g.M(), Measure: task.Measure, Weighted: task.Request.Weighted,
		Sources: task.Request.SourceCount(g.N()), By: s.By, Count: count, Environment: s.Environment,
		Date: s.Clock().UTC().Format(time.RFC3339),
	}
	if s.By == Processes {
		out, times, err := s.processes(ctx, task, count)
		if err == nil {
			r.Strategy, r.Device, r.Parts, r.Seconds, r.Times = "cpu", out.Device, out.Parts(), times.Wall, times
		}
		return out, r, err
	}
	task.Device = firstDevices(count)
	var err error
	if task.Ranking, err = s.Session.Rank(ctx, task, 1<<62); err != nil {
		return nil, nil, err
	}
	if first := task.Ranking.First(); first != nil {
		r.Predicted = first.Seconds
	}
	if err := s.Session.Warm(ctx, task.Device); err != nil { // and none holds memory of the run before
		return nil, nil, err
	}
	out, err := s.Session.Compute(ctx, task)
	if err == nil {
		r.Strategy, r.Parts, r.Device, r.Remark = out.Strategy, out.Parts(), out.Device, out.Remark
		r.Seconds, r.Preprocess = out.Elapsed, out.Preprocess
		r.Times = timesOf(out, count)
	}
	return out, r, err
}

// firstDevices is the policy of so many devices, the first ones.
func firstDevices(count int) engine.Policy {
	numbers := make([]string, count)
	for i := range numbers {
		numbers[i] = fmt.Sprint(i)
	}
	return engine.Policy("gpu:" + strings.Join(numbers, ","))
}

// strategies are those that are tried, until all sources take one of them long enough.
func strategies(spec kernels.Measure, weighted bool) []string {
	known := spec.StrategiesFor(weighted)
	slow := slices.DeleteFunc([]string{"work-efficient", "hybrid", "vertex-parallel"}, func(name string) bool {
		return !slices.Contains(known, name)
	})
	return append([]string{"auto"}, slow...)
}

// long takes so many sources, and if all are too few a slower strategy, that one device takes long enough.
func (s *Sharer) long(ctx context.Context, task engine.Task) (engine.Task, error) {
	spec, ok := kernels.Lookup(task.Measure)
	if !ok {
		return task, fmt.Errorf("unknown measure %q", task.Measure)
	}
	near := neighbourOrder(task.Snapshot.Graph, deviceBatch)
	tried, few, on := strategies(spec, task.Request.Weighted), probeSources, firstDevices(s.Counts[0])
	if s.By == Processes {
		tried, few, on = tried[:1], deviceBatch, engine.CPU
		task.Request.Threads = s.Counts[0]
	}
	for _, task.Strategy = range tried {
		rate, fixed, err := s.rate(ctx, task, on, near, few)
		if err != nil {
			return task, err
		}
		want := rate * (s.Seconds - fixed)
		if task.Request.Sources = spread(near, int(want)); want <= float64(len(near)) {
			break
		}
	}
	return task, nil
}

// rate is how many sources a second are searched, and the seconds that do not depend on their number: what twice as
// many take more than so few.
func (s *Sharer) rate(
	ctx context.Context, task engine.Task, on engine.Policy, near []int32, few int,
) (rate, fixed float64, err error) {
	var sources, seconds [2]float64
	task.Device = on
	for i := range sources {
		task.Request.Sources = spread(near, few<<i)
		out, err := s.Session.Compute(ctx, task)
		if err != nil {
			return 0, 0, err
		}
		sources[i], seconds[i] = float64(task.Request.SourceCount(len(near))), out.Elapsed
		if i == 1 {
			defer func() {
				s.Log(fmt.Sprintf("%s by %s: %.0f sources a second, and %.2f s", task.Measure, taken(out), rate, fixed))
			}()
		}
	}
	if rate = (sources[1] - sources[0]) / (seconds[1] - seconds[0]); !(rate > 0) || math.IsInf(rate, 1) {
		// too short to tell
		return sources[1] / seconds[1], 0, nil
	}
	return rate, max(0, seconds[1]-sources[1]/rate), nil
}

// spread returns about so many sources, in batches of neighbours that are spread evenly; nil for all.
func spread(near []int32, count int) []int32 {
	places := spreadSources(len(near), count, deviceBatch)
	if places == nil {
		return nil
	}
	out := make([]int32, len(places))
	for i, at := range places {
		out[i] = near[at]
	}
	slices.Sort(out)
	return out
}

// Warm starts the workers of all devices that are to be measured.
func (s *Sharer) Warm(ctx context.Context) error {
	if s.By == Processes {
		return nil
	}
	return s.Session.Warm(ctx, firstDevices(slices.Max(s.Counts)))
}

func sameBits(a, b *kernels.Scores) bool {
	return slices.Equal(gpu.Bytes(a.Nodes), gpu.Bytes(b.Nodes)) && slices.Equal(gpu.Bytes(a.Edges), gpu.Bytes(b.Edges))
}

// line says in one line what was measured.
func (r *ShareRecord) line() string {
	equal := "the same bits"
	if !r.Equal {
		equal = "OTHER BITS"
	}
	return fmt.Sprintf(
		"%s %s by %s, %d sources: %d %s %.2f s (%.2f to prepare, predicted %.2f), %.2f times one, %d shards, %s%s",
		r.Graph, r.Measure, r.Strategy, r.Sources, r.Count, r.By, r.Seconds, r.Preprocess, r.Predicted, r.Speedup, r.Parts,
		equal, remarked(r.Remark))
}

func remarked(text string) string {
	if text == "" {
		return ""
	}
	return "; " + text
}

// timesOf are the times of a run of devices.
func timesOf(out *engine.Outcome, count int) *simulate.Measured {
	if len(out.Times) == 0 {
		return nil
	}
	m := &simulate.Measured{
		Wall: out.Elapsed, Start: out.Opening, Finish: out.Joining, Prepare: make([]float64, count),
	}
	for _, t := range out.Times {
		m.Shard, m.Worker = append(m.Shard, t.Seconds-t.Preprocess), append(m.Worker, t.Device)
		m.Prepare[t.Device] += t.Preprocess
	}
	return m
}

// appendLine adds a line of JSON.
func appendLine(path string, r *ShareRecord) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}
