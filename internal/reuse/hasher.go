package reuse

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
)

// Hasher hashes numbers and arrays. Arrays are hashed with their lengths, so that no two sequences of calls give the
// same bytes unless their arguments are equal.
type Hasher struct {
	kind string
	sum  hash.Hash
	raw  []byte
}

// NewHasher returns a hasher for the keys of one kind of parts.
func NewHasher(kind string) *Hasher {
	h := &Hasher{kind: kind, sum: sha256.New(), raw: make([]byte, 0, 2*flushAt)}
	h.begin()
	return h
}

func (h *Hasher) begin() {
	h.Int(int64(len(h.kind)))
	h.raw = append(h.raw, h.kind...)
}

// flushAt is how many bytes are hashed at a time.
const flushAt = 1 << 12

func (h *Hasher) flush() {
	if len(h.raw) >= flushAt {
		h.sum.Write(h.raw) // which has no error
		h.raw = h.raw[:0]
	}
}

// Int hashes a number.
func (h *Hasher) Int(x int64) {
	h.raw = binary.LittleEndian.AppendUint64(h.raw, uint64(x))
	h.flush()
}

// Float hashes the bits of a number.
func (h *Hasher) Float(x float64) { h.Int(int64(math.Float64bits(x))) }

// Int32s hashes an array; nil is another than an empty one.
func (h *Hasher) Int32s(all []int32) {
	h.length(len(all), all == nil)
	for _, x := range all {
		h.raw = binary.LittleEndian.AppendUint32(h.raw, uint32(x))
		h.flush()
	}
}

// Ints hashes an array; nil is another than an empty one.
func (h *Hasher) Ints(all []int64) {
	h.length(len(all), all == nil)
	for _, x := range all {
		h.Int(x)
	}
}

// Floats hashes the bits of an array; nil is another than an empty one.
func (h *Hasher) Floats(all []float64) {
	h.length(len(all), all == nil)
	for _, x := range all {
		h.Float(x)
	}
}

func (h *Hasher) length(n int, none bool) {
	if none {
		n = -1
	}
	h.Int(int64(n))
}

// Key returns the hash of all calls since the last Key.
func (h *Hasher) Key() (key Key) {
	h.sum.Write(h.raw)
	h.sum.Sum(key[:0])
	h.sum.Reset()
	h.raw = h.raw[:0]
	h.begin()
	return key
}
