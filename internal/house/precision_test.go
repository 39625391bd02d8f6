package house

import (
	"go/ast"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
)

// filesOfThePrecision counts the files that change with the default: those of Go that name a precision by its word, the
// commented example, and the schema. Tests of config hold the last two to the first.
func filesOfThePrecision(t *testing.T) int {
	t.Helper()
	var files []string
	eachGoFile(t, func(path string, file *ast.File) {
		if path == "internal/kernelgen/read.go" || strings.HasPrefix(path, "bench/") {
			return // types of CUDA; pages about both precisions
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if x, ok := n.(*ast.BasicLit); ok {
				word, err := strconv.Unquote(x.Value)
				if err == nil && slices.Contains(kernels.Precisions(), word) && !slices.Contains(files, path) {
					files = append(files, path)
				}
			}
			return true
		})
	})
	shown := regexp.MustCompile(`precision: ` + kernels.DefaultPrecision + `|"default": "` +
		kernels.DefaultPrecision + `"`)
	for _, path := range []string{"config/example.yml", "config/schema.json"} {
		if shown.MatchString(read(t, path)) {
			files = append(files, path)
		}
	}
	t.Logf("the default precision stands in %v", files)
	if len(files) > 3 || !slices.Contains(files, "kernels/precision.go") {
		t.Errorf("the default precision stands in %d files", len(files))
	}
	return len(files)
}
