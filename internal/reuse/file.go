package reuse

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/arrays"
)

// ErrDropped marks a file that Load does not take: the next run computes all parts.
var ErrDropped = errors.New("the results kept for reuse are dropped")

// magic begins every file; its last number is that of the format.
const magic = "linchpin reuse 1\n"

// overhead bounds, in bytes, what a file has besides magic, maker and parts.
const overhead = 64

// Save replaces the file by the parts that were kept. A process that is killed meanwhile leaves the old file, complete.
func (s *Store) Save() error {
	f, err := export.CreatePrivate(s.path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := s.write(f); err != nil {
		return err
	}
	return f.Commit()
}

// write writes magic, maker, the number of parts and of values, and then keys, lengths, work and values.
func (s *Store) write(to io.Writer) error {
	all := s.chosen()
	keys, lengths, work := make([]Key, len(all)), make([]int64, len(all)), make([]float64, len(all))
	count := int64(0)
	for i, p := range all {
		keys[i], lengths[i], work[i] = p.Key, int64(len(p.Values)), p.Work
		count += lengths[i]
	}
	w := arrays.NewWriter(to)
	arrays.Write(w, []byte(magic))
	w.Value([]int64{int64(len(s.maker)), int64(len(all)), count})
	arrays.Write(w, []byte(s.maker))
	arrays.Write(w, keys)
	arrays.Write(w, lengths)
	arrays.Write(w, work)
	for i := range all {
		arrays.Write(w, all[i].Values)
	}
	return w.End()
}

// Load reads the file, if there is one. A file that is of another maker or format, altered, cut or too long is not
// taken: the error is then ErrDropped, and the store has no parts.
func (s *Store) Load() error {
	f, err := os.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("%w: %w", ErrDropped, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrDropped, err)
	case info.Size() > s.limit:
		return fmt.Errorf("%w: %s has %d bytes, more than %d", ErrDropped, s.path, info.Size(), s.limit)
	}
	known, err := s.read(f, info.Size())
	if err != nil {
		return fmt.Errorf("%w: %s %w", ErrDropped, s.path, err)
	}
	s.known = known
	return nil
}

// errAltered says what is wrong with a file.
var errAltered = errors.New("is not as it was written")

func (s *Store) read(from io.Reader, size int64) (map[Key][]float64, error) {
	r := arrays.NewReader(from, size, errAltered)
	var begin, maker []byte
	counts := make([]int64, 3)
	arrays.Read(r, int64(len(magic)), &begin)
	if r.Err == nil && string(begin) != magic {
		return nil, errors.New("has another format")
	}
	r.Value(counts)
	arrays.Read(r, max(0, counts[0]), &maker)
	if r.Err == nil && string(maker) != s.maker {
		return nil, fmt.Errorf("was written by %q; this is %q", maker, s.maker)
	}
	var keys []Key
	var lengths []int64
	var work, values []float64
	arrays.Read(r, max(0, counts[1]), &keys)
	arrays.Read(r, max(0, counts[1]), &lengths)
	arrays.Read(r, max(0, counts[1]), &work)
	arrays.Read(r, max(0, counts[2]), &values)
	if err := r.End(); err != nil {
		return nil, err
	}
	if n, _ := from.Read(make([]byte, 1)); n > 0 {
		return nil, fmt.Errorf("%w: it goes on after its end", errAltered)
	}
	return cut(keys, lengths, values)
}

// cut gives each key its values.
func cut(keys []Key, lengths []int64, values []float64) (map[Key][]float64, error) {
	known := make(map[Key][]float64, len(keys))
	for i, key := range keys {
		if lengths[i] < 0 || lengths[i] > int64(len(values)) {
			return nil, fmt.Errorf("%w: a part is longer than all", errAltered)
		}
		known[key], values = values[:lengths[i]:lengths[i]], values[lengths[i]:]
	}
	return known, nil
}
