package fleet_test

import (
	"bytes"
	"log/slog"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/fleet/coordinator"
	"github.com/linchpin-graph/linchpin/fleet/node"
)

// lines is a log that several goroutines write.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

var seconds = regexp.MustCompile(`msg=computed .*seconds=([0-9.e-]+)`)

// mostOfAMinute is how many shards a run of a minute has at most: none takes less than 5 s.
const mostOfAMinute = 12

// TestOneNodeCostsLittle: what a run on one node takes in addition to the searches is less than 3 % of a minute, for as
// many shards as a run of a minute has.
func TestOneNodeCostsLittle(t *testing.T) {
	r := newRig(t, func(o *coordinator.Options) { o.Target, o.Lease = 20*time.Millisecond, coordinator.DefaultLease })
	log := &lines{}
	r.join("one", func(o *node.Options) { o.Logger = slog.New(slog.NewTextHandler(log, nil)) })
	task := taskOf("betweenness", aGraph(t, 1500), true)
	begun := time.Now()
	out, err := r.engine.Compute(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	wall := time.Since(begun).Seconds()
	searched, shards := 0.0, 0
	for _, m := range seconds.FindAllStringSubmatch(log.b.String(), -1) {
		s, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		searched += s
		shards++
	}
	t.Logf("%.2f s, of which %.2f s in %d shards; %s", wall, searched, shards, out.Reason)
	if shards < 4 {
		t.Fatalf("only %d shards", shards)
	}
	if more := wall - searched; more > 0.03*60*max(1, float64(shards)/mostOfAMinute) {
		t.Errorf("a run of %.1f s took %.2f s more than its searches", wall, more)
	}
}
