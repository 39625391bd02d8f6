package doctest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// Shell is a bash into which the commands of a page are typed, one block after another. What a block exports, and the
// folder that it changes to, hold for the next one.
type Shell struct {
	command *exec.Cmd
	input   io.WriteCloser
	output  *bufio.Reader
}

// prelude ends the shell at the first command that fails, and with the shell what runs in its background. A reader who
// goes on after "linchpin serve" has another terminal; the shell goes on when the service listens.
const prelude = `set -Eeuo pipefail
trap 'echo "exit status $? of: $BASH_COMMAND" >&2' ERR
trap 'for p in $(jobs -p); do kill $p || true; done 2>/dev/null; wait || true' EXIT
head() { command head "$@" && cat >/dev/null; } # without a broken pipe, which pipefail would take for a failure
service=""
end_service() { if [ -n "$service" ]; then kill $service; wait $service || true; service=""; fi; }
begin_service() {
  service=$1
  for _ in $(seq 300); do
    if (: </dev/tcp/${LINCHPIN_SERVE_LISTEN/:/\/}) 2>/dev/null; then return; fi
    kill -0 $service || break
    sleep 0.1
  done
  cat "$HOME/service.log"
  return 1
}
`

// StartShell starts a bash by a command that has no input and output yet. The environment names, in
// LINCHPIN_SERVE_LISTEN, the address of a service that the commands start.
func StartShell(c *exec.Cmd) (*Shell, error) {
	input, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, printed, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.Stdout, c.Stderr = printed, printed
	err = c.Start()
	printed.Close()
	if err != nil {
		return nil, err
	}
	s := &Shell{command: c, input: input, output: bufio.NewReader(output)}
	_, err = s.write(prelude)
	return s, err
}

// endOfOutput is what the shell prints after a block.
const endOfOutput = '\x1e'

// Do runs commands and returns what they print. After an error the shell has ended.
func (s *Shell) Do(commands string) (string, error) {
	return s.eval("eval " + quoted(inBackground(commands)) + " </dev/null\n")
}

// Fail runs a command that must end with an exit status, and returns what it prints.
func (s *Shell) Fail(command, status string) (string, error) {
	return s.eval("status=0; eval " + quoted(command) + " </dev/null || status=$?; [ $status = " + status + " ]\n")
}

func (s *Shell) eval(text string) (string, error) {
	text += "printf '\\036'\n"
	if _, err := s.write(text); err != nil {
		return "", err
	}
	out, err := s.output.ReadString(endOfOutput)
	if errors.Is(err, io.EOF) {
		err = errors.New("a command failed")
	}
	return strings.TrimSuffix(out, string(endOfOutput)), err
}

func (s *Shell) write(text string) (int, error) { return io.WriteString(s.input, text) }

// Close ends the shell, and what it has started.
func (s *Shell) Close() error {
	closed := s.input.Close()
	rest, _ := io.ReadAll(s.output)
	if err := errors.Join(closed, s.command.Wait()); err != nil {
		return fmt.Errorf("%w: %s", err, rest)
	}
	return nil
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// service is a command line that runs until it is ended, with what follows it: an own & and a comment.
var service = regexp.MustCompile(`(?m)^((?:\w+=\S+ )*linchpin serve)\b([^&#\n]*?)\s*&?\s*(?:#.*)?$`)

// inBackground lets services run while the shell goes on.
func inBackground(commands string) string {
	return service.ReplaceAllString(commands, `end_service; $1 >"$$HOME/service.log" 2>&1$2 & begin_service $$!`)
}
