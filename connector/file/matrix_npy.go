package file

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// NoPath is what an array of hops has for a pair without a path. An array of weighted distances has infinity.
const NoPath = -1

// DistanceArray is an array of NumPy with a row for each source and a column for each node: int32 for hops, float64 for
// sums of weights. It is written row by row to PATH.part, so that memory holds one row. A process that ends before the
// last row leaves that file, and the next one goes on where it stopped.
type DistanceArray struct {
	path     string
	weighted bool
	columns  int
	file     *os.File
	out      *bufio.Writer
	row      []byte
	// Done is how many rows the file has.
	Done int
}

// OpenDistanceArray begins an array, or goes on with one of the same key: that says what the distances are of, and in
// which order the sources are.
func OpenDistanceArray(path string, rows, columns int, weighted bool, key string) (*DistanceArray, error) {
	if err := CheckPath(path); err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, pathError(path, "it is not a regular file", "an array of all pairs needs a file")
	}
	width, kind := 4, "<i4"
	if weighted {
		width, kind = 8, "<f8"
	}
	a := &DistanceArray{path: path, weighted: weighted, columns: columns, row: make([]byte, width*columns)}
	head := npyHeadOf(kind, fmt.Sprintf("%d, %d", rows, columns))
	if err := a.open(head, key); err != nil {
		return nil, WriteError(path, err)
	}
	return a, nil
}

func (a *DistanceArray) part() string { return a.path + ".part" }
func (a *DistanceArray) key() string  { return a.path + ".part.key" }

// open opens the file of rows, with what an earlier process has left in it.
func (a *DistanceArray) open(head []byte, key string) (err error) {
	old, err := os.ReadFile(a.key())
	again := err == nil && string(old) == key
	if a.file, err = os.OpenFile(a.part(), os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			a.file.Close()
		}
	}()
	info, err := a.file.Stat()
	if err != nil {
		return err
	}
	if again && info.Size() >= int64(len(head)) && len(a.row) > 0 {
		a.Done = int((info.Size() - int64(len(head))) / int64(len(a.row)))
	}
	if a.Done == 0 {
		if err := errors.Join(a.file.Truncate(0), os.WriteFile(a.key(), []byte(key), 0o666)); err != nil {
			return err
		}
		if _, err := a.file.WriteAt(head, 0); err != nil {
			return err
		}
	}
	end := int64(len(head)) + int64(a.Done)*int64(len(a.row))
	if err := a.file.Truncate(end); err != nil {
		return err
	}
	if _, err := a.file.Seek(end, io.SeekStart); err != nil {
		return err
	}
	a.out = bufio.NewWriterSize(a.file, 1<<20)
	return nil
}

// Row adds the distances from the next source to every node; infinity where there is no path.
func (a *DistanceArray) Row(distances []float64) error {
	for v, d := range distances {
		switch {
		case a.weighted:
			binary.LittleEndian.PutUint64(a.row[8*v:], math.Float64bits(d))
		case math.IsInf(d, 1):
			binary.LittleEndian.PutUint32(a.row[4*v:], math.MaxUint32) // NoPath
		default:
			binary.LittleEndian.PutUint32(a.row[4*v:], uint32(d))
		}
	}
	if _, err := a.out.Write(a.row); err != nil {
		return WriteError(a.path, err)
	}
	a.Done++
	return nil
}

// EachRow gives the rows that are there to row, which Row would have got, one at a time.
func (a *DistanceArray) EachRow(row func(i int, distances []float64) error) error {
	if err := a.out.Flush(); err != nil {
		return WriteError(a.path, err)
	}
	end, err := a.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return WriteError(a.path, err)
	}
	start := end - int64(a.Done)*int64(len(a.row))
	in := bufio.NewReaderSize(io.NewSectionReader(a.file, start, end-start), 1<<20)
	buffer, distances := make([]byte, len(a.row)), make([]float64, a.columns)
	for i := range a.Done {
		if _, err := io.ReadFull(in, buffer); err != nil {
			return WriteError(a.path, err)
		}
		a.decode(buffer, distances)
		if err := row(i, distances); err != nil {
			return err
		}
	}
	return nil
}

func (a *DistanceArray) decode(row []byte, distances []float64) {
	for v := range distances {
		if a.weighted {
			distances[v] = math.Float64frombits(binary.LittleEndian.Uint64(row[8*v:]))
		} else if hops := int32(binary.LittleEndian.Uint32(row[4*v:])); hops == NoPath {
			distances[v] = math.Inf(1)
		} else {
			distances[v] = float64(hops)
		}
	}
}

// Prepare writes everything to stable storage.
func (a *DistanceArray) Prepare() error {
	if err := errors.Join(a.out.Flush(), a.file.Sync()); err != nil {
		return WriteError(a.path, err)
	}
	return nil
}

// Commit gives the array its name.
func (a *DistanceArray) Commit() error {
	if err := errors.Join(a.out.Flush(), a.file.Sync(), a.file.Close()); err != nil {
		return WriteError(a.path, err)
	}
	if err := os.Rename(a.part(), a.path); err != nil {
		return WriteError(a.path, err)
	}
	_ = os.Remove(a.key()) // without the rows it is of no use, and does no harm
	return nil
}

// Close keeps the rows for the next process, unless the array was committed.
func (a *DistanceArray) Close() {
	_ = a.out.Flush() // what is missing is computed again
	_ = a.file.Close()
}
