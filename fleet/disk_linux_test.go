package fleet_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/fleet/coordinator"
	"github.com/linchpin-graph/linchpin/fleet/node"
)

// smallDisk mounts a disk of so many bytes that a test can fill.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("mode=0700,size=%d", size)); err != nil {
		t.Skipf("this machine lets nobody mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return disk
}

// fill takes all that is left of a disk, down to the last byte. room gives it back.
func fill(t *testing.T, disk string) (room func()) {
	t.Helper()
	path := filepath.Join(disk, "ballast")
	f, err := os.Create(path)
	if err != nil {
		t.Error(err)
		return func() {}
	}
	defer f.Close()
	for block := make([]byte, 1<<20); len(block) > 0; {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2]
		} else if err != nil {
			t.Error(err)
			break
		}
	}
	return func() { os.Remove(path) }
}

// count is how often a text is in a log.
func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Count(l.b.Bytes(), []byte(text))
}

// await waits until a log has a text.
func (l *lines) await(t *testing.T, text string) {
	for end := time.Now().Add(time.Minute); l.count(text) == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("the log never says %q", text)
			return
		}
	}
}

func (l *lines) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// TestTheCoordinatorsDiskIsFull: parts wait at their nodes, or in the memory of this machine, until there is room. The
// log says so once, and the scores are those of one machine.
func TestTheCoordinatorsDiskIsFull(t *testing.T) {
	for name, nodes := range map[string]int{"parts of nodes": 2, "parts of this machine": 0} {
		t.Run(name, func(t *testing.T) {
			disk, log := smallDisk(t, 16<<20), &lines{}
			r := newRig(t, nil)
			r.folder = filepath.Join(disk, "fleet")
			r.restart(func(o *coordinator.Options) { o.Logger = log.logger() })
			task := taskOf("betweenness", aGraph(t, 2500), true)
			want := onOneMachine(t, task)
			for i := range nodes {
				r.join(fmt.Sprint("node", i), func(o *node.Options) { o.Logger = log.logger() })
			}
			if nodes == 0 {
				task.Nodes = engine.AnyNodes
			}
			begun, waited := make(chan struct{}), make(chan struct{})
			var room func()
			begin := sync.OnceFunc(func() { // the run waits for this
				room = fill(t, disk)
				close(begun)
			})
			task.Request.Progress = func(done, _ int) {
				if done > 0 {
					begin()
				}
			}
			go func() {
				defer close(waited)
				<-begun
				log.await(t, "the disk of the coordinator is full")
				if nodes > 0 {
					log.await(t, "the part waits here")
				}
				time.Sleep(2 * time.Second) // others are full as well
				room()
			}()
			out, err := r.engine.Compute(t.Context(), task)
			begin()
			<-waited
			if err != nil {
				t.Fatal(err)
			}
			sameBits(t, "after a full disk", out.Scores, want)
			if n := log.count("the disk of the coordinator is full: no part is taken"); n != 1 {
				t.Errorf("the log says %d times that the disk is full", n)
			}
			if left := r.left(); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestAFullDiskBeforeTheRun: the run fails with one line that names the disk, and succeeds when there is room.
func TestAFullDiskBeforeTheRun(t *testing.T) {
	disk := smallDisk(t, 4<<20)
	r := newRig(t, nil)
	r.folder = filepath.Join(disk, "fleet")
	r.restart(nil)
	task := taskOf("betweenness", aGraph(t, 300), false)
	task.Nodes = engine.AnyNodes
	room := fill(t, disk)
	_, err := r.engine.Compute(t.Context(), task)
	if err == nil || !export.IsDiskFull(err) || !strings.Contains(err.Error(), disk) ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("on a full disk: %v", err)
	}
	room()
	out, err := r.engine.Compute(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	sameBits(t, "with room again", out.Scores, onOneMachine(t, task))
}

// TestGraphsMakeRoom: a node whose disk is full of the graphs of earlier runs removes them.
func TestGraphsMakeRoom(t *testing.T) {
	r := newRig(t, nil)
	task := taskOf("betweenness", aGraph(t, 800), true)
	cache := filepath.Join(smallDisk(t, 4<<20), "cache")
	old := filepath.Join(cache, strings.Repeat("ab", 32))
	if err := errors.Join(os.Mkdir(cache, 0o700), os.WriteFile(old, make([]byte, 4<<20-64<<10), 0o600)); err != nil {
		t.Fatal(err)
	}
	r.join("full of graphs", func(o *node.Options) { o.Cache = cache })
	out, err := r.engine.Compute(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	sameBits(t, "in the room of old graphs", out.Scores, onOneMachine(t, task))
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old graph is still there: %v", err)
	}
}

// TestANodesDiskIsFull: a node without room for the graph, or for what it found, leaves the run to others, and says
// why.
func TestANodesDiskIsFull(t *testing.T) {
	r := newRig(t, func(o *coordinator.Options) { o.Target = 300 * time.Millisecond })
	task := taskOf("betweenness", aGraph(t, 800), true)
	task.Nodes = engine.AnyNodes
	want := onOneMachine(t, task)
	for name, c := range map[string]struct{ size, kept int }{"for the graph": {64 << 10, 0},
		"for what it found": {370 << 10, 1}} {
		log := &lines{}
		cache := filepath.Join(smallDisk(t, c.size), "cache")
		leave := r.join("full", func(o *node.Options) { o.Cache, o.Logger = cache, log.logger() })
		for len(r.engine.Fleet.State().Nodes) == 0 {
			time.Sleep(10 * time.Millisecond)
		}
		out, err := r.engine.Compute(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		sameBits(t, "without room "+name, out.Scores, want)
		if n := log.count("this node cannot help with the run"); n != 1 || log.count("no space left on device") != 1 {
			t.Errorf("no room %s: the node says so %d times", name, n)
		}
		if !strings.HasSuffix(out.Reason, "on the coordinator") {
			t.Errorf("no room %s: computed %s", name, out.Reason)
		}
		if err := leave(); err != nil {
			t.Error(err)
		}
		if kept, err := os.ReadDir(cache); err != nil || len(kept) != c.kept {
			t.Errorf("no room %s: %d files are kept, not %d (%v)", name, len(kept), c.kept, err)
		}
	}
}
