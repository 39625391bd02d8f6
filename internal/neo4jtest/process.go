package neo4jtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

var errPortTaken = errors.New("neo4jtest: the port is taken")

// supervisor runs the server ("$@") as its child and then reads its input, which only ends without "stop" when the
// process at the other end, ours, has ended, however it did: it then kills the server and removes its temporary home.
// The server inherits descriptor 4, our pipe: it closes when the server has ended. Until the supervisor ends the
// server's process id is not used again.
const supervisor = `home=$1; output=$2; shift 2
exec 4>&1
"$@" </dev/null >>"$output" 2>&1 &
server=$!
echo "$server"
exec >&- 4>&-
read -r how
[ "$how" = stop ] || kill -9 "$server"
wait "$server"
[ "$how" = stop ] || [ -z "$home" ] || rm -rf "$home"`

// process is a running server.
type process struct {
	pid    int
	ended  <-chan struct{} // closed when the server has ended
	finish func() error    // lets the supervisor end, after the server
}

func (s *Server) spawn() (*process, error) {
	args := s.command(s.install.mainClass(), "--home-dir="+s.home, "--config-dir="+s.home+"/conf")
	if s.options.Keep {
		return s.spawnDetached(args)
	}
	temporary := ""
	if s.options.Home == "" {
		temporary = s.home
	}
	cmd := exec.Command("/bin/sh", append([]string{"-c", supervisor, "neo4j-supervisor", temporary, s.output()},
		args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for us, not for the server
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	pid, convErr := strconv.Atoi(strings.TrimSpace(first))
	if err := errors.Join(err, convErr); err != nil {
		return nil, errors.Join(err, in.Close(), cmd.Wait())
	}
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		close(ended)
	}()
	return &process{pid: pid, ended: ended, finish: func() error {
		_, err := io.WriteString(in, "stop\n")
		// The supervisor's status is the server's, which is not 0 after a signal.
		var status *exec.ExitError
		if waitErr := cmd.Wait(); !errors.As(waitErr, &status) {
			err = errors.Join(err, waitErr)
		}
		return err
	}}, nil
}

// spawnDetached starts a server that does not end with this process.
func (s *Server) spawnDetached(args []string) (*process, error) {
	output, err := os.OpenFile(s.output(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer output.Close()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	return &process{pid: cmd.Process.Pid, ended: ended, finish: func() error { return nil }}, nil
}

// end sends the signal and waits until the server has ended; one that does not within the patience is killed.
func (p *process) end(how syscall.Signal, patience time.Duration) error {
	select {
	case <-p.ended:
		return p.finish()
	default:
	}
	if err := syscall.Kill(p.pid, how); err != nil {
		return err
	}
	var late error
	select {
	case <-p.ended:
	case <-time.After(patience):
		late = errors.Join(fmt.Errorf("neo4jtest: the server did not stop within %s and was killed", patience),
			syscall.Kill(p.pid, syscall.SIGKILL))
		<-p.ended
	}
	return errors.Join(late, p.finish())
}

// launch starts the server on the port that is set and waits until it answers.
func (s *Server) launch(ctx context.Context) error {
	if err := s.configure(); err != nil {
		return err
	}
	logged, printed := fileSize(s.log()), fileSize(s.output())
	p, err := s.spawn()
	if err != nil {
		return err
	}
	if err := s.awaitStart(ctx, p, logged, printed); err != nil {
		return errors.Join(err, p.end(syscall.SIGKILL, time.Minute))
	}
	s.process = p
	return nil
}

func (s *Server) awaitStart(ctx context.Context, p *process, logged, printed int64) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("neo4jtest: wait for the server to start: %w\n%s", ctx.Err(), lastLines(s.Log()))
		case <-p.ended:
			if strings.Contains(readFrom(s.log(), logged)+readFrom(s.output(), printed), "Address already in use") {
				return errPortTaken
			}
			return fmt.Errorf("neo4jtest: the server ended while starting\n%s", lastLines(s.Log()))
		case <-time.After(50 * time.Millisecond):
		}
		// Its own log says that it is this server, and not another on the same port, that answers.
		if strings.Contains(readFrom(s.log(), logged), " Started.\n") && handshake(s.port) == nil {
			return nil
		}
	}
}

// handshake opens a connection and agrees on a version of Bolt.
func handshake(port int) error {
	c, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return err
	}
	hello := []byte{0x60, 0x60, 0xB0, 0x17, 0, 0, 4, 5, 0, 0, 0, 5, 0, 0, 4, 4, 0, 0, 0, 0} // Bolt 5.4 to 5.0, or 4.4
	if _, err := c.Write(hello); err != nil {
		return err
	}
	answer := make([]byte, 4)
	if _, err := io.ReadFull(c, answer); err != nil {
		return err
	}
	if answer[3] == 0 {
		return errors.New("neo4jtest: no common version of Bolt")
	}
	return nil
}

func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// readFrom returns a file's text from an offset on, all of it if it has become shorter, "" if it cannot be read.
func readFrom(path string, offset int64) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	if int64(len(text)) < offset {
		offset = 0
	}
	return string(text[offset:])
}

func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-30):], "\n")
}
