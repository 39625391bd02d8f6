package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilInterrupted returns a context that ends with the first interrupt (Ctrl-C, SIGTERM), which it tells of. The second one
// ends the process at once.
func untilInterrupted(parent context.Context, tell func(message string)) (context.Context, func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-done:
			return
		}
		tell("stopping; interrupt once more to end at once")
		cancel()
		select {
		case <-signals:
			os.Exit(statusInterrupted)
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}
