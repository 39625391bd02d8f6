// Measurepictures draws what each measure finds in one small graph, for docs/measures.md: make pictures.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	folder := flag.String("folder", "docs/pictures/measures", "`folder` that gets the files")
	flag.Parse()
	if err := write(context.Background(), *folder); err != nil {
		fmt.Fprintln(os.Stderr, "measurepictures:", err)
		os.Exit(1)
	}
}

func write(ctx context.Context, folder string) error {
	files, err := draw(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// draw returns the files by name: a picture per measure, one with the names of the nodes, the graph as a file for
// linchpin compute, and the table of scores for the page.
func draw(ctx context.Context) (map[string]string, error) {
	e, err := newExample()
	if err != nil {
		return nil, err
	}
	all, err := e.scores(ctx)
	if err != nil {
		return nil, err
	}
	files := map[string]string{"example.svg": e.named(), "example.csv": e.csv()}
	for _, s := range all {
		files[s.measure.Name+".svg"] = e.picture(s)
	}
	return files, nil
}
