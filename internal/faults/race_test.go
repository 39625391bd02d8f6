package faults

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// mostRounds is after how many rounds processes that never met are an error.
const mostRounds = 60

// TestRaces lets two and eight processes run one job at the same time, again and again: one writes at a time, one waits
// for it, and the others say who it is. Every process demands --recompute, so that none is let off because there is
// nothing to do.
func TestRaces(t *testing.T) {
	rounds, seed := 4, uint64(1)
	if os.Getenv("LINCHPIN_FAULTS") != "" {
		rounds = 50
	}
	r := newRig(t, seed)
	for _, j := range jobs {
		r.first(j)
	}
	for _, many := range []int{2, 8} {
		t.Run(fmt.Sprint(many), func(t *testing.T) {
			var round, worked, locked int
			// On a busy machine one may be done before the other begins: then there are more rounds.
			for ; round < rounds || locked == 0 && round < mostRounds; round++ {
				a, b := r.in(t).race(jobs[round%len(jobs)], many)
				worked, locked = worked+a, locked+b
			}
			t.Logf("%d processes, %d rounds: %d runs, %d refused by the lock", many, round, worked, locked)
			if worked < round || locked == 0 {
				t.Errorf("the processes did not race")
			}
		})
	}
	r.drop(jobs)
}

// race changes the graph and runs the job in many processes at once. It returns how many worked and how many were
// refused.
func (r *rig) race(j job, many int) (worked, locked int) {
	want := r.change()
	file := r.config(j, r.proxied(), retry)
	var turns []string // the runs whose writes were committed, in that order, each once in a row
	r.proxy.OnCommit(func(step, run string) {
		if (step == "write" || step == "publish") && (len(turns) == 0 || turns[len(turns)-1] != run) {
			turns = append(turns, run)
		}
	})
	before := r.fence(j)
	type racer struct {
		cmd    *exec.Cmd
		stderr *bytes.Buffer
		start  time.Time
	}
	var racers []racer
	for i := range many {
		args := []string{"run", "--quiet", "--recompute", j.name()}
		if i == many-1 {
			args = append(args, "--wait=1m") // the one that is not refused
		}
		cmd, stderr := r.command(file, args...)
		if err := cmd.Start(); err != nil {
			r.t.Fatal(err)
		}
		racers = append(racers, racer{cmd, stderr, time.Now()})
	}
	for i, one := range racers {
		switch e := r.wait(one.cmd, one.stderr, one.start); {
		case e.status == 0:
			worked++
		case e.status == 4 && i < many-1:
			locked++
			if !strings.Contains(e.stderr, "is locked by ") || !strings.Contains(e.stderr, " since ") {
				r.t.Errorf("who holds the lock, and since when? %s", e.stderr)
			}
		default:
			r.t.Errorf("exit status %d: %s", e.status, e.stderr)
		}
	}
	r.proxy.OnCommit(nil)
	// Two writers at a time would show as a run that has a second turn.
	once := slices.Compact(slices.Sorted(slices.Values(turns)))
	if len(turns) != len(once) || len(turns) != worked {
		r.t.Errorf("%d processes worked, and wrote in the turns %v", worked, turns)
	}
	if now := r.fence(j); now < before+int64(worked) {
		r.t.Errorf("the fence was %d, is %d, and %d processes have worked", before, now, worked)
	}
	for _, wrong := range r.afterRerun(j, r.run(r.config(j, r.direct(), retry), j), want) {
		r.t.Error(wrong)
	}
	return worked, locked
}

// fence is the number of the job's newest lock.
func (r *rig) fence(j job) int64 {
	r.t.Helper()
	return r.cypher("MATCH (l:LinchpinLock {name: $job}) RETURN l.fence", map[string]any{"job": j.name()})[0][0].(int64)
}
