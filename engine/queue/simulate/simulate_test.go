package simulate_test

import (
	"errors"
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/queue/simulate"
)

func takers(n int, t simulate.Taker) []simulate.Taker {
	out := make([]simulate.Taker, n)
	for i := range out {
		out[i] = t
	}
	return out
}

func predict(t *testing.T, r simulate.Run) simulate.Result {
	t.Helper()
	out, err := simulate.Predict(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func near(a, b, within float64) bool { return math.Abs(a-b) <= within*math.Abs(b) }

func TestWithoutCostsARunIsLinear(t *testing.T) {
	for _, n := range []int{1, 2, 4, 8, 16} {
		r := predict(t, simulate.Run{Takers: takers(n, simulate.Taker{}), Work: simulate.Work{Shards: 64, Seconds: 5}})
		if want := 64.0 * 5 / float64(n); !near(r.Wall, want, 1e-6) || r.Taken != 64 {
			t.Errorf("%d takers: %v s, want %v; %d shards taken", n, r.Wall, want, r.Taken)
		}
	}
}

func TestEveryCostIsCounted(t *testing.T) {
	r := predict(t, simulate.Run{
		Takers: takers(4, simulate.Taker{Start: 1, Prepare: 2}), Work: simulate.Work{Shards: 8, Seconds: 10},
		Coordinator: simulate.Coordinator{Transfer: 3, Join: 0.5, Finish: 7},
	})
	// The last taker has its graph after 1 + 4·3 s, prepares for 2 s, and computes two shards, as all others do.
	if want := 1 + 4*3 + 2 + 2*10 + 8*0.5 + 7.0; !near(r.Wall, want, 1e-9) {
		t.Errorf("%v s, want %v", r.Wall, want)
	}
	overlapped := predict(t, simulate.Run{
		Takers: takers(4, simulate.Taker{}), Work: simulate.Work{Shards: 8, Seconds: 10},
		Coordinator: simulate.Coordinator{Join: 0.5, Overlap: true},
	})
	if want := 2*10 + 4*0.5; !near(overlapped.Wall, want, 1e-9) {
		t.Errorf("%v s with joins that overlap, want %v", overlapped.Wall, want)
	}
	if all := 4 * r.Counted; !near(r.Search+r.Prepare+r.Idle, all, 1e-9) || !near(r.Search, 80, 1e-9) {
		t.Errorf("%+v does not add up to %v", r, all)
	}
}

func TestUnequalTakersStayBusyToTheEnd(t *testing.T) {
	r := predict(t, simulate.Run{
		Takers: []simulate.Taker{{Speed: 1}, {Speed: 4}}, Work: simulate.Work{Shards: 50, Seconds: 10, Spread: 0.1},
	})
	if ideal := 50 * 10.0 / 5; r.Wall > 1.05*ideal {
		t.Errorf("%v s, and %v s would be linear", r.Wall, ideal)
	}
}

// TestDeathsDelayARun compares takers that die with a lease, and where the death is noticed.
func TestDeathsDelayARun(t *testing.T) {
	run := simulate.Run{
		Takers: takers(8, simulate.Taker{Prepare: 1}), Work: simulate.Work{Shards: 200, Seconds: 10, Spread: 0.2},
		Failures: simulate.Failures{Life: 100, Back: 5}, Seed: 3,
	}
	noticed := predict(t, run)
	run.Lease = 30
	leased := predict(t, run)
	run.Failures = simulate.Failures{}
	without := predict(t, run)
	if noticed.Deaths == 0 || leased.Deaths == 0 || without.Deaths != 0 {
		t.Fatalf("%d, %d and %d deaths", noticed.Deaths, leased.Deaths, without.Deaths)
	}
	if !(without.Wall < noticed.Wall && noticed.Wall < 2*without.Wall && leased.Wall < 2*without.Wall) {
		t.Errorf("%v s without deaths, %v s where they are noticed, %v s with leases", without.Wall, noticed.Wall,
			leased.Wall)
	}
	if again := predict(t, run); again != without {
		t.Errorf("the same seed gives %+v and %+v", without, again)
	}
}

// TestThousandNodes is a run of 1,000 nodes with shards of 5 to 60 s, requests of 100 µs, and a death every 20 s.
func TestThousandNodes(t *testing.T) {
	for _, seconds := range []float64{5, 60} {
		r := predict(t, simulate.Run{
			Takers: takers(1000, simulate.Taker{Prepare: 5}), Work: simulate.Work{Shards: 10_000, Seconds: seconds, Spread: 0.2},
			Coordinator: simulate.Coordinator{Request: 1e-4}, Failures: simulate.Failures{Life: 20_000, Back: 30},
			Lease: 30, Poll: 2, Seed: 1,
		})
		if share := r.Busy / r.Wall; share > 0.05 {
			t.Errorf("shards of %v s: the coordinator is busy for %.3f of the time", seconds, share)
		}
		if share := r.Waits / (1000 * r.Counted); share > 0.05 {
			t.Errorf("shards of %v s: nodes wait for the queue for %.3f of the time", seconds, share)
		}
		if r.Deaths == 0 {
			t.Error("no node died")
		}
	}
}

func TestMeasuredRunsAreCompared(t *testing.T) {
	alone := simulate.Measured{
		Graph: "g", How: "processes", Workers: 1, Shards: 4, Wall: 45, Start: 1, Prepare: []float64{2},
		Shard: []float64{10, 11, 9, 10}, Join: 0.4, Finish: 1.6,
	}
	two := alone
	two.Workers, two.Wall, two.Prepare = 2, 25, []float64{2, 2}
	got, err := simulate.Compare([]simulate.Measured{alone, two})
	if err != nil {
		t.Fatal(err)
	}
	if !near(got[0].Predicted, 45, 1e-9) || !near(got[1].Predicted, 26, 1e-9) || !near(got[1].Off(), 0.04, 1e-9) {
		t.Errorf("%+v", got)
	}
	if _, err := simulate.Compare([]simulate.Measured{two}); !errors.Is(err, simulate.ErrAlone) {
		t.Errorf("%v without a run of one worker", err)
	}
	two.Shard = two.Shard[:3]
	if _, err := simulate.Compare([]simulate.Measured{alone, two}); err == nil {
		t.Error("a record without a shard is taken")
	}
	if r := alone.Like(2, 8); r.Work.Shards != 8 || !near(r.Work.Seconds, 5, 1e-9) || len(r.Takers) != 2 {
		t.Errorf("%+v", r)
	}
}

func TestRunsThatCannotBe(t *testing.T) {
	if _, err := simulate.Predict(simulate.Run{Work: simulate.Work{Shards: 1, Seconds: 1}}); err == nil {
		t.Error("a run without takers ends")
	}
	if _, err := simulate.Predict(simulate.Run{Takers: takers(1, simulate.Taker{})}); err == nil {
		t.Error("a run without shards ends")
	}
}
