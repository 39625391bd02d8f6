package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/linchpin-graph/linchpin/internal/scripttest"
)

// TestMain makes the test binary stand for linchpin-bench when a script calls it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"linchpin-bench": func() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }})
}

// TestScripts runs the terminal sessions of testdata/*.txtar.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("CUDA_VISIBLE_DEVICES", "") // the sessions are those of a machine without a GPU
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": scripttest.Status,
			"json": scripttest.JSON},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}
