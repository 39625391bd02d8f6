//go:build cuda || emulate

package enginetest

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// Edges reads a graph, undirected and without weights, from a folder that does not ship with the product. Without it,
// it skips the test.
func Edges(t testing.TB, folder, name string) *export.Graph {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, name, "edges.csv.gz"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not in %s; it does not ship with the product (-data names the folder)", name, folder)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]int32{}
	node := func(id string) int32 {
		if _, ok := ids[id]; !ok {
			ids[id] = int32(len(ids))
		}
		return ids[id]
	}
	var links []graphtest.Link
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), ",")
		if _, err := strconv.Atoi(fields[0]); err != nil {
			continue // the header
		}
		links = append(links, graphtest.Link{From: node(fields[0]), To: node(fields[1]), Weight: 1})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return graphtest.Links(t, len(ids), false, false, links)
}
