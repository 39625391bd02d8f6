package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// printBackbone shows how much was kept, and what became of distances.
func (c *computation) printBackbone(b *kernels.Backbone) error {
	found := jobs.BackboneOf(c.spec.Name, b)
	t := &table{header: []string{"", "WHOLE GRAPH", "BACKBONE"}, right: []bool{false, true, true}}
	t.add("nodes", strconv.Itoa(len(b.Nodes)), strconv.Itoa(b.NodeCount))
	t.add("edges", strconv.Itoa(len(b.Edges)), strconv.Itoa(b.EdgeCount))
	if found.Before != nil {
		addShapes(t, found.Before, found.After)
	}
	if err := t.print(c.stdout); err != nil {
		return err
	}
	for _, line := range backboneNotes(&found, b) {
		fmt.Fprintln(c.stdout, line)
	}
	return nil
}

func addShapes(t *table, before, after *connector.Shape) {
	t.add("components", fmt.Sprint(before.Components), fmt.Sprint(after.Components))
	t.add("largest component", fmt.Sprint(before.LargestComponent), fmt.Sprint(after.LargestComponent))
	t.add("mean distance", fmt.Sprintf("%.4g", before.Mean), fmt.Sprintf("%.4g", after.Mean))
	t.add("diameter", fmt.Sprintf("%.6g", before.Diameter), fmt.Sprintf("%.6g", after.Diameter))
}

// backboneNotes are what a reader of the table should know as well.
func backboneNotes(found *connector.Backbone, b *kernels.Backbone) (lines []string) {
	if found.Rank != nil {
		lines = append(lines, fmt.Sprintf("rank correlation of betweenness before and after: %.3f", *found.Rank))
	}
	if found.Sampled {
		lines = append(lines, fmt.Sprintf("distances are from a sample of %d nodes: the diameter is at least so large",
			found.Sources))
	}
	if warning := jobs.ExcessOf(b); warning != "" {
		lines = append(lines, warning)
	}
	return lines
}

// writeBackbone writes the kept edges as a list that compute reads.
func (c *computation) writeBackbone(path string) error {
	return writeFile(path, func(w io.Writer) error {
		to := csv.NewWriter(w)
		err := c.backboneRows(to.Write)
		to.Flush()
		return cmp.Or(err, to.Error())
	})
}

// writeFile writes a file that takes its name when it is complete.
func writeFile(path string, write func(io.Writer) error) error {
	p, err := export.CreatePending(path)
	if err != nil {
		return file.WriteError(path, err)
	}
	defer p.Discard()
	if err = write(p); err == nil {
		err = p.Commit()
	}
	if err != nil {
		return file.WriteError(path, err)
	}
	return nil
}

// backboneRows gives the header and a row for each kept edge, with its weight if the graph has weights.
func (c *computation) backboneRows(write func([]string) error) error {
	g, names := c.snapshot.Graph, &c.snapshot.Nodes
	header := []string{"src", "dst"}
	weights := make([]float64, g.M())
	if g.Weights != nil {
		header = append(header, "weight")
		for i := range int64(g.Arcs()) {
			weights[g.Edge(i)] = g.Weight(i)
		}
	}
	if err := write(header); err != nil {
		return err
	}
	source, target := g.Ends()
	for e, kept := range c.work.Outcome.Scores.Backbone.Edges {
		if !kept {
			continue
		}
		row := []string{names.String(int(source[e])), names.String(int(target[e]))}
		if g.Weights != nil {
			row = append(row, strconv.FormatFloat(weights[e], 'g', -1, 64))
		}
		if err := write(row); err != nil {
			return err
		}
	}
	return nil
}
