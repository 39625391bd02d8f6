package main

import (
	"os"
	"path"
	"strings"

	"github.com/linchpin-graph/linchpin/demo/movies"
	"github.com/linchpin-graph/linchpin/internal/doctest"
)

// give lets the reader have what a marker of the page names: a graph in the database, a job that has run ("run hubs"),
// or a file of testdata/docs or of the repository, which comes into the reader's folder.
func (r *reader) give(name string) {
	r.t.Helper()
	if job, ok := strings.CutPrefix(name, "run "); ok {
		r.do(doctest.Block{}, "linchpin run "+job)
		return
	}
	switch name {
	case "air-routes":
		loadAirRoutes(r.t, r.server)
	case "airports": // a hundred of air-routes: runs on them are quick
		loadAirports(r.t, r.server, 100)
	case "movies":
		for _, statement := range movies.Statements() {
			r.server.Query(r.t, statement, nil)
		}
	default:
		file, err := os.ReadFile(path.Join("testdata/docs", name))
		if err != nil {
			file, err = os.ReadFile(path.Join("../..", name))
		}
		if err != nil {
			r.t.Fatalf("given: %s is neither a graph nor a file of cmd/linchpin/testdata/docs or of the repository", name)
		}
		r.write(doctest.Block{Text: string(file)}, path.Base(name))
	}
}
