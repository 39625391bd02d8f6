package house

import (
	"go/ast"
	"strings"
	"testing"
)

// shardSetters counts the files outside of engine that name Task.Shards: engine alone reads into how many shards a run
// is cut, and at most one file sets it.
func shardSetters(t *testing.T) (count int) {
	t.Helper()
	eachGoFile(t, func(path string, file *ast.File) {
		if strings.HasPrefix(path, "engine/") || !imports(file, "engine") {
			return
		}
		named := false
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == "Shards" {
				named = true
			}
			return true
		})
		if named {
			count++
			t.Logf("%s names the number of shards", path)
		}
	})
	if count > 1 {
		t.Errorf("%d files outside of engine name the number of shards", count)
	}
	return count
}
