// Package parts has the files of the parts of a run that processes of a batch system compute: what a file says of
// itself, and whether files belong together. It computes nothing.
//
// A file has a line that begins it, the length of the About as 32 bits, the About as JSON, then for each task the
// partial result (kernels.Partial.Encode) and the sources that are left to the next step (32 bits each), and the
// SHA-256 of all that. Numbers are little-endian.
package parts

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// magic begins a file. It changes with the form of the file.
const magic = "linchpin part 1\n"

// mostAbout bounds the bytes of an About.
const mostAbout = 1 << 26

// Write writes a file, with what was found for each task of the About. It takes its name when it is complete.
func Write(path string, a About, found []*Found) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	p, err := export.CreatePending(path)
	if err != nil {
		return err
	}
	defer p.Discard()
	sum := sha256.New()
	w := io.MultiWriter(p, sum)
	head := append(binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text))), text...)
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, f := range found {
		if err := f.Partial.Encode(w); err != nil {
			return err
		}
		if err := binary.Write(w, binary.LittleEndian, f.Left); err != nil {
			return err
		}
	}
	if _, err := p.Write(sum.Sum(nil)); err != nil {
		return err
	}
	return p.Commit()
}

// File is a file whose checksum is right.
type File struct {
	About
	Path string
	// first is where the partial results begin, size how many bytes they take.
	first, size int64
}

// Open reads a file, verifies its checksum, and returns what it says of itself.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name a file that linchpin shard has written", path)
	}
	begins := make([]byte, len(magic))
	switch n, _ := io.ReadFull(f, begins); {
	case n == 0 && info.Size() == 0:
		return nil, fmt.Errorf("%s is empty: compute this part again", path)
	case n < len(magic) || !bytes.HasPrefix(begins, []byte("linchpin part ")):
		return nil, fmt.Errorf("%s is not a part of a run: name files that linchpin shard has written", path)
	case string(begins) != magic:
		return nil, refuse("compute and merge with the same version of linchpin",
			"%s has another format: it is of another version of linchpin", path)
	}
	out := &File{Path: path}
	if err := out.verify(f, info.Size()); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w: compute this part again", path, err)
	}
	return out, nil
}

var errCutOff = errors.New("it is cut off")

// Bytes is the size of the partial results, on disk and in memory.
func (f *File) Bytes() int64 { return f.size }

// verify reads a file behind its magic.
func (f *File) verify(from io.Reader, size int64) error {
	sum := sha256.New()
	sum.Write([]byte(magic))
	body := size - sha256.Size
	r := bufio.NewReaderSize(from, 1<<18)
	hashed := io.TeeReader(io.LimitReader(r, body-int64(len(magic))), sum)
	var length uint32
	if err := binary.Read(hashed, binary.LittleEndian, &length); err != nil {
		return errCutOff
	}
	f.first = int64(len(magic)) + 4 + int64(length)
	if f.size = body - f.first; f.size < 0 || length > mostAbout {
		return errCutOff
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(hashed, text); err != nil {
		return errCutOff
	}
	if _, err := io.Copy(io.Discard, hashed); err != nil {
		return err
	}
	want := make([]byte, sha256.Size)
	if _, err := io.ReadFull(r, want); err != nil {
		return errCutOff
	}
	if !bytes.Equal(want, sum.Sum(nil)) {
		return errors.New("its checksum is wrong, so it was cut off or changed")
	}
	return json.Unmarshal(text, &f.About)
}

// Found reads what was found for one task.
func (f *File) Found(task int) (*Found, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := bufio.NewReaderSize(io.NewSectionReader(file, f.first, f.size), 1<<18)
	var p kernels.Partial
	var left []int32
	for i := range task + 1 {
		err := p.Decode(r, f.size)
		if err == nil && i < len(f.Told) {
			left, err = readLeft(r, f.Told[i].Left, f.size)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w: compute this part again", f.Path, err)
		}
	}
	return &Found{Partial: &p, Left: left, By: f.Tasks[task].By, Told: f.Told[task]}, nil
}

// readLeft reads so many sources, from a file of so many bytes.
func readLeft(r io.Reader, count int, most int64) ([]int32, error) {
	if count == 0 {
		return nil, nil
	}
	if count < 0 || int64(count) > most/4 {
		return nil, fmt.Errorf("it cannot have %d sources left", count)
	}
	left := make([]int32, count)
	return left, binary.Read(r, binary.LittleEndian, left)
}
