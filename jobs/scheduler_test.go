package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
)

// book is the database of a scheduler under test: records in memory. While it is down it takes none.
type book struct {
	mu   sync.Mutex
	runs map[string]connector.Run
	down bool
	slow time.Duration // what a transaction takes
}

func (b *book) SaveRuns(_ context.Context, runs ...connector.Run) error {
	time.Sleep(b.slow)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.down {
		return errors.New("down")
	}
	for _, r := range runs {
		if _, known := b.runs[r.ID]; !known || r.Status != connector.Waiting {
			b.runs[r.ID] = r
		}
	}
	return nil
}

func (b *book) LastDue(_ context.Context, job string) (time.Time, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var last time.Time
	for _, r := range b.runs {
		for _, t := range []time.Time{r.Due, r.Until} {
			if r.Job == job && t.After(last) {
				last = t
			}
		}
	}
	return last, nil
}

func (b *book) CloseRuns(_ context.Context, job string) (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := int64(0)
	for id, r := range b.runs {
		if r.Job == job && r.Status == connector.Waiting {
			r.Status, r.Times, r.Until = connector.Missed, 1, r.Due
			b.runs[id] = r
			n++
		}
	}
	return n, nil
}

// copy is what a service finds in the database after the one before it was killed now.
func (b *book) copy() *book {
	b.mu.Lock()
	defer b.mu.Unlock()
	return &book{runs: maps.Clone(b.runs)}
}

func (b *book) PruneRuns(context.Context, string, int) (int64, error) { return 0, nil }

// lines are the records in the order of their due times, or of their starts, each in a few words.
func (b *book) lines() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]connector.Run, 0, len(b.runs))
	for _, r := range b.runs {
		all = append(all, r)
	}
	slices.SortFunc(all, func(x, y connector.Run) int {
		if c := x.Started.Compare(y.Started); c != 0 {
			return c
		}
		return strings.Compare(x.Job+string(x.Status), y.Job+string(y.Status))
	})
	var out []string
	for _, r := range all {
		line := fmt.Sprintf("%s %s %s", r.Job, r.Status, r.Trigger)
		if !r.Due.IsZero() {
			line += " " + r.Due.UTC().Format("01-02 15:04:05")
		}
		if r.Times > 0 {
			line += fmt.Sprintf(" to %s x%d", r.Until.UTC().Format("01-02 15:04:05"), r.Times)
		}
		out = append(out, line)
	}
	return out
}

// rig is a scheduler on a fake clock, with runs that take as long as the test says.
type rig struct {
	*Scheduler
	t      *testing.T
	book   *book
	ahead  time.Duration // of the wall clock
	takes  func(job string) (time.Duration, error)
	events []Event
	active map[string]int
	mu     sync.Mutex
}

func newRig(t *testing.T, b *book, o SchedulerOptions) *rig {
	if b.runs == nil {
		b.runs = map[string]connector.Run{}
	}
	r := &rig{t: t, book: b, active: map[string]int{},
		takes: func(string) (time.Duration, error) { return time.Millisecond, nil }}
	o.Execute, o.Records, o.Now, o.Logger = r.execute, b, r.now, slog.New(slog.DiscardHandler)
	o.Notify = func(e Event) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.events = append(r.events, e)
	}
	if o.Running == 0 {
		o.Running = 10
	}
	r.Scheduler = NewScheduler(o)
	return r
}

func (r *rig) now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Add(r.ahead)
}

func (r *rig) execute(ctx context.Context, job config.Job, o Options, _ Reporter) (*Result, error) {
	r.mu.Lock()
	r.active[job.Name]++
	if r.active[job.Name] > 1 {
		r.t.Errorf("%s runs twice at once", job.Name)
	}
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.active[job.Name]--
		r.mu.Unlock()
	}()
	long, err := r.takes(job.Name)
	record := connector.Run{
		ID: o.Origin.ID, Job: job.Name, Status: connector.Succeeded, Started: r.now().UTC(),
		Trigger: string(o.Origin.Trigger), Due: o.Origin.Due, Attempt: int64(o.Origin.Attempt), Step: "done",
	}
	select {
	case <-time.After(long):
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		record.Status, record.Step = connector.Failed, string(Compute)
		if errors.Is(err, context.Canceled) {
			record.Status = connector.Cancelled
		}
		return &Result{Run: record}, err
	}
	o.Recording(ctx)
	if err := r.book.SaveRuns(ctx, record); err != nil {
		record.Status = connector.Unfinished
		return &Result{Run: record}, err
	}
	return &Result{Run: record}, nil
}

