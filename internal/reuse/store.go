// Package reuse keeps what the parts of a computation found, from one run to the next, under the hash of all that they
// depend on. A part whose hash is known need not be computed again.
package reuse

import (
	"cmp"
	"crypto/sha256"
	"slices"
)

// Key is the hash of all that a part depends on.
type Key [sha256.Size]byte

// Part is what a part of a computation found.
type Part struct {
	Key    Key
	Values []float64
	// Work is what the part costs to compute, in any unit that all parts of a store share.
	Work float64
}

// bytes is what a part takes in the file.
func (p *Part) bytes() int64 { return int64(len(p.Key)) + 16 + 8*int64(len(p.Values)) }

// Store has the parts of the last run, and takes those of the next. It is for one goroutine at a time.
type Store struct {
	// Names tells the nodes of a graph apart from one run to the next; nil where their numbers do. Wrong names cost time
	// and nothing else.
	Names []int64

	path, maker string
	limit       int64
	known       map[Key][]float64
	kept        map[Key]Part
}

// New returns a store without parts, which Load and Save keep in the file path. maker names the program that computes
// the parts: parts of another one are of no use. The file is no longer than limit, in bytes.
func New(path, maker string, limit int64) *Store {
	return &Store{path: path, maker: maker, limit: limit, known: map[Key][]float64{}, kept: map[Key]Part{}}
}

// Find returns what the part of this hash found in the last run; ok is false if it is not known. Callers do not change
// the values.
func (s *Store) Find(key Key) (values []float64, ok bool) {
	values, ok = s.known[key]
	return values, ok
}

// Keep takes a part for the next run. Callers do not change its values later.
func (s *Store) Keep(p Part) { s.kept[p.Key] = p }

// chosen are the parts that fit into the limit: those that save the most work per byte first.
func (s *Store) chosen() []Part {
	all := make([]Part, 0, len(s.kept))
	for _, p := range s.kept {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Work*float64(a.bytes()), a.Work*float64(b.bytes())), slices.Compare(a.Key[:], b.Key[:]))
	})
	left := s.limit - int64(len(magic)+len(s.maker)) - overhead
	return slices.DeleteFunc(all, func(p Part) bool {
		if p.bytes() > left {
			return true
		}
		left -= p.bytes()
		return false
	})
}
