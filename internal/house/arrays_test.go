package house

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// placesOfAnArray counts the places that declare an array of the weighted kernel: its struct in CUDA and the list of
// buffers. A place is a member of the struct of arguments, a field of a struct in Go, a key of a literal, or an address
// that is taken, in files that are written by hand. Uses do not count.
func placesOfAnArray(t *testing.T) (most int) {
	t.Helper()
	const folder = "kernels/weighted"
	places := map[string]int{}
	for _, name := range arraysOf(t, folder+"/weighted.cuh") {
		places[name] = 1
	}
	add := func(id *ast.Ident) {
		if places[id.Name] > 0 {
			places[id.Name]++
		}
	}
	eachGoFile(t, func(path string, file *ast.File) {
		if filepath.Dir(path) != folder || ast.IsGenerated(file) {
			return
		}
		declarations(file, add)
	})
	for name, n := range places {
		if most = max(most, n); n != 2 {
			t.Errorf("%s is declared in %d places", name, n)
		}
	}
	return most
}

// arraysOf are the members that the host allocates.
func arraysOf(t *testing.T, path string) []string {
	_, block, _ := strings.Cut(read(t, path), "// host: arrays\n")
	block, _, _ = strings.Cut(block, "// host: end")
	var names []string
	for _, found := range regexp.MustCompile(`(?m)^ *\w[\w ]*\* (\w+);`).FindAllStringSubmatch(block, -1) {
		names = append(names, found[1])
	}
	if len(names) < 20 || !slices.Contains(names, "dist") {
		t.Fatalf("arrays %v", names)
	}
	return names
}

// declarations calls add for fields of structs, keys of literals of buffers and arguments, and addresses of fields.
func declarations(file *ast.File, add func(*ast.Ident)) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			if !layoutOrTeams(file, n) {
				for _, f := range n.Fields.List {
					for _, id := range f.Names {
						add(id)
					}
				}
			}
		case *ast.CompositeLit:
			if of, ok := n.Type.(*ast.Ident); ok && strings.HasPrefix(of.Name, "batchedWeighted") {
				for _, element := range n.Elts {
					if pair, ok := element.(*ast.KeyValueExpr); ok {
						add(pair.Key.(*ast.Ident))
					}
				}
			}
		case *ast.UnaryExpr:
			if field, ok := n.X.(*ast.SelectorExpr); ok && n.Op == token.AND {
				add(field.Sel)
			}
		}
		return true
	})
}

// layoutOrTeams reports whether a struct has numbers, not addresses: then a field that is called as an array is another
// thing.
func layoutOrTeams(file *ast.File, of *ast.StructType) bool {
	for _, f := range of.Fields.List {
		if field, ok := f.Type.(*ast.SelectorExpr); ok && field.Sel.Name == "Ptr" {
			return false
		}
	}
	return true
}
