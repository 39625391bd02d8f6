//go:build unix

package fleet_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/export"
)

var (
	rounds = flag.Int("rounds", 5, "rounds of kills, stalls and cuts of a fleet")
	seed   = flag.Uint64("seed", 24, "of the first round; the next ones follow")
)

// nodesOfChaos is how many node processes there are.
const nodesOfChaos = 8

// process is a process of a test that is started again whenever it was killed.
type process struct {
	t       *testing.T
	role    role
	command *exec.Cmd
	ended   chan struct{}
	log     bytes.Buffer
}

func (p *process) start() {
	p.t.Helper()
	text, err := json.Marshal(p.role)
	if err != nil {
		p.t.Fatal(err)
	}
	p.command, p.ended = exec.Command(os.Args[0]), make(chan struct{})
	p.command.Env = append(os.Environ(), roleVariable+"="+string(text))
	p.command.Stderr = &p.log
	if err := p.command.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func(c *exec.Cmd, ended chan struct{}) {
		_ = c.Wait() // its state is looked at
		close(ended)
	}(p.command, p.ended)
}

func (p *process) signal(s syscall.Signal) { _ = p.command.Process.Signal(s) } // it may have ended

func (p *process) alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// kill kills the process and waits for its end.
func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	<-p.ended
}

// chaos is one round.
type chaos struct {
	t           *testing.T
	random      *rand.Rand
	dir         string
	coordinator *process
	nodes       []*process
	links       []*link
	copies      int
	later       []due
	did         map[string]int
}

// due is what undoes a fault.
type due struct {
	at time.Time
	do func()
}

// TestChaos: rounds of kills, stalls and cuts of nodes, network and coordinator. Each ends with the bits of one
// machine.
func TestChaos(t *testing.T) {
	graph := filepath.Join(t.TempDir(), "graph.arrow")
	if err := export.WriteSnapshot(graph, aGraph(t, 2500)); err != nil {
		t.Fatal(err)
	}
	s, err := export.OpenSnapshot(graph)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := map[string][]float64{}
	measures := []string{"betweenness", "closeness"}
	for _, m := range measures {
		scores := onOneMachine(t, chaosTask(m, s.Snapshot))
		want[m] = append(scores.Nodes, float64(scores.Totals.Pairs))
	}
	all, caches := map[string]int{}, t.TempDir()
	for i := range *rounds {
		measure := measures[i%len(measures)]
		c := newChaos(t, *seed+uint64(i), graph, measure, caches)
		got, took := c.run()
		for i, x := range got {
			if math.Float64bits(x) != math.Float64bits(want[measure][i]) {
				t.Fatalf("round %d: score %d is %v, not %v", i, i, x, want[measure][i])
			}
		}
		for what, n := range c.did {
			all[what] += n
		}
		t.Logf("round %d, %s: %v, %v", i, measure, took.Round(time.Millisecond), c.did)
	}
	t.Logf("%d rounds: %v", *rounds, all)
	noneLeft(t, caches)
}

func newChaos(t *testing.T, seed uint64, graph, measure, caches string) *chaos {
	c := &chaos{t: t, random: rand.New(rand.NewPCG(seed, 1)), dir: t.TempDir(), did: map[string]int{}}
	address := freeAddress(c.random)
	c.coordinator = &process{t: t, role: role{
		Coordinator: true, Address: address, Folder: filepath.Join(c.dir, "runs"), Graph: graph, Measure: measure,
		Scores: filepath.Join(c.dir, "scores"),
	}}
	for i := range nodesOfChaos {
		k := newLink(t, address)
		c.links = append(c.links, k)
		c.nodes = append(c.nodes,
			&process{t: t, role: role{Address: k.address(), Folder: caches, Name: fmt.Sprint("node", i)}})
	}
	return c
}

// freeAddress is an address to listen on, again and again. Its port is none that the system gives to connections: a
// link that dials a port where nobody listens could get that very port, and would then be connected with itself.
func freeAddress(r *rand.Rand) string {
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 15_000+r.IntN(15_000))
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			return address
		}
	}
}

// mostFaults is how many faults a round has, and mostTime how long it may take.
const (
	mostFaults = 25
	mostTime   = 3 * time.Minute
)

