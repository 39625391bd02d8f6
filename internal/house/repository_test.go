// Package house measures the structure and the prose of the repository, so that both get no worse.
package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// root is the folder of the repository.
const root = "../.."

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

// read returns the text of a file of the repository.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// imports reports whether a file imports a package of this module.
func imports(file *ast.File, path string) bool {
	for _, i := range file.Imports {
		if i.Path.Value == `"github.com/linchpin-graph/linchpin/`+path+`"` {
			return true
		}
	}
	return false
}
