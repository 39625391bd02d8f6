package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// sourceChoice is a parsed --sources, or --targets, other than all.
type sourceChoice struct {
	count  int    // nodes to draw, or 0
	lo, hi int    // places lo to hi-1 in the order of the graph's nodes, when there is neither count nor file
	file   string // one id a line
}

// parseSources reads N, A:B or @FILE of --sources.
func parseSources(text string) (sourceChoice, error) { return parseNodes("sources", text) }

// parseNodes reads N, A:B or @FILE of a flag.
func parseNodes(flag, text string) (sourceChoice, error) {
	bad := withHint(usagef("--%s %s is not understood", flag, text),
		"all, or a number to draw, or A:B for the nodes at places A to B-1, or @FILE with one id a line")
	if file, ok := strings.CutPrefix(text, "@"); ok {
		if file == "" {
			return sourceChoice{}, bad
		}
		return sourceChoice{file: file}, nil
	}
	from, to, isRange := strings.Cut(text, ":")
	lo, err := strconv.Atoi(from)
	if err != nil {
		return sourceChoice{}, bad
	}
	if !isRange {
		if lo < 1 {
			return sourceChoice{}, usagef("--%s %s: a sample has at least 1 node", flag, text)
		}
		return sourceChoice{count: lo}, nil
	}
	hi, err := strconv.Atoi(to)
	switch {
	case err != nil:
		return sourceChoice{}, bad
	case lo < 0 || lo >= hi:
		return sourceChoice{}, usagef("--%s %s: the range holds no node", flag, text)
	}
	return sourceChoice{lo: lo, hi: hi}, nil
}

// resolve finds the sources in the graph, in ascending order, nil for all, and the factor that scales sums over them.
func (o *computeOptions) resolveSources(s *export.Snapshot) (sources []int32, scale float64, err error) {
	if o.sources == "all" {
		return nil, 1, nil
	}
	choice, err := parseSources(o.sources)
	switch {
	case err != nil:
		return nil, 0, err
	case choice.count > 0:
		sources, scale = kernels.Sample(s.Graph.N(), choice.count, o.seed)
		return sources, scale, nil
	}
	sources, err = choice.find("sources", o.sources, s)
	return sources, 1, err
}

// find finds the nodes of a range or a file in the graph, in ascending order.
func (c sourceChoice) find(flag, text string, s *export.Snapshot) (nodes []int32, err error) {
	if c.file != "" {
		return readNodes(flag, c.file, s.Nodes)
	}
	if n := s.Graph.N(); c.hi > n {
		return nil, usagef("--%s %s: the graph has %s, at places 0 to %d", flag, text, counted(n, "node"), n-1)
	}
	for v := c.lo; v < c.hi; v++ {
		nodes = append(nodes, int32(v))
	}
	return nodes, nil
}

// idIndex is the place of each node by its id.
type idIndex struct {
	ascending []int64 // integers that need no map: those of a graph whose nodes are in the order of their ids
	ints      map[int64]int32
	texts     map[string]int32
}

func indexOf(nodes export.IDs) idIndex {
	if nodes.Texts == nil && slices.IsSorted(nodes.Ints) {
		return idIndex{ascending: nodes.Ints}
	}
	x := idIndex{ints: make(map[int64]int32, len(nodes.Ints)), texts: make(map[string]int32, len(nodes.Texts))}
	for v, id := range nodes.Ints {
		x.ints[id] = int32(v)
	}
	for v, id := range nodes.Texts {
		x.texts[id] = int32(v)
	}
	return x
}

// find returns the place of the node with an id; an integer is written in one way.
func (x idIndex) find(id string) (v int32, ok bool) {
	if v, ok = x.texts[id]; ok {
		return v, true
	}
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil || strconv.FormatInt(number, 10) != id {
		return 0, false
	}
	if at, found := slices.BinarySearch(x.ascending, number); found {
		return int32(at), true
	}
	v, ok = x.ints[number]
	return v, ok
}

// readNodes reads ids, one a line; blank lines are passed over.
func readNodes(flag, path string, nodes export.IDs) ([]int32, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, usagef("--%s @%s: %s", flag, path, plainReason(err))
	}
	defer f.Close()
	index := indexOf(nodes)
	var sources []int32
	first := map[int32]int{}
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<24)
	for line := 1; scanner.Scan(); line++ {
		id := strings.TrimSuffix(scanner.Text(), "\r")
		if line == 1 {
			id = strings.TrimPrefix(id, "\ufeff") // a byte order mark
		}
		if strings.TrimSpace(id) == "" {
			continue
		}
		v, ok := index.find(id)
		if !ok {
			v, ok = index.find(strings.TrimSpace(id))
		}
		if !ok {
			return nil, usagef("%s: line %d: no node has the id %q", path, line, shorten(id, longestID))
		}
		if first[v] != 0 {
			return nil, usagef("%s: line %d: the id %q is in line %d already", path, line, shorten(id, longestID), first[v])
		}
		first[v] = line
		sources = append(sources, v)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %s", path, plainReason(err))
	}
	if len(sources) == 0 {
		return nil, usagef("--%s @%s: the file names no node", flag, path)
	}
	slices.Sort(sources)
	return sources, nil
}
