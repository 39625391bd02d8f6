package house

import (
	"encoding/json"
	"go/ast"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostFunctions is the goal for a package of the engine; those that are larger must not grow.
const mostFunctions = 150

// larger are packages of the engine that are still over mostFunctions.
var larger = map[string]int{}

// TestFunctionsPerPackage counts functions and methods, without tests and generated files.
func TestFunctionsPerPackage(t *testing.T) { largestPackage(t) }

func largestPackage(t *testing.T) (most int) {
	t.Helper()
	counts := map[string]int{}
	eachGoFile(t, func(path string, file *ast.File) {
		folder := filepath.ToSlash(filepath.Dir(path))
		room, _, _ := strings.Cut(folder, "/")
		if ast.IsGenerated(file) || !slices.Contains([]string{"engine", "gpu", "kernels"}, room) {
			return
		}
		for _, d := range file.Decls {
			if _, ok := d.(*ast.FuncDecl); ok {
				counts[folder]++
			}
		}
	})
	for _, folder := range slices.Sorted(maps.Keys(counts)) {
		n := counts[folder]
		most = max(most, n)
		t.Logf("%-20s %d functions", folder, n)
		if limit := max(larger[folder], mostFunctions); n > limit {
			t.Errorf("%s has %d functions, more than %d", folder, n, limit)
		}
		if larger[folder] > 0 && n <= mostFunctions {
			t.Errorf("%s has %d functions: take it out of the list of larger packages", folder, n)
		}
	}
	return most
}

// TestLinkedPackages counts the packages of others that linchpin links, and finds those that belong to benchmarks.
func TestLinkedPackages(t *testing.T) { linkedPackages(t) }

func linkedPackages(t *testing.T) (count int) {
	t.Helper()
	const most = 320
	c := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard", "./cmd/linchpin")
	c.Dir, c.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var p struct {
			ImportPath string
			Standard   bool
		}
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if p.Standard || strings.HasPrefix(p.ImportPath, "github.com/linchpin-graph/") {
			continue
		}
		count++
		for _, word := range []string{"gonum.org/v1/plot", "freetype", "gofpdf", "svgo", "/font"} {
			if strings.Contains(p.ImportPath, word) {
				t.Errorf("linchpin links %s", p.ImportPath)
			}
		}
	}
	t.Logf("linchpin links %d packages of others", count)
	if count > most {
		t.Errorf("linchpin links %d packages of others, more than %d", count, most)
	}
	return count
}
