package communities

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

func load(t testing.TB, name string) *export.Graph {
	f, err := os.Open("/work/shared/data/" + name + "/edges.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, _ := gzip.NewReader(f)
	in := bufio.NewScanner(z)
	in.Scan()
	ids := map[int32]int32{}
	id := func(x int32) int32 {
		if _, ok := ids[x]; !ok {
			ids[x] = int32(len(ids))
		}
		return ids[x]
	}
	var r export.Rels
	for in.Scan() {
		var a, b int32
		fmt.Sscanf(in.Text(), "%d,%d", &a, &b)
		r.Source, r.Target = append(r.Source, id(a)), append(r.Target, id(b))
	}
	return graphtest.Build(t, export.Undirected, len(ids), r)
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestSpeed(t *testing.T) {
	name := os.Getenv("GRAPH")
	if name == "" {
		t.Skip()
	}
	g := load(t, name)
	threads := 1
	fmt.Sscan(os.Getenv("THREADS"), &threads)
	start, cpu := time.Now(), cpuTime()
	whole, _ := remaining(g, nil)
	c := newCutter(whole, threads, inHops{}, 4<<30, stopper.New(t.Context()))
	fmt.Println("initial", time.Since(start), cpuTime()-cpu)
	cuts := 0
	last := int64(0)
	most := 1 << 30
	fmt.Sscan(os.Getenv("CUTS"), &most)
	for len(c.queue) > 0 && cuts < most {
		c.cut()
		cuts++
		if cuts%500 == 0 {
			nodes := int64(0)
			for _, w := range c.workers {
				nodes += w.nodes
			}
			big := 0
			for _, b := range c.queue {
				big = max(big, len(b.alive))
			}
			fmt.Println(cuts, c.groups, "largest", big, time.Since(start), cpuTime()-cpu, "nodes", nodes-last)
			last = nodes
		}
	}
	fmt.Println(cuts, time.Since(start), cpuTime()-cpu)
}
