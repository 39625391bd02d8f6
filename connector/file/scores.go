package file

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// ReadScores reads a file of scores as compute and jobs write them: .csv, .csv.gz, .parquet or .arrow with a column id,
// or src and dst (source and target). column names the scores; "" takes the only column that is not one of ids. A row
// without a value is left out.
func ReadScores(ctx context.Context, path, column string) (*connector.Scores, error) {
	format, err := FormatOf(path)
	if err != nil {
		return nil, err
	}
	r := &scoresReader{path: path, column: column, out: &connector.Scores{}}
	switch format {
	case ".parquet":
		err = r.parquet(ctx)
	case ".arrow":
		err = r.arrow(ctx)
	default:
		err = r.csv(ctx, format == ".csv.gz")
	}
	if err != nil {
		return nil, err
	}
	return r.scores(), nil
}

// scoresReader collects the rows of a file.
type scoresReader struct {
	path, column string
	out          *connector.Scores
	// idColumns are one column of nodes, or two of the ends of relationships; value is the column of scores.
	idColumns []int
	value     int
	ids       []idList
}

// errorf is an error about the file.
func (r *scoresReader) errorf(format string, args ...any) error {
	return &connector.Error{Kind: connector.BadData, Msg: r.path + ": " + fmt.Sprintf(format, args...)}
}

// choose finds the columns of ids and of the scores among the names.
func (r *scoresReader) choose(names []string) error {
	at := map[string]int{}
	for i, name := range names {
		if end := columnNames[strings.ToLower(name)]; end == "src" || end == "dst" {
			name = end
		}
		if _, twice := at[name]; !twice {
			at[name] = i
		}
	}
	src, hasSrc := at["src"]
	dst, hasDst := at["dst"]
	id, hasID := at["id"]
	switch {
	case hasID:
		r.out.On, r.idColumns = connector.OnNodes, []int{id}
	case hasSrc && hasDst:
		r.out.On, r.idColumns = connector.OnRelationships, []int{src, dst}
	default:
		return &connector.Error{
			Kind: connector.BadData, Msg: fmt.Sprintf("%s: neither a column id nor columns src and dst among %s", r.path,
				strings.Join(names, ", ")),
			Hint: "linchpin compute --nodes-out and --edges-out write files that have them",
		}
	}
	r.ids = make([]idList, len(r.idColumns))
	return r.chooseValue(names)
}

func (r *scoresReader) chooseValue(names []string) error {
	var others []string
	for i, name := range names {
		if slices.Contains(r.idColumns, i) {
			continue
		}
		if name == r.column {
			r.value, r.out.Property = i, name
			return nil
		}
		others = append(others, name)
		r.value = i
	}
	switch {
	case r.column != "":
		return &connector.Error{
			Kind: connector.UnknownName, Msg: fmt.Sprintf("%s: no column %q", r.path, r.column),
			Hint: "its columns of scores: " + strings.Join(others, ", "),
		}
	case len(others) == 0:
		return r.errorf("no column of scores")
	case len(others) > 1:
		return &connector.Error{
			Kind: connector.UnknownName,
			Msg:  fmt.Sprintf("%s: %d columns may be scores: %s", r.path, len(others), strings.Join(others, ", ")),
			Hint: fmt.Sprintf("name one: %s:%s", r.path, others[len(others)-1]),
		}
	}
	r.out.Property = others[0]
	return nil
}

// add adds a score whose ids have been added.
func (r *scoresReader) add(score float64, row int) error {
	if math.IsNaN(score) {
		return r.errorf("row %d: the score is not a number", row)
	}
	r.out.Values = append(r.out.Values, score)
	return nil
}

// scores returns what was read.
func (r *scoresReader) scores() *connector.Scores {
	if r.out.On == connector.OnNodes {
		r.out.IDs = r.ids[0].IDs
	} else {
		r.out.Source, r.out.Target = r.ids[0].IDs, r.ids[1].IDs
	}
	return r.out
}

// idList collects ids: as integers while all are, and as texts from the first on that is not.
type idList struct{ export.IDs }

// addText adds an id that may be an integer.
func (l *idList) addText(text string) {
	if l.Texts == nil {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(n, 10) == text {
			l.Ints = append(l.Ints, n)
			return
		}
		l.Texts = make([]string, 0, len(l.Ints)+1)
		for _, n := range l.Ints {
			l.Texts = append(l.Texts, strconv.FormatInt(n, 10))
		}
		l.Ints = nil
	}
	l.Texts = append(l.Texts, text)
}

func (l *idList) addInt(n int64) {
	if l.Texts != nil {
		l.Texts = append(l.Texts, strconv.FormatInt(n, 10))
		return
	}
	l.Ints = append(l.Ints, n)
}

// csv reads rows of text.
func (r *scoresReader) csv(ctx context.Context, zipped bool) error {
	in, err := open(ctx, r.path, zipped)
	if err != nil {
		return err
	}
	defer in.file.Close()
	c := &csvReader{in: in}
	if err := c.findSeparator(); err != nil {
		return err
	}
	header, err := nextRow(c)
	switch {
	case err != nil:
		return err
	case header == nil:
		return r.errorf("the file is empty")
	}
	names := make([]string, len(header))
	for i, f := range header {
		names[i] = strings.TrimSpace(string(f))
	}
	if err := r.choose(names); err != nil {
		return err
	}
	for {
		fields, err := nextRow(c)
		if err != nil || fields == nil {
			return err
		}
		if len(fields) != len(names) {
			return in.errorf("line %d: %d fields, and %d columns", in.at, len(fields), len(names))
		}
		if err := r.csvRow(in, fields); err != nil {
			return err
		}
	}
}

func (r *scoresReader) csvRow(in *input, fields [][]byte) error {
	text := strings.TrimSpace(string(fields[r.value]))
	if text == "" {
		r.out.Empty++
		return nil
	}
	score, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(score) {
		return in.lineErrorf(fields[r.value], "%s is not a number", r.out.Property)
	}
	for i, c := range r.idColumns {
		r.ids[i].addText(string(fields[c]))
	}
	r.out.Values = append(r.out.Values, score)
	return nil
}
