package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/fleet"
	"github.com/linchpin-graph/linchpin/fleet/node"
)

// joining are the options of a node of the service.
func (f *fixture) joining(token string, program parts.Program) node.Options {
	return node.Options{
		URL: f.url, Token: token, Name: "helper", Device: parts.CPU, OnCPU: true, Threads: 1, Program: program,
		Engine: engine.NewEngine(0), Cache: f.t.TempDir(), CacheBytes: 1 << 30,
		Memory: func() (int64, error) { return 1 << 33, nil }, Logger: slog.New(slog.DiscardHandler),
	}
}

// TestNodesWithoutTheToken: whoever has not the token learns nothing, whatever is asked for.
func TestNodesWithoutTheToken(t *testing.T) {
	f := startWithoutDatabase(t, "token: "+token+", read: token")
	same := ""
	for _, q := range []struct{ method, path, body string }{
		{"POST", fleet.TakePath, `{"id": "a", "name": "a"}`}, {"POST", fleet.ExtendPath, "{}"},
		{"POST", fleet.ReturnPath, "{}"},
		{"POST", fleet.LeavePath, "{}"}, {"GET", fleet.FilePath + strings.Repeat("ab", 32), ""},
		{"PUT", fleet.PartPath + "?run=r", "part"},
		{"GET", fleet.Prefix + "nothing", ""}, {"GET", "/api/fleet", ""},
	} {
		status, text, _ := f.send(q.method, q.path, strings.NewReader(q.body), func(r *http.Request) {
			r.Header.Del("Authorization")
		})
		if status != http.StatusUnauthorized || same != "" && text != same {
			t.Errorf("%s %s: %d %s", q.method, q.path, status, text)
		}
		same = text
	}
	err := node.Run(t.Context(), f.joining("wrong", testProgram))
	if refused := (*node.Refused)(nil); !errors.As(err, &refused) || refused.Status != http.StatusUnauthorized {
		t.Errorf("a node with a wrong token: %v", err)
	}
	err = node.Run(t.Context(), f.joining(token, parts.Program{Version: "another"}))
	if refused := (*node.Refused)(nil); !errors.As(err, &refused) || refused.Status != http.StatusConflict ||
		!strings.Contains(err.Error(), "linchpin another") || !strings.Contains(err.Error(), "linchpin test") {
		t.Errorf("a node of another version: %v", err)
	}
}

// TestNodesHaveLargeBodies: what nodes send is larger than what others may send.
func TestNodesHaveLargeBodies(t *testing.T) {
	f := startWithoutDatabase(t, "token: "+token)
	large := bytes.Repeat([]byte("x"), 2*mostBody)
	if status, text, _ := f.send("PUT", fleet.PartPath+"?run=r", bytes.NewReader(large),
		bearer); status != http.StatusNotFound {
		t.Errorf("a part of a run that is not known: %d %s", status, text)
	}
}

// TestAJobOnAFleet: a node computes for the service, which writes the scores; page, API and metrics show the node.
func TestAJobOnAFleet(t *testing.T) {
	server := fill(t, 200)
	job := strings.Replace(jobText("shared", ""), "device: cpu,", "device: cpu, nodes: 1..,", 1)
	f := start(t, configText(server.URI(), "token: "+token, job)).ready()
	ctx, leave := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- node.Run(ctx, f.joining(token, testProgram)) }()
	run := f.ended(f.press("shared"))
	if run.Status != connector.Succeeded || !strings.Contains(run.Reason, "on helper") {
		t.Errorf("%s: %s %s", run.Status, run.Reason, run.Error)
	}
	if left := server.Query(t, "MATCH (v:V) WHERE v.bc_shared IS NULL RETURN v.i", nil); len(left) > 0 {
		t.Errorf("%d nodes without scores", len(left))
	}
	_, text := f.get("/api/fleet")
	var state fleet.State
	if err := json.Unmarshal([]byte(text), &state); err != nil || len(state.Nodes) != 1 || state.Nodes[0].Shards == 0 {
		t.Errorf("%v %s", err, text)
	}
	if _, text := f.get("/metrics"); !strings.Contains(text, "linchpin_fleet_nodes 1") ||
		!strings.Contains(text, `node="helper"`) {
		t.Error("the metrics do not show the node")
	}
	if _, page := f.get("/"); !strings.Contains(page, ">helper<") {
		t.Error("the page does not show the node")
	}
	leave()
	if err := <-done; err != nil {
		t.Error(err)
	}
	f.await("the node to leave", func() bool {
		_, text := f.get("/api/fleet")
		return strings.Contains(text, fmt.Sprintf("%q:[]", "nodes"))
	})
}
