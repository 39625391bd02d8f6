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

// printGroups shows the largest groups, with the first of their members.
func (c *computation) printGroups(members [][]int, things string, name func(i int) string) error {
	order := make([]int, len(members))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(len(members[j]), len(members[i])) })
	fmt.Fprintf(c.stdout, "%s%s\n", counted(len(members), "group"), quality(c.work.Outcome.Scores.Grouping))
	t := &table{header: []string{"GROUP", things, "SUCH AS"}, right: []bool{true, true, false}}
	for _, group := range order[:min(highest, len(order))] {
		var names []string
		for _, i := range members[group][:min(fewNodes, len(members[group]))] {
			names = append(names, name(i))
		}
		t.add(strconv.Itoa(group), strconv.Itoa(len(members[group])), strings.Join(names, " "))
	}
	return t.print(c.stdout)
}

// membersOf lists the members of each group, by the number of the group of each.
func membersOf[N int32 | float64](groups []N) (members [][]int) {
	for i, group := range groups {
		for len(members) <= int(group) {
			members = append(members, nil)
		}
		members[int(group)] = append(members[int(group)], i)
	}
	return members
}

// nameOf returns the id of a node, cut to the width of a table.
func (c *computation) nameOf(v int) string { return shorten(c.snapshot.Nodes.String(v), longestID) }

// quality says how good groups are and what made them; "" where measures do not weigh them.
func quality(c *kernels.Grouping) string {
	switch {
	case c == nil:
		return ""
	case c.Levels > 0:
		return fmt.Sprintf(", modularity %.4f, %s", c.Modularity, counted(c.Levels, "level"))
	case c.Base != nil:
		return fmt.Sprintf(", modularity %.4f, %s", c.Modularity, counted(c.Cuts, "cut"))
	}
	return fmt.Sprintf(", modularity %.4f", c.Modularity) // of parts of a run, which hold neither number
}

func (c *computation) writeDendrogram(path string) error {
	all := c.work.Outcome.Scores.Grouping
	if all.Base == nil {
		return usagef("--dendrogram-out: parts of a run have no dendrogram")
	}
	return writeFile(path, func(w io.Writer) error { return jobs.WriteDendrogram(w, c.snapshot, all) })
}
