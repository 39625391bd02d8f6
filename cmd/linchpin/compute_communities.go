package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/export"
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
	}
	return fmt.Sprintf(", modularity %.4f, %s", c.Modularity, counted(c.Cuts, "cut"))
}

// dendrogram is the file of --dendrogram-out. Leaves are groups 0, 1, ...; merge i makes the group after them and i more.
type dendrogram struct {
	Leaves [][]string        `json:"leaves"` // ids of the nodes of each
	Merges []dendrogramMerge `json:"merges"` // the last cut first
}

type dendrogramMerge struct {
	A     int32   `json:"a"`
	B     int32   `json:"b"`
	Src   string  `json:"src"` // the ends of the edge whose cut parted the groups
	Dst   string  `json:"dst"`
	Score float64 `json:"score"` // its betweenness then
	Nodes int     `json:"nodes"` // of both
	// Groups is the number of groups after the merge, and Modularity theirs.
	Groups     int     `json:"groups"`
	Modularity float64 `json:"modularity"`
}

func (c *computation) writeDendrogram(path string) error {
	all, names := c.work.Outcome.Scores.Grouping, &c.snapshot.Nodes
	if all.Base == nil {
		return usagef("--dendrogram-out: parts of a run have no dendrogram")
	}
	out := dendrogram{Leaves: make([][]string, all.Components+len(all.Merges)), Merges: []dendrogramMerge{}}
	for v, leaf := range all.Base {
		out.Leaves[leaf] = append(out.Leaves[leaf], names.String(v))
	}
	source, target := c.snapshot.Graph.Ends()
	for i, m := range all.Merges {
		out.Merges = append(out.Merges, dendrogramMerge{
			A: m.A, B: m.B, Src: names.String(int(source[m.Edge])), Dst: names.String(int(target[m.Edge])),
			Score: m.Score, Nodes: m.Size, Groups: len(out.Leaves) - i - 1, Modularity: m.Modularity,
		})
	}
	p, err := export.CreatePending(path)
	if err != nil {
		return file.WriteError(path, err)
	}
	defer p.Discard()
	to := bufio.NewWriter(p)
	if err = json.NewEncoder(to).Encode(out); err == nil {
		err = to.Flush()
	}
	if err == nil {
		err = p.Commit()
	}
	if err != nil {
		return file.WriteError(path, err)
	}
	return nil
}
