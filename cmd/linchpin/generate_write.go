package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/export"
)

// graphFormat returns the format that a path for a graph names, or "".
func graphFormat(path string) string {
	for _, extension := range []string{".arrow", ".csv", ".csv.gz"} {
		if strings.HasSuffix(strings.ToLower(path), extension) {
			return extension
		}
	}
	return ""
}

// writeGraph writes the file as a whole, or not at all.
func writeGraph(ctx context.Context, path string, s *export.Snapshot) error {
	format := graphFormat(path)
	if format == ".arrow" {
		return export.WriteSnapshot(path, s)
	}
	p, err := export.CreatePending(path)
	if err != nil {
		return err
	}
	defer p.Discard()
	if format == ".csv" {
		err = writeEdges(ctx, p, s)
	} else {
		z := gzip.NewWriter(p)
		err = errors.Join(writeEdges(ctx, z, s), z.Close())
	}
	if err != nil {
		return err
	}
	return p.Commit()
}

// writeEdges writes src,dst[,weight], a row an edge. The edges of a generated graph are its relationships, in order.
func writeEdges(ctx context.Context, to io.Writer, s *export.Snapshot) error {
	const checkEvery = 1 << 16
	w := bufio.NewWriterSize(to, 1<<16)
	g, row := s.Graph, []byte("src,dst")
	if g.Weights != nil {
		row = append(row, ",weight"...)
	}
	for v := range g.N() {
		for i := s.Rels.Offsets[v]; i < s.Rels.Offsets[v+1]; i++ {
			if i%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if _, err := w.Write(append(row, '\n')); err != nil {
				return err
			}
			target := s.Rels.Targets[i]
			row = append(strconv.AppendInt(row[:0], int64(v), 10), ',')
			row = strconv.AppendInt(row, int64(target), 10)
			if g.Weights != nil {
				row = append(row, ',')
				row = strconv.AppendFloat(row, weightOf(g, int32(v), target), 'g', -1, 64)
			}
		}
	}
	if _, err := w.Write(append(row, '\n')); err != nil {
		return err
	}
	return w.Flush()
}

// weightOf finds the weight of the one edge from v to target.
func weightOf(g *export.Graph, v, target int32) float64 {
	i, _ := slices.BinarySearch(g.Row(v), target)
	return g.Weight(g.Offsets[v] + int64(i))
}
