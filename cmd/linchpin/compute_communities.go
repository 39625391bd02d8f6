package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// groupingResult is what compute --json says of communities.
type groupingResult struct {
	Groups     int     `json:"groups"`
	Components int     `json:"components"`
	Modularity float64 `json:"modularity"`
	Cuts       int     `json:"cuts"`
	Merges     int     `json:"merges"`
	Limited    bool    `json:"limited"`
	Levels     int     `json:"levels"`
	Unsettled  int     `json:"unsettled"`
}

func groupingOf(c *kernels.Grouping) *groupingResult {
	if c == nil {
		return nil
	}
	return &groupingResult{c.Count, c.Components, c.Modularity, c.Cuts, len(c.Merges), c.Limited, c.Levels, c.Unsettled}
}

// fewNodes is how many nodes of a group a look at it names.
const fewNodes = 5

// printGroups shows the largest communities, with their first nodes.
func (c *computation) printGroups(all *kernels.Grouping) error {
	fmt.Fprintf(c.stdout, "%s, modularity %.4f, %s\n", counted(all.Count, "group"), all.Modularity, steps(all))
	members := make([][]int32, all.Count)
	for v, group := range all.Of {
		members[group] = append(members[group], int32(v))
	}
	order := make([]int, all.Count)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(len(members[j]), len(members[i])) })
	t := &table{header: []string{"GROUP", "NODES", "SUCH AS"}, right: []bool{true, true, false}}
	for _, group := range order[:min(highest, len(order))] {
		var names []string
		for _, v := range members[group][:min(fewNodes, len(members[group]))] {
			names = append(names, shorten(c.snapshot.Nodes.String(int(v)), longestID))
		}
		t.add(strconv.Itoa(group), strconv.Itoa(len(members[group])), strings.Join(names, " "))
	}
	return t.print(c.stdout)
}

// steps counts what made the groups.
func steps(c *kernels.Grouping) string {
	if c.Levels > 0 {
		return counted(c.Levels, "level")
	}
	return counted(c.Cuts, "cut")
}

func (c *computation) writeDendrogram(path string) error {
	all := c.work.Outcome.Scores.Grouping
	if all.Base == nil {
		return usagef("--dendrogram-out: parts of a run have no dendrogram")
	}
	return writeFile(path, func(w io.Writer) error { return jobs.WriteDendrogram(w, c.snapshot, all) })
}
