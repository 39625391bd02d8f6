package faults

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// TestServerDiskFull fills the disk of the server, a small tmpfs, when a run has begun to write. When there is room
// again and the server was restarted, as it asks for, the next run mends everything.
func TestServerDiskFull(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	t.Parallel()
	disk := t.TempDir()
	if err := mountSmall(disk, "96m"); err != nil {
		t.Skipf("a disk that can be filled is a tmpfs of its own, and none can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	server := neo4jtest.StartFor(t, neo4jtest.Options{Heap: "384m", Home: filepath.Join(disk, "home")})
	r := newRigOn(t, 1, server, "")
	g := &golden{t: t, r: r}
	j := job{"ab"}
	r.first(j)
	want := r.change()
	since, before := r.now(), r.read(j)
	var filled error
	once := sync.OnceFunc(func() { filled = fill(filepath.Join(disk, "filler")) })
	r.proxy.OnCommit(func(step, _ string) {
		if step == "write" {
			once()
		}
	})
	// one writer meets the full disk, and its error is the one that is told
	file := r.with(r.config(j, r.proxied(), soon), "connections: 1")
	e := g.says("the server's disk is full from the first batch on", file, j, "--quiet")
	r.proxy.OnCommit(nil)
	if filled != nil {
		t.Fatal(filled)
	}
	// It is killed before there is room: on its way down it would add to the transaction that it has written in part.
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
		t.Fatal(err)
	}
	r.proxy.Heal()
	r.restart()
	wrong := r.afterFault(j, e, since, before, want)
	wrong = append(wrong, r.afterRerun(j, r.run(r.config(j, r.direct(), retry), j), want)...)
	for _, w := range wrong {
		t.Error(w)
	}
	g.compare("diskfull.txt")
}

// fill writes a file until the disk has no room left.
func fill(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	for block := make([]byte, 1<<16); len(block) > 0; {
		_, err := f.Write(block)
		switch {
		case errors.Is(err, syscall.ENOSPC):
			block = block[:len(block)/2] // down to the last byte
		case err != nil:
			return err
		}
	}
	return nil
}
