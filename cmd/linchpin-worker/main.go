//go:build cuda || emulate

// Command linchpin-worker computes one task on a GPU for linchpin, which starts it; see protocol.ProtocolVersion. It is
// the only program that links CUDA: where the driver is missing it does not start (status 127), and where no device is
// usable gorgonia.org/cu ends it before main (status 1).
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/linchpin-graph/linchpin/engine/worker"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/built"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
)

func main() {
	fd := flag.Uint("events", 1, "file `descriptor` that events go to, one line of JSON each")
	debug := flag.Bool("debug", os.Getenv("LINCHPIN_GPU_DEBUG") != "",
		"wait for every launch and write its time to standard error (or set LINCHPIN_GPU_DEBUG)")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(),
			"linchpin-worker is started by linchpin; it reads one order from standard input.")
		flag.PrintDefaults()
	}
	flag.Parse()
	defer hostmem.Spare()()
	if err := serve(*fd, *debug); err != nil {
		fmt.Fprintf(os.Stderr, "linchpin-worker: %v\n", err)
		os.Exit(1)
	}
}

func serve(fd uint, debug bool) error {
	// A terminal's interrupt goes to linchpin as well, which closes standard input when it wants an end.
	signal.Ignore(os.Interrupt)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	events := os.NewFile(uintptr(fd), "events")
	if _, err := events.Stat(); err != nil {
		return fmt.Errorf("-events %d: %w", fd, err)
	}
	var trace io.Writer
	if debug {
		trace = os.Stderr
	}
	return worker.Serve(ctx, os.Stdin, events, worker.Host{
		Count:   built.Count,
		Open:    func(i int) (gpu.OpenDevice, error) { return built.Open(i, trace) },
		Engines: worker.Engines(),
		Beat:    time.Second,
		Exits:   !debug,
	})
}
