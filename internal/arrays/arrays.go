// Package arrays writes numbers and arrays as bytes, little-endian and with a checksum at their end, and reads them
// again.
package arrays

import (
	"encoding/binary"
	"unsafe"
)

// pieceLength is how many elements of an array are made bytes of at a time.
const pieceLength = 1 << 14

// Length is the length of an array, -1 for none. Read takes it.
func Length[T any](s []T) int64 {
	if s == nil {
		return -1
	}
	return int64(len(s))
}

// littleEndian reports whether numbers lie in memory as they do in files.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// memoryOf returns the memory of a slice where that is what is to be written; otherwise nil.
func memoryOf[T any](s []T) []byte {
	size := int(unsafe.Sizeof(*new(T)))
	if !littleEndian || len(s) == 0 || binary.Size(s) != size*len(s) {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), size*len(s))
}
