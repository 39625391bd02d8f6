package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/doctest"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// TestDocumentedCommandsRun does what a reader does who follows a page: each page of docs/ and the README has a shell,
// a folder and an empty database of its own. It fails where a command fails, or prints something else than the page
// shows. docs/reference/commands.md shows forms of commands, which TestDocumentedCommands parses.
func TestDocumentedCommandsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	server := neo4jtest.Fresh(t) // "init --from" avoids names that other tests have left
	run, left := 0, 0
	for _, path := range documentedPages(t) {
		if filepath.Base(path) == "commands.md" {
			continue
		}
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		blocks := doctest.Blocks(string(page))
		done, skipped := countCommands(blocks)
		run, left = run+done, left+skipped
		if done > 0 {
			t.Run(strings.TrimPrefix(path, "../../"), func(t *testing.T) { newReader(t, server, blocks).follow(blocks) })
		}
	}
	t.Logf("%d commands were run; %d were not, for the reason that stands before each", run, left)
	if run < 30 {
		t.Errorf("%d commands were run: the pages had more", run)
	}
}

// countCommands counts the commands that are run, and those that the page gives a reason for.
func countCommands(blocks []doctest.Block) (run, left int) {
	for _, b := range blocks {
		if b.Reason == "" {
			run += len(b.Commands())
		} else {
			left += len(b.Commands())
		}
	}
	return run, left
}

// TestBlocksHaveALanguage: a block without one, or with another name for it, would hide its commands from these tests.
func TestBlocksHaveALanguage(t *testing.T) {
	for _, path := range documentedPages(t) {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range doctest.Blocks(string(page)) {
			switch b.Language {
			case "", "bash", "shell", "zsh":
				t.Errorf("%s:%d: a block of the language %q; write sh or console for commands, text for others",
					path, b.Line, b.Language)
			}
		}
	}
}

// reader follows one page.
type reader struct {
	t      *testing.T
	server *neo4jtest.Server
	home   string
	shell  *doctest.Shell
	// here replaces what pages call the database, the service and folders of the system by those of the test.
	here *strings.Replacer
	// config is the first whole config of the page: what the reader makes of linchpin.yml in an editor.
	config string
}

func newReader(t *testing.T, server *neo4jtest.Server, blocks []doctest.Block) *reader {
	t.Helper()
	server.Reuse(t)
	r := &reader{t: t, server: server, home: t.TempDir()}
	listen := freeAddress(t)
	bolt := fmt.Sprintf("127.0.0.1:%d", server.Port())
	r.here = strings.NewReplacer("localhost:7687", bolt, "127.0.0.1:7687", bolt,
		"127.0.0.1:7475", listen, "localhost:7475", listen,
		"/run/secrets/", r.home+"/secrets/", "/data/", r.home+"/data/")
	for _, b := range blocks {
		if r.config == "" && isConfig(b) {
			r.config = r.here.Replace(b.Text)
		}
	}
	r.prepareHome()
	c := exec.Command("bash")
	c.Dir = filepath.Join(r.home, "work")
	c.Env = r.environment(listen, server.URI())
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var err error
	if r.shell, err = doctest.StartShell(c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }) // what is left after a failure
	return r
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// editor stands for the one that the reader writes linchpin.yml with.
const editor = "#!/bin/sh\nexec cp \"$HOME/page.yml\" \"$1\"\n"

func (r *reader) prepareHome() {
	r.t.Helper()
	for _, folder := range []string{"work", "secrets", "data", "tmp"} {
		if err := os.Mkdir(filepath.Join(r.home, folder), 0o700); err != nil {
			r.t.Fatal(err)
		}
	}
	for name, file := range map[string]string{"editor": editor, "page.yml": r.config, "secrets/neo4j": "password\n"} {
		if err := os.WriteFile(filepath.Join(r.home, name), []byte(file), 0o700); err != nil {
			r.t.Fatal(err)
		}
	}
}

// environment is that of a machine without a GPU, whose user has no settings.
func (r *reader) environment(listen, uri string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.home, "TMPDIR=" + filepath.Join(r.home, "tmp"),
		"LANG=C.UTF-8", "TERM=dumb",
		"EDITOR=" + filepath.Join(r.home, "editor"), "CUDA_VISIBLE_DEVICES=",
		"LINCHPIN_NEO4J_URI=" + uri, "LINCHPIN_SERVE_LISTEN=" + listen}
}

// follow does what the blocks say, in their order.
func (r *reader) follow(blocks []doctest.Block) {
	for _, b := range blocks {
		if b.Reason != "" {
			continue
		}
		for _, name := range b.Given {
			r.give(name)
		}
		switch {
		case b.Language == "console":
			r.converse(b)
		case b.Language == "sh":
			r.do(b, b.Text)
		case b.Language == "cypher" && b.Run:
			r.cypher(b.Text)
		case b.File != "":
			r.write(b, b.File)
		case isConfig(b):
			r.write(b, "linchpin.yml")
		}
	}
	if err := r.shell.Close(); err != nil {
		r.t.Error(err)
	}
}

// converse types the commands of a terminal session, and compares what they print with what the page shows.
func (r *reader) converse(b doctest.Block) {
	all := b.Exchanges()
	for i, e := range all {
		one := doctest.Block{Line: b.Line}
		if i == len(all)-1 {
			one.Status = b.Status
		}
		printed := r.do(one, e.Command)
		if shown := r.here.Replace(e.Output); strings.TrimSpace(shown) != "" && !doctest.Shows(shown, printed) {
			r.t.Errorf("block of line %d: %s\nprints\n%s\nthe page shows\n%s", b.Line, e.Command, printed, shown)
		}
	}
}

// documentedRun is the id of a run on a page; in the test it is the newest one.
var documentedRun = regexp.MustCompile(`\b20\d{6}T\d{6}Z-[A-Z0-9]{8}\b`)

func (r *reader) do(b doctest.Block, commands string) string {
	r.t.Helper()
	commands = documentedRun.ReplaceAllString(r.here.Replace(commands), `$$(linchpin history | awk 'NR == 2 {print $$1}')`)
	do := r.shell.Do
	if b.Status != "" {
		do = func(commands string) (string, error) { return r.shell.Fail(commands, b.Status) }
	}
	printed, err := do(commands)
	if err != nil {
		r.t.Fatalf("block of line %d: %v: %s", b.Line, err, printed)
	}
	return printed
}

func (r *reader) write(b doctest.Block, file string) {
	r.t.Helper()
	r.do(b, "cat >'"+file+"' <<'END OF FILE'\n"+b.Text+"END OF FILE\n")
}

func (r *reader) cypher(text string) {
	for _, statement := range strings.Split(text, ";\n") {
		if strings.TrimSpace(statement) != "" {
			r.server.Query(r.t, statement, nil)
		}
	}
}

// isConfig reports whether a block is a whole config.
func isConfig(b doctest.Block) bool {
	return b.Language == "yaml" && b.Reason == "" && strings.HasPrefix(b.Text, "version:")
}
