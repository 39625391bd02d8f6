package house

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
)

// TestNoMeasureByName finds comparisons with names of measures outside the table: code asks for a measure's kind.
func TestNoMeasureByName(t *testing.T) { measuresByName(t) }

func measuresByName(t *testing.T) (count int) {
	t.Helper()
	names := map[string]bool{}
	for _, m := range kernels.Measures() {
		names[fmt.Sprintf("%q", m.Name)] = true
	}
	report := func(path string, x ast.Expr) {
		if text, ok := x.(*ast.BasicLit); ok && names[text.Value] {
			count++
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
	return count
}

// filesOfAMeasure counts the files that CONTRIBUTING.md lists for a new measure of a new kind, with its engine; those
// of its example exist. docs/notes/011 tried the list with a measure that iterates, and says which test misses each
// file. What else asks for a kind leaves a new one out.
func filesOfAMeasure(t *testing.T) int {
	t.Helper()
	_, section, _ := strings.Cut(read(t, "CONTRIBUTING.md"), "\n## Add a measure\n")
	section, _, _ = strings.Cut(section, "\n## ")
	files := map[string]bool{}
	for _, step := range regexp.MustCompile("(?m)^\\d+\\. (?:\\(new\\) )?`([^`]+)`").FindAllStringSubmatch(section, -1) {
		files[step[1]] = true
		if _, err := os.Stat(filepath.Join(root, step[1])); err != nil {
			t.Error(err)
		}
	}
	if len(files) == 0 || len(files) > 8 {
		t.Errorf("a measure takes %d files", len(files))
	}
	definitions := read(t, "docs/semantics.md")
	for _, m := range kernels.Measures() {
		if !strings.Contains(definitions, fmt.Sprintf("| `%s`", m.Name)) &&
			!strings.Contains(definitions, fmt.Sprintf(", `%s` |", m.Name)) {
			t.Errorf("docs/semantics.md does not define %s", m.Name)
		}
	}
	return len(files)
}
