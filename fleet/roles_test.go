package fleet_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/fleet/coordinator"
	"github.com/linchpin-graph/linchpin/fleet/node"
)

// role is what a process of a test does, instead of testing.
type role struct {
	Coordinator bool   `json:"coordinator,omitempty"`
	Address     string `json:"address"` // to listen on, or of the coordinator
	Folder      string `json:"folder"`
	Graph       string `json:"graph,omitempty"`
	Measure     string `json:"measure,omitempty"`
	Scores      string `json:"scores,omitempty"`
	Name        string `json:"name,omitempty"`
	GPU         bool   `json:"gpu,omitempty"` // of a node: it lends a GPU, and no CPU
}

const roleVariable = "LINCHPIN_TEST_FLEET_ROLE"

// Times of the processes of a test: short, so that leases end in it.
const (
	testLease  = 600 * time.Millisecond
	testTarget = 80 * time.Millisecond
)

func TestMain(m *testing.M) {
	text := os.Getenv(roleVariable)
	if text == "" {
		serveAsWorker()
		os.Exit(m.Run())
	}
	_ = os.Unsetenv(roleVariable) // programs that it starts have none
	var r role
	err := json.Unmarshal([]byte(text), &r)
	if err == nil {
		err = r.do()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (r role) do() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	session := engine.NewSession()
	defer session.Close()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if !r.Coordinator {
		o := node.Options{
			URL: "http://" + r.Address, Token: "token", Name: r.Name, Device: parts.CPU, OnCPU: true, Threads: 1, Program: build,
			Engine: session, Cache: r.Folder, CacheBytes: 1 << 30, Grace: 200 * time.Millisecond, Logger: log,
			Memory: func() (int64, error) { return 1 << 40, nil },
		}
		if r.GPU {
			o.GPU, o.OnCPU, o.Device = engine.GPU, false, engine.Devices(ctx).Devices[0].Name
		}
		return node.Run(ctx, o)
	}
	l, err := net.Listen("tcp", r.Address)
	if err != nil {
		return err
	}
	c := coordinator.New(coordinator.Options{Folder: r.Folder, Program: build, Lease: testLease, Target: testTarget,
		Logger: log})
	server := &http.Server{Handler: coordinator.Guard("token", c.Handler())}
	go func() { _ = server.Serve(l) }()
	m, err := export.OpenSnapshot(r.Graph)
	if err != nil {
		return err
	}
	task := chaosTask(r.Measure, m.Snapshot)
	task.Path = r.Graph
	out, err := (&coordinator.Engine{Local: session, Fleet: c}).Compute(ctx, task)
	if err != nil {
		return err
	}
	f, err := os.Create(r.Scores + ".tmp")
	if err != nil {
		return err
	}
	defer f.Close()
	if err := binary.Write(f, binary.LittleEndian,
		append(out.Scores.Nodes, float64(out.Scores.Totals.Pairs))); err != nil {
		return err
	}
	time.Sleep(50 * time.Millisecond) // nodes hear that the run is over
	return os.Rename(f.Name(), r.Scores)
}

// chaosTask is a task that eight nodes share.
func chaosTask(measure string, s *export.Snapshot) engine.Task {
	task := taskOf(measure, s, true)
	task.Request.Edges = false
	return task
}