// run runs the round, and returns the scores.
func (c *chaos) run() ([]float64, time.Duration) {
	c.t.Helper()
	begun := time.Now()
	c.coordinator.start()
	for _, n := range c.nodes {
		n.start()
	}
	defer func() {
		for _, p := range append(c.nodes, c.coordinator) {
			p.signal(syscall.SIGCONT)
			p.kill()
		}
	}()
	faults, next := 0, time.Now()
	for {
		if text, err := os.ReadFile(c.coordinator.role.Scores); err == nil {
			c.end()
			out := make([]float64, len(text)/8)
			if _, err := binary.Decode(text, binary.LittleEndian, out); err != nil {
				c.t.Fatal(err)
			}
			return out, time.Since(begun)
		}
		if time.Since(begun) > mostTime {
			c.t.Fatalf("no end after %v and %v:\n%s", mostTime, c.did, tail(c.coordinator.log.String()))
		}
		c.undo(false)
		if faults < mostFaults && time.Now().After(next) {
			c.fault()
			faults++
			next = time.Now().Add(time.Duration(20+c.random.IntN(180)) * time.Millisecond)
		}
		c.revive()
		time.Sleep(10 * time.Millisecond)
	}
}

func tail(s string) string { return s[max(0, len(s)-4000):] }

// undo undoes the faults whose time has come, or all.
func (c *chaos) undo(all bool) {
	left := c.later[:0]
	for _, d := range c.later {
		if all || time.Now().After(d.at) {
			d.do()
		} else {
			left = append(left, d)
		}
	}
	c.later = left
}

func (c *chaos) after(most time.Duration, do func()) {
	c.later = append(c.later, due{time.Now().Add(time.Duration(c.random.Int64N(int64(most)))), do})
}

// revive starts what has died.
func (c *chaos) revive() {
	for _, p := range append(c.nodes, c.coordinator) {
		if p.alive() || len(c.later) > 0 && c.random.IntN(20) > 0 {
			continue
		}
		if _, err := os.Stat(c.coordinator.role.Scores); p == c.coordinator && err == nil {
			continue
		}
		p.start()
	}
}

// fault does some harm.
func (c *chaos) fault() {
	i := c.random.IntN(len(c.nodes))
	n, k := c.nodes[i], c.links[i]
	switch what := c.random.IntN(10); {
	case what < 3:
		c.did["node killed"]++
		n.kill()
	case what < 5:
		c.did["node stalled"]++
		n.signal(syscall.SIGSTOP)
		c.after(3*testLease, func() { n.signal(syscall.SIGCONT) })
	case what < 6:
		c.did["node told to stop"]++
		n.signal(syscall.SIGTERM)
	case what < 7:
		c.did["cut"]++
		k.end()
		c.after(3*testLease, k.heal)
	case what < 8:
		c.did["cut, connections stand"]++
		k.stand()
		c.after(3*testLease, k.heal)
	case what < 9:
		c.did["coordinator killed"]++
		c.coordinator.kill()
		c.move()
	case c.random.IntN(2) == 0:
		c.did["all cut"]++
		for _, k := range c.links {
			k.end()
		}
		c.after(testLease, func() {
			for _, k := range c.links {
				k.heal()
			}
		})
	default:
		c.did["coordinator stalled"]++
		p := c.coordinator
		p.signal(syscall.SIGSTOP)
		c.after(2*testLease, func() { p.signal(syscall.SIGCONT) })
	}
}

// move has the next coordinator go on with a copy of the folder, one time in three.
func (c *chaos) move() {
	if c.random.IntN(3) > 0 {
		return
	}
	c.copies++
	copied := filepath.Join(c.dir, fmt.Sprint("runs", c.copies))
	err := os.CopyFS(copied, os.DirFS(c.coordinator.role.Folder))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		c.t.Fatal(err)
	}
	os.RemoveAll(c.coordinator.role.Folder)
	c.coordinator.role.Folder = copied
	c.did["folder copied"]++
}

// end undoes all faults, has all nodes stop, and looks for what they leave.
func (c *chaos) end() {
	c.t.Helper()
	c.undo(true)
	<-c.coordinator.ended
	left, _ := os.ReadDir(c.coordinator.role.Folder)
	for _, f := range left {
		c.t.Errorf("the coordinator left %s", f.Name())
	}
	for _, n := range c.nodes {
		n.signal(syscall.SIGTERM)
	}
	for _, n := range c.nodes {
		select {
		case <-n.ended:
		case <-time.After(20 * time.Second):
			c.t.Errorf("%s does not stop:\n%s", n.role.Name, tail(n.log.String()))
		}
	}
}

// noneLeft finds what nodes have left in their cache that the next node does not remove.
func noneLeft(t *testing.T, cache string) {
	t.Helper()
	last := &process{t: t, role: role{Address: "127.0.0.1:1", Folder: cache, Name: "last"}}
	time.Sleep(time.Second)
	last.start()
	time.Sleep(500 * time.Millisecond)
	last.signal(syscall.SIGTERM)
	<-last.ended
	all, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if strings.HasPrefix(f.Name(), "node-") {
			t.Errorf("a node left %s", f.Name())
		}
	}
	if len(all) != 1 {
		t.Errorf("%d files in the cache, not the graph alone", len(all))
	}
}
