package sitetest

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// repository is where links to files outside of docs/ lead.
const repository = "https://github.com/linchpin-graph/linchpin/"

// TestLinks follows every link to another page, to a place in it, and to a file of the repository. Other links that
// leave the site are not followed. What a browser fetches by itself is part of the site.
func TestLinks(t *testing.T) {
	s := open(t)
	links := 0
	for name, p := range s.pages {
		from := s.base.ResolveReference(&url.URL{Path: name})
		for _, r := range p.references {
			links++
			if problem := s.follow(from, r); problem != "" {
				t.Errorf("%s: %q: %s", name, r.address, problem)
			}
		}
	}
	if len(s.pages) < 20 || links < 1000 {
		t.Errorf("%d pages with %d links: this is not the site", len(s.pages), links)
	}
}

// follow says what is wrong with a reference; nothing is an empty string.
func (s *site) follow(from *url.URL, r reference) string {
	to, err := from.Parse(r.address)
	if err != nil {
		return err.Error()
	}
	path, inside := strings.CutPrefix(to.Path, s.base.Path)
	inside = inside && to.Host == s.base.Host
	file, ours := strings.CutPrefix(r.address, repository+"blob/main/")
	switch {
	case inside:
		return s.find(path, to.Fragment)
	case r.asset:
		return "it is fetched from outside of the site"
	case ours:
		file, _, _ = strings.Cut(file, "#")
		if _, err := os.Stat(filepath.Join("../..", file)); err != nil {
			return "the repository has no such file"
		}
	case to.Host == s.base.Host:
		return "it leaves the site's folder"
	}
	return ""
}

func (s *site) find(path, fragment string) string {
	if p, ok := s.pages[path]; ok {
		if fragment != "" && !p.anchors[fragment] {
			return "the page has no such heading"
		}
		return ""
	}
	if info, err := os.Stat(filepath.Join(s.folder, path)); err != nil || info.IsDir() {
		return "there is no such page"
	}
	return ""
}

// outside finds addresses that a style sheet would fetch from other hosts.
var outside = regexp.MustCompile(`(url\(["']?|@import\s+["'])(https?:)?//[^)"']*`)

// TestStylesAreWhole reads the style sheets, which can ask for fonts and pictures too.
func TestStylesAreWhole(t *testing.T) {
	s := open(t)
	err := filepath.WalkDir(s.folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".css") {
			return err
		}
		text, err := os.ReadFile(file)
		for _, address := range outside.FindAllString(string(text), -1) {
			t.Errorf("%s: %s", file, address)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
