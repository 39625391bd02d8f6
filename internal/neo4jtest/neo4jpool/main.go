// Neo4jpool runs a command whose test binaries share warm Neo4j servers, such as "neo4jpool go test ./jobs ./serve".
// The servers end with it, and it ends with the command.
package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

func main() {
	status, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "neo4jpool:", err)
		status = 1
	}
	os.Exit(status)
}

func run(command []string) (status int, err error) {
	if len(command) == 0 {
		return 2, errors.New("usage: neo4jpool COMMAND ARGUMENT...")
	}
	l, err := listen()
	if err != nil {
		return 0, err
	}
	defer l.Close()
	var pool neo4jtest.Pool
	defer func() { err = errors.Join(err, pool.Close()) }()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go pool.Serve(c)
		}
	}()
	return follow(command, l.Addr().String())
}

// listen opens a socket whose name is the same for each run in this folder: the Go command keeps results of tests only
// for the environment that they ran in. While another process has that name, it is a new one.
func listen() (net.Listener, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(here))
	socket := filepath.Join(os.TempDir(), fmt.Sprintf("linchpin-servers-%d-%x", os.Getuid(), sum[:6]))
	if c, err := net.Dial("unix", socket); err == nil {
		c.Close()
		socket += fmt.Sprintf("-%d", os.Getpid())
	}
	_ = os.Remove(socket) // left by a process that was killed
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	return l, os.Chmod(socket, 0o600)
}

// follow runs the command to its end and returns its status. Signals that end a command end this one; it ends after it.
func follow(command []string, socket string) (int, error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), neo4jtest.PoolVariable+"="+socket)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			_ = cmd.Process.Signal(s)
		case err := <-ended:
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				return max(1, exit.ExitCode()), nil
			}
			return 0, err
		}
	}
}
