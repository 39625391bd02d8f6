// Package sitetest reads the documentation site that `make site` built.
package sitetest

import (
	"cmp"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// site is the built site: its pages by their addresses, and where it will be served.
type site struct {
	folder string
	base   *url.URL
	pages  map[string]*page
}

// page is a page of the site: the anchors that links may name, and what it refers to.
type page struct {
	anchors    map[string]bool
	references []reference
}

// reference is an address in an attribute. Assets are what a browser fetches without being asked.
type reference struct {
	address string
	asset   bool
}

// open reads the site. Without one the test fails: `make site` builds it and runs these tests.
func open(t *testing.T) *site {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: the site is not built")
	}
	s := &site{folder: cmp.Or(os.Getenv("LINCHPIN_SITE"), "../../build/site"), pages: map[string]*page{}}
	err := filepath.WalkDir(s.folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".html") {
			return err
		}
		return s.read(file)
	})
	if err != nil || s.base == nil {
		t.Fatalf("no site in %s (%v): `make site` builds it", s.folder, err)
	}
	return s
}

func (s *site) read(file string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	root, err := html.Parse(in)
	if err != nil {
		return err
	}
	p := &page{anchors: map[string]bool{}}
	for n := range root.Descendants() {
		if err := s.note(p, n); err != nil {
			return err
		}
	}
	name, err := filepath.Rel(s.folder, file)
	s.pages[strings.TrimSuffix(filepath.ToSlash(name), "index.html")] = p
	return err
}

// note adds what an element is called and what it refers to. The home page's canonical address is that of the site.
func (s *site) note(p *page, n *html.Node) (err error) {
	attributes := map[string]string{}
	for _, a := range n.Attr {
		attributes[a.Key] = a.Val
	}
	p.anchors[cmp.Or(attributes["id"], attributes["name"])] = true
	if attributes["rel"] == "canonical" {
		if s.base == nil || len(attributes["href"]) < len(s.base.String()) {
			s.base, err = url.Parse(attributes["href"])
		}
		return err
	}
	for _, key := range []string{"href", "src", "srcset", "poster", "data", "action"} {
		if address, ok := attributes[key]; ok {
			p.references = append(p.references, reference{address: address, asset: n.Data != "a"})
		}
	}
	return nil
}
