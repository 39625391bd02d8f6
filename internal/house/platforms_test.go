package house

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
)

// TestOtherPlatforms checks the types of linchpin, and of all that it consists of, for the systems and processors of a
// release besides linux/amd64, and vets its own packages. Each comes once: no file of linchpin is for one pair of them
// alone. To compile for a platform takes eight times as long; a release does.
func TestOtherPlatforms(t *testing.T) {
	for _, platform := range []string{"darwin/arm64", "windows/amd64"} {
		t.Run(platform, func(t *testing.T) {
			system, processor, _ := strings.Cut(platform, "/")
			load := packages.Config{
				Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: root,
				Env: append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor),
			}
			programs, err := packages.Load(&load, "./cmd/linchpin")
			if err != nil {
				t.Fatal(err)
			}
			var own []*packages.Package
			packages.Visit(programs, nil, func(p *packages.Package) {
				for _, e := range p.Errors {
					t.Error(e)
				}
				if p.Module != nil && p.Module.Main {
					own = append(own, p)
				}
			})
			if t.Failed() {
				return
			}
			if !slices.ContainsFunc(own, hasOthers) {
				t.Errorf("none of %d packages has files that other platforms have", len(own))
			}
			vetted, err := checker.Analyze(vet.Suite, own, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range vetted.Roots {
				if at.Err != nil {
					t.Errorf("%s: %v", at, at.Err)
				}
				for _, d := range at.Diagnostics {
					t.Errorf("%s: %s (%s)", at.Package.Fset.Position(d.Pos), d.Message, at.Analyzer)
				}
			}
		})
	}
}

// hasOthers reports whether the package has files that are left out on the platform for which it was loaded.
func hasOthers(p *packages.Package) bool { return len(p.IgnoredFiles) > 0 }
