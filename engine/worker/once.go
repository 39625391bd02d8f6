package worker

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	own "github.com/linchpin-graph/linchpin/internal/process"
)

// untilFound is how long a worker waits before it looks again whether another one has found what it needs.
const untilFound = time.Millisecond

// foundLists are what the shards of a run need that is found once: in this worker, and where other workers share the
// run, in one of them.
type foundLists struct {
	// dir is the folder that all workers share; "" where one has all shards.
	dir string
	way int

	mu    sync.Mutex
	lists map[string][][]int32
}

// once is an order.Once.
func (f *foundLists) once(key string, find func() [][]int32) [][]int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	lists, found := f.lists[key]
	if !found {
		if f.lists == nil {
			f.lists = map[string][][]int32{}
		}
		lists = f.byOne(key, find)
		f.lists[key] = lists
	}
	return lists
}

// byOne has one of the workers find lists: who locks a folder of the key's name. The lock of a worker that dies is free
// again.
func (f *foundLists) byOne(key string, find func() [][]int32) [][]int32 {
	hash := fnv.New64a()
	fmt.Fprint(hash, key)
	path := filepath.Join(f.dir, fmt.Sprintf("found-%d-%x", f.way, hash.Sum64()))
	if f.dir == "" || !own.LocksFolders || os.MkdirAll(path+".lock", 0o700) != nil {
		return find()
	}
	for ; ; time.Sleep(untilFound) {
		if lists := readLists(path); lists != nil {
			return lists
		}
		if lock := own.LockFolder(path + ".lock"); lock != nil {
			defer lock.Close()
			return findFor(path, find)
		}
	}
}

// findFor finds lists for all workers, unless they were found before the lock was there.
func findFor(path string, find func() [][]int32) [][]int32 {
	if lists := readLists(path); lists != nil {
		return lists
	}
	lists := find()
	count := len(lists)
	for _, list := range lists {
		count += len(list)
	}
	flat := make([]int32, 0, count)
	for _, list := range lists {
		flat = append(append(flat, int32(len(list))), list...)
	}
	unfinished := path + ".part"
	if protocol.WriteNodes(unfinished, flat) == nil {
		_ = os.Rename(unfinished, path) // without the file each worker finds its own
	}
	return lists
}

// readLists reads what findFor wrote; nil while it is not there.
func readLists(path string) (lists [][]int32) {
	flat, err := protocol.ReadNodes(path)
	if err != nil {
		return nil
	}
	for len(flat) > 0 {
		last := 1 + int(flat[0])
		lists, flat = append(lists, flat[1:last:last]), flat[last:]
	}
	return lists
}
