package worker

import (
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
)

// TestOnce: of many workers one finds the lists, and all have them. Another key or way has lists of its own.
func TestOnce(t *testing.T) {
	dir := t.TempDir()
	want := [][]int32{{3, 1, 2}, {}, {7}}
	var found atomic.Int32
	find := func() [][]int32 { found.Add(1); return want }
	var workers sync.WaitGroup
	for range 16 {
		workers.Go(func() {
			if got := (&foundLists{dir: dir, way: 1}).once("a key", find); !reflect.DeepEqual(got, want) {
				t.Errorf("found %v, not %v", got, want)
			}
		})
	}
	workers.Wait()
	one := foundLists{dir: dir, way: 1}
	for range 2 {
		one.once("another key", find)
	}
	(&foundLists{dir: dir, way: 2}).once("a key", find)
	if n := found.Load(); n != 3 {
		t.Errorf("found %d times, not 3", n)
	}
}

// TestOnceWithoutAFolder: where nothing can be written, each worker finds its own.
func TestOnceWithoutAFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, ""} {
		found := 0
		find := func() [][]int32 { found++; return [][]int32{{5}} }
		of := foundLists{dir: dir}
		for range 2 {
			if got := of.once("a key", find); !reflect.DeepEqual(got, [][]int32{{5}}) {
				t.Errorf("found %v", got)
			}
		}
		if found != 1 {
			t.Errorf("found %d times, not once", found)
		}
	}
}
