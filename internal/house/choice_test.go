package house

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// ranking are the functions that list, sort or compare ways; who calls them chooses.
var ranking = []string{"Candidates", "Rank", "On", "Ranked", "Plans", "MostLeft"}

// costs are what a way takes; who compares them chooses.
var costs = []string{"Seconds", "Cost", "HostBytes", "DeviceBytes"}

// packagesThatChoose counts the packages with a function that decides who computes. A function decides who computes if
// it ranks ways, compares what they take, or compares a strategy or the name of an engine with a word. Only files that
// import predictions or the choice are looked at: no others know ways. engine/plan predicts, and sorts what
// engine/choice asks for.
func packagesThatChoose(t *testing.T) int {
	t.Helper()
	found := map[string]int{}
	eachGoFile(t, func(path string, file *ast.File) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if folder == "engine/plan" || !imports(file, "engine/plan") && !imports(file, "engine/choice") {
			return
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !decides(f) {
				continue
			}
			if found[folder]++; folder != "engine/choice" {
				t.Errorf("%s decides who computes, in %s", f.Name.Name, path)
			}
		}
	})
	t.Logf("functions that decide who computes: %v", found)
	if found["engine/choice"] < 5 {
		t.Error("functions of engine/choice are not seen")
	}
	return len(found)
}

// decides reports whether a function ranks ways, or compares them.
func decides(f *ast.FuncDecl) (yes bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name, of := selected(n.Fun)
			yes = yes || slices.Contains(ranking, name) && (of == "plan" || name != "Candidates" && name != "Rank")
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LSS, token.GTR, token.LEQ, token.GEQ:
				yes = yes || takes(n.X) && !isWord(n.Y) || takes(n.Y) && !isWord(n.X)
			case token.EQL, token.NEQ:
				yes = yes || isName(n.X) && isWord(n.Y) || isName(n.Y) && isWord(n.X)
			}
		}
		return true
	})
	return yes
}

// selected is the name that an expression selects, and of what, where that is a name.
func selected(x ast.Expr) (name, of string) {
	s, ok := x.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	if id, ok := s.X.(*ast.Ident); ok {
		of = id.Name
	}
	return s.Sel.Name, of
}

// takes reports whether an expression is what a way takes.
func takes(x ast.Expr) bool {
	name, _ := selected(x)
	return slices.Contains(costs, name)
}

// isName reports whether an expression is a strategy, or the name of an engine.
func isName(x ast.Expr) bool {
	if call, ok := x.(*ast.CallExpr); ok {
		name, _ := selected(call.Fun)
		return name == "Name"
	}
	name, _ := selected(x)
	return name == "Strategy" || name == "strategy" || name == "Engine"
}

// isWord reports whether an expression is a word that is not empty: a literal, or a constant of the tables.
func isWord(x ast.Expr) bool {
	if text, ok := x.(*ast.BasicLit); ok {
		return text.Value != `""`
	}
	_, of := selected(x)
	return slices.Contains([]string{"plan", "choice", "kernels"}, of)
}
