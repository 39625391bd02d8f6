package export

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// snapshotVersion is the version of the snapshot file's columns and metadata.
const snapshotVersion = "1"

// Keys of the metadata in the schema of a snapshot file.
const (
	keyVersion  = "linchpin.snapshot"
	keyDirected = "linchpin.directed"
	keyEdges    = "linchpin.edges"
	keyDropped  = "linchpin.dropped"
)

// Columns of a snapshot file: one row a node. The lists of the arcs that leave the node and of the relationships that
// start at it; a column that the snapshot lacks is left out.
const (
	columnID           = "id"            // int64 or large_utf8
	columnKey          = "key"           // large_utf8
	columnTargets      = "targets"       // large_list<int32>
	columnWeights      = "weights"       // large_list<double>
	columnRests        = "rests"         // large_list<double>
	columnEdges        = "edges"         // large_list<int32>
	columnRelTargets   = "rel_targets"   // large_list<int32>
	columnRelEdges     = "rel_edges"     // large_list<int32>
	columnRelBack      = "rel_back"      // large_list<int32>
	columnRelIDs       = "rel_ids"       // large_list<int64> or large_list<large_utf8>
	columnRelPositions = "rel_positions" // large_list<int32>
)

// WriteSnapshot writes the snapshot as an Arrow IPC file with one record batch, sealed with a checksum over every byte.
// It is written under a temporary name and renamed when it is safe on disk.
func WriteSnapshot(path string, s *Snapshot) error {
	return writeSnapshot(path, s, CreatePending, (*PendingFile).Commit)
}

// WritePrivateSnapshot is WriteSnapshot for a file that only its owner can read. It replaces a symbolic link.
func WritePrivateSnapshot(path string, s *Snapshot) error {
	return writeSnapshot(path, s, CreatePrivate, (*PendingFile).Commit)
}

// ShowSnapshot is WriteSnapshot for a reader on this machine that is to come at once: it does not wait for stable
// storage.
func ShowSnapshot(path string, s *Snapshot) error {
	return writeSnapshot(path, s, CreatePending, (*PendingFile).Show)
}

func writeSnapshot(path string, s *Snapshot, create func(string) (*PendingFile, error),
	end func(*PendingFile) error) error {
	p, err := create(path)
	if err != nil {
		return fmt.Errorf("snapshot %s: %w", path, err)
	}
	defer p.Discard()
	if p.direct {
		return fmt.Errorf("snapshot %s: not a regular file", path)
	}
	sum := &summer{to: p}
	if err := writeArrow(sum, s); err != nil {
		return fmt.Errorf("snapshot %s: %w", path, err)
	}
	if err := seal(p, sum.crc); err != nil {
		return fmt.Errorf("snapshot %s: %w", path, err)
	}
	if err := end(p); err != nil {
		return fmt.Errorf("snapshot %s: %w", path, err)
	}
	return nil
}

// summer computes the checksum of what passes through, before it is written.
type summer struct {
	to  io.Writer
	crc uint32
}

func (s *summer) Write(p []byte) (int, error) {
	s.crc = Checksum(s.crc, p)
	return s.to.Write(p)
}

// writeArrow writes the Arrow file, not yet sealed.
func writeArrow(to io.Writer, s *Snapshot) error {
	batch, err := snapshotBatch(s)
	if err != nil {
		return err
	}
	out, err := ipc.NewFileWriter(to, ipc.WithSchema(batch.Schema()))
	if err != nil {
		return err
	}
	if err := out.Write(batch); err != nil {
		return err
	}
	return out.Close()
}

// snapshotBatch makes Arrow columns of the snapshot's slices without copying integers and numbers.
func snapshotBatch(s *Snapshot) (arrow.RecordBatch, error) {
	dropped, err := json.Marshal(s.Dropped)
	if err != nil {
		return nil, err
	}
	meta := arrow.NewMetadata(
		[]string{keyVersion, keyDirected, keyEdges, keyDropped},
		[]string{snapshotVersion, strconv.FormatBool(s.Graph.Directed), strconv.Itoa(s.Graph.EdgeCount), string(dropped)})
	b := &batchBuilder{rows: s.Graph.N()}
	b.add(columnID, idColumn(s.Nodes))
	if s.Keys != nil {
		b.add(columnKey, idColumn(IDs{Texts: s.Keys}))
	}
	b.addList(columnTargets, s.Graph.Offsets, intColumn(s.Graph.Targets))
	if s.Graph.Weights != nil {
		b.addList(columnWeights, s.Graph.Offsets, floatColumn(s.Graph.Weights))
	}
	if s.Graph.Rests != nil {
		b.addList(columnRests, s.Graph.Offsets, floatColumn(s.Graph.Rests))
	}
	if s.Graph.Edges != nil {
		b.addList(columnEdges, s.Graph.Offsets, intColumn(s.Graph.Edges))
	}
	if r := &s.Rels; r.Offsets != nil {
		b.addList(columnRelTargets, r.Offsets, intColumn(r.Targets))
		b.addList(columnRelEdges, r.Offsets, intColumn(r.Edges))
		if r.Back != nil {
			b.addList(columnRelBack, r.Offsets, intColumn(r.Back))
		}
		if r.IDs.Len() > 0 {
			b.addList(columnRelIDs, r.Offsets, idColumn(r.IDs))
		}
		if r.Positions != nil {
			b.addList(columnRelPositions, r.Offsets, intColumn(r.Positions))
		}
	}
	return array.NewRecordBatch(arrow.NewSchema(b.fields, &meta), b.columns, int64(b.rows)), nil
}

// batchBuilder collects the columns of a record batch.
type batchBuilder struct {
	rows    int
	fields  []arrow.Field
	columns []arrow.Array
}

func (b *batchBuilder) add(name string, data arrow.ArrayData) {
	b.fields = append(b.fields, arrow.Field{Name: name, Type: data.DataType()})
	b.columns = append(b.columns, array.MakeFromData(data))
}

func (b *batchBuilder) addList(name string, offsets []int64, values arrow.ArrayData) {
	kind := arrow.LargeListOfNonNullable(values.DataType())
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(offsets))}
	b.add(name, array.NewData(kind, b.rows, buffers, []arrow.ArrayData{values}, 0, 0))
}

func intColumn(x []int32) arrow.ArrayData {
	return plainColumn(arrow.PrimitiveTypes.Int32, len(x), arrow.Int32Traits.CastToBytes(x))
}

func floatColumn(x []float64) arrow.ArrayData {
	return plainColumn(arrow.PrimitiveTypes.Float64, len(x), arrow.Float64Traits.CastToBytes(x))
}

func plainColumn(kind arrow.DataType, length int, data []byte) arrow.ArrayData {
	return array.NewData(kind, length, []*memory.Buffer{nil, memory.NewBufferBytes(data)}, nil, 0, 0)
}

// idColumn makes a column of ids; texts are copied into one buffer.
func idColumn(ids IDs) arrow.ArrayData {
	if ids.Texts == nil {
		return plainColumn(arrow.PrimitiveTypes.Int64, len(ids.Ints), arrow.Int64Traits.CastToBytes(ids.Ints))
	}
	offsets, total := make([]int64, len(ids.Texts)+1), 0
	for _, t := range ids.Texts {
		total += len(t)
	}
	data := make([]byte, 0, total)
	for i, t := range ids.Texts {
		data = append(data, t...)
		offsets[i+1] = int64(len(data))
	}
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(offsets)),
		memory.NewBufferBytes(data)}
	return array.NewData(arrow.BinaryTypes.LargeString, len(ids.Texts), buffers, nil, 0, 0)
}
