package file

import (
	"io"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// metis is a METIS file: a line a node, which lists the node's neighbours, so that each edge stands on two lines.
type metis struct {
	t     *table
	words *words

	nodes, edges int64 // as the header declares
	sizes        bool  // a vertex size stands first on each line
	constraints  int64 // vertex weights follow
	weighted     bool  // an edge weight follows each neighbour

	line         []int     // of each node, for messages
	above, below adjacency // neighbours with a larger and with a smaller number
	node         int64     // index of the node whose line is read
	dropped      int64     // listings that the weight policy left out
}

// adjacency are neighbours in rows of nodes.
type adjacency struct {
	ends    []int64 // where the row of each node ends
	targets []int32
	weights []float64
}

func (a *adjacency) row(v int64) (lo, hi int64) {
	if v > 0 {
		lo = a.ends[v-1]
	}
	return lo, a.ends[v]
}

// readMETIS reads a METIS graph, which is always undirected.
func readMETIS(t *table) error {
	if t.rel.Orientation != export.Undirected && t.rel.Orientation != "" {
		return &connector.Error{
			Kind: connector.UnknownName, Msg: t.in.path + ": a METIS graph is undirected", Hint: "leave out --directed",
		}
	}
	t.rel.Orientation = export.Undirected
	t.begin(false)
	m := &metis{t: t, words: &words{in: t.in}}
	err := m.header()
	if err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	if t.weighted() && !m.weighted && t.rel.DefaultWeight == nil {
		return t.noWeights()
	}
	for m.node = 0; m.node < m.nodes; m.node++ {
		if err := m.row(); err != nil {
			return err
		}
	}
	if word, err := m.words.pastBlank(); err != io.EOF {
		if err != nil {
			return err
		}
		return t.in.lineErrorf(word, "more lines than the %d nodes that the header declares", m.nodes)
	}
	if err := t.badWeights(); err != nil {
		return err
	}
	if err := m.checkPairs(); err != nil {
		return err
	}
	// Both listings of an edge were counted.
	t.dropped.BadWeight, t.dropped.ZeroWeight = t.dropped.BadWeight/2, t.dropped.ZeroWeight/2
	return m.deliver()
}

// header reads the first line: nodes, edges, and optionally the format and the number of vertex weights.
func (m *metis) header() error {
	word, err := m.words.pastBlank()
	if err != nil {
		return err
	}
	in := m.t.in
	var sizes []int64
	for ; err == nil; word, err = m.words.next() {
		x, ok := parseDigits(word)
		if !ok || len(sizes) == 4 {
			return in.lineErrorf(word, "not a METIS header: nodes, edges, then optionally the format and the number of node "+
				"weights")
		}
		sizes = append(sizes, x)
	}
	if err != errEndOfLine {
		return err
	}
	if len(sizes) < 2 {
		return in.errorf("line %d: not a METIS header: nodes, edges, then optionally the format and the number of node "+
			"weights", in.line)
	}
	m.nodes, m.edges = sizes[0], sizes[1]
	if m.nodes > export.MaxNodes || m.edges > export.MaxEdges {
		return in.errorf("line %d: more than %d nodes or edges", in.line, export.MaxNodes)
	}
	return m.format(sizes[2:])
}

// format reads the flags: edge weights (1), node weights (10), node sizes (100).
func (m *metis) format(sizes []int64) error {
	if len(sizes) == 0 {
		return nil
	}
	f := sizes[0]
	if f%10 > 1 || f/10%10 > 1 || f > 111 {
		return m.t.in.errorf("line %d: the format %03d is not three digits 0 or 1", m.t.in.line, f)
	}
	m.weighted, m.sizes = f%10 == 1, f/100 == 1
	if f/10%10 == 1 {
		m.constraints = 1
	}
	if len(sizes) == 2 {
		if m.constraints == 0 && sizes[1] > 0 {
			return m.t.in.errorf("line %d: %d node weights, but the format %03d has none", m.t.in.line, sizes[1], f)
		}
		m.constraints = sizes[1]
	}
	return nil
}

// row reads the line of a node.
func (m *metis) row() error {
	in, first := m.t.in, m.constraints
	if m.sizes {
		first++
	}
	for count := int64(0); ; count++ {
		word, err := m.words.next()
		if err == errEndOfLine {
			if count < first {
				return in.errorf("line %d: node %d has %d of its %d sizes and weights", in.line, m.node+1, count, first)
			}
			break
		} else if err == io.EOF {
			return in.errorf("the file ends after %d of %d nodes (line %d)", m.node, m.nodes, in.line)
		} else if err != nil {
			return err
		}
		if count < first {
			if _, ok := parseNumber(word); !ok {
				return in.lineErrorf(word, "the weight or size of node %d is not a number", m.node+1)
			}
			continue
		}
		if err := m.neighbour(word); err != nil {
			return err
		}
	}
	m.line = append(m.line, in.line)
	m.above.ends = append(m.above.ends, int64(len(m.above.targets)))
	m.below.ends = append(m.below.ends, int64(len(m.below.targets)))
	return nil
}

// neighbour takes one neighbour of the node and, where there are any, the weight that follows.
func (m *metis) neighbour(word []byte) error {
	in := m.t.in
	x, ok := parseDigits(word)
	if !ok || x < 1 || x > m.nodes {
		return in.lineErrorf(word, "a neighbour of node %d is not between 1 and %d", m.node+1, m.nodes)
	}
	if x == m.node+1 {
		return in.lineErrorf(word, "node %d is its own neighbour; METIS has no self-loops", x)
	}
	var w float64
	if m.weighted {
		weight, err := m.words.next()
		if err == errEndOfLine {
			return in.errorf("line %d: neighbour %d of node %d has no weight", in.line, x, m.node+1)
		} else if err != nil {
			return err
		}
		if m.t.weighted() {
			var keep bool
			if w, keep = m.t.weight(weight, weight); !keep {
				m.dropped++
				return nil
			}
		}
	} else if m.t.weighted() {
		w = *m.t.rel.DefaultWeight
	}
	a := &m.below
	if x > m.node+1 {
		a = &m.above
	}
	a.targets = append(a.targets, int32(x-1))
	if m.t.weighted() {
		a.weights = append(a.weights, w)
	}
	return nil
}
