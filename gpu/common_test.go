package gpu

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCommonIsTheLeast(t *testing.T) {
	big := Info{Name: "big", Major: 9, SMs: 132, Threads: 2048, SharedBlock: 1 << 18, L2: 50 << 20, Bandwidth: 4e12,
		Free: 100, Total: 140, Driver: 13000}
	old := Info{Name: "old", Major: 8, Minor: 6, SMs: 84, Threads: 1536, SharedBlock: 1 << 17, L2: 6 << 20,
		Bandwidth: 1e12, Free: 20, Total: 24, Display: true, Driver: 12040}
	want := old
	if want.Name = "big"; cmp.Diff(want, Common(big, old)) != "" {
		t.Error(cmp.Diff(want, Common(big, old)))
	}
	busy := big
	if busy.Free = 7; Common(big, busy, big).Free != 7 || Common(big) != big {
		t.Error("free memory")
	}
	if !Alike(big, busy) || Alike(big, busy, old) {
		t.Error("devices of one kind differ in free memory alone")
	}
}
