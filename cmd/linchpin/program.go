package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/linchpin-graph/linchpin/engine/parts"
)

// thisProgram identifies this build. Parts of a run are of one build, because another compiler or processor may round
// differently.
func thisProgram() (parts.Program, error) {
	v := buildInfo()
	p := parts.Program{Version: v.Version, Commit: v.Commit, Go: v.Go, Processor: runtime.GOARCH + processorLevel()}
	if !v.Modified && v.Commit != "unknown" {
		return p, nil
	}
	var err error
	if p.Digest, err = digestOfProgram(); err != nil {
		return p, fmt.Errorf("which build this is: %w", err)
	}
	return p, nil
}

// processorLevel is the level of the processor that the compiler was allowed to use, such as v3; later ones fuse
// operations.
func processorLevel() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range build.Settings {
		if s.Key == "GOAMD64" || s.Key == "GOARM64" {
			return " " + s.Value
		}
	}
	return ""
}

// digestOfProgram tells apart builds of sources that no commit names.
func digestOfProgram() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	return parts.DigestOf(path)
}
