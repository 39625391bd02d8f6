// Package house measures the structure and the prose of the repository, so that both get no worse.
package house

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
)

// root is the folder of the repository.
const root = "../.."

// mostFunctions is the goal for a package of the engine; those that are larger must not grow.
const mostFunctions = 150

// larger are packages of the engine that are still over mostFunctions.
var larger = map[string]int{}

// TestFunctionsPerPackage counts functions and methods, without tests and generated files.
func TestFunctionsPerPackage(t *testing.T) {
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
		t.Logf("%-20s %d functions", folder, n)
		if most := max(larger[folder], mostFunctions); n > most {
			t.Errorf("%s has %d functions, more than %d", folder, n, most)
		}
		if larger[folder] > 0 && n <= mostFunctions {
			t.Errorf("%s has %d functions: take it out of the list of larger packages", folder, n)
		}
	}
}

// TestNoMeasureByName finds comparisons with names of measures outside the table: code asks for a measure's kind.
func TestNoMeasureByName(t *testing.T) {
	names := map[string]bool{}
	for _, m := range kernels.Measures() {
		names[fmt.Sprintf("%q", m.Name)] = true
	}
	report := func(path string, x ast.Expr) {
		if text, ok := x.(*ast.BasicLit); ok && names[text.Value] {
			t.Errorf("%s compares with the measure %s by its name", path, text.Value)
		}
	}
	eachGoFile(t, func(path string, file *ast.File) {
		if strings.HasPrefix(path, "bench/") {
			return // suites and pages are about certain measures
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					report(path, n.X)
					report(path, n.Y)
				}
			case *ast.CaseClause:
				for _, x := range n.List {
					report(path, x)
				}
			}
			return true
		})
	})
}

// eachGoFile calls do for every Go file of the repository that is no test.
func eachGoFile(t *testing.T, do func(path string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "build" || name == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		path, err = filepath.Rel(root, path)
		do(path, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLinkedPackages counts the packages of others that linchpin links, and finds those that belong to benchmarks.
func TestLinkedPackages(t *testing.T) {
	const most = 320
	c := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard", "./cmd/linchpin")
	c.Dir, c.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
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
}

// TestPathOfAJob checks that each step of ARCHITECTURE.md's path names a file that exists, in at most 15 steps.
func TestPathOfAJob(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(data), "\n## 2. ")
	section, _, _ = strings.Cut(section, "\n## 3. ")
	steps := regexp.MustCompile(`(?m)^(\d+)\. (.*)$`).FindAllStringSubmatch(section, -1)
	if len(steps) == 0 || len(steps) > 15 {
		t.Errorf("%d steps", len(steps))
	}
	named := regexp.MustCompile("`([a-z][a-z0-9_/]*\\.(?:go|cu|cuh))`")
	for _, step := range steps {
		if !strings.HasPrefix(step[2], "`") {
			t.Errorf("step %s does not begin with a file", step[1])
		}
	}
	for _, file := range named.FindAllStringSubmatch(section, -1) {
		if _, err := os.Stat(filepath.Join(root, file[1])); err != nil {
			t.Errorf("the path names %s: %v", file[1], err)
		}
	}
}

// old are words that readers stumble over, with what to write instead.
var old = map[string]string{
	"anew": "again", "beside": "next to, with, in addition to", "lest": "so that … not", "whatever": "any, every",
	"but for": "except for", "stands in": "is in", "stand in": "are in", "tight arc": "shortest-path arc",
	"tight arcs": "shortest-path arcs",
	"as it does": "like", "where that is": "if",
}

// TestPlainEnglish reads what users read.
func TestPlainEnglish(t *testing.T) {
	words := slices.Sorted(maps.Keys(old))
	pattern := regexp.MustCompile(`(?i)\b(` + strings.Join(words, "|") + `)\b`)
	var files []string
	for _, glob := range []string{"*.md", "docs/*.md", "docs/design/*.md", "changelog/*.md", "changelog/unreleased/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, glob))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if word := pattern.FindString(line); word != "" && !strings.Contains(line, `"`+word) {
				t.Errorf("%s:%d: %q; write %s", file, i+1, word, old[strings.ToLower(word)])
			}
		}
	}
}