// start starts the scheduler; stop ends it and returns the records.
func (r *rig) start(list ...config.Job) {
	r.t.Helper()
	if err := r.Start(r.t.Context(), list); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) stop() []string {
	r.t.Helper()
	if err := r.Stop(time.Hour); err != nil {
		r.t.Error(err)
	}
	return r.book.lines()
}

func (r *rig) jump(by time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ahead += by
}

// at makes a job with a schedule.
func at(name, schedule string, change ...func(*config.Job)) config.Job {
	j := config.DefaultJob()
	j.Name, j.Schedule = name, schedule
	for _, c := range change {
		c(&j)
	}
	return j
}

func want(t *testing.T, got []string, expected ...string) {
	t.Helper()
	if !slices.Equal(got, expected) {
		t.Errorf("records:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(expected, "\n  "))
	}
}

// sleepUntil waits on the fake clock, which begins at midnight UTC, 2000-01-01.
func sleepUntil(text string) {
	t, err := time.Parse("2006-01-02 15:04:05.999", text)
	if err != nil {
		panic(err)
	}
	time.Sleep(time.Until(t))
}

func TestEveryDueTimeRunsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &book{}, SchedulerOptions{})
		r.start(at("a", "*/10 * * * * *"), at("b", "@every 25s"))
		sleepUntil("2000-01-01 00:00:51")
		want(t, r.stop(), "a succeeded schedule 01-01 00:00:10", "a succeeded schedule 01-01 00:00:20",
			"b succeeded schedule 01-01 00:00:25", "a succeeded schedule 01-01 00:00:30", "a succeeded schedule 01-01 00:00:40",
			"a succeeded schedule 01-01 00:00:50", "b succeeded schedule 01-01 00:00:50")
		for _, e := range r.events {
			if e.Lag > 10*time.Millisecond {
				t.Errorf("%s was dispatched %s late", e.Run, e.Lag)
			}
		}
	})
}

// The lag is that of the scheduler: what stands in line for the run before it is on time.
func TestWaitingRunsAreNoLag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &book{}, SchedulerOptions{Running: 1})
		r.takes = func(string) (time.Duration, error) { return 15 * time.Second, nil }
		queue := func(j *config.Job) { j.Overlap = "queue" }
		r.start(at("a", "*/10 * * * * *", queue), at("b", "*/10 * * * * *", queue))
		sleepUntil("2000-01-01 00:01:01")
		r.stop()
		started := 0
		for _, e := range r.events {
			if e.Kind == Started {
				started++
			}
			if e.Lag > 10*time.Millisecond {
				t.Errorf("%s was dispatched %s late", e.Run, e.Lag)
			}
		}
		if started < 3 {
			t.Errorf("%d runs started", started)
		}
	})
}

// A database that is slower than runs come gets several records per transaction.
func TestRecordsCatchUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &book{slow: time.Second}, SchedulerOptions{})
		r.start(at("a", "* * * * * *"), at("b", "* * * * * *"), at("c", "* * * * * *"))
		sleepUntil("2000-01-01 00:02:00.5")
		if n := r.Unrecorded(); n > 30 {
			t.Errorf("%d records wait", n)
		}
		if n := len(r.stop()); n != 3*120 {
			t.Errorf("%d records", n)
		}
	})
}

func TestOverlapPolicies(t *testing.T) {
	for policy, expected := range map[string][]string{
		"skip": {"a succeeded schedule 01-01 00:00:10", "a skipped schedule 01-01 00:00:20",
			"a skipped schedule 01-01 00:00:30", "a succeeded schedule 01-01 00:00:40"},
		"queue": {"a succeeded schedule 01-01 00:00:10", "a skipped schedule 01-01 00:00:30",
			"a succeeded schedule 01-01 00:00:20", "a skipped schedule 01-01 00:00:40"},
		"cancel": {"a cancelled schedule 01-01 00:00:10", "a cancelled schedule 01-01 00:00:20",
			"a cancelled schedule 01-01 00:00:30", "a succeeded schedule 01-01 00:00:40"},
	} {
		t.Run(policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, &book{}, SchedulerOptions{})
				r.takes = func(string) (time.Duration, error) { return 25 * time.Second, nil }
				r.start(at("a", "*/10 * * * * *", func(j *config.Job) { j.Overlap = policy }))
				sleepUntil("2000-01-01 00:00:41")
				want(t, r.stop(), expected...)
			})
		})
	}
}

