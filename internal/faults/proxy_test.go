package faults

import (
	"fmt"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/internal/faultproxy"
)

// jobs of the suite, a way of publishing each.
var jobs = []job{{"ab"}, {"stamp"}, {"inplace"}}

// steps are those of a run that speak to the server, as their transactions call them.
// The last one stands for a fault after so many bytes, wherever that is.
var steps = []string{"connect", "export", "lock", "write", "publish", "record", anywhere}

const anywhere = "anywhere"

// TestProxyFaults runs jobs through the proxy while it does harm, and again without.
func TestProxyFaults(t *testing.T) {
	cases, seed := form(t, 20)
	r := newRig(t, seed)
	requests := map[string]map[string]int{} // by job, of each step
	for _, j := range jobs {
		r.first(j)
		r.change()
		if e := r.run(r.config(j, r.proxied(), retry), j); e.status != 0 {
			t.Fatalf("through the proxy: exit status %d\n%s", e.status, e.stderr)
		}
		requests[j.name()] = r.proxy.Counts()
		requests[j.name()][anywhere] = int(r.proxy.Passed())
		r.shown[j.name()] = r.model.scores()
		r.proxy.Heal()
	}
	t.Log(requests)
	kinds := []faultproxy.Kind{faultproxy.Close, faultproxy.HalfClose, faultproxy.Reset, faultproxy.Stall, faultproxy.Drop,
		faultproxy.Trickle, faultproxy.Latency, faultproxy.Refuse}
	outcomes := table{}
	plan := r.rng.Perm(len(kinds) * len(steps))
	for i, ran := 0, 0; ran < cases; i++ {
		at := plan[i%len(plan)]
		j, kind, step := jobs[ran%len(jobs)], kinds[at%len(kinds)], steps[at/len(kinds)]
		n := requests[j.name()][step]
		if n == 0 {
			continue
		}
		ran++
		f := r.draw(kind, step, n)
		t.Run(fmt.Sprintf("%d-%s-%s", ran, kind, step), func(t *testing.T) {
			outcomes.count(string(kind), step, r.in(t).proxyFault(j, f))
		})
	}
	t.Logf("proxy faults, seed %d, %d looks of readers\n%s", seed, *r.looks, outcomes)
	r.drop(jobs)
}

// in is the rig for a part of the test.
func (r *rig) in(t *testing.T) *rig {
	part := *r
	part.t = t
	return &part
}

// refusals are answers that only Enterprise or a cluster gives, or that are hard to come by; the proxy makes them up.
var refusals = []struct {
	code, text string
	passes     bool // when it is given once
}{
	{"Neo.ClientError.Security.Forbidden", "Set property for property 'bc' is not allowed for user 'neo4j' with roles " +
		"[reader]. (injected)", false},
	{"Neo.ClientError.Cluster.NotALeader", "No write operations are allowed directly on this database. (injected)", true},
	{"Neo.TransientError.General.DatabaseUnavailable", "Database 'neo4j' is unavailable. (injected)", true},
	{"Neo.TransientError.Transaction.DeadlockDetected", "ForsetiClient can't acquire a lock. (injected)", true},
}

// draw makes a fault of the kind somewhere in the step.
func (r *rig) draw(kind faultproxy.Kind, step string, requests int) faultproxy.Fault {
	f := faultproxy.Fault{Kind: kind, Lasting: r.rng.IntN(3) == 0}
	if step == anywhere && kind != faultproxy.Refuse {
		f.At = faultproxy.Trigger{Bytes: 1 + r.rng.Int64N(int64(requests))}
	} else if step == anywhere {
		f.At = faultproxy.Trigger{Message: 1 + r.rng.IntN(300)}
	} else {
		f.At = faultproxy.Trigger{Step: step, Message: 1 + r.rng.IntN(requests), Answer: r.rng.IntN(2) == 0}
	}
	switch kind {
	case faultproxy.Latency:
		f.For = time.Duration(1+r.rng.IntN(4)) * time.Millisecond
	case faultproxy.Stall:
		if r.rng.IntN(3) == 0 {
			f.For = time.Duration(r.rng.IntN(1000)) * time.Millisecond
		}
	case faultproxy.Refuse:
		one := refusals[r.rng.IntN(len(refusals))]
		f.Code, f.Text = one.code, one.text
	}
	return f
}

// mustPass says that the run has to succeed in spite of the fault.
func mustPass(f faultproxy.Fault) bool {
	switch {
	case f.Kind == faultproxy.Trickle || f.Kind == faultproxy.Latency:
		return true
	case f.Lasting:
		return false
	}
	for _, one := range refusals {
		if f.Code == one.code {
			return one.passes
		}
	}
	return true
}

// proxyFault changes the graph, runs the job through the proxy while the fault is armed, and then without it. It
// returns how the first run ended.
func (r *rig) proxyFault(j job, f faultproxy.Fault) string {
	want := r.change()
	since, before := r.now(), r.read(j)
	reader := r.watch(j, r.shown[j.name()], want)
	patience := retry
	if f.Lasting {
		patience = 300 * time.Millisecond // it will not pass
	}
	r.proxy.Arm(f)
	e := r.run(r.config(j, r.proxied(), patience), j)
	fired := r.proxy.Fired()
	r.proxy.Heal()
	what := fmt.Sprintf("%s: %+v: exit status %d after %.1f s: %s", j.name(), f, e.status, e.spent.Seconds(), e.stderr)
	if !fired { // there were fewer requests this time
		r.report("the fault never happened: "+what, append(r.afterRerun(j, e, want), reader.end()...))
		f.At.Message, f.At.Bytes = f.At.Message/2, f.At.Bytes/2
		if f.At.Message == 0 && f.At.Bytes == 0 {
			r.t.Fatal("there is no such request")
		}
		return r.proxyFault(j, f)
	}
	wrong := r.afterFault(j, e, since, before, want)
	if mustPass(f) && e.status != 0 {
		wrong = append(wrong, "the run should have passed")
	}
	wrong = append(wrong, r.afterRerun(j, r.run(r.config(j, r.direct(), retry), j), want)...)
	r.report(what, append(wrong, reader.end()...))
	return fmt.Sprintf("exit %d", e.status)
}

// report says what went wrong in a case, if anything did.
func (r *rig) report(what string, wrong []string) {
	r.t.Helper()
	for _, w := range wrong {
		r.t.Error(w)
	}
	r.t.Log(what)
}

// now is the server's clock.
func (r *rig) now() time.Time {
	r.t.Helper()
	return r.cypher("RETURN datetime()", nil)[0][0].(time.Time)
}
