package file

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDistanceArrayGoesOn: an array that was left in the middle is the same in the end as one that was written at once.
// What is of another graph, or cut off within a row, is not used.
func TestDistanceArrayGoesOn(t *testing.T) {
	inf := math.Inf(1)
	for _, weighted := range []bool{false, true} {
		rows := [][]float64{{0, 1, inf}, {2, 0, 70000}, {inf, 3, 0}, {1, 1, 0}}
		if weighted {
			rows[1][2] = .25
		}
		path := filepath.Join(t.TempDir(), "a.npy")
		write := func(key string, to, want int) {
			t.Helper()
			a, err := OpenDistanceArray(path, len(rows), 3, weighted, key)
			if err != nil {
				t.Fatal(err)
			}
			if a.Done != want {
				t.Errorf("%d rows are there, want %d", a.Done, want)
			}
			err = a.EachRow(func(i int, got []float64) error {
				if !cmp.Equal(got, rows[i]) {
					t.Errorf("row %d: %v, want %v", i, got, rows[i])
				}
				return nil
			})
			for i := a.Done; i < to && err == nil; i++ {
				err = a.Row(rows[i])
			}
			if err != nil {
				t.Fatal(err)
			}
			if to < len(rows) {
				a.Close()
			} else if err := a.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		write("one", 2, 0)
		write("other", 3, 0)
		info, err := os.Stat(path + ".part")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path+".part", info.Size()-1); err != nil {
			t.Fatal(err)
		}
		write("other", 4, 2)
		once, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write("again", 4, 0)
		if again, err := os.ReadFile(path); err != nil || !cmp.Equal(once, again) {
			t.Errorf("weighted %t: the arrays differ: %v", weighted, err)
		}
		if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestDistanceArrayReadByNumPy(t *testing.T) {
	python := peerPython(t)
	path := filepath.Join(t.TempDir(), "a.npy")
	a, err := OpenDistanceArray(path, 2, 3, false, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range [][]float64{{0, 1, math.Inf(1)}, {1, 0, 7}} {
		if err := a.Row(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Commit(); err != nil {
		t.Fatal(err)
	}
	const want = "int32 [[0, 1, -1], [1, 0, 7]]\n"
	got, err := exec.Command(python, "-c", "import numpy, sys; a = numpy.load(sys.argv[1]); print(a.dtype, a.tolist())",
		path).Output()
	if err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
