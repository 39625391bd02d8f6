package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// Limits are how long a worker may take. A worker over a limit is killed.
type Limits struct {
	// Start is the time until hello. CUDA can take seconds to wake a machine with many devices.
	Start time.Duration
	// Silence is the time between two lines. The worker sends one a second, whatever its device does.
	Silence time.Duration
	// Stall is the time between two signs of progress.
	Stall time.Duration
	// Leave is the time to end after the last event, or after a cancel.
	Leave time.Duration
}

// defaultLimits are generous: over them, something hangs.
func defaultLimits() Limits {
	return Limits{Start: time.Minute, Silence: 30 * time.Second, Stall: 10 * time.Minute, Leave: 500 * time.Millisecond}
}

// maxRate is the most events that a worker may send in a second for one order. It sends about ten, and the answer.
// Orders may follow one another at any rate.
const maxRate = 1000

// process is one worker.
type process struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	lines   chan line
	output  *tail
	limits  Limits
	begun   time.Time
	orders  atomic.Int64 // given so far
	// ended is closed when the process has ended; the command's ProcessState is set then.
	ended chan struct{}
	// stop ends the reader of events.
	stop chan struct{}
	// index is the device on which it has done an order.
	index int
}

// line is one line of the event pipe, or why there are no more.
type line struct {
	event protocol.Event
	err   error
}

// start starts a worker for a device.
func (c *Client) start(path string, index int) (*process, error) {
	p := &process{
		command: exec.Command(path, "-events", "3"), lines: make(chan line), output: &tail{}, limits: c.Limits,
		begun: time.Now(), ended: make(chan struct{}), stop: make(chan struct{}), index: anyDevice,
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, Refuse(protocol.BrokenWorker, "%v", err)
	}
	p.command.ExtraFiles = []*os.File{write}
	p.command.Stdout, p.command.Stderr = p.output, p.output
	if c.Output != nil {
		both := io.MultiWriter(p.output, c.Output)
		p.command.Stdout, p.command.Stderr = both, both
	}
	p.command.SysProcAttr = endWithParent()
	p.command.Env = c.environmentAt(index)
	// A grandchild that keeps the output open must not keep us.
	p.command.WaitDelay = c.Limits.Leave
	if p.stdin, err = p.command.StdinPipe(); err == nil {
		err = p.run()
	}
	write.Close()
	if err != nil {
		read.Close()
		return nil, Refuse(protocol.BrokenWorker, "%s does not start: %v", path, err)
	}
	go p.read(read)
	return p, nil
}

// run starts the program on a thread of its own, which stays until the program has ended: it ends with that thread.
func (p *process) run() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.command.Start()
		if started <- err; err == nil {
			_ = p.command.Wait() // how it ended is in ProcessState
			close(p.ended)
		}
	}()
	return <-started
}

// read decodes the event pipe into lines until it ends, breaks the rules, or nobody wants more.
func (p *process) read(pipe *os.File) {
	defer pipe.Close()
	go func() { <-p.stop; pipe.Close() }()
	defer close(p.lines)
	scanner := bufio.NewScanner(pipe)
	scanner.Buffer(make([]byte, 4096), protocol.MaxLine)
	second, order, count := time.Now(), int64(0), 0
	for scanner.Scan() {
		event, err := protocol.DecodeEvent(scanner.Bytes())
		now, last := time.Now(), p.orders.Load()
		if now.Sub(second) >= time.Second || last > order {
			second, order, count = now, last, 0
		}
		if count++; err == nil && count > maxRate {
			err = fmt.Errorf("over %d events a second", maxRate)
		}
		if !p.send(line{event, err}) || err != nil {
			return
		}
	}
	if err := scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
		p.send(line{err: fmt.Errorf("a line of over %d bytes", protocol.MaxLine)})
	}
}

func (p *process) send(l line) bool {
	select {
	case p.lines <- l:
		return true
	case <-p.stop:
		return false
	}
}

// next waits for the next event that is no beat. Its errors carry a Reason.
func (p *process) next(ctx context.Context, limit time.Duration) (protocol.Event, error) {
	total := time.NewTimer(limit)
	defer total.Stop()
	for {
		silence := time.NewTimer(min(p.limits.Silence, limit))
		select {
		case l, open := <-p.lines:
			silence.Stop()
			switch {
			case !open:
				return protocol.Event{}, p.gone()
			case l.err != nil:
				return protocol.Event{}, Refuse(protocol.Protocol, "the worker sent what it must not: %v", l.err)
			case l.event.Event != protocol.EventBeat:
				return l.event, nil
			}
		case <-silence.C:
			return protocol.Event{}, Refuse(protocol.TimedOut, "the worker said nothing for %v", min(p.limits.Silence, limit))
		case <-total.C:
			silence.Stop()
			return protocol.Event{}, Refuse(protocol.TimedOut, "the worker made no progress for %v", limit)
		case <-ctx.Done():
			silence.Stop()
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return protocol.Event{}, Refuse(protocol.TimedOut, "the time for the task is over")
			}
			return protocol.Event{}, Refuse(protocol.Cancelled, "cancelled while the GPU worked")
		}
	}
}

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// dying is how long a worker that was killed may take to end. One that hangs in its driver does not end before the
// driver returns.
const dying = 10 * time.Second

// finish lets the worker leave, or kills it, and waits until it has ended.
func (p *process) finish() {
	p.part()
	p.await()
}

// await waits for the end of a worker that was let go, and no longer than that takes.
func (p *process) await() {
	select {
	case <-p.ended:
	case <-time.After(p.limits.Leave + dying):
	}
}

// part lets the worker leave, or kills it, and does not wait.
func (p *process) part() {
	_ = p.stdin.Close() // Wait may have closed it already
	go func() {
		defer close(p.stop)
		select {
		case <-p.ended:
		case <-time.After(p.limits.Leave):
			_ = p.command.Process.Kill() // it may have ended meanwhile
		}
	}()
}

// tell tells of a bad end.
func (p *process) tell(output io.Writer) {
	if !p.hasEnded() {
		fmt.Fprintf(output, "the worker (process %d) does not end\n", p.command.Process.Pid)
	} else if state := p.command.ProcessState; !state.Success() {
		fmt.Fprintf(output, "the worker ended with %v after its last result\n", state)
	}
}
