package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilInterrupted returns a context that ends with the first interrupt (Ctrl-C, SIGTERM) or when the terminal goes
// away (SIGHUP). A second interrupt ends the process at once; a second SIGHUP does not, because the kernel and the
// shell each send one. serve has another use for SIGHUP and resets it.
func untilInterrupted(parent context.Context, tell func(message string)) (context.Context, func()) {
	ctx, cancel := context.WithCancel(parent)
	interrupts, hangup := make(chan os.Signal, 2), make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signal.Notify(hangup, syscall.SIGHUP)
	}
	done := make(chan struct{})
	go func() {
		select {
		case <-interrupts:
		case <-hangup:
		case <-done:
			return
		}
		signal.Ignore(syscall.SIGPIPE) // whoever read the output may be gone, and the run still has to give up its lock
		cancel()
		tell("stopping; interrupt once more to end at once")
		select {
		case <-interrupts:
			os.Exit(statusInterrupted)
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(interrupts)
		signal.Stop(hangup)
		close(done)
		cancel()
	}
}
