package coordinator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine/queue"
	"github.com/linchpin-graph/linchpin/fleet"
)

// TestAThousandNodes: with 1,000 nodes and shards of 15 s, requests for shards and leases take less than 5 % of one
// processor. The clock is simulated, the requests are real, except for the network.
func TestAThousandNodes(t *testing.T) {
	const nodes, rounds = 1000, 2
	now := time.Unix(1_700_000_000, 0)
	c := New(Options{Folder: filepath.Join(t.TempDir(), "none"), Now: func() time.Time { return now }})
	r := &run{name: "r", session: "s", sources: 1 << 22, started: now, work: inMemory([]byte("{}"))}
	r.opened.Store(true)
	r.queue = queue.New(queue.Config{
		Shards: 1, Most: 1 << 17, Target: c.o.Target, First: 1.0 / (4 * nodes * rounds), Lease: c.o.Lease, Tries: tries,
		Now: c.o.Now,
	})
	c.begin(r)
	handler := c.Handler()
	var spent time.Duration
	post := func(path string, body any) *httptest.ResponseRecorder {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		request := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(text))
		answer := httptest.NewRecorder()
		begun := time.Now()
		handler.ServeHTTP(answer, request)
		spent += time.Since(begun)
		return answer
	}
	begun := now
	leases := make([]fleet.Lease, nodes)
	shards := 0
	for range rounds {
		for i := range leases {
			now = now.Add(c.o.Target / nodes)
			id := fmt.Sprint("node ", i)
			if old := leases[i]; old.Run != "" {
				for range 3 {
					claim := fleet.Claim{Node: id, Run: old.Run, Session: old.Session, Number: old.Number}
					if answer := post(fleet.ExtendPath, claim); answer.Code != http.StatusNoContent {
						t.Fatalf("a lease was not extended: %d %s", answer.Code, answer.Body)
					}
				}
				if !r.queue.Count(queue.Ticket{Number: old.Number, Shard: old.Shard.Index, Of: old.Shard.Of}) {
					t.Fatal("a shard was counted before")
				}
				shards++
			}
			answer := post(fleet.TakePath, fleet.Hello{ID: id, Name: id, Device: "cpu", OnCPU: true})
			if answer.Code != http.StatusOK {
				t.Fatalf("no shard: %d %s", answer.Code, answer.Body)
			}
			if err := json.Unmarshal(answer.Body.Bytes(), &leases[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	share := spent.Seconds() / now.Sub(begun).Seconds()
	t.Logf("%d shards in %v of simulated time: %v for requests, %.2f %%", shards, now.Sub(begun),
		spent.Round(time.Millisecond), 100*share)
	if share > 0.05 {
		t.Errorf("the queue takes %.1f %% of a processor", 100*share)
	}
	if state := c.State(); len(state.Nodes) != nodes || len(state.Runs) != 1 {
		t.Errorf("%d nodes, %d runs", len(state.Nodes), len(state.Runs))
	}
}