func TestMisfiresAfterDowntime(t *testing.T) {
	for policy, expected := range map[string][]string{
		"once": {"a succeeded schedule 01-01 01:00:00", "a missed misfire 01-01 02:00:00 to 01-01 04:00:00 x3",
			"a succeeded misfire 01-01 05:00:00", "a succeeded schedule 01-01 06:00:00"},
		"skip": {"a succeeded schedule 01-01 01:00:00", "a missed misfire 01-01 02:00:00 to 01-01 05:00:00 x4",
			"a succeeded schedule 01-01 06:00:00"},
	} {
		t.Run(policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, job := &book{}, at("a", "0 * * * *", func(j *config.Job) { j.Misfire = policy })
				r := newRig(t, b, SchedulerOptions{})
				r.start(job)
				sleepUntil("2000-01-01 01:10:00")
				r.stop()
				sleepUntil("2000-01-01 05:30:00")
				r = newRig(t, b, SchedulerOptions{})
				r.start(job)
				sleepUntil("2000-01-01 06:10:00")
				want(t, r.stop(), expected...)
			})
		})
	}
}

// A job that is due each second misses 31 million times in a year; counting stops early, the newest one is right.
func TestMisfiresTooManyToCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &book{runs: map[string]connector.Run{"x": {ID: "x", Job: "a", Due: time.Now().AddDate(-1, 0, 0)}}}
		r := newRig(t, b, SchedulerOptions{})
		r.start(at("a", "* * * * * *"))
		synctest.Wait()
		time.Sleep(100 * time.Millisecond)
		lines := r.stop()
		if len(lines) != 3 || !strings.HasSuffix(lines[2], "a succeeded misfire 01-01 00:00:00") ||
			!strings.HasSuffix(lines[1], "x100000") {
			t.Errorf("%q", lines)
		}
	})
}

func TestClockJumps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &book{}, SchedulerOptions{})
		r.start(at("a", "0 * * * *"))
		sleepUntil("2000-01-01 00:30:00")
		r.jump(2*time.Hour + 15*time.Minute) // the wall clock says 02:45
		time.Sleep(30 * time.Second)
		want(t, r.book.lines(), "a missed misfire 01-01 01:00:00 to 01-01 01:00:00 x1", "a succeeded misfire 01-01 02:00:00")
		sleepUntil("2000-01-01 00:45:01") // 03:00:01 on the wall
		want(t, r.book.lines()[2:], "a succeeded schedule 01-01 03:00:00")
		r.jump(-90 * time.Minute) // 01:30 on the wall: 02:00 and 03:00 come again
		sleepUntil("2000-01-01 02:15:02")
		got := r.stop()
		slices.Sort(got) // by the wall clock what came first is later now
		want(t, got, "a missed misfire 01-01 01:00:00 to 01-01 01:00:00 x1", "a succeeded misfire 01-01 02:00:00",
			"a succeeded schedule 01-01 02:00:00", "a succeeded schedule 01-01 03:00:00", "a succeeded schedule 01-01 03:00:00")
		if i := slices.IndexFunc(r.events, func(e Event) bool { return e.Kind == Clock }); i < 0 {
			t.Error("no event says that the clock jumped")
		}
	})
}

