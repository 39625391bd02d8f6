package bench

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/linchpin-graph/linchpin/export"
)

// Pack writes the graphs, or without any every graph of the data folder with the weights of its file, to dir as
// NAME.csv.gz: nodes numbered from 0 in the order of the file, each undirected edge once, smaller end first, sorted; a
// node without edges as a self-loop, which Load takes away again. It returns the bytes written.
func Pack(ctx context.Context, data, dir string, graphs []Graph, log func(string)) (int64, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	if len(graphs) == 0 {
		graphs = wholeFiles()
	}
	var total int64
	for _, g := range graphs {
		s, err := (&Loader{Data: data}).make(ctx, g)
		if err != nil {
			return total, fmt.Errorf("graph %s: %w", g.Name, err)
		}
		size, err := packFile(filepath.Join(dir, g.Name+".csv.gz"), simpleEdges(s.Graph))
		if err != nil {
			return total, err
		}
		total += size
		log(fmt.Sprintf("%s: %d nodes, %.1f MB", g.Name, s.Graph.N(), float64(size)/1e6))
	}
	return total, nil
}

// wholeFiles are the graphs of the data folder with the weights that they have, under the names of their files.
func wholeFiles() []Graph {
	var out []Graph
	for _, d := range dataGraphs() {
		g := Graph{Name: d.name, Base: d.name}
		if d.weighted {
			g.Weights = OwnWeights
		}
		out = append(out, g)
	}
	return out
}

func packFile(path string, e *edgeList) (int64, error) {
	out, err := export.CreatePending(path)
	if err != nil {
		return 0, err
	}
	defer out.Discard()
	zip, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return 0, err
	}
	if err := writeEdges(zip, e); err != nil {
		return 0, err
	}
	if err := zip.Close(); err != nil {
		return 0, err
	}
	if err := out.Commit(); err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func writeEdges(to io.Writer, e *edgeList) error {
	w := bufio.NewWriter(to)
	header, joined := "src,dst", make([]bool, e.nodes)
	if e.weight != nil {
		header += ",weight"
	}
	fmt.Fprintln(w, header)
	for i, u := range e.source {
		v := e.target[i]
		joined[u], joined[v] = true, true
		line := strconv.AppendInt(nil, int64(u), 10)
		line = strconv.AppendInt(append(line, ','), int64(v), 10)
		if e.weight != nil {
			line = strconv.AppendFloat(append(line, ','), e.weight[i], 'g', -1, 64)
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	for v, has := range joined {
		switch {
		case has:
		case e.weight != nil:
			fmt.Fprintf(w, "%d,%d,1\n", v, v)
		default:
			fmt.Fprintf(w, "%d,%d\n", v, v)
		}
	}
	return w.Flush()
}
