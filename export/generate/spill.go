package generate

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// spillParts is in how many files what was drawn waits: by ranges of the smaller end, so that each is sorted in memory.
const spillParts = 256

// spillBuffer is from how many bytes on what was drawn for a part goes to its file.
const spillBuffer = 1 << 16

// spill keeps drawn edges in files, one per range of smaller ends.
type spill struct {
	folder string
	shift  int
	parts  []*spillPart
}

// spillPart is the edges of one range.
type spillPart struct {
	mu   sync.Mutex
	file *os.File
	buf  []byte // what is not in the file yet
	err  error
}

func newSpill(parent string, nodes int) (*spill, error) {
	folder, err := os.MkdirTemp(parent, "linchpin-generate-")
	if err != nil {
		return nil, err
	}
	s := &spill{folder: folder}
	for (nodes-1)>>s.shift >= spillParts {
		s.shift++
	}
	for i := range spillParts {
		f, err := os.Create(filepath.Join(folder, fmt.Sprint(i)))
		if err != nil {
			return nil, errors.Join(err, s.remove())
		}
		s.parts = append(s.parts, &spillPart{file: f})
	}
	_ = os.RemoveAll(folder) // where open files can do without names, a process that is killed leaves nothing; see remove
	return s, nil
}

// remove removes all files.
func (s *spill) remove() (err error) {
	for _, p := range s.parts {
		err = errors.Join(err, p.file.Close())
	}
	return errors.Join(err, os.RemoveAll(s.folder))
}

// add keeps edges, without self-loops.
func (s *spill) add(edges []uint64) {
	var sorted [spillParts][]uint64
	for _, e := range edges {
		if e>>32 != e&(1<<32-1) {
			part := min(int(e>>32>>s.shift), spillParts-1)
			sorted[part] = append(sorted[part], e)
		}
	}
	for i, some := range sorted {
		if len(some) > 0 {
			s.parts[i].write(some)
		}
	}
}

// write appends edges; an error is kept for sorted.
func (p *spillPart) write(edges []uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range edges {
		if p.buf = binary.LittleEndian.AppendUint64(p.buf, e); len(p.buf) >= spillBuffer {
			p.flush()
		}
	}
}

// flush writes what is not in the file yet.
func (p *spillPart) flush() {
	if _, err := p.file.Write(p.buf); err != nil && p.err == nil {
		p.err = err
	}
	p.buf = p.buf[:0]
}

// sorted returns the edges of the part, each once.
func (p *spillPart) sorted() ([]uint64, error) {
	if p.flush(); p.err != nil {
		return nil, p.err
	}
	end, err := p.file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	edges := make([]uint64, end/8)
	if err := binary.Read(bufio.NewReaderSize(p.file, 1<<20), binary.LittleEndian, edges); err != nil {
		return nil, err
	}
	slices.Sort(edges)
	return slices.Compact(edges), nil
}

// rewrite replaces the edges of the part.
func (p *spillPart) rewrite(edges []uint64) error {
	if err := p.file.Truncate(0); err != nil {
		return err
	}
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	p.write(edges)
	return p.err
}

// unique leaves each edge once, and returns how many there are.
func (d *drawing) unique() (count int, err error) {
	counts := make([]int, len(d.spill.parts))
	err = d.parallel(len(d.spill.parts), func(i int) error {
		edges, err := d.spill.parts[i].sorted()
		if err != nil {
			return err
		}
		counts[i] = len(edges)
		return d.spill.parts[i].rewrite(edges)
	})
	for _, c := range counts {
		count += c
	}
	return count, err
}