// At 02:30 on the last Sunday of March there is no such time in Berlin, and on that of October it comes twice.
func TestDaylightSaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sleepUntil("2000-03-25 12:00:00")
		r := newRig(t, &book{}, SchedulerOptions{})
		berlin := func(j *config.Job) { j.Timezone = "Europe/Berlin" }
		r.start(at("gap", "30 2 * * *", berlin), at("plain", "30 4 * * *", berlin))
		sleepUntil("2000-03-27 12:00:00")
		want(t, r.stop(), "plain succeeded schedule 03-26 02:30:00", "gap succeeded schedule 03-27 00:30:00",
			"plain succeeded schedule 03-27 02:30:00")
	})
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	got := ScheduleWarnings("30 2 * * *", "Europe/Berlin", now)
	if len(got) != 2 || !strings.Contains(got[0], "2026-03-29 02:30 in Europe/Berlin is skipped") ||
		!strings.Contains(got[1], "2026-10-25 02:30 in Europe/Berlin comes twice") {
		t.Errorf("warnings %q", got)
	}
	for _, fine := range [][2]string{{"30 4 * * *", "Europe/Berlin"}, {"30 2 * * *", "UTC"},
		{"0 * * * *", "Europe/Berlin"}, {"@every 1h", "Europe/Berlin"}} {
		if w := ScheduleWarnings(fine[0], fine[1], now); len(w) > 0 {
			t.Errorf("%v: %q", fine, w)
		}
	}
}

func TestLeapDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sleepUntil("2000-02-28 12:00:00")
		r := newRig(t, &book{}, SchedulerOptions{})
		r.start(at("a", "0 3 29 2 *"), at("b", "0 3 * * *"))
		sleepUntil("2000-03-01 12:00:00")
		want(t, r.stop(), "a succeeded schedule 02-29 03:00:00", "b succeeded schedule 02-29 03:00:00",
			"b succeeded schedule 03-01 03:00:00")
	})
}

func TestJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &book{}, SchedulerOptions{})
		jitter := func(j *config.Job) { j.Jitter = 10 * time.Minute }
		r.start(at("a", "@hourly", jitter), at("b", "@hourly", jitter))
		sleepUntil("2000-01-01 20:30:00")
		lines := r.stop()
		if len(lines) != 40 {
			t.Fatalf("%d runs", len(lines))
		}
		delays := map[time.Duration]bool{}
		for _, run := range r.book.runs {
			d := run.Started.Sub(run.Due)
			if d < 0 || d >= 10*time.Minute {
				t.Errorf("%s started %s after it was due", run.Job, d)
			}
			delays[d.Round(time.Second)] = true
		}
		if len(delays) < 30 {
			t.Errorf("only %d different delays", len(delays))
		}
	})
}

func TestAfterAnotherJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &book{}, SchedulerOptions{})
		var fail atomic.Bool
		r.takes = func(job string) (time.Duration, error) {
			if job == "a" && fail.Load() {
				return time.Second, errors.New("broken")
			}
			return time.Second, nil
		}
		r.start(at("a", "0 * * * *"), at("b", "", func(j *config.Job) { j.After = "a" }))
		sleepUntil("2000-01-01 01:30:00")
		fail.Store(true)
		sleepUntil("2000-01-01 02:30:00")
		want(t, r.stop(), "a succeeded schedule 01-01 01:00:00", "b succeeded after", "a failed schedule 01-01 02:00:00",
			"b skipped after")
	})
}

func TestRetriesByClassOfError(t *testing.T) {
	lost := &connector.Error{Kind: connector.Lost, Msg: "gone"}
	for name, c := range map[string]struct {
		err      error
		attempts int
	}{
		"a lost connection is tried again": {lost, 4},
		"bad data is not":                  {&connector.Error{Kind: connector.BadData, Msg: "bad"}, 1},
		"nor an error that nobody knows":   {errors.New("what"), 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, &book{}, SchedulerOptions{})
				var starts []time.Time
				r.takes = func(string) (time.Duration, error) { starts = append(starts, time.Now()); return 0, c.err }
				r.start(at("a", "0 3 * * *", func(j *config.Job) {
					j.Retry = config.Retry{Times: 3, Wait: 10 * time.Second, Most: 15 * time.Second}
				}))
				sleepUntil("2000-01-01 03:05:00")
				if r.stop(); len(starts) != c.attempts {
					t.Fatalf("%d attempts", len(starts))
				}
				for i, wait := range []time.Duration{10 * time.Second, 15 * time.Second, 15 * time.Second}[:c.attempts-1] {
					if got := starts[i+1].Sub(starts[i]); got != wait {
						t.Errorf("wait %d is %s, want %s", i, got, wait)
					}
				}
			})
		})
	}
}

