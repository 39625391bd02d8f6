package file

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/linchpin-graph/linchpin/export"
)

// EdgeWriter writes a table of edges, .csv or .csv.gz, some edges at a time: the table that WriteGraph writes of a
// graph whose nodes have the ids 0 to n-1.
type EdgeWriter struct {
	path     string
	pending  *export.PendingFile
	zip      *gzip.Writer // nil for a plain file
	to       *bufio.Writer
	row      []byte
	weighted bool
}

// NewEdgeWriter begins a file. It has its name after Commit.
func NewEdgeWriter(path string, weighted bool) (*EdgeWriter, error) {
	p, err := export.CreatePending(path)
	if err != nil {
		return nil, WriteError(path, err)
	}
	w := &EdgeWriter{path: path, pending: p, weighted: weighted}
	var to io.Writer = p
	if strings.HasSuffix(strings.ToLower(path), ".gz") {
		if w.zip, err = gzip.NewWriterLevel(p, gzip.BestSpeed); err != nil {
			p.Discard()
			return nil, err
		}
		to = w.zip
	}
	w.to = bufio.NewWriterSize(to, 1<<16)
	head := "src,dst\n"
	if weighted {
		head = "src,dst," + WeightColumn + "\n"
	}
	_, err = w.to.WriteString(head) // into the buffer
	return w, err
}

// Write appends edges.
func (w *EdgeWriter) Write(source, target []int32, weights []float64) error {
	for i, u := range source {
		w.row = append(strconv.AppendInt(w.row[:0], int64(u), 10), ',')
		w.row = strconv.AppendInt(w.row, int64(target[i]), 10)
		if w.weighted {
			w.row = strconv.AppendFloat(append(w.row, ','), weights[i], 'g', -1, 64)
		}
		if _, err := w.to.Write(append(w.row, '\n')); err != nil {
			return WriteError(w.path, err)
		}
	}
	return nil
}

// Commit ends the file and gives it its name.
func (w *EdgeWriter) Commit() error {
	err := w.to.Flush()
	if err == nil && w.zip != nil {
		err = w.zip.Close()
	}
	if err == nil {
		err = w.pending.Commit()
	}
	if err != nil {
		return WriteError(w.path, err)
	}
	return nil
}

// Discard removes a file that was not committed.
func (w *EdgeWriter) Discard() { w.pending.Discard() }
