package main

import (
	"io"
	"path/filepath"

	"github.com/linchpin-graph/linchpin/internal/picture"
	"github.com/linchpin-graph/linchpin/jobs"
)

// pixels is how many a unit of a figure has in a PNG: a figure of 1,000 units is sharp on a page of its width.
const pixels = 2

// drawPicture draws the graph next to its backbone, or its groups with bundles of links.
func (c *computation) drawPicture(path string) error {
	figure, err := c.figure()
	if err != nil {
		return err
	}
	return writeFile(path, func(w io.Writer) error {
		if filepath.Ext(path) == ".png" {
			return figure.PNG(w, pixels)
		}
		_, err := io.WriteString(w, figure.SVG())
		return err
	})
}

func (c *computation) figure() (*picture.Figure, error) {
	scores := c.work.Outcome.Scores
	if groups := scores.Grouping; groups != nil {
		b := jobs.BundlesOf(c.spec.Name, c.snapshot, groups, jobs.InFiles)
		if b == nil {
			return nil, withHint(usagef("--picture-out: %d groups are too many to draw, and so are the nodes", groups.Count),
				"leiden finds fewer and larger groups")
		}
		f := picture.Bundles(b)
		return &f, nil
	}
	limit := jobs.DrawingLimit{Nodes: picture.MostDrawn, Links: jobs.InFiles.Links}
	s := jobs.SimplifiedOf(c.spec.Name, c.snapshot.Graph, scores.Backbone, limit)
	if s == nil {
		return nil,
			withHint(usagef("--picture-out: a backbone of %d nodes and %d edges is too large to draw; at most %d and %d",
				scores.Backbone.NodeCount, scores.Backbone.EdgeCount, limit.Nodes, limit.Links), "keep less: a smaller --keep")
	}
	f := picture.Simplified(s)
	return &f, nil
}