func TestPanicLosesNeitherTheTokenNorThePlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &book{}, SchedulerOptions{Running: 1})
		times := 0
		r.takes = func(string) (time.Duration, error) {
			if times++; times == 1 {
				r.mu.Lock()
				r.active["a"] = 0 // the panic skips nothing that counts here
				r.mu.Unlock()
				panic("a bug")
			}
			return time.Second, nil
		}
		r.start(at("a", "0 * * * *"))
		sleepUntil("2000-01-01 02:30:00")
		want(t, r.stop(), "a failed schedule 01-01 01:00:00", "a succeeded schedule 01-01 02:00:00")
	})
}

func TestOvertimeIsNotTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &book{}, SchedulerOptions{})
		r.takes = func(string) (time.Duration, error) { return time.Minute, overtime{time.Minute} }
		r.start(at("a", "0 3 * * *"))
		sleepUntil("2000-01-01 04:00:00")
		want(t, r.stop(), "a failed schedule 01-01 03:00:00")
		for _, run := range r.book.runs {
			if run.Error != "took longer than its timeout of 1m" {
				t.Errorf("error %q", run.Error)
			}
		}
	})
}

func TestBriefDurations(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Minute: "1m", 90 * time.Second: "1m30s", 2 * time.Hour: "2h", 10 * time.Second: "10s",
		time.Hour + time.Second: "1h0m1s",
	} {
		if got := brief(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}

func TestPlacesBoundRunsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &book{}, SchedulerOptions{Running: 2})
		r.takes = func(string) (time.Duration, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			sum := 0
			for _, n := range r.active {
				sum += n
			}
			if sum > 2 {
				t.Errorf("%d runs at once", sum)
			}
			return 10 * time.Second, nil
		}
		var list []config.Job
		for i := range 6 {
			list = append(list, at(fmt.Sprint("j", i), "0 3 * * *"))
		}
		r.start(list...)
		sleepUntil("2000-01-01 03:00:31")
		if lines := r.stop(); len(lines) != 6 {
			t.Errorf("%q", lines)
		}
	})
}

func TestStopFinishesOrCancels(t *testing.T) {
	for _, c := range []struct {
		grace time.Duration
		want  string
	}{{time.Minute, "a succeeded request"}, {time.Second, "a cancelled request"}} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, &book{}, SchedulerOptions{})
			r.takes = func(string) (time.Duration, error) { return 30 * time.Second, nil }
			r.start(at("a", ""))
			if _, err := r.Ask("a", ByRequest, Options{}); err != nil {
				t.Fatal(err)
			}
			second, err := r.Ask("a", ByRequest, Options{})
			if err != nil || !second.Queued {
				t.Fatalf("%+v, %v", second, err)
			}
			synctest.Wait()
			begun := time.Now()
			if err := r.Stop(c.grace); err != nil {
				t.Error(err)
			}
			if d := time.Since(begun); d > min(c.grace, 30*time.Second)+time.Second {
				t.Errorf("stopping took %s", d)
			}
			lines := r.book.lines()
			expected := []string{c.want, "a skipped request"}
			slices.Sort(lines)
			slices.Sort(expected)
			want(t, lines, expected...)
			if _, err := r.Ask("a", ByRequest, Options{}); !errors.Is(err, ErrStopping) {
				t.Errorf("a request after the end: %v", err)
			}
		})
	}
}

// The grace time is for runs of jobs, too, that a reload has removed, or removed and brought back.
func TestStopLetsRunsOfRemovedJobsFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &book{}, SchedulerOptions{})
		r.takes = func(string) (time.Duration, error) { return 30 * time.Second, nil }
		r.start(at("a", ""), at("b", ""))
		for _, job := range []string{"a", "b"} {
			if _, err := r.Ask(job, ByRequest, Options{}); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		for _, list := range [][]config.Job{{at("c", "")}, {at("b", ""), at("c", "")}} {
			if err := r.Replace(list); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Stop(time.Minute); err != nil {
			t.Error(err)
		}
		lines := r.book.lines()
		slices.Sort(lines)
		want(t, lines, "a succeeded request", "b succeeded request")
	})
}

func TestRecordsWaitForTheDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &book{}
		r := newRig(t, b, SchedulerOptions{})
		r.takes = func(string) (time.Duration, error) {
			return time.Second, &connector.Error{Kind: connector.Unreachable, Msg: "gone"}
		}
		r.start(at("a", "*/10 * * * *", func(j *config.Job) { j.Retry.Times = 0 }))
		b.mu.Lock()
		b.down = true
		b.mu.Unlock()
		sleepUntil("2000-01-01 01:05:00")
		if n := r.Unrecorded(); n != 7 { // the job's first run had one that says that it waits
			t.Errorf("%d records wait", n)
		}
		b.mu.Lock()
		b.down = false
		b.mu.Unlock()
		time.Sleep(time.Minute)
		if n := r.Unrecorded(); n != 0 {
			t.Errorf("%d records wait still", n)
		}
		if lines := r.stop(); len(lines) != 6 {
			t.Errorf("%q", lines)
		}
	})
}

func TestReplaceKeepsWhatGoesOnAndDropsTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &book{}, SchedulerOptions{})
		r.takes = func(string) (time.Duration, error) { return 20 * time.Second, nil }
		r.start(at("a", "0 * * * *"), at("b", "0 * * * *"))
		sleepUntil("2000-01-01 01:00:05")
		if err := r.Replace([]config.Job{at("a", "30 * * * *"), at("c", "45 * * * *")}); err != nil {
			t.Fatal(err)
		}
		if err := r.Replace([]config.Job{at("a", "99 * * * *")}); err == nil {
			t.Error("a bad schedule was taken")
		}
		sleepUntil("2000-01-01 02:10:00")
		want(t, r.stop(), "a succeeded schedule 01-01 01:00:00", "b succeeded schedule 01-01 01:00:00",
			"a succeeded schedule 01-01 01:30:00", "c succeeded schedule 01-01 01:45:00")
	})
}

func TestWhenChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var graph atomic.Value
		graph.Store("1 node")
		r := newRig(t, &book{},
			SchedulerOptions{Changed: func(context.Context, config.Job) (string, error) { return graph.Load().(string), nil }})
		changed := func(j *config.Job) { j.When = "changed" }
		r.start(at("due", "0 * * * *", changed), at("poll", "", changed, func(j *config.Job) { j.Poll = time.Minute }))
		sleepUntil("2000-01-01 02:30:30")
		graph.Store("2 nodes")
		sleepUntil("2000-01-01 03:30:00")
		want(t, r.stop(), "poll succeeded changed", "due succeeded schedule 01-01 01:00:00",
			"due skipped schedule 01-01 02:00:00", "poll succeeded changed", "due succeeded schedule 01-01 03:00:00")
	})
}

// The limit changes while runs are under way and in line: more go at once then, or the next ones wait for two to end.
func TestResizeWhileRunsAreInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &book{}, SchedulerOptions{Running: 1})
		r.takes = func(string) (time.Duration, error) { return 10 * time.Second, nil }
		going := func() (n int) {
			synctest.Wait()
			for _, st := range r.Standings() {
				if st.Active != nil && !st.Active.InLine {
					n++
				}
			}
			return n
		}
		var list []config.Job
		for i := range 7 {
			list = append(list, at(fmt.Sprint("j", i), "0 3 * * *"))
		}
		r.start(list...)
		sleepUntil("2000-01-01 03:00:01")
		if n := going(); n != 1 {
			t.Errorf("%d of 1", n)
		}
		r.Resize(3, 0)
		if n := going(); n != 3 {
			t.Errorf("%d of 3", n)
		}
		r.Resize(1, 0) // three go on; two of them must end before the next begins
		sleepUntil("2000-01-01 03:00:10.5")
		if n := going(); n != 2 {
			t.Errorf("%d go on", n)
		}
		if _, err := r.Cancel("j6", "no more"); err != nil { // in line: others keep their places
			t.Fatal(err)
		}
		sleepUntil("2000-01-01 03:00:12")
		if n := going(); n != 1 {
			t.Errorf("%d of 1 in the end", n)
		}
		sleepUntil("2000-01-01 03:02:00")
		if lines := r.stop(); len(lines) != 7 || going() != 0 {
			t.Errorf("%q", lines)
		}
	})
}
